// An operation of a backend as a range of NVTX and of the timeline.
#pragma once
#include <core/runtime/debug.hpp>
#include <core/runtime/timeline.hpp>
#include <plan/profiler_ranges.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// While it lives the operation is carried out, or enqueued on q; `on_stream`: q is a GPU's, and is not being
/// recorded. `elements` is negative if they are not counted.
class observed_operation {
 public:
  observed_operation(const debug_settings& settings, std::string_view name, std::int64_t elements,
                     backend& real, queue q, bool on_stream)
      : settings_(settings), name_(name), elements_(elements), real_(real), where_(q), on_stream_(on_stream) {
    if (settings_.ranges) push_range(name_.c_str());
    if (!settings_.trace) return;
    begin_ = settings_.trace->now();
    if (on_stream_) start_ = settings_.trace->mark(real_, where_);
  }
  ~observed_operation() {
    if (timeline* const trace = settings_.trace) {
      if (on_stream_ && start_)
        trace->add(name_, elements_, real_, where_, start_, trace->mark(real_, where_));
      trace->add(name_, elements_, begin_, trace->now());
    }
    if (settings_.ranges) pop_range();
  }
  observed_operation(const observed_operation&) = delete;
  observed_operation& operator=(const observed_operation&) = delete;

 private:
  const debug_settings& settings_;
  std::string name_;
  std::int64_t elements_;
  backend& real_;
  queue where_;
  bool on_stream_;
  double begin_ = 0;
  event_handle start_ = nullptr;
};

}  // namespace core
GPARRAY_END_NAMESPACE
