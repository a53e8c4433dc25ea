// The kernel of maps that broadcast a row along all rows, as `matrix * row` does: a thread has a few rows of
// a pack of columns, and loads what they have in common, and computes what follows from it, once. Generated
// functions only.
#pragma once
#include <cuda/device/block_index.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/map/map_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Function::same[I]: whether operand I is the same in all rows. Packs are whole, and aligned.
template<class Function>
__global__ void __launch_bounds__(map_threads)
    broadcast_map(const __grid_constant__ vector_params_of<Function> p) {
  wait_for_prior_grids();
  using result = typename Function::result;
  constexpr int lanes = Function::lanes;
  const rows_of_thread rows(p, block_in_order(p), lanes);
  const int column = rows.column, n_columns = static_cast<int>(p.n_columns);
  if (column >= n_columns || rows.first >= rows.end) return;

  function_operands<Function, lanes> operands;
  const auto load = [&]<int I>(auto& values, const char* row) {
    using T = argument_t<Function, I>;
    if constexpr (Function::modes[I] == access::contiguous)
      load_elements(values, reinterpret_cast<const T*>(row) + column);
    else load_lanes<Function::modes[I]>(values, row, p.constants[I], column, n_columns);
  };
  operands.load([&]<int I>(auto& values) {
    if constexpr (Function::same[I]) load.template operator()<I>(values, p.in[I]);
  });
#pragma unroll 1
  for (std::uint32_t row = rows.first; row < rows.end; ++row) {
    const map_row<Function> at(p, row);
    operands.load([&]<int I>(auto& values) {
      if constexpr (!Function::same[I]) load.template operator()<I>(values, at.in[I]);
    });
    pack<result, lanes> results;
    function_stored<Function, lanes> stored;
    stored.call_all(operands, results.values);
    store_elements(reinterpret_cast<result*>(at.out) + column, results.values);
    stored.store([&]<int I, class T>(const pack<T, lanes>& values) {
      char* const to = const_cast<char*>(at.in[Function::arity + I]);
      store_elements(reinterpret_cast<T*>(to) + column, values.values);
    });
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
