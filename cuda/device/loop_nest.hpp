// The dimensions of one launch, collapsed and cut to sizes that 32-bit indices can count.
#pragma once
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Operand 0 is the output. Strides are bytes, or units for an iota; those of a constant are 0.
struct loop_nest {
  static constexpr int max_operands = 1 + core::max_operands;
  int n_operands = 0, ndim = 0;
  std::int64_t size = 1;
  std::int64_t offsets[max_operands] = {};  // where this part begins
  std::int64_t shape[max_ndim];
  std::int64_t strides[max_operands][max_ndim];

  loop_nest() {}  // NOLINT: shape and strides are filled as far as they are used

  /// Appends an inner dimension; one of size 1 is dropped, one that continues the last for all operands joins
  /// it.
  void append(std::int64_t n, const std::int64_t* of_operands) {
    if (n == 1) return;
    size *= n;
    if (ndim > 0 && continues(n, of_operands)) {
      shape[ndim - 1] *= n;
      for (int i = 0; i < n_operands; ++i) strides[i][ndim - 1] = of_operands[i];
      return;
    }
    shape[ndim] = n;
    for (int i = 0; i < n_operands; ++i) strides[i][ndim] = of_operands[i];
    ++ndim;
  }

  std::int64_t inner_size() const { return ndim ? shape[ndim - 1] : 1; }
  std::int64_t inner_stride(int operand) const { return ndim ? strides[operand][ndim - 1] : 0; }

 private:
  bool continues(std::int64_t n, const std::int64_t* of_operands) const {
    for (int i = 0; i < n_operands; ++i)
      if (strides[i][ndim - 1] != n * of_operands[i]) return false;
    return true;
  }
};

/// The largest launch: indices, and element numbers in a row, stay below 2^31 with room to round up.
inline constexpr std::int64_t max_launch_size = std::int64_t{1} << 30;

/// Calls f for parts of the nest that are small enough, halving the outermost dimension that can be.
template<class F>
void for_each_part(const loop_nest& nest, F&& f) {
  if (nest.size <= max_launch_size) return f(nest);
  int d = 0;
  while (nest.shape[d] == 1) ++d;
  // A single row is cut where vectors stay aligned.
  std::int64_t half = nest.shape[d] / 2;
  if (half >= 64) half -= half % 64;
  loop_nest part = nest;
  part.shape[d] = half;
  part.size = nest.size / nest.shape[d] * half;
  for_each_part(part, f);
  part.shape[d] = nest.shape[d] - half;
  part.size = nest.size - part.size;
  for (int i = 0; i < nest.n_operands; ++i) part.offsets[i] += half * nest.strides[i][d];
  for_each_part(part, f);
}

/// Byte strides of a C-contiguous array.
inline void contiguous_strides(int ndim, const std::int64_t* shape, std::size_t size, std::int64_t* strides) {
  auto stride = static_cast<std::int64_t>(size);
  for (int d = ndim - 1; d >= 0; --d) {
    strides[d] = stride;
    stride *= shape[d];
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
