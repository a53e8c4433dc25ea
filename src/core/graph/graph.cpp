// The public graph: recording it, launching it, changing it.
#include <core/array/array_rep.hpp>
#include <core/graph/record.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/graph.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

graph_state record_work(device on_device, const std::function<void()>& work) {
  effect();
  recording r(on_device);
  std::unique_ptr<recorded_graph> recorded;
  {
    const current_stream_scope on(on_device, r.origin().stream);
    r.begin();
    work();
    effect();
    recorded = r.finish();
  }
  return {on_device, {}, std::move(r.arena), std::move(r.kept), std::move(recorded), r.nodes_in_loops};
}

void launch_graph(graph_state& g, queue q) {
  g.kept.compute_readers();
  g.recorded->launch(q);
  g.kept.record_use(q);
  g.arena->record_use(q.stream);
}

namespace {

graph_state make_graph(device on_device, std::function<void()> work, recorded_graph* older, bool& updated) {
  if (!work) throw value_error("capture: the function is empty");
  if (on_device.is_cpu()) return {on_device, std::move(work), nullptr, {}, nullptr, 0};
  graph_state made = record_work(on_device, work);
  updated = made.recorded->prepare(older);
  return made;
}

void launch_on(graph_state& g, const stream_view& on) {
  if (on.device() != g.device_)
    fail<device_error>("graph.launch: the stream is of {} and the graph of {}; use a stream of {}",
                       on.device().str(), g.device_.str(), g.device_.str());
  effect();
  if (g.device_.is_cpu()) {
    const device_guard here(g.device_);
    return g.work();
  }
  refuse_while_recording("graph.launch", g.device_.index());
  launch_graph(g, queue_of(on));
}

}  // namespace
}  // namespace core

graph::graph(std::unique_ptr<core::graph_state> state) noexcept : state_(std::move(state)) {}
graph::graph(graph&& other) noexcept = default;
graph& graph::operator=(graph&& other) noexcept = default;
graph::~graph() = default;

core::graph_state& graph::state() const {
  if (!state_) throw value_error("graph: this graph was moved from; capture a new one");
  return *state_;
}

device graph::device() const { return state().device_; }

void graph::launch() { core::launch_on(state(), current_stream(state().device_)); }
void graph::launch(const stream_view& on) { core::launch_on(state(), on); }

bool graph::update(std::function<void()> work) {
  core::graph_state& old = state();
  bool updated = true;
  auto made = std::make_unique<core::graph_state>(
      core::make_graph(old.device_, std::move(work), old.recorded.get(), updated));
  state_ = std::move(made);
  return updated;
}

std::size_t graph::node_count() const {
  core::graph_state& g = state();
  return g.recorded ? g.recorded->node_count() + g.nodes_in_loops : 1;
}

std::string graph::dot() const {
  core::graph_state& g = state();
  return g.recorded ? g.recorded->dot()
                    : "digraph gparray {\n  work [label=\"a function of the host\"];\n}\n";
}

graph capture(std::function<void()> work) {
  bool updated = false;
  return graph(std::make_unique<core::graph_state>(
      core::make_graph(default_device(), std::move(work), nullptr, updated)));
}

GPARRAY_END_NAMESPACE
