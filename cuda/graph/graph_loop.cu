// The condition of a loop in a graph.
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/graph/graph_loop_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

__global__ void loop_condition(const __grid_constant__ loop_params p) {
  wait_for_prior_grids();
  const std::int64_t count = p.first ? 0 : *p.count + 1;
  *p.count = count;
  cudaGraphSetConditional(p.handle, *p.condition && count < p.most);
}

}  // namespace

const void* find_loop_kernel() { return reinterpret_cast<const void*>(&loop_condition); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
