// What the kernels of scans load when the array they scan is an expression that is never written to memory.
#pragma once
#include <cuda/reduction/computed_rows.cuh>
#include <cuda/reduction/scan_columns.cuh>
#include <cuda/reduction/scan_rows.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class Expression>
struct scanned_elements<expression_params<scan_params, Expression>> {
  using params = expression_params<scan_params, Expression>;
  static constexpr bool are_stored = false;
  const char* rows[Expression::arity];

  /// Of one element's operands, those that are loaded.
  template<int... I>
  static constexpr int bytes_of_operands(index_list<I...>) {
    return ((Expression::modes[I] == access::constant_bits || Expression::modes[I] == access::iota
                 ? 0
                 : static_cast<int>(sizeof(argument_t<Expression, I>))) +
            ... + 0);
  }
  /// How many of U packs of N elements have operands for which there are registers.
  static constexpr int packs_at_once(int U, int N) {
    constexpr int most_bytes = 64;
    const int bytes = N * bytes_of_operands(typename make_indices<Expression::arity>::type());
    int packs = U;
    while (packs > 1 && packs * bytes > most_bytes) packs /= 2;
    return packs;
  }

  __device__ __forceinline__ scanned_elements(const params& p, std::uint32_t row, const scan_row&) {
#pragma unroll
    for (int i = 0; i < Expression::arity; ++i) rows[i] = p.operands.in[i];
#pragma unroll 1
    for (int d = p.rows.ndim - 1; d >= 0; --d) {
      std::uint32_t along = row;
      row = p.rows.shape[d].split(along);
#pragma unroll
      for (int i = 0; i < Expression::arity; ++i) rows[i] += along * p.operands.strides[i][d];
    }
  }
  template<class T, int N>
  __device__ __forceinline__ void load(T (&values)[N], std::int64_t begin, int at, int n,
                                       const params& p) const {
    const int first = static_cast<int>(begin);
    compute_side_by_side<Expression>(values, rows, first + at, n - at, p.operands);
  }
  /// Of a tile of n elements from `begin` on, the thread's N neighbours in sub-tiles sub, sub + 1, ...: the
  /// loads of several are on their way before one is computed.
  template<class T, int N, int U>
  __device__ __forceinline__ void load_packs(pack<T, N> (&values)[U], std::int64_t begin, int sub, int n,
                                             const params& p) const {
    constexpr int at_once = packs_at_once(U, N);
    const int tile = static_cast<int>(begin),
              first = tile + (sub * scan_threads + static_cast<int>(threadIdx.x)) * N;
#pragma unroll
    for (int u = 0; u < U; u += at_once) {
      function_operands<Expression, N> operands[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        load_side_by_side(operands[k], rows, first + (u + k) * scan_threads * N, tile + n, p.operands);
#pragma unroll
      for (int k = 0; k < at_once; ++k) operands[k].call_all(values[u + k].values);
    }
  }
  template<class T, int N>
  __device__ __forceinline__ void load_line(T (&values)[N], std::int64_t begin, int n,
                                            const params& p) const {
    load(values, begin, 0, n, p);
  }
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
