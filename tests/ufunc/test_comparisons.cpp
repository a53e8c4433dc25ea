// Comparisons say the truth about integers that no common dtype holds, whether spelled as operators,
// functions or objects.
#include <limits>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using flags = std::vector<bool>;

namespace {

constexpr i64 largest = std::numeric_limits<i64>::max(), smallest = std::numeric_limits<i64>::min();
constexpr u64 half = u64{1} << 63;

}  // namespace

TEST_CASE("int64 against uint64 is exact in every spelling") {
  // Neighbours that are one number in float64.
  const gp::ndarray<i64> a = gp::array<i64>({largest, largest, -1, smallest, 0, 5});
  const gp::ndarray<u64> b = gp::array<u64>({half, u64{largest}, ~u64{0}, half, 0, 6});
  const flags same{false, true, false, false, true, false}, below{true, false, true, true, false, true};
  CHECK(gp::equal(a, b).to_vector() == same);
  CHECK((a == b).to_vector() == same);
  CHECK(gp::ufuncs::equal(a, b).to_vector() == same);
  CHECK(gp::equal(b, a).to_vector() == same);
  CHECK(gp::less(a, b).to_vector() == below);
  CHECK(gp::greater(b, a).to_vector() == below);
  CHECK(gp::ufuncs::greater(b, a).to_vector() == below);
  CHECK(gp::not_equal(a, b).to_vector() == (~gp::equal(a, b)).to_vector());
  CHECK(gp::greater_equal(a, b).to_vector() == (~gp::less(a, b)).to_vector());
  CHECK(gp::less_equal(b, a).to_vector() == (~gp::less(a, b)).to_vector());
  CHECK(gp::ufuncs::equal.outer(a, b).to_vector() ==
        (a(gp::all, gp::newaxis) == b(gp::newaxis, gp::all)).to_vector());
  // With out and where.
  gp::ndarray<bool> out = gp::ones<bool>({6});
  gp::equal(a, b, out);
  CHECK(out.to_vector() == same);
  gp::less(a, b, out, {.where = a < 0});
  CHECK(out.to_vector() == flags{false, true, true, true, true, false});
  CHECK_FALSE(gp::array_equal(a(gp::slice(0, 1)), b(gp::slice(0, 1))));
}

TEST_CASE("numbers outside an array's dtype compare, as in NumPy") {
  const gp::ndarray<std::uint8_t> a = gp::array<std::uint8_t>({1, 255});
  CHECK(gp::equal(a, -1).to_vector() == flags{false, false});
  CHECK(gp::not_equal(-1, a).to_vector() == flags{true, true});
  CHECK(gp::less(a, 300).to_vector() == flags{true, true});
  CHECK(gp::greater(a, 300).to_vector() == flags{false, false});
  CHECK(gp::less_equal(-1, a).to_vector() == flags{true, true});
  CHECK(gp::greater_equal(-1, a).to_vector() == flags{false, false});
  CHECK(gp::ufuncs::less(a, -1).to_vector() == flags{false, false});
  CHECK(gp::equal(gp::array<i64>({-1}), ~u64{0}).to_vector() == flags{false});
  // What is computed in the dtype still refuses them.
  CHECK_THROWS_AS((void)gp::maximum(a, -1), gp::overflow_error);
}

TEST_CASE("exponents of ldexp beyond int32 are not cut to other exponents") {
  const auto ones = gp::ones({4});
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(gp::ldexp(ones, gp::array<i64>({i64{1} << 32, -(i64{1} << 40), 3, largest})).to_vector() ==
        std::vector<double>{infinity, 0, 8, infinity});
  CHECK(gp::ldexp(ones(gp::slice(2)), gp::array<std::uint32_t>({0x80000000u, 1})).to_vector() ==
        std::vector<double>{infinity, 2});
  // NumPy has no loop for exponents of uint64.
  static_assert(!gp::detail::callable<gp::ufunc::ldexp, gp::ndarray<double>, gp::ndarray<u64>>());
}
