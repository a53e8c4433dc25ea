// The exponential of one small matrix: scaling, Pade's approximant and squaring.
#include <vector>

#include <host/linalg/factor.hpp>
#include <support/pade.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// c = a b
template<class T>
void multiply(const T* a, const T* b, T* c, int n) {
  const T one(1), zero(0);
  lapack<T>().gemm("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
}

/// The largest sum of magnitudes of a row.
template<class T>
double norm_of_rows(const T* a, int n) {
  std::vector<real_of<T>> sums(static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) sums[static_cast<std::size_t>(i)] += std::abs(a[std::int64_t{n} * j + i]);
  return static_cast<double>(std::ranges::max(sums));
}

}  // namespace

template<class T>
void exponential(const column_matrix<T>& a, T* result) {
  using R = real_of<T>;
  const int n = a.rows;
  const std::int64_t size = std::int64_t{n} * n;
  const auto& b = core::pade_13;
  const work_memory<T> work(6 * size);
  const work_memory<int> pivots(n);
  T *const a2 = work.data(), *const a4 = a2 + size, *const a6 = a4 + size, *const x = a6 + size,
           *const odd = x + size, *const even = odd + size;
  const int halvings = core::halvings_for(norm_of_rows(a.data, n));
  const R scale = static_cast<R>(std::ldexp(1.0, -halvings));
  for (std::int64_t i = 0; i < size; ++i) a.data[i] *= scale;
  multiply(a.data, a.data, a2, n);
  multiply(a2, a2, a4, n);
  multiply(a4, a2, a6, n);
  const auto highest = [&](int k) {
    const R f6 = R(b[k]), f4 = R(b[k - 2]), f2 = R(b[k - 4]);
    for (std::int64_t i = 0; i < size; ++i) x[i] = f6 * a6[i] + f4 * a4[i] + f2 * a2[i];
  };
  const auto add_others = [&](T* sum, int k) {
    const R f6 = R(b[k]), f4 = R(b[k - 2]), f2 = R(b[k - 4]), f0 = R(b[k - 6]);
    for (std::int64_t i = 0; i < size; ++i) sum[i] += f6 * a6[i] + f4 * a4[i] + f2 * a2[i];
    for (int i = 0; i < n; ++i) sum[std::int64_t{n} * i + i] += f0;
  };
  highest(13);
  multiply(a6, x, odd, n);
  add_others(odd, 7);
  highest(12);
  multiply(a6, x, even, n);
  add_others(even, 6);
  multiply(a.data, odd, x, n);
  for (std::int64_t i = 0; i < size; ++i) {
    result[i] = even[i] + x[i];
    even[i] -= x[i];
  }
  const column_matrix<T> divisor{even, n, n, n}, sum{result, n, n, n};
  factor_lu(divisor, pivots.data());
  exchange_rows(sum, pivots.data(), n, true);
  solve_triangle(divisor, "L", "N", "U", sum);
  solve_triangle(divisor, "U", "N", "N", sum);
  for (int i = 0; i < halvings; ++i) {
    multiply(result, result, x, n);
    std::copy_n(x, size, result);
  }
}

#define GPARRAY_INSTANTIATE(T) template void exponential<T>(const column_matrix<T>&, T*)
GPARRAY_FOR_LAPACK_ELEMENTS(GPARRAY_INSTANTIATE);
#undef GPARRAY_INSTANTIATE

}  // namespace host
GPARRAY_END_NAMESPACE
