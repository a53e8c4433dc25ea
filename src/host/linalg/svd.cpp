// Singular values: reduction to bidiagonal form, divide and conquer there (LAPACK's gesdd), and the vectors
// transformed back on all threads. LAPACK's gesvd takes twice the time at 100 x 100 and ten times at 512 x
// 512.
#include <algorithm>
#include <cmath>
#include <limits>

#include <host/linalg/condition.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Above this many rows for each column, the matrix is first reduced to its R. LAPACK's choice.
constexpr double tall = 11.0 / 6;

template<class T>
struct bidiagonal {
  using R = real_of<T>;
  explicit bidiagonal(int n) : e(n), tau_q(n), tau_p(n) {}
  work_memory<R> e;
  work_memory<T> tau_q, tau_p;
};

/// d and e become the diagonals, a the reflectors of both sides.
template<class T>
void reduce_to_bidiagonal(const column_matrix<T>& a, real_of<T>* d, const bidiagonal<T>& b) {
  T first{};
  int size = -1, info = 0;
  const auto run = [&](T* work) {
    lapack<T>().gebrd(&a.rows, &a.columns, a.data, &a.leading, d, b.e.data(), b.tau_q.data(), b.tau_p.data(),
                      work, &size, &info);
  };
  if (a.columns > unblocked) run(&first);
  size = a.columns > unblocked ? static_cast<int>(std::real(first)) : a.rows;
  const work_memory<T> work(size);
  run(work.data());
}

template<class R>
int solve_bidiagonal(int n, R* d, R* e, R* u, R* vt) {
  const std::int64_t size = n;  // its square need not be an int
  const work_memory<R> work(u ? 3 * size * size + 4 * size : 4 * size);
  const work_memory<int> int_work(8 * size);
  int info = 0;
  lapack<R>().bdsdc("U", u ? "I" : "N", &n, d, e, u, &n, vt, &n, nullptr, nullptr, work.data(),
                    int_work.data(), &info, 1, 1);
  return info;
}

/// to = from^H, by tiles that stay in the first-level cache.
template<class T, class F>
void adjoint_of(const column_matrix<F>& from, const column_matrix<T>& to) {
  constexpr int tile = 32;
  for (int jj = 0; jj < from.columns; jj += tile)
    for (int ii = 0; ii < from.rows; ii += tile)
      for (int j = jj; j < std::min(jj + tile, from.columns); ++j)
        for (int i = ii; i < std::min(ii + tile, from.rows); ++i)
          *to.at(j, i) = conjugated(T(*from.at(i, j)));
}

/// vh = (P v)^H, P of the reflectors in the rows of a right of its second diagonal.
template<class T>
void right_vectors(const column_matrix<T>& a, const T* tau, const real_of<T>* vt, T* vh) {
  const int n = a.columns;
  const std::int64_t size = std::int64_t{n} * n;
  if (n > unblocked) {
    std::copy_n(vt, size, vh);
    return apply_row_reflectors(a.part(0, 1, n - 1, n - 1), tau, {vh + n, n, n - 1, n});
  }
  const work_memory<T> v(size);
  const column_matrix<const real_of<T>> small{vt, n, n, n};
  const column_matrix<T> vectors{v.data(), n, n, n};
  adjoint_of(small, vectors);
  if (n > 1) {
    const work_memory<T> columns(size);
    const column_matrix<T> reflectors{columns.data(), n - 1, n - 1, n - 1};
    adjoint_of(a.part(0, 1, n - 1, n - 1), reflectors);
    apply_reflectors(reflectors, tau, vectors.part(1, 0, n - 1, n));
  }
  adjoint_of(vectors, column_matrix<T>{vh, n, n, n});
}

/// u = diag(small, 1), its columns as many as there are.
template<class T>
void extend(const real_of<T>* small, int n, const column_matrix<T>& u) {
  for (int j = 0; j < u.columns; ++j) {
    T* column = u.at(0, j);
    std::fill_n(column, u.rows, T(0));
    if (j < n) std::copy_n(small + std::int64_t{n} * j, n, column);
    else column[j] = T(1);
  }
}

/// The upper triangle of a and zeros.
template<class T>
void copy_triangle(const column_matrix<T>& a, const column_matrix<T>& r) {
  for (int j = 0; j < r.columns; ++j) {
    std::copy_n(a.at(0, j), j + 1, r.at(0, j));
    std::fill_n(r.at(j, j) + 1, r.rows - j - 1, T(0));
  }
}

/// The power of two that brings the largest magnitude to where squares neither vanish nor overflow, as
/// LAPACK's gesdd scales before it calls what is called here; 1 where it is there.
template<class T>
real_of<T> safe_scale(const column_matrix<T>& a) {
  using R = real_of<T>;
  R largest = 0;
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i)
      largest = std::max({largest, std::abs(std::real(*a.at(i, j))), std::abs(std::imag(*a.at(i, j)))});
  const R least = std::sqrt(std::numeric_limits<R>::min()) / std::numeric_limits<R>::epsilon();
  if (largest == 0 || (largest >= least && largest <= 1 / least)) return 1;
  return std::ldexp(R(1), std::ilogb(largest < least ? least : 1 / least) - std::ilogb(largest));
}

}  // namespace

template<class T>
int decompose_singular(const column_matrix<T>& a, bool full, real_of<T>* s, T* u, T* vh) {
  using R = real_of<T>;
  const int m = a.rows, n = a.columns;
  if (!is_finite(a, false)) return 1;
  const R scale = safe_scale(a);
  if (scale != 1)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) *a.at(i, j) *= scale;
  const bool is_tall = m > tall * n;
  const std::int64_t size = std::int64_t{n} * n;
  const work_memory<T> tau(n), triangle(is_tall ? size : 0);
  column_matrix<T> reduced = a;
  if (is_tall) {
    factor_qr(a, tau.data());
    reduced = {triangle.data(), n, n, n};
    copy_triangle(a, reduced);
  }
  const bidiagonal<T> b(n);
  reduce_to_bidiagonal(reduced, s, b);
  const work_memory<R> small(u ? 2 * size : 0);
  R* const small_u = u ? small.data() : nullptr;
  R* const small_vt = u ? small.data() + size : nullptr;
  const int info = solve_bidiagonal(n, s, b.e.data(), small_u, small_vt);
  if (scale != 1)
    for (int i = 0; i < n; ++i) s[i] /= scale;
  if (u) {
    const column_matrix<T> left{u, m, full ? m : n, m};
    extend(small_u, n, left);
    apply_reflectors(reduced, b.tau_q.data(), left.part(0, 0, reduced.rows, is_tall ? n : left.columns));
    if (is_tall) apply_reflectors(a, tau.data(), left);
    right_vectors(reduced, b.tau_p.data(), small_vt, vh);
  }
  return info;
}

#define GPARRAY_INSTANTIATE(T) \
  template int decompose_singular<T>(const column_matrix<T>&, bool, real_of<T>*, T*, T*)
GPARRAY_FOR_LAPACK_ELEMENTS(GPARRAY_INSTANTIATE);
#undef GPARRAY_INSTANTIATE

}  // namespace host
GPARRAY_END_NAMESPACE
