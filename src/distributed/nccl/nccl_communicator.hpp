// A communicator of NCCL that is watched: what waits for a rank in vain is ended at the deadline.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include <distributed/nccl/nccl.hpp>
#include <distributed/runtime/signature.hpp>

#include <gparray/distributed/communicator.hpp>
#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// A mark behind the work of a stream.
class work_mark {
 public:
  virtual ~work_mark() = default;
  virtual void record(const stream_view& on) = 0;
  virtual bool done() const = 0;
  virtual void wait() const = 0;
};
/// By an event of the device.
std::unique_ptr<work_mark> make_event_mark(device place);

/// A thread, the watch (nccl_watch.hpp), looks at it from time to time. Work that was enqueued and does not
/// come to its end within the timeout is aborted, and from then on every call throws. A call of NCCL that
/// does not return cannot throw: then the process ends.
///
/// What waits for a signal of another rank is in no kernel of NCCL's, and no abort ends it: then the process
/// ends, too.
///
/// The time of a piece of work begins when what was enqueued here before it is done. Work in a graph is not
/// watched when the graph is launched.
class nccl_communicator {
 public:
  using clock = std::chrono::steady_clock;

  struct options {
    int rank, size;
    device place;
    std::chrono::milliseconds timeout;
    std::unique_ptr<work_mark> (*make_mark)(device place) = &make_event_mark;
  };

  /// Connects the ranks. All must call it, on threads whose current device is their own. Throws
  /// distributed_error if NCCL refuses; ends the process if not all come.
  nccl_communicator(const nccl_table& calls, const nccl_id& id, const options& how);
  /// Those of the ranks of another that give the same color, ordered by key and rank.
  nccl_communicator(nccl_communicator& parent, int color, int key, const signature& current);
  /// Waits for what was enqueued; not if an exception is the reason, for then other ranks may not come.
  ~nccl_communicator();
  nccl_communicator(const nccl_communicator&) = delete;
  nccl_communicator& operator=(const nccl_communicator&) = delete;

  int rank() const noexcept { return how_.rank; }
  int size() const noexcept { return how_.size; }
  device place() const noexcept { return how_.place; }
  const nccl_table& table() const noexcept { return calls_; }

  /// Has `enqueue` call NCCL, and tell the function that it is given each call's name and result.
  template<class Enqueue>
  void enqueue(const signature& current, const stream_view& on, void* stream, const Enqueue& enqueue,
               bool can_be_aborted = true) {
    const use inside(*this, current);
    enqueue([&](const char* name, int code) { finish(name, code); });
    mark(on, stream, can_be_aborted);
  }
  nccl_comm handle() const noexcept { return comm_; }
  /// Memory of NCCL's that it is to take back, with a window onto it or null, in place of what it was given
  /// before; within enqueue().
  void keep(void* memory, nccl_window window) noexcept;

  /// Throws what broke it, if anything did.
  void check() const;
  /// Aborts what is enqueued, and has every later call throw.
  void break_down(const std::string& why);

  /// For the watch.
  void look(clock::time_point now) noexcept;
  /// At the end of the process: gives the library's part back, or aborts it.
  void close(bool in_peace) noexcept;

 private:
  /// While it lives this thread is in a call of NCCL.
  class use {
   public:
    use(nccl_communicator& owner, const signature& current);
    ~use() { owner_.inside_since_.store(0, std::memory_order_release); }
    use(const use&) = delete;
    use& operator=(const use&) = delete;

   private:
    nccl_communicator& owner_;
    std::lock_guard<std::mutex> held_;
  };

  /// The end of enqueued work.
  struct end_of_work {
    std::unique_ptr<work_mark> mark;
    clock::time_point since;
    signature call;
    bool can_be_aborted = true;
  };

  void finish(const char* name, int code);
  void mark(const stream_view& on, void* stream, bool can_be_aborted);
  [[noreturn]] void fail(const std::string& why);
  void break_down_locked(std::string why);
  /// Whether something is under way that no abort ends.
  bool waits_for_ever() const noexcept;
  std::string waited_text(const signature& call) const;

  const nccl_table& calls_;
  options how_;
  nccl_comm comm_ = nullptr;
  void* kept_ = nullptr;
  nccl_window kept_window_ = nullptr;
  std::mutex lock_;  // of all below but what is atomic
  signature current_;
  std::atomic<clock::rep> inside_since_ = 0;
  std::array<end_of_work, 16> ends_;  // a ring
  std::size_t first_ = 0, count_ = 0;
  std::atomic<bool> broken_ = false;
  std::string why_;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
