// The kernel of maps of stencils, whose operands are each other's next rows: a thread has a few rows of one
// column, and loads an element once for all operands that it belongs to. Generated functions only.
#pragma once
#include <cuda/device/block_index.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/map/map_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// The compiler may not load the element later than here, as it would in front of a branch that only what
/// comes behind reads it.
template<class T>
__device__ __forceinline__ void load_now(T& value) {
#if defined(__CUDA_ARCH__)
  using word = kernel::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  word bits;
  memcpy(&bits, &value, sizeof bits);
  if constexpr (sizeof(T) == 8) asm volatile("" : "+l"(bits));
  else asm volatile("" : "+r"(bits));
  memcpy(&value, &bits, sizeof bits);
#endif
}

/// Function::next_rows[J]: which operand has at each place what operand J has in the next row, or -1.
template<class Function>
__global__ void __launch_bounds__(map_threads)
    stencil_map(const __grid_constant__ stencil_params<Function::slots> p) {
  wait_for_prior_grids();
  using result = typename Function::result;
  constexpr int rows = Function::lanes;
  std::uint32_t tile = block_in_order(p);
  const std::uint32_t group = p.tiles.split(tile), thread = thread_number() & ((1u << p.log_threads) - 1);
  std::uint32_t band = (group << (log_map_threads - p.log_threads)) + (thread_number() >> p.log_threads);
  const std::uint32_t column = (tile << p.log_threads) + thread;
  if (band >= p.n_bands || column >= p.n_columns) return;
  const int along = p.n_outer - 1;
  const std::uint32_t n_along = p.outer[along].divisor, before = p.bands.split(band) * n_along;
  std::uint32_t row = band * p.turns * rows;
  const std::uint32_t end = min(n_along, row + p.turns * rows);
  map_row<Function> from(p, before + row);
  from.out += column * sizeof(result);

  function_operands<Function, rows> operands;
  function_operands<Function, 1> first;  // in the first of the rows to come
  first.load([&]<int J>(auto& value) {
    using T = argument_t<Function, J>;
    if constexpr (Function::modes[J] == access::contiguous) {
      from.in[J] += column * sizeof(T);
      if constexpr (Function::next_rows[J] >= 0) value[0] = *reinterpret_cast<const T*>(from.in[J]);
    } else {
      load_lanes<Function::modes[J]>(operands.template of<J>(), nullptr, p.constants[J], 0, 1);
    }
  });
#pragma unroll 1
  while (true) {
    const std::uint32_t n = min(end - row, std::uint32_t{rows});
    std::int64_t offsets[rows];  // beyond the last row that is there it is loaded again
#pragma unroll
    for (std::uint32_t k = 0; k < rows; ++k) offsets[k] = min(k, n - 1) * p.distance;
    operands.load([&]<int J>(auto& values) {
      using T = argument_t<Function, J>;
      if constexpr (Function::modes[J] == access::contiguous && Function::next_rows[J] < 0) {
#pragma unroll
        for (int k = 0; k < rows; ++k) values[k] = *reinterpret_cast<const T*>(from.in[J] + offsets[k]);
#pragma unroll
        for (int k = 0; k < rows; ++k) load_now(values[k]);
        from.in[J] += rows * p.distance;
      } else if constexpr (Function::next_rows[J] >= 0) {
        values[0] = first.template of<J>()[0];
      }
    });
#pragma unroll
    for (int k = 1; k < rows; ++k)
      operands.load([&]<int J>(auto& values) {
        constexpr int next = Function::next_rows[J];
        if constexpr (next >= 0) values[k] = operands.template of<next>()[k - 1];
      });
    result results[rows];
    operands.call_all(results);
#pragma unroll
    for (std::uint32_t k = 0; k < rows; ++k)
      if (k < n) *reinterpret_cast<result*>(from.out + k * p.out_strides[along]) = results[k];
    row += rows;
    if (row >= end) return;
    from.out += rows * p.out_strides[along];
    first.load([&]<int J>(auto& value) {
      constexpr int next = Function::next_rows[J];
      if constexpr (next >= 0) value[0] = operands.template of<next>()[rows - 1];
    });
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
