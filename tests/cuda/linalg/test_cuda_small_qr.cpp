// The CUDA backend's own QR factorisations, on a fake device that runs their kernels on the CPU.
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/linalg/small_qr_params.hpp>
#include <gparray/error.hpp>
#include <host/linalg/linalg.hpp>
#include <host/support/lapack.hpp>

#include "cuda/support/fake_runtime.hpp"
#include "cuda/support/qr_kernels.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;
using std::int64_t;

using host::real_of;
template<class T>
constexpr dtype type_of = dtype_of<T>;

/// Matrices in column-major order.
template<class T>
struct matrices {
  int64_t rows, columns, count = 1;
  std::vector<T> values = std::vector<T>(static_cast<std::size_t>(rows * columns * count));
  T& at(int64_t i, int64_t j, int64_t m = 0) {
    return values[static_cast<std::size_t>((m * columns + j) * rows + i)];
  }
  matrix_stack stack() { return {values.data(), rows, columns, count}; }
  double norm() const {
    double sum = 0;
    for (const T& v : values) sum += static_cast<double>(std::norm(v));
    return std::sqrt(sum);
  }
};

/// Numbers in (-1, 1), and on the diagonal what makes columns differ by at least their own length: the
/// condition number is below 3.
template<class T>
matrices<T> well_conditioned(int64_t rows, int64_t columns, int64_t count) {
  matrices<T> a{rows, columns, count};
  unsigned state = 1;
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return static_cast<real_of<T>>(static_cast<double>(state >> 8) * 0x1p-23 - 1);
  };
  for (T& v : a.values) {
    v = next();
    if constexpr (!std::is_same_v<T, real_of<T>>) v = T(v.real(), next());
  }
  for (int64_t m = 0; m < count; ++m)
    for (int64_t j = 0; j < std::min(rows, columns); ++j)
      a.at(j, j, m) += static_cast<real_of<T>>((j % 2 ? 4 : -4) * std::max(rows, columns));
  return a;
}

/// Own kernels on a fake GPU.
struct small_engine {
  fake_cuda::session runtime;
  cuda::cuda_backend_type gpu{1};

  small_engine() {
    fake_cuda::model.on_launch = [](const fake_cuda::launch_record& l) {
      for (const dtype type : {dtype::float32, dtype::float64, dtype::complex64, dtype::complex128})
        for (const int rows : {1, 2, 4})
          for (const bool factor : {true, false}) {
            if (rows == 4 && type == dtype::complex128) continue;
            const auto find = factor ? &cuda::find_small_qr_kernel : &cuda::find_small_q_kernel;
            if (l.kernel != find(type, rows)) continue;
            emulated_qr::run(type, rows, factor, l.params, l.blocks, l.threads);
          }
    };
  }
  static std::size_t n_launches() { return fake_cuda::model.launches.size(); }
  template<class T>
  std::vector<T> factor(matrices<T>& a) {
    std::vector<T> tau(static_cast<std::size_t>(std::min(a.rows, a.columns) * a.count));
    gpu.linalg()->qr(type_of<T>, a.stack(), tau.data(), {0, nullptr});
    return tau;
  }
  template<class T>
  void form_q(matrices<T>& q, int64_t reflectors, const std::vector<T>& tau) {
    gpu.linalg()->form_q(type_of<T>, q.stack(), reflectors, tau.data(), {0, nullptr});
  }
};

/// Higham, Accuracy and Stability of Numerical Algorithms, theorem 19.4: the computed R is that of a matrix
/// which differs from a by about rows * columns units of the last place of |a|, so two computed ones differ
/// by twice that, times what a factorisation's condition may amplify.
template<class T>
double bound(const matrices<T>& a) {
  return 2. * 3. * static_cast<double>(a.rows * a.columns) * std::numeric_limits<real_of<T>>::epsilon() *
         a.norm();
}

template<class T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = static_cast<double>(std::abs(a[i] - b[i]));
    if (!(d <= largest)) largest = d;
  }
  return largest;
}

/// |Q^H Q - 1|
template<class T>
double departure_from_orthogonality(matrices<T>& q) {
  double largest = 0;
  for (int64_t m = 0; m < q.count; ++m)
    for (int64_t i = 0; i < q.columns; ++i)
      for (int64_t j = 0; j < q.columns; ++j) {
        std::complex<double> sum = i == j ? -1 : 0;
        for (int64_t r = 0; r < q.rows; ++r)
          sum += std::conj(std::complex<double>(q.at(r, i, m))) * std::complex<double>(q.at(r, j, m));
        if (!(std::abs(sum) <= largest)) largest = std::abs(sum);
      }
  return largest;
}

template<class T>
void check_size(int64_t rows, int64_t columns, int64_t count) {
  CAPTURE(rows);
  CAPTURE(columns);
  small_engine own;
  std::size_t n_calls = 1;
  matrices<T> a = well_conditioned<T>(rows, columns, count), lapack = a;
  const int64_t k = std::min(rows, columns);
  const std::vector<T> tau = own.factor(a);
  std::vector<T> want_tau(tau.size());
  host::linalg().qr(type_of<T>, lapack.stack(), want_tau.data(), {});
  CHECK(distance(a.values, lapack.values) <= bound(lapack));
  // tau and the vectors are of the size of 1, a's columns of that of its diagonal.
  CHECK(distance(tau, want_tau) <= bound(lapack) / static_cast<double>(std::max(rows, columns)));

  // As many columns as reflectors, and all of them.
  for (const int64_t width : {k, rows}) {
    if (width > cuda::largest_small_qr(type_of<T>)) continue;
    matrices<T> q{rows, width, count};
    for (int64_t m = 0; m < count; ++m)
      for (int64_t j = 0; j < k; ++j)
        for (int64_t i = 0; i < rows; ++i) q.at(i, j, m) = a.at(i, j, m);
    own.form_q(q, k, tau);
    ++n_calls;
    // Each reflector is applied with the roundings of sums over rows, and some eight in tau, which is up
    // to 2.
    CHECK(departure_from_orthogonality(q) <=
          2. * static_cast<double>((rows + 8) * k) * std::numeric_limits<real_of<T>>::epsilon());
    matrices<T> of_lapack{rows, width, count};
    for (int64_t m = 0; m < count; ++m)
      for (int64_t j = 0; j < k; ++j)
        for (int64_t i = 0; i < rows; ++i) of_lapack.at(i, j, m) = lapack.at(i, j, m);
    host::linalg().form_q(type_of<T>, of_lapack.stack(), k, want_tau.data(), {});
    CHECK(distance(q.values, of_lapack.values) <=
          bound(lapack) / static_cast<double>(std::max(rows, columns)));
  }
  CHECK(own.n_launches() == n_calls);
}

}  // namespace

TEST_CASE_TEMPLATE("small QR factorisations are LAPACK's", T, float, double, std::complex<float>,
                   std::complex<double>) {
  check_size<T>(1, 1, 2);
  check_size<T>(5, 3, 3);
  check_size<T>(3, 7, 2);
  check_size<T>(32, 32, 1);
  check_size<T>(33, 5, 2);
  check_size<T>(6, 61, 1);
  check_size<T>(64, 20, 1);
}

TEST_CASE("the largest QR factorisations of the own kernels, and none beyond") {
  check_size<float>(128, 97, 1);
  check_size<double>(65, 128, 1);
  check_size<std::complex<float>>(100, 7, 1);
  CHECK(cuda::largest_small_qr(dtype::complex128) == 64);
  small_engine own;
  matrices<float> a = well_conditioned<float>(129, 2, 1);
  // There is no cuSOLVER beside the fake runtime, or it has no device.
  CHECK_THROWS_AS(own.factor(a), error);
  CHECK(own.n_launches() == 0);
}

TEST_CASE_TEMPLATE("columns that are zero, tiny, huge or not a number", T, float, double, std::complex<float>,
                   std::complex<double>) {
  using real = real_of<T>;
  small_engine own;
  // Nothing is reflected where there is nothing below, and R keeps its sign.
  matrices<T> zero{3, 3};
  zero.at(0, 0) = -2;
  zero.at(0, 2) = 5;
  CHECK(own.factor(zero) == std::vector<T>(3));
  CHECK(zero.at(0, 0) == T(-2));
  CHECK(zero.at(0, 2) == T(5));

  const real most = std::numeric_limits<real>::max(), least = std::numeric_limits<real>::denorm_min();
  for (const real scale : {most / 8, 1024 * least, real(1)}) {
    CAPTURE(scale);
    matrices<T> a{2, 1};
    a.at(0, 0) = 3 * scale;
    a.at(1, 0) = 4 * scale;
    const std::vector<T> tau = own.factor(a);
    // (3, 4) is 5 long, and tau is 1 + 3/5.
    CHECK(std::abs(a.at(0, 0) + 5 * scale) <=
          std::max(scale * std::numeric_limits<real>::epsilon() * 10, least));
    CHECK(std::abs(tau[0] - T(real(1.6))) <= real(0.002));  // 1024 units of the least number are 10 bits
    CHECK(std::abs(a.at(1, 0) - T(real(0.5))) <= real(0.002));
  }
  // The sign of a zero counts, as LAPACK's does.
  for (const real sign : {real(1), real(-1)}) {
    matrices<T> a{2, 1};
    a.at(0, 0) = std::copysign(real(0), sign);
    a.at(1, 0) = 1;
    own.factor(a);
    CHECK(a.at(0, 0) == T(-sign));
  }
  for (const int64_t where : {0, 1, 2}) {
    matrices<T> a = well_conditioned<T>(3, 2, 1);
    a.at(where, 0) = std::numeric_limits<real>::quiet_NaN();
    own.factor(a);
    CHECK(std::isnan(std::abs(a.at(0, 0))));
    CHECK(std::isnan(std::abs(a.at(1, 1))));
  }
}
