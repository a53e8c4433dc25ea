// Loops in graphs: a conditional node whose body is recorded from a stream; or one kernel, if what was
// recorded allows.
#include <algorithm>

#include <cuda/graph/graph.hpp>
#include <cuda/graph/graph_loop_params.hpp>
#include <cuda/graph/open_loop.hpp>
#include <cuda/graph/persistent_loop.hpp>
#include <cuda/runtime/launch.hpp>
#include <gparray/runtime/jit.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "capturing a loop";

/// The graph that a stream records into, and what the next node of the stream will come after.
struct position {
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* before = nullptr;
  const cudaGraphEdgeData* edges = nullptr;
  std::size_t count = 0;
};

position position_of(cudaStream_t stream) {
  position p;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  call<&rt::cudaStreamGetCaptureInfo>(operation, stream, &status, static_cast<unsigned long long*>(nullptr),
                                      &p.graph, &p.before, &p.edges, &p.count);
  return p;
}

loop_params condition_params(const loop_control& control, bool first) {
  return {control.handle, static_cast<const bool*>(control.condition),
          static_cast<std::int64_t*>(control.count), control.most, first};
}

void set_condition(const loop_control& control, bool first, queue q) {
  launch("the condition of a loop", find_loop_kernel(), 1, 1, condition_params(control, first), q);
}

std::size_t count_nodes(cudaGraph_t graph) {
  std::size_t n = 0;
  call<&rt::cudaGraphGetNodes>(operation, graph, static_cast<cudaGraphNode_t*>(nullptr), &n);
  return n;
}

/// A capture cannot remove the conditional node that is in the graph already: its condition becomes false, so
/// that the body never runs.
bool skip_body(const loop_control& control, cudaGraphNode_t first_condition) {
  loop_params never = condition_params(control, true);
  never.most = 0;
  void* arguments[] = {&never};
  cudaKernelNodeParams p{};
  p.func = const_cast<void*>(find_loop_kernel());
  p.gridDim = p.blockDim = dim3(1);
  p.kernelParams = arguments;
  return try_call<&rt::cudaGraphKernelNodeSetParams>(first_condition, &p) == cudaSuccess;
}

/// Puts one kernel after the loop that does all of its work, if there is such a kernel.
bool replace_by_kernel(const loop_control& control, const persistent_trace& trace,
                       cudaGraphNode_t first_condition, std::size_t n_nodes, queue q) {
  persistent_loop loop;
  std::string reason;
  bool persistent = make_persistent(trace, n_nodes, control, loop, reason);
  if (persistent && !skip_body(control, first_condition)) {
    persistent = false;
    reason = "the driver does not change the node of its condition";
  }
  count_loop(persistent, reason);
  if (persistent) launch_persistent(loop, q);
  return persistent;
}

}  // namespace

void graph_recorder::begin_loop(queue q, queue body, loop_control& control) {
  use_device(q.device);
  const cudaStream_t stream = stream_of(q.stream);
  cudaGraphConditionalHandle handle{};
  call<&rt::cudaGraphConditionalHandleCreate>(operation, &handle, position_of(stream).graph, 0u, 0u);
  control.handle = handle;
  set_condition(control, true, q);

  const position at = position_of(stream);
  auto opened = std::make_unique<open_loop>(q, body, at.count == 1 ? at.before[0] : nullptr);
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
  call<&rt::cudaGraphAddNode>(operation, &node, at.graph, at.before, at.edges, at.count, &params);
  call<&rt::cudaStreamUpdateCaptureDependencies>(operation, stream, &node,
                                                 static_cast<const cudaGraphEdgeData*>(nullptr),
                                                 std::size_t{1}, unsigned{cudaStreamSetCaptureDependencies});
  call<&rt::cudaStreamBeginCaptureToGraph>(
      operation, stream_of(body.stream), params.conditional.phGraph_out[0],
      static_cast<const cudaGraphNode_t*>(nullptr), static_cast<const cudaGraphEdgeData*>(nullptr),
      std::size_t{0}, cudaStreamCaptureModeRelaxed);
  if (opened->first_condition && jit_mode() != jit::off) opened->trace.emplace(body);
  const std::lock_guard guard(lock_);
  loops_.push_back(std::move(opened));
}

std::unique_ptr<graph_recorder::open_loop> graph_recorder::take_loop(queue body) noexcept {
  const std::lock_guard guard(lock_);
  const auto found = std::ranges::find_if(
      loops_, [&](const auto& l) { return l->body.device == body.device && l->body.stream == body.stream; });
  if (found == loops_.end()) return nullptr;
  std::unique_ptr<open_loop> taken = std::move(*found);
  loops_.erase(found);
  return taken;
}

std::size_t graph_recorder::end_loop(queue body, const loop_control& control) {
  const cudaStream_t stream = stream_of(body.stream);
  bool persistent = false;
  try {
    const std::unique_ptr<open_loop> loop = take_loop(body);
    if (loop->trace)
      persistent = replace_by_kernel(control, *loop->trace, loop->first_condition,
                                     count_nodes(position_of(stream).graph), loop->outer);
    if (!persistent) set_condition(control, false, body);
  } catch (...) {
    abandon(body, true);
    throw;
  }
  cudaGraph_t graph = nullptr;
  const cudaError_t code = try_call<&rt::cudaStreamEndCapture>(stream, &graph);
  if (code != cudaSuccess) throw_cuda_error("cudaStreamEndCapture", code, operation, stream);
  return persistent ? 0 : count_nodes(graph);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
