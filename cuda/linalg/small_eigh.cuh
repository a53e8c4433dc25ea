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
  int p, q;  // p < q; q is the size of the matrix if there is nothing to do
  real cosine, sine, diagonal_p, diagonal_q;
  T phase;
};

/// Pair k of round r, of n players, an even number of them: the last one stays, the others go round.
__device__ __forceinline__ void pair_of_round(int n, int r, int k, int& p, int& q) {
  const int others = n - 1, a = k == 0 ? others : (r + k) % others, b = (r - k + others) % others;
  p = a < b ? a : b;
  q = a < b ? b : a;
}

template<class T>
__device__ __forceinline__ T scaled_by(T x, kernel::real_t<T> factor) {
  if constexpr (kernel::is_complex<T>) return {x.re * factor, x.im * factor};
  else return x * factor;
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
  bool converged = n == 1;
  for (int sweep = 0; is_finite && !converged && sweep < most_sweeps; ++sweep) {
    bool rotates = false;
    for (int round = 0; round < players - 1; ++round) {
      if (thread < pairs) {
        small_rotation<T>& r = rotations[thread];
        pair_of_round(players, round, thread, r.p, r.q);
        if (r.q < n) {
          if (kernel::absolute(a(r.p, r.q)) <= negligible) r.q = n;
          else find_rotation(a, r), rotates = true;
        }
      }
      __syncthreads();
      for (int i = thread; i < pairs * n; i += threads) {
        const small_rotation<T>& r = rotations[i / n];
        const int row = i % n;
        if (r.q >= n) continue;
        const auto turn = [&](shared_matrix<T>& m) {
          const T x = m(row, r.p), y = kernel::conjugate(r.phase) * m(row, r.q);
          m(row, r.p) = scaled_by(x, r.cosine) - scaled_by(y, r.sine);
          m(row, r.q) = scaled_by(x, r.sine) + scaled_by(y, r.cosine);
        };
        turn(a);
        if (p.vectors) turn(v);
      }
      __syncthreads();
      for (int i = thread; i < pairs * n; i += threads) {
        const small_rotation<T>& r = rotations[i / n];
        const int column = i % n;
        if (r.q >= n) continue;
        const T x = a(r.p, column), y = r.phase * a(r.q, column);
        T of_p = scaled_by(x, r.cosine) - scaled_by(y, r.sine),
          of_q = scaled_by(x, r.sine) + scaled_by(y, r.cosine);
        // What is known exactly.
        if (column == r.p) of_p = real_number<T>(r.diagonal_p), of_q = T();
        if (column == r.q) of_p = T(), of_q = real_number<T>(r.diagonal_q);
        a(r.p, column) = of_p;
        a(r.q, column) = of_q;
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
