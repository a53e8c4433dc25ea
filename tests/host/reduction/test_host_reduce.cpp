// Reductions: one tree whatever the layout, the fusion and the number of threads; values against long double.
#include <cmath>
#include <complex>
#include <string>

#include <doctest/doctest.h>

#include <host/support/thread_pool.hpp>
#include <kernel/reductions.hpp>

#include "host/plans.hpp"
#include "support/sampler.hpp"

using namespace host_test;

namespace {

template<class T>
T sample(std::mt19937& random) {
  const double x = std::uniform_real_distribution<double>(-1, 1)(random), y = x * x - 0.3;
  if constexpr (kernel::is_complex<T>)
    return {static_cast<kernel::real_t<T>>(x), static_cast<kernel::real_t<T>>(y)};
  else if constexpr (kernel::is_bool<T>) return x > 0;
  else if constexpr (kernel::is_integer<T>)
    return static_cast<T>((kernel::is_signed_integer<T> ? x : std::abs(x)) * 100);
  else return static_cast<T>(x);
}

using bytes = std::vector<unsigned char>;

/// Result of reducing all dimensions from n_kept on.
bytes run(const core::map_plan& map, reduction op, int n_kept, double ddof = 0) {
  core::reduce_plan plan = reduce_of(map, op, n_kept, nullptr, ddof);
  bytes out(static_cast<std::size_t>(plan.n_out) * result_bytes(op, plan.element));
  plan.out.data = out.data();
  core::host_backend().reduce(plan, {});
  return out;
}

template<class R>
const R* as(const bytes& b) {
  return reinterpret_cast<const R*>(b.data());
}

bool defined_on(reduction op, dtype type) {
  const std::string_view domain = gparray::detail::row(op).domain;
  return domain.find(kind(type) == 'u' ? 'i' : kind(type)) != domain.npos;
}

/// Every reduction of each plan has the bits that the first has on one thread, also behind a step.
void check_same_bits(dtype type, const std::vector<core::map_plan>& plans, int n_kept) {
  for (int r = 0; r < reduction_count; ++r) {
    const auto op = static_cast<reduction>(r);
    if (!defined_on(op, type)) continue;
    CAPTURE(name(op));
    CAPTURE(name(type));
    bytes expected;
    {
      const threads_guard one(1);
      expected = run(plans[0], op, n_kept, 1);
    }
    const threads_guard several(3);
    for (std::size_t layout = 0; layout < plans.size(); ++layout) {
      CAPTURE(layout);
      CHECK(run(plans[layout], op, n_kept, 1) == expected);
    }
    core::map_plan fused = plans[1];
    if (type != dtype::bool_) {
      add_step(fused, ufunc::positive, type, {0});
      CHECK(run(fused, op, n_kept, 1) == expected);
    }
  }
}

/// The elements of `shape` as a dense array, and the same ones in memory of other layouts: the bits of every
/// reduction must agree. n_kept dimensions are kept.
template<class T>
void check_layouts(dtype type, const std::vector<std::int64_t>& shape, int n_kept) {
  std::mt19937 random(3);
  const std::size_t n = shape.size();
  strided<T> dense(shape, std::vector<std::int64_t>(n, 1));
  for_indices(shape, [&](const auto& i) { dense.at(i) = sample<T>(random); });
  strided<T> gaps(shape, std::vector<std::int64_t>(n, -2));
  for_indices(shape, [&](const auto& i) { gaps.at(i) = dense.at(i); });
  std::vector<std::int64_t> steps(n, -2);
  if (n > 0) steps.back() = 1;
  strided<T> rows_apart(shape, steps);
  for_indices(shape, [&](const auto& i) { rows_apart.at(i) = dense.at(i); });
  strided<T> reversed(std::vector<std::int64_t>(shape.rbegin(), shape.rend()),
                      std::vector<std::int64_t>(n, 1));
  reversed.strides = std::vector<std::int64_t>(reversed.strides.rbegin(), reversed.strides.rend());
  for_indices(shape, [&](const auto& i) { reversed.at(i) = dense.at(i); });
  const auto plan_for = [&](strided<T>& array) {
    core::map_plan plan = plan_of(shape);
    add_input(plan, type, array);
    return plan;
  };
  check_same_bits(type, {plan_for(dense), plan_for(gaps), plan_for(rows_apart), plan_for(reversed)}, n_kept);
}

/// Results that a backend has to come to, and what they are compared with, of one reduction.
template<class Result>
void compare(reduction op, dtype type, const bytes& got, const std::vector<Result>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Result x = as<Result>(got)[i], y = expected[i];
    CAPTURE(name(op));
    CAPTURE(name(type));
    if constexpr (kernel::is_bool<Result> || kernel::is_integer<Result>) {
      CHECK(x == y);
    } else {
      // 301 additions of terms below 1.5, or of integers below 100 and squares below 10^4 relative to
      // results above 1, in either order: 301 * 301 / 2 * 1.5 half-ulps at worst, and one ulp of a half.
      using compute = kernel::real_t<kernel::compute_t<Result>>;
      const double step = kernel::is_same<Result, float16>    ? 0x1p-10
                          : kernel::is_same<Result, bfloat16> ? 0x1p-7
                                                              : 0;
      const double unit = sizeof(compute) == 4 ? 0x1p-24 : 0x1p-53;
      const auto difference = [&](auto a, auto b) {
        const double u = static_cast<double>(a), v = static_cast<double>(b);
        return u == v || std::abs(u - v) <= 70000 * unit * std::max(1.0, std::abs(v)) + step * std::abs(v);
      };
      if constexpr (kernel::is_complex<Result>) CHECK((difference(x.re, y.re) && difference(x.im, y.im)));
      else CHECK(difference(x, y));
    }
  }
}

/// Random elements of 7 rows, and the map of a plan that has them.
template<class E>
struct sample_rows {
  static constexpr std::int64_t rows = 7, columns = 301;
  strided<E> elements{{rows, columns}, {1, 1}};
  core::map_plan map = plan_of({rows, columns});

  explicit sample_rows(dtype type) {
    std::mt19937 random(5);
    for_indices(elements.shape, [&](const auto& i) { elements.at(i) = sample<E>(random); });
    add_input(map, type, elements);
  }
};

/// Every reduction element by element with the states of kernel/reductions.hpp, in double precision where
/// sums round.
template<template<class> class Reduction, class E>
void check_value(reduction op, dtype type, const sample_rows<E>& sample) {
  if constexpr (requires { typename Reduction<E>::first_reduction; }) {
    return;  // test_paired_reductions compares them with the reductions that they are made of
  } else if constexpr (requires { typename Reduction<E>::result; }) {
    if (!defined_on(op, type)) return;
    using R = Reduction<E>;
    std::vector<typename R::result> expected;
    const E* element = sample.elements.origin;
    for (std::int64_t i = 0; i < sample.rows; ++i) {
      auto state = R::identity();
      for (std::int64_t j = 0; j < sample.columns; ++j) R::add(state, *element++, j);
      expected.push_back(R::finish(state, sample.columns, 1));
    }
    compare(op, type, run(sample.map, op, 1, 1), expected);
  }
}

template<class E>
void check_values(dtype type) {
  const sample_rows<E> sample(type);
#define GPARRAY_REDUCTION(name, domain, accumulator, result, empty, masked, fold, runs, doc) \
  check_value<kernel::name##_reduction, E>(reduction::name, type, sample);
#include <gparray/tables/reductions.def>
}

template<class T>
bytes run_all(reduction op, dtype type, std::vector<T> values, double ddof = 0) {
  core::map_plan map = plan_of({static_cast<std::int64_t>(values.size())});
  add_input(map, type, values.data(), {sizeof(T)});
  return run(map, op, 0, ddof);
}

const double nan_value = std::nan("");
const double infinite = std::numeric_limits<double>::infinity();

// Columns that are cut by the most that are taken at once, in blocks of rows cut by none of the numbers
// inside.
void check_wide_columns() {
  const std::vector<std::int64_t> shape{8300, 1029};
  std::mt19937 random(17);
  strided<float> rows(shape, {1, 1}), columns({shape[1], shape[0]}, {1, 1});
  columns.strides = {columns.strides[1], columns.strides[0]};
  for (std::int64_t i = 0; i < shape[0]; ++i)
    for (std::int64_t j = 0; j < shape[1]; ++j) rows.at({i, j}) = columns.at({i, j}) = sample<float>(random);
  for (const reduction op : {reduction::sum, reduction::max, reduction::var, reduction::argmin}) {
    CAPTURE(name(op));
    core::map_plan by_rows = plan_of(shape), by_columns = plan_of(shape);
    add_input(by_rows, dtype::float32, rows);
    add_input(by_columns, dtype::float32, columns);
    bytes expected;
    {
      const threads_guard one(1);
      expected = run(by_rows, op, 1);
      CHECK(run(by_columns, op, 1) == expected);
    }
    const threads_guard several(3);
    CHECK(run(by_columns, op, 1) == expected);
  }
}

}  // namespace

template<class T>
void check_shapes(dtype type) {
  check_layouts<T>(type, {5000}, 0);
  check_layouts<T>(type, {70, 129}, 0);
  check_layouts<T>(type, {70, 3000}, 1);
  check_layouts<T>(type, {70, 129}, 1);
  check_layouts<T>(type, {4, 20, 31}, 2);
  check_layouts<T>(type, {600, 5}, 1);
  check_layouts<T>(type, {40, 30, 3, 2}, 2);
  check_layouts<T>(type, {3, 50, 1}, 3);
  // From 16 columns, and 16 elements of each, the direction depends on which are closer.
  for (const std::int64_t columns : {15, 16})
    for (const std::int64_t elements : {15, 16}) check_layouts<T>(type, {columns, elements}, 1);
}

// The table is expanded inside the test cases: a test case takes the name of the file that its text comes
// from.
TEST_CASE("wide columns have the bits of rows") { check_wide_columns(); }

TEST_CASE("host reduce: bits of every layout, fused or not, on any number of threads") {
  sampler wanted;  // the loops of all dtypes are of one template, and share out their work alike
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  if (wanted()) check_shapes<kernel_type>(dtype::name);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
}

TEST_CASE("host reduce: values") {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) check_values<kernel_type>(dtype::name);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
}

TEST_CASE("host reduce: bits over several chunks") {
  check_layouts<float>(dtype::float32, {150000}, 0);
  check_layouts<double>(dtype::float64, {33, 70000}, 1);
  check_layouts<float>(dtype::float32, {3, 3, 70000}, 2);
}

TEST_CASE_TEMPLATE("host reduce: elements that all count", V, std::uint8_t, std::int16_t, float, double,
                   std::complex<float>, std::complex<double>) {
  for (const std::size_t n : {1u, 127u, 128u, 129u, 2047u, 2048u, 2049u, 30000u}) {
    CAPTURE(n);
    const std::vector<V> ones(n, V(1));
    CHECK(*as<std::int64_t>(run_all(reduction::count_nonzero, dtype_of<V>, ones)) ==
          static_cast<std::int64_t>(n));
  }
}

TEST_CASE("host reduce: a million tenths sum to 100000") {
  const std::vector<float> tenths(1000000, 0.1f);
  const float sum = *as<float>(run_all(reduction::sum, dtype::float32, tenths));
  CHECK(sum == 100000.0f);
}

TEST_CASE("host reduce: sums are as accurate as pairwise summation") {
  std::mt19937 random(11);
  std::vector<float> values(1 << 20);
  long double exact = 0, magnitude = 0;
  for (float& x : values) {
    x = std::uniform_real_distribution<float>(-1, 1)(random);
    exact += x;
    magnitude += std::abs(x);
  }
  const float sum = *as<float>(run_all(reduction::sum, dtype::float32, values));
  // A block is exact in double but for one rounding; 9 merges each round once, relative to the sum of
  // magnitudes.
  CHECK(std::abs(sum - exact) <= 10 * 0x1p-24L * magnitude);
}

TEST_CASE("host reduce: variance keeps its digits when the mean is large") {
  std::vector<double> values(100000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1e9 + static_cast<double>(i % 2);
  CHECK(*as<double>(run_all(reduction::var, dtype::float64, values)) == doctest::Approx(0.25).epsilon(1e-12));
  std::vector<float> singles(100000);
  for (std::size_t i = 0; i < singles.size(); ++i) singles[i] = 4096.f + static_cast<float>(i % 2);
  CHECK(*as<float>(run_all(reduction::var, dtype::float32, singles)) == doctest::Approx(0.25).epsilon(1e-5));
}

TEST_CASE("host reduce: NaN rules") {
  const std::vector<double> mixed{1, nan_value, 3, nan_value}, none{nan_value, nan_value};
  CHECK(std::isnan(*as<double>(run_all(reduction::min, dtype::float64, mixed))));
  CHECK(std::isnan(*as<double>(run_all(reduction::ptp, dtype::float64, mixed))));
  CHECK(*as<double>(run_all(reduction::nanmax, dtype::float64, mixed)) == 3);
  CHECK(*as<double>(run_all(reduction::nanmin, dtype::float64, mixed)) == 1);
  CHECK(std::isnan(*as<double>(run_all(reduction::nanmin, dtype::float64, none))));
  CHECK(*as<double>(run_all(reduction::nansum, dtype::float64, none)) == 0);
  CHECK(*as<double>(run_all(reduction::nanprod, dtype::float64, mixed)) == 3);
  CHECK(*as<double>(run_all(reduction::nanmean, dtype::float64, mixed)) == 2);
  CHECK(*as<double>(run_all(reduction::nanvar, dtype::float64, mixed)) == 1);
  CHECK(std::isnan(*as<double>(run_all(reduction::nanvar, dtype::float64, none))));
  CHECK(
      std::isnan(*as<double>(run_all(reduction::nanvar, dtype::float64, std::vector<double>{1, infinite}))));
  CHECK(std::isnan(*as<double>(run_all(reduction::nanmean, dtype::float64, none))));
  CHECK(*as<long>(run_all(reduction::argmax, dtype::float64, mixed)) == 1);
  CHECK(*as<long>(run_all(reduction::nanargmax, dtype::float64, mixed)) == 2);
  CHECK(*as<long>(run_all(reduction::nanargmin, dtype::float64, none)) == -1);
  CHECK(*as<long>(run_all(reduction::nanargmin, dtype::float64, std::vector<double>{nan_value, infinite})) ==
        1);
  CHECK(*as<long>(run_all(reduction::count_nonzero, dtype::float64,
                          std::vector<double>{nan_value, 0, -0.0, 1})) == 2);
  CHECK(*as<double>(run_all(reduction::var, dtype::float64, std::vector<double>{5, 6}, 3)) == infinite);
  CHECK(!std::signbit(*as<double>(run_all(reduction::sum, dtype::float64, std::vector<double>{-0.0, -0.0}))));
}

TEST_CASE("host reduce: the first of equal extremes, over blocks and threads") {
  std::vector<int> values(300000, 1);
  for (int i : {70001, 2047, 2048, 299999}) values[static_cast<std::size_t>(i)] = -4;
  CHECK(*as<long>(run_all(reduction::argmin, dtype::int32, values)) == 2047);
  CHECK(*as<long>(run_all(reduction::argmax, dtype::int32, values)) == 0);
  // Reduced by columns: the same rows side by side.
  std::vector<int> table(300000 * 40, 1);
  for (int i : {70001, 2047, 2048, 299999}) table[static_cast<std::size_t>(i) * 40 + 7] = -4;
  core::map_plan map = plan_of({40, 300000});
  add_input(map, dtype::int32, table.data(), {4, 160});
  const bytes out = run(map, reduction::argmin, 1);
  CHECK(as<long>(out)[7] == 2047);
  CHECK(as<long>(out)[8] == 0);
}

TEST_CASE("host reduce: any and all stop early and still see the last element") {
  std::vector<std::uint8_t> zeros(1000000, 0);
  CHECK(*as<bool>(run_all(reduction::any, dtype::uint8, zeros)) == false);
  zeros.back() = 1;
  CHECK(*as<bool>(run_all(reduction::any, dtype::uint8, zeros)) == true);
  CHECK(*as<bool>(run_all(reduction::all, dtype::uint8, zeros)) == false);
  std::vector<std::uint8_t> ones(1000000, 255);
  CHECK(*as<bool>(run_all(reduction::all, dtype::uint8, ones)) == true);
  CHECK(*as<long>(run_all(reduction::count_nonzero, dtype::uint8, ones)) == 1000000);
  CHECK(*as<unsigned long>(run_all(reduction::sum, dtype::uint8, ones)) == 255000000);
}
