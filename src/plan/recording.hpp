// What this thread is recording into a graph, and what the graph must keep alive.
#pragma once
#include <atomic>
#include <unordered_set>

#include <plan/graph_arena.hpp>
#include <plan/graph_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct storage;

/// Memory that the nodes of a graph read and write, and that is not its own; and what else they need.
class kept_memory {
 public:
  kept_memory() = default;
  kept_memory(kept_memory&& other) noexcept
      : storages_(std::exchange(other.storages_, {})),
        blocks_(std::exchange(other.blocks_, {})),
        objects_(std::exchange(other.objects_, {})) {}
  kept_memory& operator=(kept_memory&&) = delete;
  ~kept_memory();

  void keep(storage* s);
  /// Takes the block over.
  void keep(block* b);
  void keep(std::shared_ptr<const void> object) { objects_.insert(std::move(object)); }
  /// Work on q uses all of it.
  void record_use(queue q);
  /// Before the work runs: see pending_list.hpp.
  void compute_readers() const;

 private:
  std::unordered_set<storage*> storages_;
  std::vector<block*> blocks_;
  std::unordered_set<std::shared_ptr<const void>> objects_;
};

/// A recording of this thread, from construction to finish() or destruction.
class recording {
 public:
  /// Throws device_error if the device has no graphs, value_error if this thread records already.
  explicit recording(device on_device);
  /// Drops what was recorded, unless it was finished.
  ~recording();
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;

  device on_device() const noexcept { return device_; }
  queue origin() const noexcept { return origin_; }
  memory_pool& pool() noexcept { return arena->pool(); }
  graph_engine& engine() noexcept { return engine_; }

  void begin();
  std::unique_ptr<recorded_graph> finish();

  /// Another stream for recording, not used for anything else in this graph.
  queue add_queue();
  /// The stream is gone as soon as recording is over: until then its handle names work in the graph.
  void destroy_later(stream_handle stream);
  /// Recorded work on q uses s.
  void record_use(storage* s, queue q);
  /// Memory for the launches of a stream, zero before the first launch; which must leave it at zero.
  void* zeroed(std::size_t bytes, stream_handle stream);

  std::shared_ptr<graph_arena> arena;
  kept_memory kept;
  std::size_t nodes_in_loops = 0;

 private:
  void end() noexcept;

  struct zeroed_memory {
    stream_handle stream;
    void* data;
    std::size_t bytes;
  };

  device device_;
  graph_engine& engine_;
  std::vector<stream_handle> own_streams_, dead_streams_;
  queue origin_;
  std::vector<zeroed_memory> zeroed_;
  bool begun_ = false, entered_ = false;
};

// Nearly no program records at any moment, and every operation asks.
extern std::atomic<int> recordings_under_way;
recording* this_threads_recording(int device) noexcept;
/// What this thread records of a GPU's work; null nearly always.
inline recording* recording_on(int device) noexcept {
  return recordings_under_way.load(std::memory_order_relaxed) == 0 ? nullptr : this_threads_recording(device);
}

inline constexpr int any_device = -1;
/// Throws value_error if this thread records the device's work: nothing can be waited for that does not run.
void refuse_while_recording(const char* operation, int device);
/// Throws value_error if this thread records the device's work and q is no part of it.
void check_recorded(queue q);

}  // namespace core
GPARRAY_END_NAMESPACE
