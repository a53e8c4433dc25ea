// What is known of numbers without looking at them: never less than there is, and for most indices no more.
#include <cmath>

#include <doctest/doctest.h>

#include <core/array/known_range.hpp>
#include <gparray/gparray.hpp>

namespace gp = gparray;
namespace core = gparray::core;
using numbers = gp::ndarray<std::int64_t>;
using array = gp::ndarray<float>;
using doubles = gp::ndarray<double>;

namespace {

struct range {
  std::int64_t least, greatest;
  bool operator==(const range&) const = default;
};
std::ostream& operator<<(std::ostream& out, const range& r) {
  return out << "[" << r.least << ", " << r.greatest << "]";
}

range found(const numbers& x) { return {gp::min(x).item(), gp::max(x).item()}; }

/// What is known has to be what is there.
void check_exact(const numbers& x) {
  const auto known = core::known_range(x.rep());
  REQUIRE((known.has_value()));
  CHECK((range{known->least, known->greatest} == found(x)));
}
void check_covered(const numbers& x) {
  const auto known = core::known_range(x.rep());
  REQUIRE((known.has_value()));
  const range there = found(x);
  CHECK((known->least <= there.least));
  CHECK((known->greatest >= there.greatest));
}
void check_unknown(const numbers& x) { CHECK_FALSE((core::known_range(x.rep()).has_value())); }

}  // namespace

TEST_CASE("known ranges: whole numbers") {
  const numbers i = gp::arange(3, 40), down = gp::arange(5, -6, -1);
  check_exact(i);
  check_exact(i + 7);
  check_exact(down - i(0).item() * 2);
  check_exact(down * -3);
  check_exact(gp::minimum(down, 2));
  check_exact(gp::maximum(down, numbers(down + 1)));
  check_exact(gp::clip(down, -2, 3));
  check_exact(i % 11);
  check_exact(i % 100);
  check_exact(down % 3);
  check_exact(gp::floor_divide(down, 3));
  check_exact(gp::where(down > 0, down + 20, down - 20));
  const numbers by = gp::arange(-1, 36);
  check_unknown(i % by);
  check_unknown(gp::floor_divide(i, by));
  check_unknown((i + (std::int64_t{1} << 62)) * i);
  check_unknown(i & 7);
  const numbers given = gp::array<std::int64_t>({1, 2});
  check_unknown(given + 1);
  check_exact(gp::clip(given, 1, 2));
  check_covered(gp::clip(given * given, -1, 3) + 5);
  check_unknown(gp::clip(given, given, 3));
}

TEST_CASE("known ranges: places in a picture") {
  for (const std::int64_t n : {3, 7, 1080, 2160}) {
    const array range = gp::arange<float>(n);
    const auto at = [&] { return (range + 0.5) * 1081 / n - 0.5; };
    const auto inside = [&] { return gp::clip(at(), 0, 1080); };
    check_exact(at().astype<std::int64_t>());
    check_exact(inside().astype<std::int64_t>());
    check_exact(gp::minimum(inside().astype<std::int64_t>(), 1079) + 1);
    check_exact(gp::floor(-at() * 0.3).astype<std::int64_t>());
    check_exact(gp::ceil(at()).astype<std::int64_t>());
    check_exact(gp::rint(gp::minimum(at(), gp::trunc(at() + 1))).astype<std::int64_t>());
    check_exact(gp::where(range >= 0, at(), 600).astype<std::int64_t>());
    check_exact(at().astype<double>().astype<float>().astype<std::int64_t>());
  }
}

TEST_CASE_TEMPLATE("known ranges: real numbers", V, float, double) {
  for (const std::int64_t n : {1, 2, 5}) check_covered(gp::arange<V>(n).template astype<std::int64_t>());
  const gp::ndarray<V> x = gp::arange<V>(-3.5, 4, 0.25);
  check_covered(x.template astype<std::int64_t>());
  check_covered((x * 7 + 1).template astype<std::int64_t>());
  check_exact(gp::clip(x, -2, 3).template astype<std::int64_t>());
  const numbers i = gp::arange(20);
  check_exact((i.astype<V>() / 3).template astype<std::int64_t>());
  // Numbers that may be none, or no integers of 64 bits.
  check_unknown((1 / x).template astype<std::int64_t>());
  check_unknown((x * std::numeric_limits<V>::max()).template astype<std::int64_t>());
  check_unknown((x * 1e18 * 100).template astype<std::int64_t>());
  check_unknown((x * std::numeric_limits<V>::quiet_NaN()).template astype<std::int64_t>());
  check_unknown(gp::sin(x).template astype<std::int64_t>());
}

TEST_CASE("known ranges: until the numbers are written to") {
  array x = gp::arange<float>(10);
  check_exact((x + 1).astype<std::int64_t>());
  x(3) = 100.f;
  check_unknown((x + 1).astype<std::int64_t>());
  array y = gp::arange<float>(10);
  CHECK(y.data() != nullptr);  // from now on the program may write to it
  check_unknown((y + 1).astype<std::int64_t>());
  // The bits of other numbers are not those numbers.
  const array z = gp::arange<float>(10);
  check_unknown(z.view<std::int32_t>().astype<std::int64_t>());
  const doubles d = gp::arange<double>(10);
  check_unknown(d.view<std::int64_t>() + 0);
  check_unknown(d.view<float>().astype<std::int64_t>());
}

TEST_CASE("known ranges: of what has been computed") {
  const numbers index = gp::clip(gp::arange(30) - 4, 0, 9);
  index.eval();
  check_exact(index);
  check_exact(index("3:") + 0);
  const numbers other = gp::array<std::int64_t>({3, -3}) + 1;
  other.eval();
  check_unknown(other);
}

TEST_CASE("known ranges: with what is computed beyond the ends") {
  const numbers i = gp::arange(3, 40);
  const auto ends = core::known_range_with_ends((50 - i).eval().rep());
  const numbers pending = 50 - i;
  const auto of_steps = core::known_range_with_ends(pending.rep());
  REQUIRE((of_steps.has_value()));
  CHECK((of_steps->greatest == 50));
  CHECK((of_steps->least == 11));
  REQUIRE((ends.has_value()));
  CHECK((ends->least == 0));
}
