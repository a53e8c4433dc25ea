// LU and Cholesky factorisations of small matrices, each by a few lanes of a warp: lane i has row i. What
// follows from the factors is computed where they are, and nothing of them goes to memory.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/linalg/small_factor_params.hpp>
#include <cuda/reduction/reduce_state.cuh>
#include <kernel/determinant.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Short rows are kept in registers, for which all loops have constant bounds and are unrolled. Longer ones
/// are in the thread's own memory, which the nearest cache holds: their code would be very long.
template<int N>
struct small_loops {
  static constexpr bool is_constant = N <= 8;
  static __device__ __forceinline__ int begin(int first) { return is_constant ? 0 : first; }
  static __device__ __forceinline__ int end(int n) { return is_constant ? N : n; }
};

/// A lane among the N that have a matrix. All lanes of a warp take part in everything; where there is no
/// matrix, they have the identity.
template<int N>
struct small_lane {
  int row;         // in the matrix
  unsigned first;  // lane of the warp
  std::int64_t matrix;
  int sharer;
  bool is_there;

  __device__ __forceinline__ explicit small_lane(const small_factor_params& p) {
    const std::int64_t group =
        static_cast<std::int64_t>(blockIdx.x) * (small_factor_threads / N) + threadIdx.x / N;
    row = threadIdx.x % N;
    first = threadIdx.x % 32 / N * N;
    matrix = group / p.sharers;
    sharer = static_cast<int>(group % p.sharers);
    is_there = matrix < p.task.count;
  }
  /// What the lane of this row has.
  template<class V>
  __device__ __forceinline__ V from(const V& mine, int of_row) const {
    return shuffle_from(mine, first + of_row);
  }
  template<class T>
  __device__ __forceinline__ T load(const strided_stack& s, int i, int j) const {
    return static_cast<const T*>(s.data)[matrix * s.matrix + i * s.row + j * s.column];
  }
  __device__ __forceinline__ void report(const small_task& task, bool failed) const {
    if (!task.failed || !is_there || row != 0 || sharer != 0) return;
    if (task.count == 1) *task.failed = failed;
    else if (failed) atomicMax(task.failed, static_cast<std::int32_t>(task.count - matrix));
  }
};

template<class T>
__device__ __forceinline__ T number_of(kernel::real_t<T> value) {
  if constexpr (kernel::is_complex<T>) return {value, 0};
  else return value;
}
template<class T>
__device__ __forceinline__ T divided(T x, kernel::real_t<T> by) {
  if constexpr (kernel::is_complex<T>) return {x.re / by, x.im / by};
  else return x / by;
}

/// Where the rows of a factorised matrix come to.
struct row_places {
  int position;            // of this lane's row
  int pivot = 0;           // of lane k: the row that came to place k
  unsigned exchanged = 0;  // bit k: two rows were, in step k
  bool is_singular = false;
};

/// The row that came to place k.
template<int N>
__device__ __forceinline__ int pivot_row(const small_lane<N>& lane, const row_places& places, int k) {
  return lane.from(places.pivot, k);
}

/// A matrix with its rows in the lanes, factorised in place by partial pivoting, as LAPACK's getf2 does it.
/// Rows stay where they are.
template<class T, int N>
__device__ __forceinline__ row_places factor_rows(const small_lane<N>& lane, int n, T (&a)[N]) {
  using real = kernel::real_t<T>;
  using loops = small_loops<N>;
  row_places places;
  places.position = lane.row;
#pragma unroll
  for (int k = 0; k < loops::end(n); ++k) {
    if (k >= n) continue;
    // The largest, and of equal ones the first. A NaN is taken where it stands, and not looked for.
    real size = fabs(kernel::real(a[k])) + fabs(kernel::imag(a[k]));
    int place = places.position;
    if (place < k || lane.row >= n) {
      size = real(-2);
    } else if (size != size) {
      size = place == k ? kernel::infinity<real>() : real(-1);
      if (place == k) place = -1;
    }
    int choice = place * 32 + lane.row;
#pragma unroll
    for (int step = 1; step < N; step *= 2) {
      const real other_size = lane.from(size, lane.row ^ step);
      const int other = lane.from(choice, lane.row ^ step);
      if (other_size > size || (other_size == size && other < choice)) {
        size = other_size;
        choice = other;
      }
    }
    const int row = choice & 31, from = choice < 0 ? k : choice >> 5;
    if (lane.row == row) places.position = k;
    else if (places.position == k) places.position = from;
    if (lane.row == k) places.pivot = row;
    places.exchanged |= unsigned{from != k} << k;

    const T diagonal = lane.from(a[k], row);
    const bool is_zero = diagonal == T();
    places.is_singular = places.is_singular || is_zero;
    const bool is_below = places.position > k && !is_zero;
    if (is_below) a[k] = a[k] / diagonal;
#pragma unroll
    for (int j = loops::begin(k + 1); j < loops::end(n); ++j) {
      if (j <= k || j >= n) continue;
      const T above = lane.from(a[j], row);
      if (is_below) a[j] = a[j] - above * a[k];
    }
  }
  return places;
}

/// Right sides, whose rows are in the lanes as the matrix's were, become solutions, whose rows come to their
/// places.
template<class T, int N, int Columns>
__device__ __forceinline__ void solve_rows(const small_lane<N>& lane, int n, const T (&a)[N],
                                           const row_places& places, T (&x)[Columns]) {
  using loops = small_loops<N>;
#pragma unroll
  for (int k = 0; k < loops::end(n); ++k) {
    if (k >= n) continue;
    const int row = pivot_row(lane, places, k);
#pragma unroll
    for (int c = 0; c < Columns; ++c) {
      const T above = lane.from(x[c], row);
      if (places.position > k) x[c] = x[c] - above * a[k];
    }
  }
#pragma unroll
  for (int k = loops::end(n) - 1; k >= 0; --k) {
    if (k >= n) continue;
    const int row = pivot_row(lane, places, k);
#pragma unroll
    for (int c = 0; c < Columns; ++c) {
      if (places.position == k) x[c] = x[c] / a[k];
      const T below = lane.from(x[c], row);
      if (places.position < k) x[c] = x[c] - below * a[k];
    }
  }
}

template<class T, int N>
__global__ void __launch_bounds__(small_factor_threads)
    factor_small_lu(const __grid_constant__ small_factor_params p) {
  wait_for_prior_grids();
  using loops = small_loops<N>;
  const small_task& task = p.task;
  const small_lane<N> lane(p);
  const int n = task.n;
  const bool has_row = lane.is_there && lane.row < n;
  T a[N];
#pragma unroll
  for (int j = 0; j < N; ++j)
    a[j] = has_row && j < n ? lane.template load<T>(task.a, lane.row, j) : number_of<T>(lane.row == j);
  const row_places places = factor_rows(lane, n, a);
  lane.report(task, places.is_singular);

  if (task.what == small_operation::determinants) {
    kernel::diagonal_product<T> diagonal;
#pragma unroll
    for (int k = 0; k < loops::end(n); ++k) {
      if (k >= n) continue;
      diagonal.take(lane.from(a[k], pivot_row(lane, places, k)), (places.exchanged >> k & 1) != 0);
    }
    if (!lane.is_there || lane.row != 0) return;
    static_cast<T*>(task.out)[lane.matrix] = task.logarithms ? diagonal.sign : diagonal.determinant();
    if (task.logarithms) static_cast<kernel::real_t<T>*>(task.logarithms)[lane.matrix] = diagonal.logarithm();
    return;
  }
  constexpr int at_once = sizeof(T) * N < 512 ? 4 : 2;
  T* const out = static_cast<T*>(task.out) + lane.matrix * n * task.columns;
  // Lanes of a warp have different sharers, and take the same number of turns.
  for (int turn = 0; turn * p.sharers * at_once < task.columns; ++turn) {
    const int column = (turn * p.sharers + lane.sharer) * at_once;
    T x[at_once];
#pragma unroll
    for (int c = 0; c < at_once; ++c) {
      x[c] = number_of<T>(lane.row == column + c);
      if (task.b.data)
        x[c] =
            has_row && column + c < task.columns ? lane.template load<T>(task.b, lane.row, column + c) : T();
    }
    solve_rows(lane, n, a, places, x);
#pragma unroll
    for (int c = 0; c < at_once; ++c)
      if (has_row && column + c < task.columns) out[places.position * task.columns + column + c] = x[c];
  }
}

/// As LAPACK's potf2 does it. A NaN is no failure: what follows from it is NaN.
template<class T, int N>
__global__ void __launch_bounds__(small_factor_threads)
    factor_small_cholesky(const __grid_constant__ small_factor_params p) {
  wait_for_prior_grids();
  using loops = small_loops<N>;
  using real = kernel::real_t<T>;
  const small_task& task = p.task;
  const small_lane<N> lane(p);
  const int n = task.n;
  const bool has_row = lane.is_there && lane.row < n;
  T a[N];
#pragma unroll
  for (int j = 0; j < N; ++j) {
    a[j] = number_of<T>(lane.row == j);
    if (!has_row || j > lane.row) continue;
    a[j] = task.upper ? kernel::conjugate(lane.template load<T>(task.a, j, lane.row))
                      : lane.template load<T>(task.a, lane.row, j);
  }
  bool failed = false;
#pragma unroll
  for (int k = 0; k < loops::end(n); ++k) {
    if (k >= n) continue;
    const real square = lane.from(kernel::real(a[k]), k);
    failed = failed || square <= real(0);
    const real root = sqrt(square);
    if (lane.row == k) a[k] = number_of<T>(root);
    if (lane.row > k) a[k] = divided(a[k], root);
#pragma unroll
    for (int j = loops::begin(k + 1); j < loops::end(n); ++j) {
      if (j <= k || j >= n) continue;
      const T of_column = kernel::conjugate(lane.from(a[k], j));
      if (lane.row >= j) a[j] = a[j] - a[k] * of_column;
    }
  }
  lane.report(task, failed);
  if (!has_row) return;
  T* const out = static_cast<T*>(task.out) + lane.matrix * n * n;
#pragma unroll
  for (int j = 0; j < loops::end(n); ++j) {
    if (j >= n) continue;
    const bool is_zero = j > lane.row;
    if (task.upper) out[j * n + lane.row] = is_zero ? T() : kernel::conjugate(a[j]);
    else out[lane.row * n + j] = is_zero ? T() : a[j];
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
