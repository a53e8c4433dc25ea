// The CUDA backend's own eigenvalues of small Hermitian matrices, on a fake device that runs the kernel on
// the CPU.
#include <cmath>
#include <complex>
#include <limits>
#include <unordered_map>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/linalg/small_eigh_params.hpp>
#include <host/linalg/linalg.hpp>
#include <host/support/lapack.hpp>

#include "cuda/support/emulated_launches.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;
using host::real_of;
using std::int64_t;
using complex64 = std::complex<float>;
using complex128 = std::complex<double>;

emulation::kernel_map compile_kernels() {
  static emulation::program program;
  program.include("cuda/linalg/small_eigh.cuh");
  std::vector<std::pair<const void*, std::size_t>> wanted;
  for (const auto& [type, name] : {std::pair{dtype::float32, "float"}, std::pair{dtype::float64, "double"},
                                   std::pair{dtype::complex64, "gparray::kernel::complex<float>"},
                                   std::pair{dtype::complex128, "gparray::kernel::complex<double>"}})
    wanted.emplace_back(cuda::find_small_eigh_kernel(type),
                        program.add("gparray::core::cuda::eigh_small<" + std::string(name) + ">", false));
  return emulation::built(program, wanted);
}

using fixture = emulation::launching_device<&compile_kernels>;

/// Matrices in column-major order, their upper triangles NaN, since nobody reads them.
template<class T>
std::vector<T> lower_triangles(int64_t n, int64_t count, double scale) {
  std::vector<T> a(static_cast<std::size_t>(n * n * count), T(NAN));
  unsigned state = 3;
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return static_cast<real_of<T>>((static_cast<double>(state >> 8) * 0x1p-23 - 1) * scale);
  };
  for (int64_t m = 0; m < count; ++m)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = j; i < n; ++i) {
        T& x = a[static_cast<std::size_t>((m * n + j) * n + i)];
        x = T(next());
        if constexpr (!std::is_same_v<T, real_of<T>>)
          if (i != j) x = T(x.real(), next());
      }
  return a;
}

/// Of each matrix: |a v - v w|, |v^H v - 1|, and how far the values are from LAPACK's.
template<class T>
void check(fixture& f, int64_t n, int64_t count, double scale = 1) {
  CAPTURE(n);
  CAPTURE(scale);
  const std::vector<T> a = lower_triangles<T>(n, count, scale);
  std::vector<T> v = a, lapack = a;
  using real = real_of<T>;
  std::vector<real> w(static_cast<std::size_t>(n * count)), without_vectors = w, expected = w;
  std::vector<std::int32_t> info(static_cast<std::size_t>(count), 7);
  f.gpu.linalg()->eigh(dtype_of<T>, {v.data(), n, n, count}, true, w.data(), info.data(), {0, nullptr});
  CHECK(info == std::vector<std::int32_t>(info.size()));
  host::linalg().eigh(dtype_of<T>, {lapack.data(), n, n, count}, true, expected.data(), info.data(), {});
  std::vector<T> destroyed = a;
  f.gpu.linalg()->eigh(dtype_of<T>, {destroyed.data(), n, n, count}, false, without_vectors.data(),
                       info.data(), {0, nullptr});
  CHECK(w == without_vectors);

  const auto element = [&](int64_t m, int64_t i, int64_t j) {
    const complex128 x = a[static_cast<std::size_t>((m * n + std::min(i, j)) * n + std::max(i, j))];
    return i >= j ? x : std::conj(x);
  };
  const auto vector = [&](int64_t m, int64_t i, int64_t j) {
    return complex128(v[static_cast<std::size_t>((m * n + j) * n + i)]);
  };
  // A sweep rotates every index n - 1 times with an error of some 4 eps, and ten sweeps are many; errors of
  // that size do not all add up. Rows of numbers below 1 are shorter than n.
  const double epsilon = std::numeric_limits<real>::epsilon(), bound = 40 * static_cast<double>(n) * epsilon;
  for (int64_t m = 0; m < count; ++m)
    for (int64_t j = 0; j < n; ++j) {
      const auto at = static_cast<std::size_t>(m * n + j);
      CHECK((j == 0 || w[at - 1] <= w[at]));
      CHECK(std::abs(w[at] - expected[at]) <= bound * static_cast<double>(n) * scale);
      for (int64_t i = 0; i < n; ++i) {
        complex128 rest = -static_cast<double>(w[at]) * vector(m, i, j), product = i == j ? -1 : 0;
        for (int64_t k = 0; k < n; ++k) {
          rest += element(m, i, k) * vector(m, k, j);
          product += std::conj(vector(m, k, i)) * vector(m, k, j);
        }
        CHECK(std::abs(rest) <= bound * static_cast<double>(n) * scale);
        CHECK(std::abs(product) <= bound);
      }
    }
}

}  // namespace

TEST_CASE_FIXTURE(fixture, "small Hermitian matrices") {
  for (const int64_t n : {1, 2, 3, 8, 9, 16, 17, 32}) {
    check<double>(*this, n, 2);
    check<float>(*this, n, 1);
  }
  check<double>(*this, 5, 1, 1e-300);
  check<double>(*this, 5, 1, 1e300);
  for (const int64_t n : {1, 2, 7, 31}) {
    check<complex128>(*this, n, 2);
    check<complex64>(*this, n, 1);
  }
}

TEST_CASE_FIXTURE(fixture, "equal eigenvalues, and matrices that are diagonal or zero") {
  std::vector<double> ones(16, 1.), diagonal(9), zero(4);
  diagonal[0] = 2, diagonal[4] = -1, diagonal[8] = 2;
  std::vector<double> w(4);
  std::int32_t info = 7;
  gpu.linalg()->eigh(dtype::float64, {ones.data(), 4, 4, 1}, true, w.data(), &info, {0, nullptr});
  CHECK(info == 0);
  CHECK(w[3] == doctest::Approx(4));
  CHECK(std::abs(w[0]) + std::abs(w[2]) < 1e-14);
  gpu.linalg()->eigh(dtype::float64, {diagonal.data(), 3, 3, 1}, true, w.data(), &info, {0, nullptr});
  CHECK(std::vector<double>(w.begin(), w.begin() + 3) == std::vector<double>{-1, 2, 2});
  CHECK(diagonal == std::vector<double>{0, 1, 0, 1, 0, 0, 0, 0, 1});
  gpu.linalg()->eigh(dtype::float64, {zero.data(), 2, 2, 1}, true, w.data(), &info, {0, nullptr});
  CHECK(info == 0);
  CHECK(zero == std::vector<double>{1, 0, 0, 1});
}

TEST_CASE_FIXTURE(fixture, "what is not finite does not converge, and leaves other matrices alone") {
  for (const double bad : {double(NAN), double(INFINITY)}) {
    std::vector<double> a{1, 0, 0, 2, 1, bad, 0, 2, 1, 0, 0, 2};
    std::vector<double> w(6);
    std::vector<std::int32_t> info(3, 7);
    gpu.linalg()->eigh(dtype::float64, {a.data(), 2, 2, 3}, true, w.data(), info.data(), {0, nullptr});
    CHECK(info == std::vector<std::int32_t>{0, 1, 0});
    CHECK(w[5] == 2);
  }
}
