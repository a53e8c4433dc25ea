#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <cuda/graph/graph.hpp>
#include <cuda/graph/open_loop.hpp>
#include <gparray/error.hpp>
#include <plan/lost_device.hpp>
#include <support/environment.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "capturing a graph";

class cuda_graph final : public recorded_graph {
 public:
  cuda_graph(cudaGraph_t graph, int device) : graph_(graph), device_(device) {}
  ~cuda_graph() override {
    if (is_lost(device_)) return;
    // A launch that is under way goes on: the driver frees the executable form after it.
    if (executable_) try_call<&rt::cudaGraphExecDestroy>(executable_);
    try_call<&rt::cudaGraphDestroy>(graph_);
  }
  cuda_graph(const cuda_graph&) = delete;
  cuda_graph& operator=(const cuda_graph&) = delete;

  bool prepare(recorded_graph* older) override {
    use_device(device_);
    auto* old = static_cast<cuda_graph*>(older);
    cudaGraphExecUpdateResultInfo result{};
    if (old && try_call<&rt::cudaGraphExecUpdate>(old->executable_, graph_, &result) == cudaSuccess) {
      executable_ = std::exchange(old->executable_, nullptr);
      return true;
    }
    call<&rt::cudaGraphInstantiate>("making a graph executable", &executable_, graph_, 0ull);
    return false;
  }

  void launch(queue q) override {
    use_device(q.device);
    call<&rt::cudaGraphLaunch>("launching a graph", executable_, stream_of(q.stream));
  }

  std::size_t node_count() override {
    use_device(device_);
    std::size_t n = 0;
    call<&rt::cudaGraphGetNodes>("counting the nodes of a graph", graph_,
                                 static_cast<cudaGraphNode_t*>(nullptr), &n);
    return n;
  }

  /// The driver writes to files only.
  std::string dot() override {
    use_device(device_);
    const char* given = core::environment("TMPDIR");
    // The driver opens the file by name, which no other user can replace in a folder of our own.
    std::string folder = std::string(given && *given ? given : "/tmp") + "/gparray-graph-XXXXXX";
    if (!mkdtemp(folder.data()))
      throw value_error("graph.dot: no temporary folder could be made at " + folder + "; set TMPDIR");
    const std::string path = folder + "/graph.dot";
    const cudaError_t code = try_call<&rt::cudaGraphDebugDotPrint>(
        graph_, path.c_str(),
        unsigned{cudaGraphDebugDotFlagsKernelNodeParams | cudaGraphDebugDotFlagsMemcpyNodeParams |
                 cudaGraphDebugDotFlagsMemsetNodeParams | cudaGraphDebugDotFlagsConditionalNodeParams});
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    std::remove(path.c_str());
    std::remove(folder.c_str());
    if (code != cudaSuccess) throw_cuda_error("cudaGraphDebugDotPrint", code, "describing a graph");
    return text.str();
  }

 private:
  cudaGraph_t graph_;
  int device_;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace

graph_recorder::graph_recorder() = default;
graph_recorder::~graph_recorder() {
  for (const idle_stream& s : idle_)
    if (!is_lost(s.device)) try_call<&rt::cudaStreamDestroy>(stream_of(s.stream));
}

stream_handle graph_recorder::acquire_stream(int device) {
  const std::lock_guard guard(lock_);
  const auto same = std::ranges::find(idle_, device, &idle_stream::device);
  if (same != idle_.end()) {
    const stream_handle found = same->stream;
    idle_.erase(same);
    return found;
  }
  idle_.reserve(n_streams_ + 1);  // giving it back must not fail
  use_device(device);
  cudaStream_t stream = nullptr;
  call<&rt::cudaStreamCreateWithPriority>(operation, &stream, unsigned{cudaStreamNonBlocking}, 0);
  ++n_streams_;
  return stream;
}

void graph_recorder::release_stream(int device, stream_handle stream) noexcept {
  const std::lock_guard guard(lock_);
  idle_.push_back({device, stream});
}

void graph_recorder::begin_capture(queue q) {
  use_device(q.device);
  // Relaxed: while this thread records, the pools may take memory from the driver and ask for events of other
  // streams.
  call<&rt::cudaStreamBeginCapture>(operation, stream_of(q.stream), cudaStreamCaptureModeRelaxed);
}

std::unique_ptr<recorded_graph> graph_recorder::end_capture(queue q) {
  cudaGraph_t graph = nullptr;
  const cudaError_t code = try_call<&rt::cudaStreamEndCapture>(stream_of(q.stream), &graph);
  if (code != cudaSuccess) throw_cuda_error("cudaStreamEndCapture", code, operation, stream_of(q.stream));
  return std::make_unique<cuda_graph>(graph, q.device);
}

void graph_recorder::abandon(queue q, bool is_body) noexcept {
  if (is_body) take_loop(q);
  if (is_lost(q.device)) return;
  cudaGraph_t graph = nullptr;
  const cudaError_t code = try_call<&rt::cudaStreamEndCapture>(stream_of(q.stream), &graph);
  // The graph of a body is its parent's.
  if (code == cudaSuccess && graph && !is_body) try_call<&rt::cudaGraphDestroy>(graph);
}

bool graph_recorder::is_captured(queue q) {
  if (is_lost(q.device)) return false;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t code = try_call<&rt::cudaStreamIsCapturing>(stream_of(q.stream), &status);
  return code == cudaSuccess && status == cudaStreamCaptureStatusActive;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
