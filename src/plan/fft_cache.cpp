#include <algorithm>
#include <utility>

#include <plan/fft_cache.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

thread_local constinit lasting<fft_plan_holder*> holder = nullptr;

const fft_cache::handle& held(const fft_cache::handle& plan) {
  if (holder) holder->plans.push_back(plan);
  return plan;
}

}  // namespace

fft_plan_holder::fft_plan_holder() noexcept : outer_(std::exchange(holder, this)) {}
fft_plan_holder::~fft_plan_holder() { holder = outer_; }

fft_cache::handle fft_cache::find_or_make(const key& description, const std::function<handle()>& make) {
  const auto find = [&]() -> handle {
    const auto found = index_.find(description);
    if (found == index_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->plan;
  };
  {
    const std::lock_guard guard(lock_);
    if (handle found = find()) {
      ++numbers_.hits;
      return held(found);
    }
    ++numbers_.misses;
  }
  handle made = make();
  list gone;
  const std::lock_guard guard(lock_);
  if (handle found = find()) return held(found);  // another thread was faster
  const bool fits = numbers_.max_plans > 0 && made->bytes <= numbers_.max_bytes;
  if (!fits && !holder) return made;
  entries_.push_front({description, made});
  index_[description] = entries_.begin();
  ++numbers_.n_plans;
  numbers_.bytes += made->bytes;
  held(made);
  shrink(gone, numbers_.max_plans, numbers_.max_bytes);
  return made;
}

fft_cache::statistics fft_cache::info() const {
  const std::lock_guard guard(lock_);
  statistics now = numbers_;
  for (const entry& e : entries_) now.largest_work = std::max(now.largest_work, e.plan->bytes);
  return now;
}

void fft_cache::shrink(list& gone, std::int64_t max_plans, std::size_t max_bytes) {
  for (auto at = entries_.end(); at != entries_.begin();) {
    if (numbers_.n_plans <= max_plans && numbers_.bytes <= max_bytes) return;
    --at;
    if (at->plan.use_count() > 1) continue;
    --numbers_.n_plans;
    numbers_.bytes -= at->plan->bytes;
    index_.erase(at->description);
    const auto next = std::next(at);
    gone.splice(gone.end(), entries_, at);
    at = next;
  }
}

void fft_cache::set_max_plans(std::int64_t count) {
  list gone;
  const std::lock_guard guard(lock_);
  numbers_.max_plans = std::max<std::int64_t>(count, 0);
  shrink(gone, numbers_.max_plans, numbers_.max_bytes);
}

void fft_cache::set_max_bytes(std::size_t bytes) {
  list gone;
  const std::lock_guard guard(lock_);
  numbers_.max_bytes = bytes;
  shrink(gone, numbers_.max_plans, numbers_.max_bytes);
}

void fft_cache::clear() {
  list gone;
  const std::lock_guard guard(lock_);
  numbers_.hits = numbers_.misses = 0;
  shrink(gone, 0, 0);
}

}  // namespace core
GPARRAY_END_NAMESPACE
