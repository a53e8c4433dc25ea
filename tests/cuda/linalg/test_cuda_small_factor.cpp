// The CUDA backend's own LU and Cholesky factorisations, on a fake device that runs their kernels on the CPU.
#include <cmath>
#include <complex>
#include <limits>
#include <unordered_map>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/linalg/small_factor_params.hpp>
#include <host/linalg/linalg.hpp>
#include <host/support/lapack.hpp>

#include "cuda/support/emulated_launches.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;
using std::int64_t;
using complex64 = std::complex<float>;
using complex128 = std::complex<double>;

using host::real_of;

emulation::kernel_map compile_kernels() {
  static emulation::program program;
  program.include("cuda/linalg/small_factor.cuh");
  std::vector<std::pair<const void*, std::size_t>> wanted;
  const auto want = [&](dtype type, const std::string& name, std::initializer_list<int> lanes) {
    for (const int n : lanes) {
      const std::string arguments = "<" + name + ", " + std::to_string(n) + ">";
      wanted.emplace_back(cuda::find_small_lu_kernel(type, n),
                          program.add("gparray::core::cuda::factor_small_lu" + arguments, false));
      wanted.emplace_back(cuda::find_small_cholesky_kernel(type, n),
                          program.add("gparray::core::cuda::factor_small_cholesky" + arguments, false));
    }
  };
  want(dtype::float32, "float", {4, 16});
  want(dtype::float64, "double", {4, 8, 16, 32});
  want(dtype::complex64, "gparray::kernel::complex<float>", {8});
  want(dtype::complex128, "gparray::kernel::complex<double>", {4, 32});
  return emulation::built(program, wanted);
}

/// A fake device that runs them.
struct fixture : emulation::launching_device<&compile_kernels> {
  void run(const small_task& task) { gpu.linalg()->run_small(task, {0, nullptr}); }
};

/// Numbers in (-1, 1), the largest of a column anywhere in it.
template<class T>
std::vector<T> numbers(int64_t count, unsigned state = 1) {
  std::vector<T> values(static_cast<std::size_t>(count));
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return static_cast<real_of<T>>(static_cast<double>(state >> 8) * 0x1p-23 - 1);
  };
  for (T& v : values) {
    v = next();
    if constexpr (!std::is_same_v<T, real_of<T>>) v = T(v.real(), next());
  }
  return values;
}

/// What LAPACK, or what the host has for up to eight rows, makes of matrices in C order.
template<class T>
struct solved_on_host {
  std::vector<T> x, determinants;
  std::vector<real_of<T>> logarithms;
  std::vector<std::int32_t> info;

  solved_on_host(const std::vector<T>& a, const std::vector<T>& b, int64_t n, int64_t columns, int64_t count)
      : x(b),
        determinants(static_cast<std::size_t>(count)),
        logarithms(determinants.size()),
        info(determinants.size()) {
    std::vector<T> factors = a, sides = b;
    for (int64_t m = 0; m < count; ++m) {
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < n; ++j) at(factors, m, n, n, j, i) = at(a, m, n, n, i, j);
        for (int64_t j = 0; j < columns; ++j) at(sides, m, columns, n, j, i) = at(b, m, n, columns, i, j);
      }
    }
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(n * count));
    linalg_engine& engine = host::linalg();
    const matrix_stack stack{factors.data(), n, n, count};
    engine.lu(dtype_of<T>, stack, pivots.data(), info.data(), {});
    engine.determinants(dtype_of<T>, stack, pivots.data(), determinants.data(), nullptr);
    std::vector<T> signs(determinants.size());
    engine.determinants(dtype_of<T>, stack, pivots.data(), signs.data(), logarithms.data());
    if (columns > 0)
      engine.lu_solve(dtype_of<T>, stack, pivots.data(), transposition::none,
                      {sides.data(), n, columns, count}, {});
    for (int64_t m = 0; m < count; ++m)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < columns; ++j) at(x, m, n, columns, i, j) = at(sides, m, columns, n, j, i);
  }
  static T& at(std::vector<T>& v, int64_t m, int64_t rows, int64_t columns, int64_t i, int64_t j) {
    return v[static_cast<std::size_t>((m * rows + i) * columns + j)];
  }
  static const T& at(const std::vector<T>& v, int64_t m, int64_t rows, int64_t columns, int64_t i,
                     int64_t j) {
    return v[static_cast<std::size_t>((m * rows + i) * columns + j)];
  }
};

template<class T>
small_task task_of(small_operation what, const std::vector<T>& a, int64_t n, int64_t count) {
  small_task task{};
  task.what = what;
  task.type = dtype_of<T>;
  task.n = static_cast<std::int32_t>(n);
  task.count = static_cast<std::int32_t>(count);
  task.a = {a.data(), n * n, n, 1};
  return task;
}

/// Real matrices of up to eight rows and right sides are solved by the same operations on the host. Of others
/// the residuals are small: Higham, Accuracy and Stability of Numerical Algorithms, theorem 9.4, with growth
/// below 10.
template<class T>
void check(fixture& f, int64_t n, int64_t columns, int64_t count) {
  CAPTURE(n);
  CAPTURE(columns);
  CAPTURE(count);
  const std::vector<T> a = numbers<T>(n * n * count), b = numbers<T>(n * columns * count, 7);
  const solved_on_host<T> host(a, b, n, columns, count);
  std::vector<T> x(b.size(), T(77)), determinants(static_cast<std::size_t>(count)), signs = determinants;
  std::vector<real_of<T>> logarithms(determinants.size());
  std::int32_t failed = 0;
  small_task task = task_of(small_operation::solve, a, n, count);
  task.columns = static_cast<std::int32_t>(columns);
  task.b = {b.data(), n * columns, columns, 1};
  task.out = x.data();
  task.failed = &failed;
  f.run(task);
  CHECK(failed == 0);
  task = task_of(small_operation::determinants, a, n, count);
  task.out = determinants.data();
  f.run(task);
  task.out = signs.data();
  task.logarithms = logarithms.data();
  f.run(task);
  if (std::is_same_v<T, real_of<T>> && n <= 8) {
    if (columns <= 8) CHECK(x == host.x);
    CHECK(determinants == host.determinants);
    CHECK(logarithms == host.logarithms);
  }
  constexpr double epsilon = std::numeric_limits<real_of<T>>::epsilon();
  const double bound = 10. * 3. * static_cast<double>(n * n) * epsilon;
  for (int64_t m = 0; m < count; ++m) {
    double largest_x = 1;
    for (int64_t i = 0; i < n * columns; ++i)
      largest_x = std::max(largest_x,
                           static_cast<double>(std::abs(x[static_cast<std::size_t>(m * n * columns + i)])));
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        complex128 rest = solved_on_host<T>::at(b, m, n, columns, i, j);
        for (int64_t k = 0; k < n; ++k)
          rest -= complex128(solved_on_host<T>::at(a, m, n, n, i, k)) *
                  complex128(solved_on_host<T>::at(x, m, n, columns, k, j));
        CHECK(std::abs(rest) <= bound * static_cast<double>(n) * largest_x);
      }
    const auto of = static_cast<std::size_t>(m);
    const auto size = static_cast<double>(std::abs(host.determinants[of]));
    CHECK(std::abs(determinants[of] - host.determinants[of]) <= 1000 * bound * std::max(size, 1e-3));
    CHECK(std::abs(signs[of] * std::exp(logarithms[of]) - determinants[of]) <=
          100 * bound * std::max(size, 1e-3));
  }
}

template<class T>
void check_cholesky(fixture& f, int64_t n, int64_t count, bool upper) {
  CAPTURE(n);
  const std::vector<T> x = numbers<T>(n * n * count);
  std::vector<T> a(x.size()), l(x.size(), T(77));
  using host = solved_on_host<T>;
  for (int64_t m = 0; m < count; ++m)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        T sum(i == j ? real_of<T>(n) : 0);
        for (int64_t k = 0; k < n; ++k) {
          const complex128 y = host::at(x, m, n, n, j, k);
          if constexpr (std::is_same_v<T, real_of<T>>) sum += host::at(x, m, n, n, i, k) * T(y.real());
          else sum += host::at(x, m, n, n, i, k) * T(std::conj(y));
        }
        host::at(a, m, n, n, i, j) = sum;
      }
  std::vector<T> given = a;  // of which only one triangle is read
  for (int64_t m = 0; m < count; ++m)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < i; ++j) host::at(given, m, n, n, upper ? i : j, upper ? j : i) = T(NAN);
  std::int32_t failed = 0;
  small_task task = task_of(small_operation::cholesky, given, n, count);
  task.upper = upper;
  task.out = l.data();
  task.failed = &failed;
  f.run(task);
  CHECK(failed == 0);
  const double bound = static_cast<double>(n + 2) * 3 * std::numeric_limits<real_of<T>>::epsilon() *
                       static_cast<double>(3 * n);
  const auto factor = [&](int64_t m, int64_t i, int64_t j) {
    return upper ? std::conj(complex128(host::at(l, m, n, n, j, i))) : complex128(host::at(l, m, n, n, i, j));
  };
  for (int64_t m = 0; m < count; ++m)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        if (j > i) CHECK(factor(m, i, j) == 0.);
        complex128 rest = host::at(a, m, n, n, i, j);
        for (int64_t k = 0; k < n; ++k) rest -= factor(m, i, k) * std::conj(factor(m, j, k));
        CHECK(std::abs(rest) <= bound);
      }
}

}  // namespace

TEST_CASE_FIXTURE(fixture, "small systems are solved, and determinants computed, as on the host") {
  check<double>(*this, 1, 1, 1);
  check<double>(*this, 2, 3, 5);
  check<double>(*this, 4, 4, 70);
  check<double>(*this, 5, 9, 3);
  check<double>(*this, 8, 1, 17);
  check<double>(*this, 13, 2, 9);
  check<double>(*this, 32, 33, 2);
  check<float>(*this, 3, 2, 40);
  check<float>(*this, 9, 5, 3);
  check<complex64>(*this, 7, 3, 2);
  check<complex128>(*this, 3, 4, 9);
  check<complex128>(*this, 31, 5, 1);
}

TEST_CASE_FIXTURE(fixture, "small Cholesky factors") {
  for (const bool upper : {false, true}) {
    check_cholesky<double>(*this, 1, 2, upper);
    check_cholesky<double>(*this, 4, 9, upper);
    check_cholesky<double>(*this, 21, 2, upper);
    check_cholesky<float>(*this, 3, 33, upper);
    check_cholesky<complex64>(*this, 6, 3, upper);
    check_cholesky<complex128>(*this, 17, 1, upper);
  }
}

TEST_CASE_FIXTURE(fixture,
                  "right sides that are shared, transposed or the identity; many, and few matrices") {
  const std::vector<double> a = numbers<double>(3 * 36), b = numbers<double>(12, 3);
  for (const int64_t count : {1, 3}) {
    std::vector<double> inverse(36 * 3), x(12 * 3), expected(12);
    small_task task = task_of(small_operation::solve, a, 6, count);
    task.columns = 6;
    task.out = inverse.data();
    run(task);  // inverses
    task.columns = 2;
    task.b = {b.data(), 0, 1, 6};  // one for all, in column-major order
    task.out = x.data();
    run(task);
    for (int64_t m = 0; m < count; ++m)
      for (int64_t i = 0; i < 6; ++i)
        for (int64_t j = 0; j < 2; ++j) {
          double sum = 0, size = 0;
          for (int64_t k = 0; k < 6; ++k) {
            const double term = inverse[static_cast<std::size_t>(m * 36 + i * 6 + k)] *
                                b[static_cast<std::size_t>(k + 6 * j)];
            sum += term;
            size += std::abs(term);
          }
          // Both are within n^2 eps of the condition, which numbers of this size keep below 1000.
          CHECK(std::abs(x[static_cast<std::size_t>(m * 12 + i * 2 + j)] - sum) <=
                36 * 1000 * 0x1p-52 * (1 + size));
        }
  }
}

TEST_CASE_FIXTURE(fixture, "the first matrix without an answer is named") {
  std::vector<double> a(7 * 9), out(a.size());
  const auto identity = [&](std::size_t m) {
    for (std::size_t i = 0; i < 9; ++i) a[9 * m + i] = i % 4 == 0;
  };
  for (std::size_t m = 0; m < 7; ++m) identity(m);
  small_task task = task_of(small_operation::solve, a, 3, 7);
  task.columns = 3;
  task.out = out.data();
  std::int32_t failed = -1;
  task.failed = &failed;
  run(task);
  CHECK(failed == 0);
  a[9 * 4 + 8] = 0;
  a[9 * 2 + 4] = 0;
  run(task);
  CHECK(failed == 7 - 2);
  for (const std::size_t i : {0, 4, 8}) CHECK(out[9 * 6 + i] == 1);
  CHECK(!std::isfinite(out[9 * 2 + 4]));
  task.what = small_operation::cholesky;
  run(task);
  CHECK(failed == 7 - 2);
  identity(2);
  a[9 * 4 + 8] = -1;
  run(task);
  CHECK(failed == 7 - 4);
  task.a.data = &a[9 * 4];
  task.count = 1;
  run(task);
  CHECK(failed == 1);
  task.what = small_operation::solve;
  run(task);  // regular
  CHECK(failed == 0);
  // NaN is no zero, and no failure.
  a[9 * 4 + 4] = NAN;
  for (const small_operation what : {small_operation::solve, small_operation::cholesky}) {
    task.what = what;
    a[9 * 4 + 8] = 1;
    run(task);
    CHECK(failed == 0);
    CHECK(std::isnan(out[4]));
  }
}

TEST_CASE_FIXTURE(fixture, "pivots are LAPACK's: the first of equal ones, and no NaN that stands below") {
  // Rows are told apart by what they bring to the solution.
  std::vector<double> a{1, 2, 3, -1, 5, 6, 1, 8, 1}, b{1, 0, 0};
  for (const double first : {1., 0.}) {
    a[0] = first;
    for (const double last : {1., double(NAN)}) {
      a[6] = last;
      std::vector<double> x(3);
      small_task task = task_of(small_operation::solve, a, 3, 1);
      task.columns = 1;
      task.b = {b.data(), 3, 1, 1};
      task.out = x.data();
      run(task);
      const solved_on_host<double> host(a, b, 3, 1, 1);
      for (std::size_t i = 0; i < 3; ++i)
        CHECK((x[i] == host.x[i] || (std::isnan(x[i]) && std::isnan(host.x[i]))));
    }
  }
}
