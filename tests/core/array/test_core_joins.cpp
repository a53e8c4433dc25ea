// Pending arrays that are put side by side are computed where they lie in the result.
#include <algorithm>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/recorded_maps.hpp"

namespace gp = gparray;

namespace {

using array = gp::ndarray<float>;
using calls = fake::map_calls;
using fixture = fake::recorded_maps;

std::vector<float> values(const array& a) { return a.to_vector(); }

}  // namespace

TEST_CASE("joins: what is stacked is one kernel, which writes to all places") {
  fixture f;
  const array x = gp::arange<float>(16).reshape({2, 8}), y = x + 10;
  gp::eval(x, y);
  for (const int axis : {0, 1, 2, -1}) {
    CAPTURE(axis);
    array joined;
    const calls made = f.calls_of([&] { joined = gp::stack({x + y, x * y, y - x}, axis); });
    REQUIRE(made.size() == 1);
    CHECK(made[0].stores == 2);
    const array sum = x + y, product = x * y, difference = y - x;
    gp::eval(sum);
    gp::eval(product);
    gp::eval(difference);
    CHECK(values(joined) == values(gp::stack({sum, product, difference}, axis)));
  }
}

TEST_CASE("joins: so is what is concatenated") {
  fixture f;
  // Halves of 32 bytes, and of 12, whose packs are not at the same places.
  for (const std::int64_t half : {8, 3}) {
    const array x = gp::arange<float>(6 * half).reshape({3, 2 * half});
    const array angle = gp::arange<float>(half).reshape({1, half});
    gp::eval(x, angle);
    const array x1 = x(":, :{}", half), x2 = x(":, {}:", half);
    array turned;
    const calls made = f.calls_of([&] { turned = gp::concatenate({x1 * angle - x2, x1 + x2 * angle}, -1); });
    if (half == 8) {
      REQUIRE(made.size() == 1);
      CHECK(made[0].stores == 1);
    }
    CHECK(values(turned(":, :{}", half)) == values(x1 * angle - x2));
    CHECK(values(turned(":, {}:", half)) == values(x1 + x2 * angle));
  }
}

TEST_CASE("joins: names stay what they are") {
  fixture f;
  const array x = gp::arange<float>(4);
  gp::eval(x);
  array a = x + 1, b = a * 2;
  array joined = gp::stack({b, a}, -1);
  joined += 100;
  CHECK(values(a) == std::vector<float>{1, 2, 3, 4});
  CHECK(values(b) == std::vector<float>{2, 4, 6, 8});
  CHECK(values(joined) == std::vector<float>{102, 101, 104, 102, 106, 103, 108, 104});
  // What takes long to compute again is stored, and copied.
  array root = x;
  for (int k = 0; k < 12; ++k) root = gp::sin(gp::sqrt(root + 1));
  array other = root + 1;
  const array pair = gp::stack({root, other});
  const calls again = f.calls_of([&] { gp::eval(root, other); });
  CHECK(again.empty());
  CHECK(values(pair(0)) == values(root));
  CHECK(values(pair(1)) == values(other));
}

TEST_CASE("joins: names that are stored first are one kernel, too, and one copies them") {
  fixture f;
  const array x = gp::linspace(1.f, 2.f, 64);
  gp::eval(x);
  array deep = x;
  for (int k = 0; k < 6; ++k) deep = gp::sin(gp::sqrt(deep + 1));
  const array a = deep + x, b = deep * x, c = deep - x;
  array joined;
  const calls made = f.calls_of([&] { joined = gp::stack({a, b, c}, -1); });
  // With what they are made of, which the program has; the rest are copies.
  CHECK(made.at(0).stores == 3);
  CHECK(std::ranges::count_if(made, [](const auto& call) { return call.steps > 0; }) == 1);
  CHECK(values(joined(":, 1")) == values(b));
}

TEST_CASE("joins: arrays that are not steps of one kernel") {
  fixture f;
  const array x = gp::arange<float>(4), y = gp::flip(x);
  gp::eval(x, y);
  const array twice = x + y;
  CHECK(values(gp::stack({twice, twice})) == std::vector<float>{3, 3, 3, 3, 3, 3, 3, 3});
  CHECK(values(gp::stack({x, x + 1}, -1)) == std::vector<float>{0, 1, 1, 2, 2, 3, 3, 4});
  CHECK(values(gp::concatenate({x + 1, (x + 2)(":2")})) == std::vector<float>{1, 2, 3, 4, 2, 3});
  CHECK(values(gp::concatenate({x + 1, gp::roll(x + 2, 1)})) == std::vector<float>{1, 2, 3, 4, 5, 2, 3, 4});
  CHECK(values(gp::stack({x + gp::sum(x), y * 2})) == std::vector<float>{6, 7, 8, 9, 6, 4, 2, 0});
  CHECK(gp::stack(x + 1, x.astype<double>() * 2, -1).to_vector() ==
        std::vector<double>{1, 0, 2, 2, 3, 4, 4, 6});
  CHECK(values(gp::stack({x + 1, x + 2, x + 3, x + 4, x + 5, x + 6})(":, 3")) ==
        std::vector<float>{4, 5, 6, 7, 8, 9});
  CHECK(gp::stack({gp::ndarray<float>(gp::zeros<float>({0, 3}) + 1), gp::zeros<float>({0, 3}) + 2}).shape() ==
        gp::dims{2, 0, 3});
}

TEST_CASE("joins: steps that are more than a kernel has") {
  fixture f;
  const array x = gp::linspace(0.f, 1.f, 50);
  array a = x + 0, b = x + 1;
  gp::eval(x);
  for (int k = 0; k < 100; ++k) {
    const array c = a * 0.5f + b * 0.25f;
    b = a - b * 0.125f;
    a = c;
  }
  const array joined = gp::stack({a + b, a - b}, -1);
  gp::eval(a, b);
  CHECK(values(joined(":, 0")) == values(a + b));
  CHECK(values(joined(":, 1")) == values(a - b));
}

TEST_CASE("joins: the components of a cross product of views are one kernel") {
  fixture f;
  const array m = gp::arange<float>(36).reshape({4, 3, 3}) % 7;
  gp::eval(m);
  const array a = m(":, 0"), b = m(":, 1");
  array c;
  const calls made = f.calls_of([&] { c = gp::cross(a, b); });
  REQUIRE(made.size() == 1);
  CHECK(made[0].stores == 2);
  CHECK(values(c) == values(gp::cross(a.copy(), b.copy())));
}
