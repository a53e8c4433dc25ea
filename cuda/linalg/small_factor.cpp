// Small matrices, in one launch of a kernel of our own.
#include <algorithm>
#include <bit>

#include <cuda/linalg/linalg.hpp>
#include <cuda/linalg/small_factor_params.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

// Enough groups of lanes to be shared out among a GPU's multiprocessors.
constexpr std::int64_t enough_groups = 1024;
// Right sides that a group of lanes solves at once, at least.
constexpr std::int64_t columns_at_once = 2;

}  // namespace

std::int64_t cuda_linalg::largest_small(dtype /*type*/) const { return small_factor_rows; }

void cuda_linalg::run_small(const small_task& task, queue q) {
  use_device(q.device);
  const int lanes = std::max(4, static_cast<int>(std::bit_ceil(static_cast<unsigned>(task.n))));
  const bool is_cholesky = task.what == small_operation::cholesky;
  small_factor_params p{task, 1};
  if (task.what == small_operation::solve)
    p.sharers = static_cast<std::int32_t>(std::clamp<std::int64_t>(
        enough_groups / task.count, 1, ceil_div(std::max(task.columns, 1), columns_at_once)));
  if (task.failed && task.count > 1)
    call<&rt::cudaMemsetAsync>("solving linear equations", task.failed, 0, sizeof *task.failed,
                               stream_of(q.stream));
  launch(is_cholesky ? "cholesky" : "solving linear equations",
         is_cholesky ? find_small_cholesky_kernel(task.type, lanes) : find_small_lu_kernel(task.type, lanes),
         ceil_div(std::int64_t{task.count} * p.sharers, small_factor_threads / lanes), small_factor_threads,
         p, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
