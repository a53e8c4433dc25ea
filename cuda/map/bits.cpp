#include <algorithm>

#include <cuda/device/loop_nest.hpp>
#include <cuda/map/bits.hpp>
#include <cuda/map/bits_params.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void run_bits(const bit_plan& plan, queue q) {
  const auto* const in = static_cast<const unsigned char*>(plan.in);
  auto* const out = static_cast<unsigned char*>(plan.out);
  const std::int64_t groups = ceil_div(plan.n_bits, 8);
  if (groups == 0) return;
  const std::int64_t n_in = plan.packs ? plan.n_bits : plan.n_bytes,
                     n_out = plan.packs ? plan.n_bytes : plan.n_bits;
  // Parts of one row, or several whole rows.
  const std::int64_t most_groups = std::min(groups, max_launch_size),
                     most_rows = max_launch_size / most_groups;
  for (std::int64_t row = 0; row < plan.rows; row += most_rows)
    for (std::int64_t begin = 0; begin < groups; begin += most_groups) {
      const std::int64_t part = std::min(most_groups, groups - begin),
                         rows = std::min(most_rows, plan.rows - row);
      const bit_params p{in + row * n_in + begin * (plan.packs ? 8 : 1),
                         out + row * n_out + begin * (plan.packs ? 1 : 8),
                         rows > 1 ? plan.n_bits : std::min(plan.n_bits - 8 * begin, 8 * part),
                         rows > 1 ? plan.n_bytes : plan.n_bytes - begin,
                         fast_divisor(static_cast<std::uint32_t>(part)),
                         static_cast<std::uint32_t>(rows * part),
                         plan.little};
      launch(plan.packs ? "packbits" : "unpackbits", bit_kernel(plan.packs),
             ceil_div(p.groups, bit_threads * groups_of_thread), bit_threads, p, q);
    }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
