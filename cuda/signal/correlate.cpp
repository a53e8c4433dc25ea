#include <cuda/runtime/launch.hpp>
#include <cuda/signal/correlate.hpp>
#include <cuda/signal/correlate_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void run_correlate(const correlation_plan& plan, queue q) {
  const correlate_params p{plan.x,     plan.weights, plan.out,   plan.size,
                           plan.width, plan.before,  plan.count, plan.reversed};
  launch("convolution", find_correlate_kernel(plan.type), ceil_div(plan.count, correlate_tile),
         correlate_threads, p, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
