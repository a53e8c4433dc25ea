// Finds the kernels of a ufunc and dtype among the groups that the files map_N.cu compile.
#include <array>
#include <utility>

#include <cuda/map/map_groups.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<int... Groups>
std::array<const map_table*, n_map_groups> collect(std::integer_sequence<int, Groups...>) {
  return {&map_group<Groups>()...};
}

}  // namespace

const map_kernels& find_map_kernels(ufunc f, dtype loop) {
  static const auto groups = collect(std::make_integer_sequence<int, n_map_groups>());
  if (f == ufunc::cast) return find_copy_kernels(loop);
  const int row = static_cast<int>(f);
  return groups[row % n_map_groups]->cells[row / n_map_groups * dtype_count + static_cast<int>(loop)];
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
