// The parameter blocks of the map kernels: filled by launch code, read by kernels.
#pragma once
#include <core/plan.hpp>

#include "division.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int map_threads = 256;
inline constexpr int log_map_threads = 8;
/// Outer dimensions of a vector kernel; plans with more take the strided one.
inline constexpr int max_outer = 3;

/// Elements that one thread of a vector kernel handles: 16 bytes of the widest operand. At most 8, because
/// the function is inlined once for each.
constexpr int lanes_for(std::size_t widest) {
  return widest >= 16 ? 1 : widest <= 2 ? 8 : static_cast<int>(16 / widest);
}

enum class access : std::uint8_t {
  contiguous,    ///< elements side by side
  row_value,     ///< one element for each row
  constant_bits  ///< a value in the parameters
};

/// Rows of side-by-side elements: out[row][column]. The row number is split into up to max_outer indices. A
/// contiguous plan is one row.
template<int Arity>
struct vector_params {
  char* out;
  const char* in[Arity];
  std::int64_t out_strides[max_outer],
      in_strides[Arity][max_outer];  // bytes; the last dimension varies fastest
  fast_divisor outer[max_outer];
  fast_divisor tiles;  // blocks along a row
  std::uint32_t n_rows, n_columns;
  std::uint32_t rows_per_thread = 1;  // neighbouring rows; the group of a block is as many times taller
  std::uint8_t n_outer, log_threads;  // 2^log_threads threads share a row
  access modes[Arity];
  scalar_bits constants[Arity];
};

/// Any strides. `size` is below 2^31: launch code cuts larger plans.
template<int Arity>
struct strided_params {
  char* out;
  const char* in[Arity];
  std::int64_t first[Arity];  // iota
  std::uint32_t size;
  std::uint8_t ndim;
  dtype out_type, in_types[Arity];
  input_kind kinds[Arity];
  scalar_bits constants[Arity];
  fast_divisor shape[max_ndim];
  std::int64_t out_strides[max_ndim], in_strides[Arity][max_ndim];
};

/// The kernels of one loop, null where the ufunc has none for this dtype.
struct map_kernels {
  const void* vector = nullptr;
  const void* strided = nullptr;
};

/// The kernels of a ufunc for a loop dtype; for ufunc::cast those of find_copy_kernels.
const map_kernels& find_map_kernels(ufunc f, dtype loop);
/// The kernels that copy elements of a dtype; the strided one converts from any dtype, as all strided kernels
/// do.
const map_kernels& find_copy_kernels(dtype type);
/// The vector kernel that converts; null for equal dtypes.
const void* find_cast_kernel(dtype from, dtype to);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
