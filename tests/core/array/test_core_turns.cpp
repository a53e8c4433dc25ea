// How many kernels programs with loops and names become.
#include <algorithm>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/recorded_maps.hpp"

namespace gp = gparray;

namespace {

using array = gp::ndarray<float>;
using calls = fake::map_calls;
using fixture = fake::recorded_maps;

std::size_t kinds(calls of) {
  std::size_t n = 0;
  for (; !of.empty(); ++n) std::erase(of, fake::gpu_backend::map_call(of.back()));
  return n;
}

}  // namespace

TEST_CASE("kernels: an optimizer's step in place is one") {
  fixture f;
  array p = gp::zeros<float>({100}), m = gp::ones<float>({100}), v = gp::ones<float>({100});
  const array g = gp::ones<float>({100});
  const calls made = f.calls_of([&] {
    m *= 0.9f;
    m += 0.1f * g;
    v *= 0.99f;
    v += 0.01f * g * g;
    const array upper = m / 0.5f, lower = v / 0.25f;
    p -= 0.001f * upper / (gp::sqrt(lower) + 1e-8f);
    gp::eval(p, m, v);
  });
  REQUIRE(made.size() == 1);
  CHECK(made[0].stores == 2);
  CHECK(m(3).item() == 1.f);
}

TEST_CASE("kernels: of many names those that read the same are one each") {
  fixture f;
  // More than may wait: what has been made by then is computed.
  constexpr std::size_t lines = 100, wait = 256;
  const array apart = gp::ones<float>({100});
  std::vector<array> rows, doubles, squares, lonely;
  for (std::size_t i = 0; i < lines; ++i)
    rows.push_back(gp::eval(gp::arange<float>(100) + static_cast<float>(i)));
  const calls made = f.calls_of([&] {
    for (std::size_t i = 0; i < lines; ++i) {
      doubles.push_back(2 * rows[i]);
      lonely.push_back(rows[i](gp::slice(0, 50)) - apart(gp::slice(50, 100)));
      squares.push_back(rows[i] * rows[i]);
    }
  });
  const auto joined = std::count_if(made.begin(), made.end(), [](const auto& m) { return m.stores == 1; });
  CHECK(joined == wait / 3);
  CHECK(made.size() - static_cast<std::size_t>(joined) <= wait / 3 + 1);
  for (std::size_t i = 0; i < lines; ++i) {
    const float at = static_cast<float>(i + 7);
    CHECK(doubles[i](7).item() == 2 * at);
    CHECK(squares[i](7).item() == at * at);
    CHECK(lonely[i](7).item() == at - 1);
  }
}

TEST_CASE("kernels: of many names that are wanted together, too") {
  fixture f;
  std::vector<array> rows, w;
  for (int i = 0; i < 5; ++i) rows.push_back(gp::eval(gp::arange<float>(100) + i));
  const calls made = f.calls_of([&] {
    for (const array& row : rows) w.push_back(2 * row);
    for (const array& row : rows) w.push_back(row * row);
    gp::eval(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9]);
  });
  CHECK(made.size() == rows.size());
  CHECK(std::ranges::all_of(made, [](const auto& m) { return m.stores == 1; }));
  CHECK(w[1](7).item() == 16);
  CHECK(w[8](7).item() == 100);
}

TEST_CASE("kernels: of a loop there is one") {
  fixture f;
  array x = gp::ones<float>({100}), v = gp::zeros<float>({100});
  const array k = gp::ones<float>({100});
  const auto turns = [&](int n) {
    return f.calls_of([&] {
      for (int step = 0; step < n; ++step) {
        v -= 0.025f * (k * x + x * x * x);
        x += 0.05f * v;
        v -= 0.025f * (k * x + x * x * x);
      }
      gp::eval(x, v);
    });
  };
  const calls one = turns(60);
  REQUIRE(one.size() == 1);
  CHECK(one[0].steps == 60 * 14);
  CHECK(one[0].stores == 1);
  // Of longer ones few, alike: up to 1024 steps each.
  const calls more = turns(600);
  CHECK(more.size() <= 10);
  CHECK(kinds(calls(more.begin() + 1, more.end() - 1)) == 1);
  CHECK(f.fake.gpu.loops == static_cast<int>(1 + more.size()));  // a kernel goes round each
}

TEST_CASE("kernels: names that have nothing to do with a loop do not end its turns") {
  fixture f;
  const gp::ndarray<float> all = gp::ones<float>({9, 8, 40}).eval();
  std::vector<array> kept;
  const calls made = f.calls_of([&] {
    for (int i = 0; i < 9; ++i) kept.push_back(gp::roll(all(i), {i + 1, i}, {0, 1}));
    array x = gp::zeros<float>({8, 40}), y = gp::zeros<float>({8, 40});
    for (int i = 0; i < 9; ++i) {
      if (i % 3 != 0) x += static_cast<float>(i) * all(i);
      if (i % 2 != 0) y += static_cast<float>(i) * all(i);
    }
    CHECK(x.pending());
    gp::eval(x, y);
    CHECK(x(0, 0).item() == 27.f);
    CHECK(y(0, 0).item() == 16.f);
  });
  CHECK(std::ranges::count_if(made, [](const auto& m) { return m.jumps == 0; }) <= 3);
  CHECK(kept[3](1, 1).item() == 1.f);
}

TEST_CASE("kernels: a loop whose turns differ ends where a kernel does") {
  fixture f;
  array x = gp::ones<float>({100});
  const calls made = f.calls_of([&] {
    for (int step = 0; step < 60; ++step) {
      const array t = step % 7 == 3 ? array(gp::sqrt(gp::abs(x)) - 1.f) : array(x * x - x);
      x += step % 5 == 1 ? array(t * 0.5f) : array(t / (gp::abs(t) + 1.f));
    }
    gp::eval(x);
  });
  for (const auto& call : made) CHECK(call.steps <= 128);
  CHECK(made.size() <= 12);
}

TEST_CASE("kernels: of a loop with a mask and a count") {
  fixture f;
  const auto turns = [&](std::int64_t n, int count_of_turns) {
    const array cx = gp::ones<float>({n, 1}), cy = gp::ones<float>({n});
    return f.calls_of([&] {
      array x = gp::zeros_like(cx + cy), y = gp::zeros_like(x);
      gp::ndarray<std::int32_t> count = gp::zeros_like<std::int32_t>(x);
      for (int step = 0; step < count_of_turns; ++step) {
        const array x2 = x * x, y2 = y * y;
        const gp::ndarray<bool> inside = x2 + y2 <= 4;
        count += inside;
        y = gp::where(inside, 2 * x * y * 0.75f + cy, y);
        x = gp::where(inside, x2 - y2 + cx - 0.125f, x);
      }
      gp::eval(count);
    });
  };
  CHECK(turns(10, 50).size() == 1);  // zeros are numbers
  // More than half of the operands that a plan may have, but none that a turn adds: 15 steps a turn, up to
  // 1024 a plan.
  CHECK(turns(10, 200).size() <= 4);
}

TEST_CASE("kernels: a look at a loop computes all that a turn has named at once") {
  fixture f;
  enum look { element_of_view, part, whole_sum, mask, of_an_expression, copy, wait };
  const auto program = [](look at) {
    const array start = gp::linspace<float>(-1.5f, 1.5f, 300);
    start.eval();
    array x = start, y = start(gp::slice(gp::none, gp::none, -1)).copy();
    gp::ndarray<int> count = gp::zeros<int>({300});
    double seen = 0;
    for (int k = 0; k < 40; ++k) {
      const array x2 = x * x, y2 = y * y;
      const gp::ndarray<bool> inside = x2 + y2 < 4;
      count += inside;
      const array next_x = x2 - y2 - 0.75f, next_y = 2 * x * y + 0.125f;
      x = gp::where(inside, next_x, x);
      if (at == element_of_view && k % 10 == 9) seen += x(7).item();
      y = gp::where(inside, next_y, y);
      if (k % 10 != 9) continue;
      if (at == part) seen += x(gp::slice(3, 9)).copy()(2).item();
      if (at == whole_sum) seen += gp::sum(y).item();
      if (at == mask) seen += gp::any(inside).item();
      if (at == of_an_expression) seen += gp::max(gp::abs(x)).item();
      if (at == copy) seen += gp::asnumpy(x)(5).item();
      if (at == wait) gp::synchronize();
    }
    std::vector<double> result = count.astype<double>().to_vector();
    result.push_back(seen);
    return result;
  };
  for (const look at : {element_of_view, part, whole_sum, mask, of_an_expression, copy, wait}) {
    CAPTURE(static_cast<int>(at));
    std::vector<double> result;
    const calls made = f.calls_of([&] { result = program(at); });
    const auto loops = std::ranges::count_if(made, [](const auto& m) { return m.steps > 64; });
    CHECK(loops == 4);
    CHECK(made.size() <= 4 + 3 + 4);  // the first x and y, and what is made of a part
    CHECK(result == fake::on_cpu([&] { return gp::array(program(at)); }));
  }
}

TEST_CASE("kernels: what nobody reads of a loop is in none") {
  fixture f;
  const array other = gp::arange<float>(10);
  other.eval();
  const auto turns = [&](int with_unread, bool reads_other) {
    array x = gp::ones<float>({10});
    x.eval();
    return f.calls_of([&] {
      array y = x;
      for (int turn = 0; turn < 60; ++turn) {
        y = y * 0.5f + 0.25f;
        if (turn < with_unread) static_cast<void>((reads_other ? other : y) * y - 0.25f);
      }
      y.eval();
    });
  };
  const calls made = turns(0, false);
  CHECK(made.size() == 1);
  for (const bool reads_other : {true, false}) {
    CHECK(turns(4, reads_other) == made);
    CHECK(turns(60, reads_other) == made);
  }
}

TEST_CASE("kernels: what is filled like an array waits as a number") {
  fixture f;
  const array a = gp::arange<float>(100).reshape({10, 10});
  a.eval();
  array sum, b;
  const calls made = f.calls_of([&] {
    b = a * 2.f;
    sum = gp::full_like(b, 1);
    for (int k = 0; k < 3; ++k) sum += b;
    sum.eval();
  });
  REQUIRE(made.size() == 1);
  CHECK(made[0].stores == 0);
  CHECK(b.pending());
  CHECK(sum(9, 9).item() == 3 * 2 * 99 + 1);
  const array ones = gp::ones_like(b);
  CHECK(ones.pending());
  ones(0, gp::ellipsis) = 5.f;
  CHECK(gp::sum(ones).item() == 140.f);
  CHECK(gp::zeros_like(b, {.shape = {2, 3}})(1, 2).item() == 0.f);
  CHECK(gp::zeros_like(b.T(), {.order = gp::order::K}).is_f_contiguous());
  CHECK(gp::zeros_like(b, {.order = gp::order::F}).is_f_contiguous());
}

TEST_CASE("kernels: lines that look alike are no loop") {
  fixture f;
  const array image = gp::arange<float>(12 * 20).reshape({12, 20});
  image.eval();
  const calls made = f.calls_of([&] {
    const array across = image(":, 2:") - image(":, :-2");
    const array down = image("2:") - image(":-2");
    const array gx = across(":-2") + 2 * across("1:-1") + across("2:");
    const array gy = down(":, :-2") + 2 * down(":, 1:-1") + down(":, 2:");
    const array slope = gp::hypot(gx, gy);
    slope.eval();
  });
  REQUIRE(made.size() == 1);
  CHECK(made[0].inputs == 9);
  CHECK(made[0].stores == 0);
}

TEST_CASE("kernels: a stencil that is reduced is stored, if it has a name") {
  fixture f;
  const array image = gp::arange<float>(12 * 21).reshape({12, 21});
  image.eval();
  const auto middle = [&] {
    return image(":-2, 1:-1") + image("2:, 1:-1") + image("1:-1, :-2") + image("1:-1, 2:");
  };
  CHECK(f.calls_of([&] { gp::max(middle()).eval(); }).empty());
  float greatest = 0;
  const calls made = f.calls_of([&] {
    const array sums = middle();
    greatest = gp::max(sums).item();
  });
  CHECK(made.size() == 1);
  CHECK(greatest == 4 * (10 * 21 + 19));
  CHECK(f.calls_of([&] {
           const array twice = image * 2;
           gp::max(twice).eval();
         }).empty());
}

TEST_CASE("kernels: integers are divided once") {
  fixture f;
  const gp::ndarray<std::int64_t> place = gp::arange(600);
  const array a = gp::zeros<float>(600), b = gp::ones<float>(600);
  const gp::ndarray<bool> odd = place % 2 == 1, above = place - 7 == 1;
  const auto first = f.calls_of([&] { gp::where(odd, a, b).eval(); });
  REQUIRE(first.size() == 1);
  CHECK(first[0].stores == 1);
  const auto second = f.calls_of([&] { gp::where(odd, b, a).eval(); });
  REQUIRE(second.size() == 1);
  CHECK(second[0].steps == 1);
  // A difference is computed again.
  for (int k = 0; k < 2; ++k) {
    const auto each = f.calls_of([&] { gp::where(above, a, b).eval(); });
    REQUIRE(each.size() == 1);
    CHECK(each[0].stores == 0);
  }
}

TEST_CASE("kernels: one that reads another array in each turn") {
  fixture f;
  std::vector<array> days;
  for (int day = 0; day < 64; ++day) days.push_back(gp::ones<float>({100}));
  array mean = days[0].copy();
  const calls made = f.calls_of([&] {
    for (std::size_t day = 1; day < days.size(); ++day) mean = 0.5f * mean + 0.5f * days[day];
    mean.eval();
  });
  CHECK(made.size() <= 12);
  CHECK(kinds(made) <= 3);
}

TEST_CASE("kernels: a loop over the rows of an array is one, whatever their number") {
  fixture f;
  const std::int64_t turns = 120, n = 300;
  const array table = gp::sin(gp::arange<float>(turns * n)).reshape({turns, n}).eval();
  const array rates = gp::linspace<float>(0.f, 1.f, turns).copy();
  const std::vector<float> expected_rates = rates.to_vector();
  std::vector<float> mean(n, 0.f), slope(n, 0.f);
  const std::vector<float> numbers = table.to_vector();
  const auto at = [&](std::int64_t row, std::size_t i) {
    return numbers[static_cast<std::size_t>(row * n) + i];
  };
  SUBCASE("one after the other") {
    for (std::int64_t t = 0; t < turns; ++t)
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.75f * mean[i] + 0.25f * at(t, i);
    array x = gp::zeros<float>({n});
    const calls made = f.calls_of([&] {
      for (std::int64_t t = 0; t < turns; ++t) x = 0.75f * x + 0.25f * table(t);
      x.eval();
    });
    CHECK(made.size() == 1);
    CHECK(x.to_vector() == mean);
  }
  SUBCASE("backwards, with the row before and a number for each turn") {
    for (std::int64_t t = turns - 1; t-- > 0;)
      for (std::size_t i = 0; i < mean.size(); ++i) {
        const float step = at(t, i) - at(t + 1, i);
        slope[i] = slope[i] * expected_rates[static_cast<std::size_t>(t)] + step;
        mean[i] = mean[i] * 0.5f + slope[i];
      }
    array x = gp::zeros<float>({n}), v = gp::zeros<float>({n});
    const calls made = f.calls_of([&] {
      for (std::int64_t t = turns - 1; t-- > 0;) {
        const array step = table(t) - table(t + 1);
        v = v * rates(t) + step;
        x = x * 0.5f + v;
      }
      gp::eval(x, v);
    });
    CHECK(made.size() <= 4);  // of more than a thousand steps
    CHECK(x.to_vector() == mean);
    CHECK(v.to_vector() == slope);
  }
  SUBCASE("with an answer wanted in every tenth turn") {
    for (std::int64_t t = 0; t < turns; ++t)
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.75f * mean[i] + at(t, i);
    array x = gp::zeros<float>({n});
    for (std::int64_t t = 0; t < turns; ++t) {
      x = 0.75f * x + table(t);
      if (t % 10 == 9) CHECK(x(n - 1).item() != 0.f);
    }
    CHECK(x.to_vector() == mean);
  }
}

TEST_CASE("kernels: what begins where the next row does, and lies otherwise, is no row") {
  fixture f;
  const array table = gp::sin(gp::arange<float>(40 * 9)).reshape({40, 3, 3}).eval();
  const auto turns = [&](bool at_once) {
    array x = gp::zeros<float>({2, 3, 3});
    for (std::int64_t t = 0; t < 40; ++t) {
      const array row = table(t), other = t % 9 == 8 ? row.T() : row;
      x = 0.5f * x + other;
      if (at_once) x.eval();
    }
    return x.to_vector();
  };
  CHECK(turns(false) == turns(true));
}

TEST_CASE("kernels: differences of what is not stored are one") {
  fixture f;
  const array prices = gp::linspace<float>(1.f, 9.f, 600).reshape({30, 20}).copy();
  for (const int axis : {0, 1})
    for (const int n : {1, 2}) {
      const array slow = gp::diff(gp::log(prices).eval(), n, {.axis = axis});
      array result;
      const calls made = f.calls_of([&] { result = gp::diff(gp::log(prices), n, {.axis = axis}); });
      CHECK(made.size() == static_cast<std::size_t>(n));
      CHECK(result.to_vector() == slow.to_vector());
    }
  const array empty = gp::diff(gp::log(prices(":1")), 1, {.axis = 0});
  CHECK(empty.shape() == gp::dims{0, 20});
}

TEST_CASE(
    "kernels: a loop that reads small names which are pending is one, once they have been read before") {
  fixture f;
  const std::int64_t n = 20;
  const array c = (gp::arange<double>(n) * 0.125).astype<float>();
  const array cx = c - 2, cy = (c - 1.25)(":, None");
  const auto mandelbrot = [&] {
    array x = gp::zeros_like(cx + cy), y = gp::zeros_like(x);
    gp::ndarray<int> count = gp::zeros_like<int>(x);
    for (int turn = 0; turn < 50; ++turn) {
      const array x2 = x * x, y2 = y * y;
      const gp::ndarray<bool> inside = x2 + y2 <= 4;
      count += inside;
      y = gp::where(inside, 2 * x * y + cy, y);
      x = gp::where(inside, x2 - y2 + cx, x);
    }
    return count.eval();
  };
  gp::ndarray<int> first, second;
  f.calls_of([&] { first = mandelbrot(); });
  CHECK(f.calls_of([&] { second = mandelbrot(); }).size() == 1);
  CHECK(first.to_vector() == second.to_vector());
  CHECK(gp::sum(first).item() > 0);
}
