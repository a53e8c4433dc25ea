// Finds the kernels of a reduction and dtype among the groups that the files reduce_N.cu compile.
#include <array>
#include <utility>

#include <cuda/reduction/reduce_groups.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<int... Groups>
std::array<const reduce_table*, n_reduce_groups> collect(std::integer_sequence<int, Groups...>) {
  return {&reduce_group<Groups>()...};
}

}  // namespace

const reduce_kernels& find_reduce_kernels(reduction r, dtype element) {
  static const auto groups = collect(std::make_integer_sequence<int, n_reduce_groups>());
  const int row = static_cast<int>(r);
  return groups[row % n_reduce_groups]
      ->cells[row / n_reduce_groups * dtype_count + static_cast<int>(element)];
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
