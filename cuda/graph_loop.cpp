// Loops in graphs: a conditional node whose body is recorded from a stream.
#include "graph.hpp"
#include "graph_loop_params.hpp"
#include "launch.hpp"

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

void set_condition(const loop_control& control, bool first, queue q) {
  const loop_params p{control.handle, static_cast<const bool*>(control.condition),
                      static_cast<std::int64_t*>(control.count), control.most, first};
  launch("the condition of a loop", find_loop_kernel(), 1, 1, p, q);
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
}

std::size_t graph_recorder::end_loop(queue body, const loop_control& control) {
  cudaGraph_t graph = nullptr;
  try {
    set_condition(control, false, body);
  } catch (...) {
    abandon(body, true);
    throw;
  }
  const cudaError_t code = try_call<&rt::cudaStreamEndCapture>(stream_of(body.stream), &graph);
  if (code != cudaSuccess) throw_cuda_error("cudaStreamEndCapture", code, operation);
  std::size_t n = 0;
  call<&rt::cudaGraphGetNodes>(operation, graph, static_cast<cudaGraphNode_t*>(nullptr), &n);
  return n;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
