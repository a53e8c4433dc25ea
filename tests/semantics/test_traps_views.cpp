// Traps of slicing, overlapping writes, reductions of nothing, 0-d arrays, minima with NaN.
#include <cmath>

#include "support/traps.hpp"

using namespace traps;

namespace {

const double NaN = std::nan("");

gp::ndarray<std::int64_t> range(std::int64_t n) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i;
  return gp::ndarray<std::int64_t>(values);
}

gp::ndarray<double> zeros(const gp::dims& shape) { return gp::zeros(shape); }

}  // namespace

TEST_CASE("slices") {
  using gp::none;
  TRAP("slice-001", range(5)(gp::slice(10, none)));
  TRAP("slice-001", range(5)("10:"));
  TRAP("slice-003", range(5)("3:1"));
  TRAP("slice-004", range(5)("10:0:-2"));
  TRAP("slice-006", range(5)(gp::slice(none, -10, -1)));
  TRAP("slice-007", range(10)("-1:-4:-1"));
  TRAP_THROWS("slice-009", range(5)(5));
  TRAP_THROWS("slice-010", range(5)(-6));
  TRAP("slice-012", range(4)("::-1").strides());
  TRAP("slice-013", zeros({2, 3, 4})("..., 0").shape());
  TRAP_THROWS("slice-015", zeros({2, 3})(0, 0, 0));
  auto a = range(5);
  auto b = a("::-1");
  b(0) = 99;
  TRAP("slice-016", a);
}

TEST_CASE("index text and index items select the same") {
  const auto a = zeros({4, 5, 6});
  CHECK(a("1, 1:-1:2, None, ..., :").shape() ==
        a(1, gp::slice(1, -1, 2), gp::newaxis, gp::ellipsis, gp::all).shape());
  CHECK(a("1, 1:-1:2, None, ..., :").strides() ==
        a(1, gp::slice(1, -1, 2), gp::newaxis, gp::ellipsis, gp::all).strides());
  CHECK(a("newaxis").shape() == gp::dims{1, 4, 5, 6});
  CHECK(a(gp::slice(2)).shape() == gp::dims{2, 5, 6});
  CHECK(a("..., 2,").shape() == gp::dims{4, 5});
  for (const char* text : {"", "1 2", "a", "1:2:3:4", ",", "1,,2", "1.5", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(a(text), const gp::value_error&);
  }
  CHECK_THROWS_AS(a("::0"), const gp::value_error&);
  CHECK_THROWS_AS(a("..., ..."), const gp::index_error&);
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  CHECK(a(gp::slice(gp::none, gp::none, lowest)).shape() == gp::dims{1, 5, 6});
}

TEST_CASE("overlapping writes see the old elements") {
  auto a = range(6);
  a("1:") = a(":-1");
  TRAP("overlap-001", a);
  a = range(6);
  a(":-1") = a("1:");
  TRAP("overlap-002", a);
  a = range(5);
  a(":") = a("::-1");
  TRAP("overlap-004", a);
  auto square = A({{0, 1}, {2, 3}});
  square += square.T();
  TRAP("overlap-005", square);
  auto d = range(4).astype<double>();
  d += d(0) + 1;
  TRAP("overlap-008", d);
  auto q = A({4, 2});
  gp::floor_divide(q, A({3}), q);
  TRAP("overlap-014", q);
  a = range(6);
  a("1:") += a(":-1");
  CHECK(a.to_vector() == std::vector<std::int64_t>{0, 1, 3, 5, 7, 9});
}

TEST_CASE("reductions of nothing") {
  TRAP("reduce-empty-001", gp::sum(zeros({0, 3}), 0));
  TRAP("reduce-empty-002", gp::prod(gp::ndarray<double>{}));
  TRAP("reduce-empty-004", gp::max(zeros({0, 3}), 1));
  TRAP_THROWS("reduce-empty-005", gp::max(zeros({0, 3}), 0));
  TRAP("reduce-empty-007", gp::mean(gp::ndarray<double>{}));
  TRAP("reduce-empty-008", gp::var(gp::ndarray<double>{}));
  TRAP("reduce-empty-010/0", gp::all(gp::ndarray<double>{}));
  TRAP("reduce-empty-010/1", gp::any(gp::ndarray<double>{}));
  TRAP("reduce-empty-013", gp::sum(zeros({2, 0}).astype<std::int8_t>(), 1));
  TRAP("reduce-empty-016", gp::norm(gp::ndarray<double>{}));
  TRAP("reduce-empty-022", gp::min(gp::ndarray<std::int32_t>{}, {.initial = 7}));
}

TEST_CASE("0-d arrays") {
  const auto five = A({5})(0);
  TRAP("0-d-001/0", five.shape());
  TRAP("0-d-001/1", five.ndim());
  TRAP("0-d-001/2", five.size());
  TRAP("0-d-004", five(gp::newaxis));
  TRAP_THROWS("0-d-005", five(0));
  TRAP("0-d-007", five.reshape(-1));
  TRAP("0-d-008", gp::sum(five, 0));
  TRAP("0-d-010", gp::argmax(five));
  TRAP("0-d-013", zeros({1, 1}).squeeze().shape());
  TRAP("0-d-019", five.transpose().shape());
  TRAP("0-d-020", five.ravel().shape());
}

TEST_CASE("minima and maxima with NaN") {
  TRAP("minmax-nan-002", gp::min(A({NaN, 1.})));
  TRAP("minmax-nan-003", gp::argmax(A({1., NaN, 3., NaN})));
  TRAP("minmax-nan-005", gp::argmax(A({3, 1, 3})));
  TRAP("minmax-nan-006", gp::argmin(A({{2, 1}, {1, 1}}), 1));
  TRAP("minmax-nan-008", gp::nanmax(A({1., NaN, 3.})));
  TRAP("minmax-nan-009", gp::nanmax(A({NaN, NaN})));
  TRAP("minmax-nan-011", gp::nansum(A({NaN, NaN})));
  TRAP("minmax-nan-012", gp::nanprod(A({NaN, NaN})));
  TRAP("minmax-nan-014", gp::nanmean(A({NaN})));
  TRAP("minmax-nan-015", gp::nanstd(A({1., NaN, 3.}), {.ddof = 1}));
  TRAP("minmax-nan-020", gp::ptp(A({3., NaN})));
  TRAP("minmax-nan-021", gp::max(gp::ndarray<std::complex<double>>{std::complex<double>(NaN, NaN),
                                                                   std::complex<double>(5, 0)}));
}
