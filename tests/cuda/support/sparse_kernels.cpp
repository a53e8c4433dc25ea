#include "cuda/support/emulated_device.hpp"

inline unsigned atomicOr(unsigned* address, unsigned bits) {
  return std::exchange(*address, *address | bits);
}
inline int __ffs(int word) { return __builtin_ffs(word); }

// Other names than those of the GPU's kernels, which the library has too.
#define expand_rows emulated_expand_rows
#define reduce_rows_of emulated_reduce_rows_of
#define add_up emulated_add_up
#define multiply_short_rows emulated_multiply_short_rows
#define reorder_entries emulated_reorder_entries
#define find_starts emulated_find_starts
#define count_product emulated_count_product
#define write_product emulated_write_product
#include <cuda/sparse/sparse_kernels.cuh>
#include <cuda/sparse/sparse_product.cuh>

#include "cuda/support/sparse_kernels.hpp"

namespace emulated_sparse {

using namespace gparray;
using namespace gparray::core::cuda;

namespace {

template<auto Kernel>
void threads(const void* params, unsigned n_blocks, unsigned n_threads) {
  emulated::run_threads(Kernel, params, n_blocks, n_threads);
}
template<auto Kernel>
void blocks(const void* params, unsigned n_blocks, unsigned n_threads) {
  emulated::run_blocks(Kernel, params, n_blocks, n_threads);
}

}  // namespace

#define BY_INDEX(how, kernel) \
  (index == dtype::int32 ? &how<&kernel<std::int32_t>> : &how<&kernel<std::int64_t>>)
run_function expand(dtype index) { return BY_INDEX(threads, expand_rows); }
run_function starts(dtype index) { return BY_INDEX(threads, find_starts); }
run_function product_count(dtype index) { return BY_INDEX(blocks, count_product); }
#undef BY_INDEX

run_function reorder(dtype index, std::size_t item_bytes) {
  if (index == dtype::int32)
    return item_bytes == 8 ? &threads<&reorder_entries<std::int32_t, std::uint64_t>>
                           : &threads<&reorder_entries<std::int32_t, std::uint8_t>>;
  return item_bytes == 8 ? &threads<&reorder_entries<std::int64_t, std::uint64_t>>
                         : &threads<&reorder_entries<std::int64_t, std::uint8_t>>;
}

run_function reduce_rows(dtype type, dtype index) {
  if (type == dtype::float64)
    return index == dtype::int32 ? &threads<&reduce_rows_of<double, std::int32_t>>
                                 : &threads<&reduce_rows_of<double, std::int64_t>>;
  return index == dtype::int32 ? &threads<&reduce_rows_of<bool, std::int32_t>>
                               : &threads<&reduce_rows_of<bool, std::int64_t>>;
}

run_function short_rows(dtype index) {
  return index == dtype::int32 ? &blocks<&multiply_short_rows<double, std::int32_t>>
                               : &blocks<&multiply_short_rows<double, std::int64_t>>;
}

run_function product_write(dtype type, dtype index) {
  if (type == dtype::float64)
    return index == dtype::int32 ? &blocks<&write_product<double, std::int32_t>>
                                 : &blocks<&write_product<double, std::int64_t>>;
  return index == dtype::int32 ? &blocks<&write_product<bool, std::int32_t>>
                               : &blocks<&write_product<bool, std::int64_t>>;
}

}  // namespace emulated_sparse
