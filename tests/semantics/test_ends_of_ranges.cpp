// The ends of ranges: diagonals as far out as an int64 goes, arrays and masks without elements.
#include <limits>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

constexpr i64 lowest = std::numeric_limits<i64>::min(), highest = std::numeric_limits<i64>::max();

}  // namespace

TEST_CASE("triangles whose diagonal is far outside") {
  const gp::ndarray<double> m = gp::arange<double>(1, 7).reshape({2, 3});
  const std::vector<double> all = m.to_vector(), none(6, 0.0);
  for (const i64 k : {highest, highest - 1, i64{3}, i64{2}}) {
    CAPTURE(k);
    CHECK(gp::tril(m, k).to_vector() == all);
    CHECK(gp::triu(m, k).to_vector() == (k == 2 ? std::vector<double>{0, 0, 3, 0, 0, 0} : none));
    CHECK(gp::tri(2, 3, k).to_vector() == std::vector<double>(6, 1));
    CHECK(gp::tril_indices(2, k).first.size() == 4);
    CHECK(gp::triu_indices(2, k).first.size() == 0);
  }
  for (const i64 k : {lowest, lowest + 1, i64{-2}}) {
    CAPTURE(k);
    CHECK(gp::tril(m, k).to_vector() == none);
    CHECK(gp::triu(m, k).to_vector() == all);
    CHECK(gp::tri(2, 3, k).to_vector() == none);
    CHECK(gp::eye(2, 3, k).to_vector() == none);
    CHECK(gp::tril_indices(2, k).first.size() == 0);
    CHECK(gp::triu_indices(2, k).first.size() == 4);
    CHECK(gp::triu_indices_from(m, k).second.to_vector() == std::vector<i64>{0, 1, 2, 0, 1, 2});
    CHECK(gp::diagonal(m, k).size() == 0);
    CHECK(gp::trace(m, k).item() == 0);
  }
  CHECK(gp::eye(2, 3, -1).to_vector() == std::vector<double>{0, 0, 0, 1, 0, 0});
  CHECK(gp::eye(2, 3, highest).to_vector() == none);
  CHECK(gp::tril(gp::ones({2, 0}), lowest).shape() == gp::dims{2, 0});
}

TEST_CASE("power of no integers needs no exponents that are not negative") {
  const gp::ndarray<i64> none = gp::zeros<i64>({0});
  CHECK(gp::power(none, -1).shape() == gp::dims{0});
  CHECK(gp::power(gp::zeros<i64>({0, 3}), gp::full<i64>({3}, -1)).shape() == gp::dims{0, 3});
  CHECK_THROWS_AS((void)gp::power(gp::ones<i64>({1}), -1), gp::value_error);
  CHECK_THROWS_AS((void)gp::power(none, gp::full<i64>({3}, -1)), gp::value_error);  // do not broadcast
}

TEST_CASE("exponents are looked at where a view has them") {
  const gp::ndarray<i64> twos = gp::full<i64>({2, 3, 4}, 2);
  gp::ndarray<i64> all = gp::arange(24).reshape({2, 3, 4});
  CHECK(gp::power(twos, all)(1, 2, 3).item() == 1 << 23);
  all(1, 0, 2) = -5;
  if (all.device().is_cpu()) {
    CHECK_THROWS_AS((void)gp::power(twos, all), gp::value_error);
    CHECK_THROWS_AS((void)gp::power(twos, gp::transpose(all).reshape({2, 3, 4})), gp::value_error);
  }
  const gp::ndarray<i64> others = all(gp::all, gp::slice(1, gp::none), gp::slice(gp::none, gp::none, -1));
  const gp::ndarray<i64> pairs = gp::full<i64>({2, 2, 4}, 2);
  CHECK(gp::power(pairs, others)(0, 0, 3).item() == 16);
}

TEST_CASE("a mask with a size of 0 selects nothing") {
  const gp::ndarray<double> m = gp::arange<double>(6).reshape({2, 3});
  CHECK(m(gp::zeros<bool>({0})).shape() == gp::dims{0, 3});
  CHECK(m(gp::zeros<bool>({0, 3})).shape() == gp::dims{0});
  CHECK(m(gp::zeros<bool>({2, 0})).shape() == gp::dims{0});
  CHECK(m(gp::zeros<bool>({0, 0})).shape() == gp::dims{0});
  CHECK(m(gp::all, gp::zeros<bool>({0})).shape() == gp::dims{2, 0});
  CHECK(m(gp::zeros<bool>({0}), 1).shape() == gp::dims{0});
  CHECK(m(gp::zeros<bool>({0}), gp::array<i64>({1})).shape() == gp::dims{0});
  CHECK(m(std::vector<bool>{}).shape() == gp::dims{0, 3});
  m(gp::zeros<bool>({0})) = 5;
  m(gp::zeros<bool>({2, 0})) = gp::zeros({0});
  m(gp::zeros<bool>({0})) += 1;
  CHECK(m.to_vector() == std::vector<double>{0, 1, 2, 3, 4, 5});
  // The other sizes must fit, as in NumPy.
  CHECK_THROWS_AS((void)m(gp::zeros<bool>({0, 5})), gp::index_error);
  CHECK_THROWS_AS((void)m(gp::zeros<bool>({5, 0})), gp::index_error);
  CHECK_THROWS_AS((void)m(gp::zeros<bool>({1})), gp::index_error);
  CHECK_THROWS_AS((void)gp::delete_(gp::arange(3), gp::zeros<bool>({0})), gp::value_error);
}
