// Jacobi's method for a small Hermitian matrix by one block, in shared memory. Each round rotates as many
// pairs of rows and columns as there are at once, no index in two of them; the rounds of a sweep meet every
// pair.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/linalg/small_eigh_params.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// With one column more than there are, so that neighbours in a row are in different banks, too.
template<class T>
struct shared_matrix {
  T elements[largest_small_eigh * (largest_small_eigh + 1)];
  __device__ __forceinline__ T& operator()(int row, int column) {
    return elements[column * (largest_small_eigh + 1) + row];
  }
};

/// What makes columns p and q orthogonal: p' = cosine p - sine conj(phase) q, q' = sine p + cosine
/// conj(phase) q.
template<class T>
struct small_rotation {
  using real = kernel::real_t<T>;
  int p, q;  // p < q; q is the size of the matrix if p has no partner
  bool turns;
  real cosine, sine, diagonal_p, diagonal_q;
  T phase;
};

/// Pair k of round r, of n players, an even number of them: the last one stays, the others go round.
__device__ __forceinline__ void pair_of_round(int n, int r, int k, int& p, int& q) {
  const int others = n - 1, up = r + k < others ? r + k : r + k - others, a = k == 0 ? others : up,
            b = r < k ? r - k + others : r - k;
  p = a < b ? a : b;
  q = a < b ? b : a;
}

template<class T>
__device__ __forceinline__ T scaled_by(T x, kernel::real_t<T> factor) {
  if constexpr (kernel::is_complex<T>) return {x.re * factor, x.im * factor};
  else return x * factor;
}

template<class T>
__device__ __forceinline__ void turn_pair(const small_rotation<T>& r, T phase, T& p, T& q) {
  const T x = p, y = phase * q;
  p = scaled_by(x, r.cosine) - scaled_by(y, r.sine);
  q = scaled_by(x, r.sine) + scaled_by(y, r.cosine);
}

template<class T>
__device__ __forceinline__ T real_number(kernel::real_t<T> x) {
  if constexpr (kernel::is_complex<T>) return {x, 0};
  else return x;
}

/// The rotation that makes a(p, q) zero (Golub and Van Loan, Matrix Computations, section 8.5.2).
template<class T>
__device__ __forceinline__ void find_rotation(shared_matrix<T>& a, small_rotation<T>& r) {
  using real = kernel::real_t<T>;
  const T off = a(r.p, r.q);
  const real size = kernel::absolute(off), x = kernel::real(a(r.p, r.p)), y = kernel::real(a(r.q, r.q)),
             tau = (y - x) / (real(2) * size);
  const real tangent = copysign(real(1), tau) / (fabs(tau) + sqrt(real(1) + tau * tau));
  r.cosine = real(1) / sqrt(real(1) + tangent * tangent);
  r.sine = tangent * r.cosine;
  r.diagonal_p = x - tangent * size;
  r.diagonal_q = y + tangent * size;
  if constexpr (kernel::is_complex<T>) r.phase = {off.re / size, off.im / size};
  else r.phase = copysign(real(1), off);
}

/// The elements of rows p and q of one pair in columns p and q of another are turned from both sides by one
/// thread: so no other one reads or writes them.
template<class T>
__device__ __forceinline__ void turn_block(shared_matrix<T>& a, int n, const small_rotation<T>& of_rows,
                                           const small_rotation<T>& of_columns, bool is_diagonal) {
  if (!of_rows.turns && !of_columns.turns) return;
  const bool has_row = of_rows.q < n, has_column = of_columns.q < n;
  const int rows[2] = {of_rows.p, has_row ? of_rows.q : of_rows.p},
            columns[2] = {of_columns.p, has_column ? of_columns.q : of_columns.p};
  T m[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) m[i][j] = a(rows[i], columns[j]);
  if (is_diagonal) {  // what is known exactly
    m[0][0] = real_number<T>(of_rows.diagonal_p), m[1][1] = real_number<T>(of_rows.diagonal_q);
    m[0][1] = m[1][0] = T();
  } else {
    if (of_columns.turns)
      for (T(&row)[2] : m) turn_pair(of_columns, kernel::conjugate(of_columns.phase), row[0], row[1]);
    if (of_rows.turns)
      for (int j = 0; j < 2; ++j) turn_pair(of_rows, of_rows.phase, m[0][j], m[1][j]);
  }
  for (int i = 0; i < 1 + has_row; ++i)
    for (int j = 0; j < 1 + has_column; ++j) a(rows[i], columns[j]) = m[i][j];
}

template<class T>
__global__ void __launch_bounds__(128) eigh_small(const __grid_constant__ small_eigh_params p) {
  wait_for_prior_grids();
  using real = kernel::real_t<T>;
  constexpr int most_sweeps = 30, most_pairs = largest_small_eigh / 2;
  __shared__ shared_matrix<T> a, v;
  __shared__ small_rotation<T> rotations[most_pairs];
  __shared__ real sums[largest_small_eigh];
  const int n = p.n, thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  T* const matrix = static_cast<T*>(p.matrices) + static_cast<std::int64_t>(blockIdx.x) * n * n;
  const auto each_element = [&](auto body) {
    for (int i = thread; i < n * n; i += threads) body(i % n, i / n);
  };
  each_element([&](int row, int column) {
    const T element = row >= column ? matrix[column * n + row] : kernel::conjugate(matrix[row * n + column]);
    a(row, column) = row == column ? real_number<T>(kernel::real(element)) : element;
    v(row, column) = real_number<T>(row == column);
  });
  __syncthreads();
  if (thread < n) {
    real sum = 0;
    for (int column = 0; column < n; ++column) sum += kernel::absolute(a(thread, column));
    sums[thread] = sum;
  }
  __syncthreads();
  real norm = 0;  // the largest sum of a row; NaN if one is
  for (int i = 0; i < n; ++i)
    if (!(sums[i] <= norm)) norm = sums[i];
  constexpr real epsilon = kernel::traits<real>::epsilon;
  const real negligible = norm * epsilon / static_cast<real>(n);
  const bool is_finite = norm - norm == 0;  // else nothing converges

  const int players = n + n % 2, pairs = players / 2;
  // Each thread has a pair of rows and a row of the vectors, and every so many pairs of columns for each: no
  // division is in the rounds.
  const int pair = thread % pairs, first_pair = thread / pairs, pairs_at_once = threads / pairs,
            row = thread % n, first_column = thread / n, columns_at_once = threads / n;
  bool converged = n == 1;
  for (int sweep = 0; is_finite && !converged && sweep < most_sweeps; ++sweep) {
    bool rotates = false;
    for (int round = 0; round < players - 1; ++round) {
      if (thread < pairs) {
        small_rotation<T>& r = rotations[thread];
        pair_of_round(players, round, thread, r.p, r.q);
        r.turns = r.q < n && !(kernel::absolute(a(r.p, r.q)) <= negligible);
        if (r.turns) find_rotation(a, r), rotates = true;
      }
      __syncthreads();
      for (int k = first_pair; first_pair < pairs_at_once && k < pairs; k += pairs_at_once)
        turn_block(a, n, rotations[pair], rotations[k], k == pair);
      for (int k = first_column; p.vectors && first_column < columns_at_once && k < pairs;
           k += columns_at_once) {
        const small_rotation<T>& r = rotations[k];
        if (r.turns) turn_pair(r, kernel::conjugate(r.phase), v(row, r.p), v(row, r.q));
      }
      __syncthreads();
    }
    converged = !__syncthreads_or(rotates);
  }
  if (thread == 0) p.info[blockIdx.x] = !converged;

  // Ascending; equal ones as they stand.
  real* const values = static_cast<real*>(p.values) + static_cast<std::int64_t>(blockIdx.x) * n;
  const auto place_of = [&](int i) {
    const real own = kernel::real(a(i, i));
    int place = 0;
    for (int j = 0; j < n; ++j) {
      const real other = kernel::real(a(j, j));
      place += other < own || (!(own < other) && j < i);
    }
    return place < n ? place : n - 1;  // NaN are in no order
  };
  if (thread < n) values[place_of(thread)] = kernel::real(a(thread, thread));
  if (p.vectors)
    each_element([&](int row, int column) { matrix[place_of(column) * n + row] = v(row, column); });
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
