#include <algorithm>
#include <exception>
#include <thread>

#include <distributed/nccl/nccl_communicator.hpp>
#include <distributed/nccl/nccl_watch.hpp>
#include <distributed/start/last_resort.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {
namespace {

constexpr const char* same_calls = "All ranks must make the same calls in the same order, on arrays that fit";

double seconds(std::chrono::milliseconds t) { return std::chrono::duration<double>(t).count(); }

/// To connect takes what it takes, whatever deadline the program wants for its calls.
std::chrono::milliseconds start_timeout(std::chrono::milliseconds timeout) {
  return std::max<std::chrono::milliseconds>(timeout, std::chrono::minutes(1));
}

class event_mark final : public work_mark {
 public:
  explicit event_mark(device place) : event_(place, {.timing = false}) {}
  void record(const stream_view& on) override { event_.record(on); }
  bool done() const override { return event_.done(); }
  void wait() const override { event_.synchronize(); }

 private:
  event event_;
};

}  // namespace

std::unique_ptr<work_mark> make_event_mark(device place) { return std::make_unique<event_mark>(place); }

nccl_communicator::nccl_communicator(const nccl_table& calls, const nccl_id& id, const options& how)
    : calls_(calls), how_(how) {
  default_stream(how.place).synchronize();  // makes the GPU this thread's, whose rank NCCL takes for it
  const std::chrono::milliseconds timeout = start_timeout(how.timeout);
  {
    const last_resort guard(
        fmt::format("rank {} of {}: NCCL did not connect the ranks within {} s. Not all have come, or it "
                    "finds no network between "
                    "them: NCCL_SOCKET_IFNAME names its interface, lo on a machine that has no other",
                    how.rank, how.size, seconds(timeout)),
        timeout);
    const std::lock_guard held(lock_);
    current_ = signature("init");
    const int code = calls_.CommInitRank(&comm_, how.size, id, how.rank);
    if (code != nccl_success && code != nccl_in_progress) comm_ = nullptr;
    finish("ncclCommInitRank", code);
  }
  begin_watching(*this, how.timeout);
}

nccl_communicator::nccl_communicator(nccl_communicator& parent, int color, int key, const signature& current)
    : calls_(parent.calls_), how_(parent.how_) {
  {
    const use inside(parent, current);
    parent.finish("ncclCommSplit", calls_.CommSplit(parent.comm_, color, key, &comm_, nullptr));
    current_ = current;
    finish("ncclCommUserRank", calls_.CommUserRank(comm_, &how_.rank));
    finish("ncclCommCount", calls_.CommCount(comm_, &how_.size));
  }
  begin_watching(*this, how_.timeout);
}

nccl_communicator::~nccl_communicator() {
  const bool in_peace = std::uncaught_exceptions() == 0;
  const work_mark* last = nullptr;
  if (in_peace) {
    const std::lock_guard held(lock_);
    if (count_ > 0 && !broken_) last = ends_[(first_ + count_ - 1) % ends_.size()].mark.get();
  }
  try {
    if (last) last->wait();  // watched, and so not for ever
  } catch (const error&) {   // a fault of the device, which others are told of
  }
  end_watching(*this);
  close(in_peace);
}

void nccl_communicator::close(bool in_peace) noexcept {
  const std::lock_guard held(lock_);
  if (!comm_ || broken_) return;
  if (in_peace) {
    const last_resort guard("ncclCommDestroy did not return: not all ranks have come to their end",
                            how_.timeout);
    if (kept_window_) calls_.CommWindowDeregister(comm_, kept_window_);
    calls_.CommDestroy(comm_);
    if (kept_) calls_.MemFree(kept_);
  } else {
    calls_.CommAbort(comm_);
  }
  comm_ = nullptr;
}

void nccl_communicator::keep(void* memory, nccl_window window) noexcept {
  if (kept_window_) calls_.CommWindowDeregister(comm_, kept_window_);
  if (kept_ && kept_ != memory) calls_.MemFree(kept_);
  kept_ = memory;
  kept_window_ = window;
}

nccl_communicator::use::use(nccl_communicator& owner, const signature& current)
    : owner_(owner), held_(owner.lock_) {
  owner.check();
  owner.current_ = current;
  owner.inside_since_.store(clock::now().time_since_epoch().count(), std::memory_order_release);
}

void nccl_communicator::check() const {
  if (broken_.load(std::memory_order_acquire))
    core::fail<distributed_error>("the ranks are no longer connected: {}", why_);
}

/// Waits for what NCCL does in the background, where NCCL_COMM_BLOCKING=0 asks for that.
void nccl_communicator::finish(const char* name, int code) {
  while (code == nccl_in_progress && comm_) {
    std::this_thread::yield();
    if (calls_.CommGetAsyncError(comm_, &code) != nccl_success) code = -1;
  }
  if (code == nccl_success) [[likely]]
    return;
  const char* const detail = calls_.GetLastError(comm_);
  fail(fmt::format("rank {} of {} failed in {}: {}: {} ({}){}{}. {}", how_.rank, how_.size, current_.text(),
                   name, calls_.GetErrorString(code), code, detail && *detail ? ": " : "",
                   detail ? detail : "", same_calls));
}

void nccl_communicator::fail(const std::string& why) {
  break_down_locked(why);
  throw distributed_error(why);
}

void nccl_communicator::break_down(const std::string& why) {
  const std::lock_guard held(lock_);
  break_down_locked(why);
}

bool nccl_communicator::waits_for_ever() const noexcept {
  for (std::size_t i = 0; i < count_; ++i) {
    const end_of_work& end = ends_[(first_ + i) % ends_.size()];
    try {
      if (!end.can_be_aborted && !end.mark->done()) return true;
    } catch (const error&) {  // a fault of the device, which waits for nothing then
    }
  }
  return false;
}

void nccl_communicator::break_down_locked(std::string why) {
  if (broken_) return;
  if (waits_for_ever()) end_process(why);
  why_ = std::move(why);
  broken_.store(true, std::memory_order_release);
  // To abort several one after the other can hang, so each has its own thread.
  if (comm_) std::thread([abort = calls_.CommAbort, comm = comm_] { abort(comm); }).detach();
  comm_ = nullptr;
}

void nccl_communicator::mark(const stream_view& on, void* stream, bool can_be_aborted) {
  if (is_captured(stream)) return;
  // Where many are under way the newest stands for those that come behind it.
  const bool is_full = count_ == ends_.size();
  if (!is_full) ++count_;
  end_of_work& end = ends_[(first_ + count_ - 1) % ends_.size()];
  if (!end.mark) end.mark = how_.make_mark(how_.place);
  end.mark->record(on);
  end.since = clock::now();
  end.call = current_;
  end.can_be_aborted = can_be_aborted && (is_full ? end.can_be_aborted : true);
}

std::string nccl_communicator::waited_text(const signature& call) const {
  return fmt::format(
      "rank {} of {} waited {} s in {} for ranks that are in another call or in none. {}; one that needs "
      "more time is given it "
      "by init({{.timeout = ...}}) or GPARRAY_DISTRIBUTED_TIMEOUT",
      how_.rank, how_.size, seconds(how_.timeout), call.text(), same_calls);
}

void nccl_communicator::look(clock::time_point now) noexcept {
  const std::unique_lock held(lock_, std::try_to_lock);
  if (!held) {
    const clock::rep since = inside_since_.load(std::memory_order_acquire);
    if (since != 0 && now.time_since_epoch() - clock::duration(since) > how_.timeout)
      end_process(waited_text(current_));
    return;
  }
  if (!comm_) return;
  std::string why;
  try {
    int code = nccl_success;
    if (calls_.CommGetAsyncError(comm_, &code) != nccl_success) code = -1;
    if (code != nccl_success && code != nccl_in_progress)
      why = fmt::format("rank {} of {}: {} ({}): another rank has ended, or the network has failed",
                        how_.rank, how_.size, calls_.GetErrorString(code), code);
    while (count_ > 0 && ends_[first_].mark->done()) {
      first_ = (first_ + 1) % ends_.size();
      --count_;
      if (count_ > 0) ends_[first_].since = std::max(ends_[first_].since, now);
    }
    if (why.empty() && count_ > 0 && now - ends_[first_].since > how_.timeout)
      why = waited_text(ends_[first_].call);
  } catch (const std::exception& e) {
    why = fmt::format("rank {} of {}: {}", how_.rank, how_.size, e.what());  // a fault of the device
  }
  if (why.empty()) return;
  // The thread that waits is told by its next call; somebody who looks at the screen, at once.
  say(why);
  break_down_locked(std::move(why));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
