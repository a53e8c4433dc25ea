// How many kernels straight programs become on a GPU: names, joins and rolled arrays that may share one.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/recorded_maps.hpp"

namespace gp = gparray;

namespace {

using array = gp::ndarray<float>;
using calls = fake::map_calls;
using fixture = fake::recorded_maps;
using fake::on_cpu;

array counted(const gp::dims& shape) {
  std::int64_t size = 1;
  for (const std::int64_t n : shape) size *= n;
  const array a = gp::arange<float>(size).reshape(shape);
  a.eval();
  return a;
}

}  // namespace

TEST_CASE("kernels: two names that read one array are one") {
  fixture f;
  const array p = counted({100}), m = counted({100}), g = counted({100});
  array sum, difference;
  const calls made = f.calls_of([&] {
    sum = p + 0.5f * g;
    difference = 2.f * m - g;
    gp::eval(sum, difference);
  });
  REQUIRE(made.size() == 1);
  CHECK(made[0].stores == 1);
  CHECK(sum(9).item() == 13.5f);
  CHECK(difference(9).item() == 9.f);
  // Of another shape, an array that both read is little of what they do.
  array rows, columns;
  const array a = counted({10, 10}), b = counted({10, 10}), row = counted({10});
  const calls apart = f.calls_of([&] {
    rows = a + row;
    columns = b * row;
    gp::eval(rows, columns);
  });
  CHECK(apart.size() == 2);
}

TEST_CASE("kernels: what is added up in place reads parts of rows") {
  fixture f;
  const array a = counted({10, 20});
  array sum;
  const calls made = f.calls_of([&] {
    sum = gp::zeros_like(a(":, :16"));
    sum.eval();
    f.fake.gpu.maps.clear();
    for (int k = 0; k < 4; ++k) sum += a(":, {}:{}", k, 16 + k);
    sum.eval();
  });
  CHECK(made.size() == 1);
  CHECK(sum(1, 2).item() == 22.f + 23 + 24 + 25);
}

TEST_CASE("kernels: operands in another order leave no name in C order") {
  fixture f;
  const array a = counted({4, 6});
  array b = gp::zeros<float>({6, 4});
  b += a.T();
  CHECK(b.is_c_contiguous());
  CHECK(b(5, 1).item() == 11.f);
  CHECK(array(a.T() + 1.f).is_f_contiguous());
  CHECK(array(a(":, 1:3") + 1.f).is_c_contiguous());
  CHECK(array(a("::-1, ::-1") + 1.f).is_c_contiguous());
}

TEST_CASE("kernels: arrays of one axis are rolled where they are read") {
  fixture f;
  const auto program = [] {
    const array x = gp::arange<float>(50);
    return array((gp::roll(x, -1) - gp::roll(x, 2)) * gp::roll(x, 53) - gp::roll(x, 0));
  };
  array y;
  counted({50});
  const calls made = f.calls_of([&] {
    y = program();
    y.eval();
  });
  CHECK(std::ranges::count_if(made, [](const auto& m) { return m.jumps > 0; }) == 1);
  CHECK(made.size() <= 2);  // and that of arange
  CHECK(y.to_vector() == on_cpu(program));
}

TEST_CASE("kernels: differences of rolled arrays are no loop, and share a kernel") {
  fixture f;
  const array h = counted({12, 12}), u = counted({12, 12}), v = counted({12, 12});
  const auto dx = [](const array& a) { return array(0.5f * (gp::roll(a, -1, 1) - gp::roll(a, 1, 1))); };
  const auto dy = [](const array& a) { return array(0.5f * (gp::roll(a, -1, 0) - gp::roll(a, 1, 0))); };
  const calls made = f.calls_of([&] {
    const array u1 = u - 0.1f * (u * dx(u) + v * dy(u) + 9.8f * dx(h));
    const array v1 = v - 0.1f * (u * dx(v) + v * dy(v) + 9.8f * dy(h));
    gp::eval(u1, v1);
  });
  REQUIRE(made.size() == 1);
  CHECK(made[0].stores == 1);
}

TEST_CASE("kernels: a sum over the neighbours and the place itself is one") {
  fixture f;
  const array image = counted({9, 11});
  const calls made = f.calls_of([&] {
    gp::eval([&] {
      array total = gp::zeros_like(image), weight = gp::zeros_like(image);
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const array other = gp::roll(image, {dy, dx}, {0, 1});
          const array w = gp::exp(-8.f * gp::square(other - image));
          total += w * other;
          weight += w;
        }
      return array(total / weight);
    }());
  });
  CHECK(made.size() == 1);
}

TEST_CASE("kernels: a join of what is pending is stored by the kernel that computes it") {
  fixture f;
  const auto joined = [](std::int64_t n, int axis, bool stacks) {
    const array x = gp::arange<float>(8 * n).reshape({8, n}), y = x * x;
    gp::eval(x, y);
    const array sum = x + y, product = x * y;
    return stacks ? array(gp::stack({sum, product, x - y, sum}, axis))
                  : array(gp::concatenate({sum, product, x - y}, axis));
  };
  for (const std::int64_t n : {4, 5})
    for (const int axis : {0, 1, -1})
      for (const bool stacks : {true, false}) {
        CAPTURE(n);
        CAPTURE(axis);
        CAPTURE(stacks);
        CHECK(joined(n, axis, stacks).to_vector() == on_cpu([&] { return joined(n, axis, stacks); }));
      }
  const array x = counted({40}), y = counted({40});
  array pairs, sum;
  const calls made = f.calls_of([&] {
    sum = x + y;
    pairs = gp::stack({sum, x * y, x - y}, -1);
  });
  REQUIRE(made.size() == 1);
  CHECK(made[0].stores == 2);
  CHECK(pairs(3).to_vector() == std::vector<float>{6, 9, 0});
  pairs(3) = 1.f;
  CHECK(sum(3).item() == 6.f);  // a name of its own
}

TEST_CASE("kernels: a loop over the rows of what is pending stores it") {
  fixture f;
  const array prices = counted({60, 20});
  array gain;
  const calls made = f.calls_of([&] {
    const array up = gp::maximum(prices - 300.f, 0);
    gain = up(0);
    for (int day = 1; day < 60; ++day) gain = (gain * 13 + up(day)) / 14;
    gain.eval();
  });
  CHECK(made.size() <= 12);  // of few rows one by one, the array, and a loop
  // Planes of a picture are no loop.
  const array picture = counted({3, 20, 20});
  const calls planes = f.calls_of([&] {
    const array bright = picture * 0.5f;
    gp::eval(bright(0) + bright(1) + bright(2));
  });
  CHECK(planes.size() == 1);
}

TEST_CASE("kernels: a loop that is cut at a line with temporaries of its turn goes on elsewhere") {
  fixture f;
  const array r = counted({250, 16});
  const array ones = gp::ones<float>({16});
  ones.eval();
  const auto turns = [&](int n, bool other_first) {
    // The loop before leaves the line at which it was cut.
    if (other_first) {
      array a = ones, b = ones;
      for (int i = 0; i < 60; ++i) {
        a = (a * 13 + gp::maximum(r(i), 0)) / 14;
        b = (b * 13 + gp::maximum(-r(i), 0)) / 14;
      }
      gp::eval(a / b);
    }
    return f.calls_of([&] {
      array h = ones.copy(), sum = gp::zeros_like(h);
      for (int i = 0; i < n; ++i) {
        sum += gp::log(h) + gp::square(r(i)) / h;
        h = 0.05f + 0.1f * gp::square(r(i)) + 0.85f * h;
      }
      sum.eval();  // h, which is wanted later, is made of the same rows
    });
  };
  for (const int n : {100, 250})
    for (const bool other_first : {false, true}) CHECK(turns(n, other_first).size() <= 4);
}

TEST_CASE("kernels: reductions along rows of the same operands") {
  const auto program = [] {
    const array x = gp::sin(gp::arange<float>(64 * 64)).reshape({64, 64}), y = gp::cos(x),
                w = gp::arange<float>(64);
    gp::eval(x, y, w);
    const array dot = gp::sum(x * y * w, 1);
    const array nx = gp::sqrt(gp::sum(x * x, 1)), ny = gp::sqrt(gp::sum(y * y, 1));
    const array scaled = w * 2.f + 1.f;
    return array(dot / (nx * ny) * scaled + gp::max(x * scaled, -1));
  };
  const auto others = [] {
    const array x = gp::sin(gp::arange<float>(64 * 64)).reshape({64, 64});
    const array total = gp::sum(x, 1), largest = gp::max(x, 1), least = gp::min(x, 0);
    return array(x - total / largest + least);
  };
  const auto expected = on_cpu(program), as_before = on_cpu(others);
  fixture f;
  CHECK(program().to_vector() == expected);
  CHECK(others().to_vector() == as_before);
}
