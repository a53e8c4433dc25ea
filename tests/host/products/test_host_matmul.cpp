// Products of every dtype, shape class and layout against the triple loop.
#include <cmath>

#include <doctest/doctest.h>

#include <host/support/thread_pool.hpp>
#include <kernel/reductions.hpp>

#include "host/plans.hpp"
#include "support/same_bits.hpp"
#include "support/sampler.hpp"

using namespace host_test;

namespace {

template<class T>
T sample(std::mt19937& random) {
  const int n = std::uniform_int_distribution<int>(-9, 9)(random);
  if constexpr (kernel::is_complex<T>)
    return {static_cast<kernel::real_t<T>>(n), static_cast<kernel::real_t<T>>(n % 4)};
  else if constexpr (kernel::is_bool<T>) return n > 6;
  else return static_cast<T>(n);
}

/// The elements in C order.
template<class T>
std::unique_ptr<T[]> dense(strided<T>& x) {
  std::unique_ptr<T[]> elements(new T[static_cast<std::size_t>(x.shape[0] * x.shape[1] * x.shape[2])]);
  T* next = elements.get();
  for_indices(x.shape, [&](const auto& i) { *next++ = x.at(i); });
  return elements;
}

/// The product of a row of `row[k]` and a column of `column[k * gap]`. Small integers: every partial sum is
/// exact in float32 and float64, and a half is rounded once, so bits must agree.
template<class T>
T reference(const T* row, const T* column, std::int64_t gap, std::int64_t k) {
  using compute = kernel::compute_t<T>;
  auto sum = kernel::zero_of<compute>();
  for (const T* const end = row + k; row != end; ++row, column += gap)
    sum = kernel::add(sum, kernel::multiply(kernel::to_accumulator<compute>(*row),
                                            kernel::to_accumulator<compute>(*column)));
  return kernel::narrow<T>(sum);
}

template<class T>
bool same(T a, T b) {
  if constexpr (kernel::is_complex<T>) return a.re == b.re && a.im == b.im;
  else return a == b;
}

enum class order { rows, columns, gaps, backwards };

template<class T>
strided<T> operand(std::int64_t batches, std::int64_t rows, std::int64_t columns, order o) {
  if (o == order::columns) {
    strided<T> m({batches, columns, rows}, {1, 1, 1});
    std::swap(m.shape[1], m.shape[2]);
    std::swap(m.strides[1], m.strides[2]);
    return m;
  }
  if (o == order::gaps) return strided<T>({batches, rows, columns}, {1, 2, 3});
  if (o == order::backwards) return strided<T>({batches, rows, columns}, {1, -1, -1});
  return strided<T>({batches, rows, columns}, {0, 1, 1});
}

template<class T>
void check(dtype type, std::int64_t batches, std::int64_t m, std::int64_t n, std::int64_t k) {
  std::mt19937 random(4);
  for (const order left : {order::rows, order::columns, order::gaps, order::backwards})
    for (const order right : {order::rows, order::columns, order::gaps, order::backwards}) {
      if (!taken()) continue;
      strided<T> a = operand<T>(batches, m, k, left), b = operand<T>(batches, k, n, right);
      strided<T> c({batches, m, n}, {1, 1, 1});
      for (std::size_t i = 0; i < a.count; ++i) a.memory[i] = sample<T>(random);
      for (std::size_t i = 0; i < b.count; ++i) b.memory[i] = sample<T>(random);
      const auto side = [](strided<T>& x) {
        return core::matrix{x.origin, x.strides[1], x.strides[2], {x.strides[0]}};
      };
      const core::matmul_plan plan{type, m, n, k, 1, {batches}, side(a), side(b), side(c)};
      core::host_backend().matmul(plan, {});
      const std::unique_ptr<T[]> rows = dense(a), columns = dense(b);
      long wrong = 0;
      for_indices({batches, m, n}, [&](const auto& i) {
        if (!same(c.at(i), reference(&rows[(i[0] * m + i[1]) * k], &columns[i[0] * k * n + i[2]], n, k)))
          ++wrong;
      });
      CAPTURE(name(type));
      CAPTURE(m);
      CAPTURE(n);
      CAPTURE(k);
      CHECK(wrong == 0);
    }
}

/// The same for one matrix too large for the slow reference; every layout once on either side.
template<class T>
void check_large(dtype type, std::int64_t m, std::int64_t n, std::int64_t k) {
  std::mt19937 random(5);
  for (const auto& [left, right] : {std::pair{order::rows, order::columns},
                                    {order::columns, order::rows},
                                    {order::gaps, order::backwards},
                                    {order::backwards, order::gaps}}) {
    strided<T> a = operand<T>(1, m, k, left), b = operand<T>(1, k, n, right), c({1, m, n}, {0, 1, 1});
    std::vector<T> row(static_cast<std::size_t>(n)), dense_b(static_cast<std::size_t>(k * n));
    for (std::size_t i = 0; i < a.count; ++i) a.memory[i] = sample<T>(random);
    for (std::size_t i = 0; i < b.count; ++i) b.memory[i] = sample<T>(random);
    for (std::size_t i = 0; i < dense_b.size(); ++i)
      dense_b[i] = b.at({0, static_cast<std::int64_t>(i) / n, static_cast<std::int64_t>(i) % n});
    const auto side = [](strided<T>& x) { return core::matrix{x.origin, x.strides[1], x.strides[2], {}}; };
    core::host_backend().matmul({type, m, n, k, 0, {}, side(a), side(b), side(c)}, {});
    long wrong = 0;
    for (std::int64_t i = 0; i < m; ++i) {
      std::fill(row.begin(), row.end(), T(0));
      for (std::int64_t l = 0; l < k; ++l) {
        const T factor = a.at({0, i, l});
        const T* const x = dense_b.data() + l * n;
        for (std::size_t j = 0; j < row.size(); ++j) row[j] += factor * x[j];
      }
      for (std::size_t j = 0; j < row.size(); ++j)
        wrong += c.at({0, i, static_cast<std::int64_t>(j)}) != row[j];
    }
    CAPTURE(m);
    CHECK(wrong == 0);
  }
}

/// A matrix times its transpose, of which half is computed, has the bits of a product with a copy.
template<class T>
void check_with_own_transpose(dtype type) {
  std::mt19937 random(6);
  for (const int threads : {1, 3})
    for (const std::int64_t n : {5, 24, 25, 37, 50, 97, 300, 500})
      for (const std::int64_t k : {1, 40, 300, 700})
        for (const order o : {order::rows, order::columns}) {
          if (n * k > 60'000 && o == order::columns) continue;
          const threads_guard some(threads);
          strided<T> a = operand<T>(1, n, k, o), copy = operand<T>(1, n, k, o), c({1, n, n}, {0, 1, 1}),
                     expected({1, n, n}, {0, 1, 1});
          for (std::size_t i = 0; i < a.count; ++i)
            a.memory[i] = copy.memory[i] = std::uniform_real_distribution<T>(-1, 1)(random);
          const auto side = [](strided<T>& x) {
            return core::matrix{x.origin, x.strides[1], x.strides[2], {}};
          };
          const auto turned = [](strided<T>& x) {
            return core::matrix{x.origin, x.strides[2], x.strides[1], {}};
          };
          core::host_backend().matmul({type, n, n, k, 0, {}, side(a), turned(a), side(c)}, {});
          core::host_backend().matmul({type, n, n, k, 0, {}, side(a), turned(copy), side(expected)}, {});
          CAPTURE(n);
          CAPTURE(k);
          const auto elements = [&](const strided<T>& x) {
            return std::span<const T>(x.memory.get(), static_cast<std::size_t>(n * n));
          };
          CHECK(same_bits(elements(c), elements(expected)));
        }
}

template<class T>
void check_all(dtype type) {
  check<T>(type, 3, 5, 7, 11);
  check<T>(type, 1, 70, 33, 300);
  check<T>(type, 2, 600, 1, 40);
  check<T>(type, 2, 1, 600, 40);
  check<T>(type, 2, 1, 1, 500);
  check<T>(type, 2, 30, 20, 1);
}

}  // namespace

TEST_CASE("host matmul: every dtype, shape class and layout") {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) check_all<kernel_type>(dtype::name);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
}

TEST_CASE("host matmul: large real matrices, with edges of every kind") {
  for (const auto& [m, n, k] : {std::tuple{130l, 115l, 270l}, {9l, 3100l, 80l}, {300l, 9l, 800l}}) {
    const threads_guard guard(m == 130 ? 1 : 2);
    check_large<float>(dtype::float32, m, n, k);
    check_large<double>(dtype::float64, m, n, k);
  }
}

TEST_CASE("host matmul: no inner dimension gives zeros") {
  double c[6] = {1, 2, 3, 4, 5, 6};
  core::matmul_plan plan{dtype::float64, 2, 3, 0, 0, {}, {nullptr, 0, 8, {}}, {nullptr, 24, 8, {}},
                         {c, 24, 8, {}}};
  core::host_backend().matmul(plan, {});
  for (double x : c) CHECK(x == 0);
  int d[6] = {1, 2, 3, 4, 5, 6};
  plan.type = dtype::int32;
  plan.c = {d, 12, 4, {}};
  core::host_backend().matmul(plan, {});
  for (int x : d) CHECK(x == 0);
}

TEST_CASE("host matmul: bits do not depend on the number of threads") {
  std::mt19937 random(8);
  for (const auto& [m, n, k] :
       {std::tuple{300l, 200l, 300l}, {31l, 700l, 300l}, {2000l, 1l, 3000l}, {1l, 2000l, 3000l}}) {
    std::vector<double> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
    for (double& x : a) x = std::uniform_real_distribution<double>(-1, 1)(random);
    for (double& x : b) x = std::uniform_real_distribution<double>(-1, 1)(random);
    std::vector<double> results[2];
    const int before = host::num_threads();
    for (int t : {0, 1}) {
      host::set_num_threads(t == 0 ? 1 : 2);
      results[t].resize(static_cast<std::size_t>(m * n));
      const core::matmul_plan plan{dtype::float64,
                                   m,
                                   n,
                                   k,
                                   0,
                                   {},
                                   {a.data(), k * 8, 8, {}},
                                   {b.data(), n * 8, 8, {}},
                                   {results[t].data(), n * 8, 8, {}}};
      core::host_backend().matmul(plan, {});
    }
    host::set_num_threads(before);
    CHECK(same_bits(results[0], results[1]));
  }
}

TEST_CASE("products of matrices with their own transposes") {
  check_with_own_transpose<float>(dtype::float32);
  check_with_own_transpose<double>(dtype::float64);
}
