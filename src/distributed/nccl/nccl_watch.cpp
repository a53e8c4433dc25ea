#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include <distributed/nccl/nccl_communicator.hpp>
#include <distributed/nccl/nccl_watch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {
namespace {

class watch {
 public:
  void add(nccl_communicator& c, std::chrono::milliseconds timeout) {
    const std::lock_guard guard(lock_);
    watched_.push_back(&c);
    pause_ = std::min(pause_, std::max(timeout / 8, std::chrono::milliseconds(1)));
    if (!thread_.joinable()) {
      thread_ = std::thread([this] { run(); });
      // NCCL wants to be told before the process ends: other ranks may still read memory of this one. A rank
      // that failed does not wait for them.
      static const int registered =
          on_exit([](int status, void* self) { static_cast<watch*>(self)->end(status); }, this);
      static_cast<void>(registered);
    }
    changed_.notify_one();
  }

  void remove(nccl_communicator& c) noexcept {
    const std::lock_guard guard(lock_);
    std::erase(watched_, &c);
  }

 private:
  void run() {
    std::unique_lock guard(lock_);
    while (!ending_) {
      changed_.wait_for(guard, pause_);
      for (nccl_communicator* const c : watched_) c->look(nccl_communicator::clock::now());
    }
  }

  void end(int status) noexcept {
    {
      const std::lock_guard guard(lock_);
      ending_ = true;
    }
    changed_.notify_one();
    thread_.join();
    for (nccl_communicator* const c : watched_) c->close(status == 0);
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<nccl_communicator*> watched_;
  std::chrono::milliseconds pause_{100};
  bool ending_ = false;
  std::thread thread_;
};

watch& the_watch() {
  static watch& one = *new watch;  // static objects that end later may have communicators
  return one;
}

}  // namespace

void begin_watching(nccl_communicator& c, std::chrono::milliseconds timeout) { the_watch().add(c, timeout); }
void end_watching(nccl_communicator& c) noexcept { the_watch().remove(c); }

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
