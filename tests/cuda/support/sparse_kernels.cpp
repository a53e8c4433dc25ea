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
#define row_times_column emulated_row_times_column
#define multiply_wide_rows emulated_multiply_wide_rows
#define reorder_entries emulated_reorder_entries
#define find_starts emulated_find_starts
#define count_product emulated_count_product
#define write_product emulated_write_product
#define find_union_splits emulated_find_union_splits
#define union_tiles emulated_union_tiles
#define find_tile_rows emulated_find_tile_rows
#define count_taken emulated_count_taken
#define count_descents emulated_count_descents
#define write_starts emulated_write_starts
#define write_taken emulated_write_taken
#define add_up_diagonal emulated_add_up_diagonal
#define count_diagonals emulated_count_diagonals
#define write_diagonals emulated_write_diagonals
#define multiply_diagonals emulated_multiply_diagonals
#include <cuda/sparse/sparse_combine.cuh>
#include <cuda/sparse/sparse_diagonals.cuh>
#include <cuda/sparse/sparse_kernels.cuh>
#include <cuda/sparse/sparse_product.cuh>
#include <cuda/sparse/sparse_rows.cuh>

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
run_function starts(dtype index) { return BY_INDEX(blocks, find_starts); }
run_function union_splits(dtype index) { return BY_INDEX(threads, find_union_splits); }
run_function tile_rows(dtype index) { return BY_INDEX(threads, find_tile_rows); }
run_function descents(dtype index) { return BY_INDEX(blocks, count_descents); }
run_function take_count(dtype index) { return BY_INDEX(threads, count_taken); }
run_function write_row_starts(dtype index) { return BY_INDEX(threads, write_starts); }
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

run_function wide_rows(dtype index) {
  return index == dtype::int32 ? &blocks<&multiply_wide_rows<double, std::int32_t>>
                               : &blocks<&multiply_wide_rows<double, std::int64_t>>;
}

run_function product_write(dtype type, dtype index) {
  if (type == dtype::float64)
    return index == dtype::int32 ? &blocks<&write_product<double, std::int32_t>>
                                 : &blocks<&write_product<double, std::int64_t>>;
  return index == dtype::int32 ? &blocks<&write_product<bool, std::int32_t>>
                               : &blocks<&write_product<bool, std::int64_t>>;
}

#define BY_TYPES(how, kernel, ...)                                                                   \
  (type == dtype::float64  ? index == dtype::int32 ? &how<&kernel<double, std::int32_t __VA_ARGS__>> \
                                                   : &how<&kernel<double, std::int64_t __VA_ARGS__>> \
    : index == dtype::int32 ? &how<&kernel<bool, std::int32_t __VA_ARGS__>>                          \
                           : &how<&kernel<bool, std::int64_t __VA_ARGS__>>)
#define AND_FALSE , false
#define AND_TRUE , true
run_function union_count(dtype type, dtype index) { return BY_TYPES(blocks, union_tiles, AND_FALSE); }
run_function union_write(dtype type, dtype index) { return BY_TYPES(blocks, union_tiles, AND_TRUE); }
run_function diagonal(dtype type, dtype index) { return BY_TYPES(blocks, add_up_diagonal, ); }
run_function diagonals_write(dtype type, dtype index) { return BY_TYPES(threads, write_diagonals, ); }
#undef AND_FALSE
#undef AND_TRUE
#undef BY_TYPES
run_function diagonals_count(dtype type) {
  return type == dtype::float64 ? &threads<&count_diagonals<double>> : &threads<&count_diagonals<bool>>;
}
run_function diagonals_product(dtype type) {
  return type == dtype::float64 ? &threads<&multiply_diagonals<double>> : &threads<&multiply_diagonals<bool>>;
}
run_function take_write(dtype index, std::size_t item_bytes) {
  if (index == dtype::int32)
    return item_bytes == 8 ? &threads<&write_taken<std::int32_t, std::uint64_t>>
                           : &threads<&write_taken<std::int32_t, std::uint8_t>>;
  return item_bytes == 8 ? &threads<&write_taken<std::int64_t, std::uint64_t>>
                         : &threads<&write_taken<std::int64_t, std::uint8_t>>;
}

}  // namespace emulated_sparse
