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
  template<class T, int N>
  __device__ __forceinline__ void load_line(T (&values)[N], std::int64_t begin, int n,
                                            const params& p) const {
    load(values, begin, 0, n, p);
  }
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
