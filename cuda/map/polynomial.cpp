#include <cuda/map/polynomial.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void run_polynomial(const polynomial_plan& plan, queue q) {
  if (plan.size == 0) return;
  launch("polyval", find_polynomial_kernel(plan.type),
         ceil_div(plan.size, polynomial_threads * polynomial_items), polynomial_threads, plan, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
