// A recorded graph and what it needs.
#pragma once
#include <functional>

#include <plan/recording.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The graph goes before the memory it uses.
struct graph_state {
  device device_;
  std::function<void()> work;  // on the CPU, where nothing is recorded
  std::shared_ptr<graph_arena> arena;
  kept_memory kept;
  std::unique_ptr<recorded_graph> recorded;
  std::size_t nodes_in_loops = 0;
};

/// Calls `work` and records what it enqueues on a GPU; what it leaves pending included.
graph_state record_work(device on_device, const std::function<void()>& work);
void launch_graph(graph_state& g, queue q);

}  // namespace core
GPARRAY_END_NAMESPACE
