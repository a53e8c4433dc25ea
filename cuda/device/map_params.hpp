// The parameter blocks of the map kernels: filled by launch code, read by kernels.
#pragma once
#include <cuda/device/division.hpp>
#include <gparray/dtype.hpp>
#include <plan/plan_elements.hpp>

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
  contiguous,     ///< elements side by side
  row_value,      ///< one element for each row
  constant_bits,  ///< a value in the parameters
  strided,        ///< elements at a fixed distance; generated kernels only
  iota            ///< numbers at a fixed distance; generated kernels only
};

/// Rows of side-by-side elements: out[row][column]. The row number is split into up to max_outer indices. A
/// contiguous plan is one row. Of an iota, in[i] is the first number of the first row. The bits of an
/// operand that is strided or an iota are the distance along a row. `Numbers`: constants behind the operands,
/// which have no other place.
template<int Arity, int Numbers = 0>
struct vector_params {
  static constexpr int slots = Arity;
  char* out;
  const char* in[Arity];
  std::int64_t out_strides[max_outer],
      in_strides[Arity][max_outer];  // bytes; the last dimension varies fastest
  fast_divisor outer[max_outer];
  fast_divisor tiles;  // blocks along a row
  std::uint32_t n_rows, n_columns;
  std::uint32_t rows_per_thread = 1;  // neighbouring rows; the group of a block is as many times taller
  std::uint8_t n_outer, log_threads;  // 2^log_threads threads share a row
  bool backwards = false;             // the first block does what comes last
  access modes[Arity];
  scalar_bits constants[Arity + Numbers];
};

/// The same of a kernel whose threads go on for so many turns of a few rows, one behind the other along the
/// last of the outer dimensions: a band of them. 2^log_threads threads share a band.
template<int Arity>
struct stencil_params : vector_params<Arity> {
  fast_divisor bands;  // along that dimension
  std::uint32_t n_bands, turns;
  std::int64_t distance;  // of rows along it, of all operands but constants
};

/// Any strides. `size` is below 2^31: launch code cuts larger plans.
template<int Arity, int Dims = max_ndim, int Numbers = 0>
struct strided_params {
  static constexpr int slots = Arity;
  char* out;
  const char* in[Arity];
  std::int64_t first[Arity];  // iota
  std::uint32_t size;
  std::uint8_t ndim;
  dtype out_type, in_types[Arity];
  input_kind kinds[Arity];
  scalar_bits constants[Arity + Numbers];
  fast_divisor shape[Dims];
  std::int64_t out_strides[Dims], in_strides[Arity][Dims];
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
