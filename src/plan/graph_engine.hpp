// What a backend offers for graphs: recording the work of a stream, and running what was recorded.
#pragma once
#include <memory>

#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Work that was recorded once and can be launched again and again, by one thread at a time.
class recorded_graph {
 public:
  virtual ~recorded_graph() = default;
  /// Makes it ready to run. If `older` has the same topology, its executable form is changed and taken over
  /// instead of building one, and the result is true. `older` may be null.
  virtual bool prepare(recorded_graph* older) = 0;
  /// Launches are executed one after the other, on whatever streams.
  virtual void launch(queue q) = 0;
  virtual std::string dot() = 0;
  /// Without what is inside loops.
  virtual std::size_t node_count() = 0;
};

/// How a loop decides whether to go on. All memory is the device's.
struct loop_control {
  const void* condition;  // bool
  void* count;            // int64: how often the body ran
  std::int64_t most;      // runs allowed
  std::uint64_t handle = 0;
};

/// Errors are cuda_error.
class graph_engine {
 public:
  virtual ~graph_engine() = default;

  /// A stream for recording alone: nothing ever runs on it, and its handle is never another stream's.
  virtual stream_handle acquire_stream(int device) = 0;
  virtual void release_stream(int device, stream_handle stream) noexcept = 0;

  /// From now on work given to q, and to streams that wait for it, is recorded and not run.
  virtual void begin_capture(queue q) = 0;
  /// Ends the recording, also when it throws.
  virtual std::unique_ptr<recorded_graph> end_capture(queue q) = 0;
  virtual bool is_captured(queue q) = 0;

  /// Records a loop on q; until end_loop, work given to `body` is recorded as what it repeats.
  virtual void begin_loop(queue q, queue body, loop_control& control) = 0;
  /// The number of nodes in the body. Ends the recording of the body, also when it throws.
  virtual std::size_t end_loop(queue body, const loop_control& control) = 0;
  /// Ends what begin_capture or begin_loop began and drops it.
  virtual void abandon(queue q, bool is_body) noexcept = 0;
};

}  // namespace core
GPARRAY_END_NAMESPACE
