// Programs with many numbers in them: more than a kernel has operands.
#include <random>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/recorded_maps.hpp"

namespace gp = gparray;

namespace {

using array = gp::ndarray<double>;
using calls = fake::map_calls;
using fixture = fake::recorded_maps;
using fake::on_cpu;

array line(std::int64_t n) { return gp::linspace(-1.5, 1.5, n); }

/// By Horner's rule.
array polynomial(const array& x, int degree) {
  array p = 0.25 + 0. * x;
  for (int k = 1; k <= degree; ++k) p = p * x + (0.5 + 1. / k);
  return p;
}

/// Of a polygon whose vertices are numbers: how often a ray to the right crosses its edges is odd.
gp::ndarray<bool> is_inside(const array& x, const array& y, int n_edges) {
  const auto vertex = [&](int k) {
    const double angle = 6.25 * k / n_edges, radius = 1 + 0.125 * (k % 3);
    return std::pair(radius * std::cos(angle), radius * std::sin(angle));
  };
  gp::ndarray<bool> inside = gp::zeros_like<bool>(x);
  for (int k = 0; k < n_edges; ++k) {
    const auto [xi, yi] = vertex(k);
    const auto [xj, yj] = vertex((k + 1) % n_edges);
    const auto crosses = (y < yi) != (y < yj);
    inside = inside ^ (crosses & (x < (xj - xi) * (y - yi) / (yj - yi) + xi));
  }
  return inside;
}

/// A random program of names and numbers; with `at_once`, each line is computed.
array random_program(std::uint32_t seed, bool at_once) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return random() % n; };
  const auto number = [&] { return static_cast<double>(below(4096)) / 1024 - 2; };
  const auto done = [&](array a) {
    if (at_once) a.eval();
    return a;
  };
  std::vector<array> names;
  for (int k = 0; k < 3; ++k) names.push_back(done(line(24) * number()));
  if (below(2) == 0) names.push_back(done(gp::arange<double>(4 * 24).reshape({4, 24})(2)));
  const std::uint32_t lines = 10 + below(70);
  for (std::uint32_t k = 0; k < lines; ++k) {
    const array a = names[below(static_cast<std::uint32_t>(names.size()))], b = names.back();
    array& to = names[below(static_cast<std::uint32_t>(names.size()))];
    switch (below(7)) {
      case 0:
        to = done(a * number() + number());
        break;
      case 1:
        to = done(gp::maximum(b, number()) - a * number());
        break;
      case 2:
        to = done(gp::where(a < number(), b * number(), number()));
        break;
      case 3:
        to = done(b * 0.5 + number());
        break;
      case 4:
        to = done(gp::clip(b + a, number() - 2, number() + 2));
        break;
      case 5:
        to = done(b + number() * static_cast<double>(gp::sum(gp::minimum(a, number())).item()) / 64);
        break;
      default:
        to *= number();
        done(to);
    }
  }
  array sum = names[0];
  for (std::size_t k = 1; k < names.size(); ++k) sum = done(sum + names[k]);
  return sum;
}

}  // namespace

TEST_CASE("numbers: a polynomial with 21 of them is one kernel") {
  fixture f;
  const array x = line(100);
  x.eval();
  array p;
  const calls made = f.calls_of([&] {
    p = polynomial(x, 20);
    p.eval();
  });
  REQUIRE(made.size() == 1);
  CHECK(made[0].inputs > 16);
  CHECK(p.to_vector() == on_cpu([] { return polynomial(line(100), 20); }));
}

TEST_CASE("numbers: which points are inside a polygon, one kernel for 11 edges") {
  fixture f;
  const array x = line(64), y = 0.5 * line(64)(":, None");
  gp::eval(x, y);
  for (const int n_edges : {5, 11, 12}) {
    const array xs = gp::broadcast_to(x, {64, 64}).copy(), ys = gp::broadcast_to(y, {64, 64}).copy();
    gp::eval(xs, ys);
    gp::ndarray<bool> inside;
    const calls made = f.calls_of([&] {
      inside = is_inside(xs, ys, n_edges);
      inside.eval();
    });
    CAPTURE(n_edges);
    CHECK(made.size() == (n_edges < 12 ? 1 : 2));  // of ten steps an edge, 128 a kernel
    CHECK(inside.to_vector() == on_cpu([&] {
            const array x_there = line(64), y_there = 0.5 * line(64)(":, None");
            return is_inside(gp::broadcast_to(x_there, {64, 64}).copy(),
                             gp::broadcast_to(y_there, {64, 64}).copy(), n_edges);
          }));
  }
}

TEST_CASE("numbers: a loop with new ones in each turn fills kernels") {
  fixture f;
  const auto turns = [](int n) {
    array x = line(100);
    x.eval();
    for (int k = 0; k < n; ++k) x = x * (0.5 + 1. / (k + 1)) + 0.125 / (k + 3);
    return x;
  };
  array x;
  const calls made = f.calls_of([&] { x = turns(100).eval(); });
  CHECK(made.size() <= 1 + 1 + 200 / 60);  // line, and two numbers a turn
  CHECK(x.to_vector() == on_cpu([&] { return turns(100); }));
}

TEST_CASE("numbers: of more than a kernel has, programs are cut") {
  fixture f;
  const array x = line(100);
  x.eval();
  array p;
  const calls made = f.calls_of([&] {
    p = polynomial(x, 90);
    p.eval();
  });
  CHECK(made.size() <= 3);
  CHECK(p.to_vector() == on_cpu([] { return polynomial(line(100), 90); }));
  const auto rolled = [](array a) {
    for (int k = 0; k < 20; ++k) a = gp::roll(a, 1) * (1 + 1. / (k + 2)) - a * (0.125 * k);
    return a;
  };
  CHECK(rolled(x).to_vector() == on_cpu([&] { return rolled(line(100)); }));
  const auto reduced = [](const array& a) { return gp::sum(polynomial(a, 30) * a).reshape({1}); };
  CHECK(reduced(x).to_vector() == on_cpu([&] { return reduced(line(100)); }));
}

TEST_CASE("numbers: random programs leave the bits of single steps") {
  fixture f;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const auto expected = on_cpu([&] { return random_program(seed, true); });
    const auto actual = random_program(seed, false).to_vector();
    CHECK(std::equal(expected.begin(), expected.end(), actual.begin(), [](double a, double b) {
      return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
    }));
  }
}
