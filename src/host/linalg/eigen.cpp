// Eigenvalues. Hermitian matrices are reduced to tridiagonal form and solved there by divide and conquer
// (LAPACK's syevd), which is the fastest of LAPACK's methods from 100 x 100 to 1024 x 1024; the
// transformation of the eigenvectors back, half of the arithmetic, runs on all threads.
#include <host/linalg/condition.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// The work size that a LAPACK routine asks for in its first work element.
template<class T>
int asked_size(T first) {
  return static_cast<int>(std::real(first));
}

/// d and e become the diagonals of the tridiagonal form, a the reflectors.
template<class T>
void reduce_to_tridiagonal(const column_matrix<T>& a, real_of<T>* d, real_of<T>* e, T* tau) {
  const auto reduce = [] {
    if constexpr (is_complex_type<T>) return lapack<T>().hetrd;
    else return lapack<T>().sytrd;
  }();
  T first{};
  int size = a.columns, info = 0;
  if (size > unblocked) {
    size = -1;
    reduce("L", &a.columns, a.data, &a.leading, d, e, tau, &first, &size, &info, 1);
    size = asked_size(first);
  }
  const work_memory<T> work(size);
  reduce("L", &a.columns, a.data, &a.leading, d, e, tau, work.data(), &size, &info, 1);
}

/// Eigenvectors of a real tridiagonal matrix.
template<class R>
int solve_tridiagonal(int n, R* d, R* e, R* z) {
  const int size = 1 + 4 * n + n * n, int_size = 3 + 5 * n;
  const work_memory<R> work(size);
  const work_memory<int> int_work(int_size);
  int info = 0;
  lapack<R>().stedc("I", &n, d, e, z, &n, work.data(), &size, int_work.data(), &int_size, &info, 1);
  return info;
}

}  // namespace

template<class T>
int solve_hermitian(const column_matrix<T>& a, bool vectors, real_of<T>* values) {
  using R = real_of<T>;
  const int n = a.columns;
  if (!is_finite(a, true)) return n + 1;
  const work_memory<R> e(n);
  const work_memory<T> tau(n);
  reduce_to_tridiagonal(a, values, e.data(), tau.data());
  int info = 0;
  if (!vectors) {
    lapack<R>().sterf(&n, values, e.data(), &info);
  } else {
    const std::int64_t size = std::int64_t{n} * n;
    const work_memory<R> z(size);
    info = solve_tridiagonal(n, values, e.data(), z.data());
    // The reflectors are in a, so the vectors are made elsewhere.
    const work_memory<T> converted(is_complex_type<T> ? size : 0);
    T* c;
    if constexpr (is_complex_type<T>) c = std::copy_n(z.data(), size, converted.data()) - size;
    else c = z.data();
    if (n > 1) apply_reflectors(a.part(1, 0, n - 1, n - 1), tau.data(), {c + 1, n - 1, n, n});
    for (int j = 0; j < n; ++j) std::copy_n(c + std::int64_t{n} * j, n, a.at(0, j));
  }
  return info;
}

namespace {

template<class R>
void run_geev(flag job, const column_matrix<R>& a, std::complex<R>* values, R* vectors, R* work, int size,
              int& info) {
  const int n = a.columns;
  const work_memory<R> real(n), imaginary(n);
  lapack<R>().geev("N", job, &n, a.data, &a.leading, real.data(), imaginary.data(), nullptr, &n, vectors, &n,
                   work, &size, &info, 1, 1);
  if (size < 0) return;
  for (int i = 0; i < n; ++i) values[i] = {real[i], imaginary[i]};
}

template<class R>
void run_geev(flag job, const column_matrix<std::complex<R>>& a, std::complex<R>* values,
              std::complex<R>* vectors, std::complex<R>* work, int size, int& info) {
  const int n = a.columns;
  const work_memory<R> real_work(2 * n);
  lapack<std::complex<R>>().geev("N", job, &n, a.data, &a.leading, values, nullptr, &n, vectors, &n, work,
                                 &size, real_work.data(), &info, 1, 1);
}

}  // namespace

template<class T>
int solve_general(const column_matrix<T>& a, std::complex<real_of<T>>* values, T* vectors) {
  const flag job = vectors ? "V" : "N";
  int info = 0;
  T first{};
  run_geev(job, a, values, vectors, &first, -1, info);
  const int size = asked_size(first);
  const work_memory<T> work(size);
  run_geev(job, a, values, vectors, work.data(), size, info);
  return info;
}

#define GPARRAY_INSTANTIATE(T)                                                 \
  template int solve_hermitian<T>(const column_matrix<T>&, bool, real_of<T>*); \
  template int solve_general<T>(const column_matrix<T>&, std::complex<real_of<T>>*, T*)
GPARRAY_FOR_LAPACK_ELEMENTS(GPARRAY_INSTANTIATE);
#undef GPARRAY_INSTANTIATE

}  // namespace host
GPARRAY_END_NAMESPACE
