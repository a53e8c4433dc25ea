// Householder's QR factorisation of a small matrix by one block, which holds it in registers: lane l of a
// warp has rows l, l + 32, ... of its columns. cuSOLVER takes microseconds for each column, since every step
// is a kernel of its own.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/linalg/small_qr_params.hpp>
#include <cuda/reduction/reduce_state.cuh>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// What differs between real and complex elements.
template<class T>
struct element_of {
  static __device__ __forceinline__ T made(T re, T) { return re; }
  static __device__ __forceinline__ T ratio(T x, T y, T /*size_of_y*/) { return x / y; }
};
template<class R>
struct element_of<kernel::complex<R>> {
  static __device__ __forceinline__ kernel::complex<R> made(R re, R im) { return {re, im}; }
  // The reciprocal that a complex division makes would overflow where y is denormal.
  static __device__ __forceinline__ kernel::complex<R> ratio(kernel::complex<R> x, kernel::complex<R> y,
                                                             R size_of_y) {
    return kernel::complex<R>{x.re / size_of_y, x.im / size_of_y} /
           kernel::complex<R>{y.re / size_of_y, y.im / size_of_y};
  }
};

/// The same value in every lane of the warp: additions commute, so all lanes round alike.
template<class V, class Combine>
__device__ __forceinline__ V combine_lanes(V mine, Combine combine) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) mine = combine(mine, shuffle_from(mine, lane ^ step));
  return mine;
}
template<class V>
__device__ __forceinline__ V sum_of_lanes(V mine) {
  return combine_lanes(mine, [](V a, V b) { return a + b; });
}

/// The reflector H = I - tau v v^H, v[j] = 1, whose H^H takes rows j and below of a column to (beta, 0, ...),
/// beta real: LAPACK's larfg. The column's rows from j on become beta and what follows of v. Returns tau.
template<class T, int Rows>
__device__ __forceinline__ T make_reflector(T (&x)[Rows], int j) {
  using e = element_of<T>;
  using real = kernel::real_t<T>;
  const int lane = threadIdx.x % 32;
  T alpha = T();
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    if (lane + 32 * r == j) alpha = x[r];
  alpha = shuffle_from(alpha, j % 32);
  // Squares of float32 neither overflow nor vanish in double; doubles are divided by the largest.
  constexpr bool widens = sizeof(real) == 4;
  real scale = widens ? 1 : 0;
  bool is_zero = true;
  if constexpr (!widens) {
    const auto take_in = [&](T value) {
      const real re = fabs(kernel::real(value)), im = fabs(kernel::imag(value));
      scale = re > scale ? re : scale;
      scale = im > scale ? im : scale;
    };
#pragma unroll
    for (int r = 0; r < Rows; ++r)
      if (lane + 32 * r > j) take_in(x[r]);
    scale = combine_lanes(scale, [](real a, real b) { return a > b ? a : b; });
    is_zero = scale == 0;
    take_in(alpha);
    if (scale == 0) scale = 1;
  }
  double below = 0;
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    if (lane + 32 * r > j) {
      const double re = double(kernel::real(x[r])) / scale, im = double(kernel::imag(x[r])) / scale;
      below += re * re + im * im;
    }
  below = sum_of_lanes(below);
  const double re = double(kernel::real(alpha)) / scale, im = double(kernel::imag(alpha)) / scale;
  if (is_zero && below == 0 && im == 0) return T();  // NaN shows in the sum
  const real beta = real(-copysign(sqrt(re * re + im * im + below), re) * scale);
  const T tau = e::made((beta - kernel::real(alpha)) / beta, -kernel::imag(alpha) / beta);
  const T pivot = alpha - e::made(beta, real(0));
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    if (lane + 32 * r > j) x[r] = e::ratio(x[r], pivot, beta);
    if (lane + 32 * r == j) x[r] = e::made(beta, real(0));
  }
  return tau;
}

/// x -= factor * v * (v^H x)
template<class T, int Rows>
__device__ __forceinline__ void reflect(T (&x)[Rows], const T (&v)[Rows], T factor) {
  T product = T();
#pragma unroll
  for (int r = 0; r < Rows; ++r) product = product + kernel::conjugate(v[r]) * x[r];
  product = factor * sum_of_lanes(product);
#pragma unroll
  for (int r = 0; r < Rows; ++r) x[r] = x[r] - product * v[r];
}

/// body(column_index<I>()) for each column of a warp: registers have no address, so I must be a constant.
template<int I>
struct column_index {};
template<int I = 0, class Body>
__device__ __forceinline__ void each_column(Body body) {
  if constexpr (I < columns_of_warp) {
    body(column_index<I>());
    each_column<I + 1>(body);
  }
}

/// LAPACK's geqrf. Warp w of n has columns w, w + n, ...
template<class T, int Rows>
__global__ void __launch_bounds__(small_qr_threads(32 * Rows))
    factor_small(const __grid_constant__ small_qr_params p) {
  wait_for_prior_grids();
  // Two of each: a warp may write the next reflector while others read this one.
  __shared__ T vectors[2][32 * Rows];
  __shared__ T factors[2];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;
  T* const matrix = static_cast<T*>(p.matrices) + std::int64_t(blockIdx.x) * p.rows * p.columns;
  T* const taus = static_cast<T*>(p.taus) + std::int64_t(blockIdx.x) * p.reflectors;
  T x[columns_of_warp][Rows];
  const auto each_element = [&](auto body) {
#pragma unroll
    for (int i = 0; i < columns_of_warp; ++i)
#pragma unroll
      for (int r = 0; r < Rows; ++r) {
        const int row = lane + 32 * r, column = warp + n_warps * i;
        const bool inside = row < p.rows && column < p.columns;
        body(x[i][r], inside, inside ? matrix + column * p.rows + row : nullptr);
      }
  };
  each_element([](T& value, bool inside, const T* at) { value = inside ? *at : T(); });
  each_column([&]<int I>(column_index<I>) {
    for (int owner = 0; owner < n_warps; ++owner) {
      const int j = owner + n_warps * I;
      if (j >= p.reflectors) break;
      T* const vector = vectors[j % 2];
      if (warp == owner) {
        const T tau = make_reflector(x[I], j);
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
          const int row = lane + 32 * r;
          vector[row] = row > j ? x[I][r] : element_of<T>::made(row == j ? 1 : 0, 0);
        }
        if (lane == 0) taus[j] = factors[j % 2] = tau;
      }
      __syncthreads();
      const T factor = kernel::conjugate(factors[j % 2]);
      T v[Rows];
#pragma unroll
      for (int r = 0; r < Rows; ++r) v[r] = vector[lane + 32 * r];
#pragma unroll
      for (int later = I; later < columns_of_warp; ++later)
        if (warp + n_warps * later > j) reflect(x[later], v, factor);
    }
  });
  each_element([](T value, bool inside, T* at) {
    if (inside) *at = value;
  });
}

/// LAPACK's org2r: the first columns of H(0) H(1) ..., each of which is computed by itself.
template<class T, int Rows>
__global__ void __launch_bounds__(small_qr_threads(32 * Rows))
    form_small_q(const __grid_constant__ small_qr_params p) {
  wait_for_prior_grids();
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;
  T* const matrix = static_cast<T*>(p.matrices) + std::int64_t(blockIdx.x) * p.rows * p.columns;
  const T* const taus = static_cast<const T*>(p.taus) + std::int64_t(blockIdx.x) * p.reflectors;
  T x[columns_of_warp][Rows];
#pragma unroll
  for (int i = 0; i < columns_of_warp; ++i)
#pragma unroll
    for (int r = 0; r < Rows; ++r)
      x[i][r] = element_of<T>::made(lane + 32 * r == warp + n_warps * i ? 1 : 0, 0);
#pragma unroll 2
  for (int j = p.reflectors - 1; j >= 0; --j) {
    T v[Rows];
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      const int row = lane + 32 * r;
      v[r] = row > j && row < p.rows ? matrix[j * p.rows + row] : element_of<T>::made(row == j ? 1 : 0, 0);
    }
    const T tau = taus[j];
    // A column left of j is still one of the identity, which H(j) does not touch.
#pragma unroll
    for (int i = 0; i < columns_of_warp; ++i)
      if (warp + n_warps * i >= j) reflect(x[i], v, tau);
  }
  // The columns are stored where the reflectors were.
  __syncthreads();
#pragma unroll
  for (int i = 0; i < columns_of_warp; ++i)
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      const int row = lane + 32 * r, column = warp + n_warps * i;
      if (row < p.rows && column < p.columns) matrix[column * p.rows + row] = x[i][r];
    }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
