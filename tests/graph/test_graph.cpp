// Graphs and device loops, on whatever device the tests run on.
#include <cmath>
#include <type_traits>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using doubles = std::vector<double>;

static_assert(!std::is_copy_constructible_v<gp::graph> && std::is_nothrow_move_constructible_v<gp::graph>);

TEST_CASE("graph: capture computes nothing, every launch computes anew") {
  gp::ndarray<double> x{1, 2, 3}, y = gp::zeros({3}), total = gp::zeros({});
  gp::graph g = gp::capture([&] {
    y("...") = gp::sin(x) * 2.0 + x;
    total(gp::ellipsis) = gp::sum(y);
  });
  CHECK(y.to_vector() == doubles{0, 0, 0});
  g.launch();
  const auto expected = [](double v) { return std::sin(v) * 2.0 + v; };
  for (int i = 0; i < 3; ++i) CHECK(y.item(i) == doctest::Approx(expected(i + 1)).epsilon(1e-15));
  CHECK(total.item() == doctest::Approx(expected(1) + expected(2) + expected(3)).epsilon(1e-15));
  x(gp::ellipsis) = gp::ndarray<double>{0, 0, 10};
  CHECK(y.item(0) != 0);  // nothing runs before the launch
  g.launch();
  CHECK(y.item(0) == 0);
  CHECK(y.item(2) == doctest::Approx(expected(10)).epsilon(1e-15));
  CHECK(g.device() == gp::default_device());
  CHECK(g.node_count() >= 1);
  CHECK(g.dot().find("digraph") == 0);
}

TEST_CASE("graph: expressions pending before the capture are no part of it") {
  gp::ndarray<double> x{1, 2, 3}, y = gp::zeros({3});
  const auto before = x + 1.0;
  gp::graph g = gp::capture([&] { y(gp::ellipsis) = y + before; });
  x(gp::ellipsis) = 100.0;
  g.launch();
  g.launch();
  CHECK(y.to_vector() == doubles{4, 6, 8});
}

TEST_CASE("graph: views, products, scans and counters in memory that is reused") {
  gp::ndarray<double> a = gp::arange<double>(64 * 48).reshape({64, 48});
  gp::ndarray<double> product = gp::zeros({64, 64}), sums = gp::zeros({48}), rows = gp::zeros({64, 48});
  const auto work = [&] {
    for (int i = 0; i < 3; ++i) {
      product(gp::ellipsis) = gp::matmul(a, a.T());
      sums(gp::ellipsis) = gp::sum(a * 2.0, 0);
      rows("::2") = gp::cumsum(a("::2"), 1);
      rows("1::2") = a("1::2, ::-1");
    }
  };
  gp::graph g = gp::capture(work);
  for (int launch = 0; launch < 2; ++launch) {
    g.launch();
    const auto first = product.to_vector(), second = sums.to_vector(), third = rows.to_vector();
    work();
    CHECK(product.to_vector() == first);
    CHECK(sums.to_vector() == second);
    CHECK(rows.to_vector() == third);
    CHECK(second[0] == doctest::Approx(2 * (48 * 63 * 32 + launch * 64)));
    a(gp::ellipsis) = a + 1.0;
    product.fill(0);
  }
}

TEST_CASE("graph: large reductions give the same bits in every launch") {
  gp::ndarray<float> x = gp::linspace<float>(0, 1, 3'000'000), total = gp::zeros<float>({});
  const float expected = gp::sum(x * x).item();
  gp::graph g = gp::capture([&] { total(gp::ellipsis) = gp::sum(x * x); });
  for (int i = 0; i < 3; ++i) {
    total.fill(0);
    g.launch();
    CHECK(total.item() == expected);
  }
}

TEST_CASE("graph: reductions behind temporaries that are gone, in a graph and in a loop") {
  gp::ndarray<double> x = gp::full({512, 512}, 3.0), out = gp::zeros({512, 512}), total = gp::zeros({});
  gp::ndarray<bool> go = gp::full({}, true);
  const auto work = [&] {
    out("1:-1") = 0.25 * (x(":-2") + x("2:") + 2.0 * x("1:-1"));
    total += gp::sum(out + x);
  };
  const double once = 3.0 * 512 * (512 + 510);
  gp::graph g = gp::capture(work);
  for (int launch = 1; launch <= 3; ++launch) {
    g.launch();
    CHECK(total.item() == launch * once);
  }
  total.fill(0);
  gp::while_loop(go, work, {.max_iterations = 50});
  CHECK(total.item() == 50 * once);
}

TEST_CASE("graph: on a stream of one's choice") {
  gp::ndarray<double> x{1, 2, 3};
  gp::graph g = gp::capture([&] { x += 1.0; });
  gp::stream s;
  s.wait(gp::current_stream());
  for (int i = 0; i < 5; ++i) g.launch(s);
  gp::current_stream().wait(s);
  CHECK(x.to_vector() == doubles{6, 7, 8});
}

TEST_CASE("graph: update") {
  gp::ndarray<double> x{1, 2, 3}, y{10, 20, 30}, out = gp::zeros({3});
  gp::graph g = gp::capture([&] { out(gp::ellipsis) = x + 1.0; });
  g.launch();
  CHECK(out.to_vector() == doubles{2, 3, 4});
  CHECK(g.update([&] { out(gp::ellipsis) = y + 2.0; }));  // the same kernel on other memory
  CHECK(out.to_vector() == doubles{2, 3, 4});
  g.launch();
  CHECK(out.to_vector() == doubles{12, 22, 32});
  const bool in_place = g.update([&] {
    out(gp::ellipsis) = y * 2.0;
    out(0) = gp::max(y);
    out(1) = gp::sum(x);
  });
  CHECK(in_place == gp::default_device().is_cpu());  // there nothing is built
  g.launch();
  CHECK(out.to_vector() == doubles{30, 6, 60});
}

TEST_CASE("graph: moved, and moved from") {
  gp::ndarray<double> x{1};
  gp::graph g = gp::capture([&] { x += 1.0; });
  gp::graph h = std::move(g);
  h.launch();
  CHECK(x.item() == 2);
  CHECK_THROWS_WITH_AS(g.launch(), "graph: this graph was moved from; capture a new one", gp::value_error);
  g = std::move(h);
  g.launch();
  CHECK(x.item() == 3);
}

TEST_CASE("graph: an empty graph can be launched, an empty function cannot be captured") {
  gp::graph g = gp::capture([] {});
  g.launch();
  gp::synchronize();
  CHECK_THROWS_AS(gp::capture({}), gp::value_error);
}

TEST_CASE("graph: what the work throws comes out, of the capture or of the launch") {
  gp::ndarray<double> x{1, 2, 3};
  const auto fail = [&] {
    gp::graph g = gp::capture([&] {
      x += 1.0;
      throw std::runtime_error("mine");
    });
    g.launch();
  };
  CHECK_THROWS_WITH_AS(fail(), "mine", std::runtime_error);
  CHECK(gp::current_stream() == gp::default_stream());
  if (gp::default_device().is_cpu()) return;  // there the function is not called before the launch
  gp::graph g = gp::capture([&] { x(gp::ellipsis) = 7.0; });
  CHECK_THROWS_AS(g.update([] { throw std::runtime_error("mine"); }), std::runtime_error);
  g.launch();
  CHECK(x.to_vector() == doubles{7, 7, 7});
}

TEST_CASE("while_loop: runs until the condition is false, and counts") {
  gp::ndarray<double> x{1};
  gp::ndarray<bool> small = gp::full({}, true);
  const auto steps = gp::while_loop(small, [&] {
    x(gp::ellipsis) = x * 2.0;
    small(gp::ellipsis) = gp::max(x) < 1000.0;
  });
  CHECK(x.item() == 1024);
  CHECK(steps.item() == 10);
  CHECK(steps.device() == gp::default_device());
  CHECK(!small.item());
  // A condition that is false from the start.
  CHECK(gp::while_loop(small, [&] { x += 1.0; }).item() == 0);
  CHECK(x.item() == 1024);
}

TEST_CASE("while_loop: at most max_iterations times") {
  gp::ndarray<double> x{0};
  const gp::ndarray<bool> forever = gp::full({}, true);
  const auto count = [&](std::int64_t most) {
    return gp::while_loop(forever, [&] { x += 1.0; }, {.max_iterations = most}).item();
  };
  CHECK(count(0) == 0);
  CHECK(count(1) == 1);
  CHECK(count(1000) == 1000);
  CHECK(x.item() == 1001);
  CHECK_THROWS_WITH_AS(count(-1), "while_loop: max_iterations must not be negative, got -1", gp::value_error);
  const gp::ndarray<bool> two = gp::full({2}, true);
  CHECK_THROWS_WITH_AS(gp::while_loop(two, [] {}),
                       "while_loop: the condition must be an array of one element, got shape (2,)",
                       gp::value_error);
}

TEST_CASE("while_loop: in a graph, launched again") {
  gp::ndarray<double> x{1, 1}, limit{100, 100};
  gp::ndarray<bool> go = gp::full({}, true);
  gp::ndarray<std::int64_t> steps = gp::zeros<std::int64_t>({});
  gp::graph g = gp::capture([&] {
    go(gp::ellipsis) = true;
    steps(gp::ellipsis) = gp::while_loop(go, [&] {
      x(gp::ellipsis) = x + x;
      go(gp::ellipsis) = gp::all(x < limit);
    });
    x += 0.5;
  });
  CHECK(x.item(0) == 1);
  g.launch();
  CHECK(x.to_vector() == doubles{128.5, 128.5});
  CHECK(steps.item() == 7);
  x(gp::ellipsis) = 30.0;
  g.launch();
  CHECK(x.to_vector() == doubles{120.5, 120.5});
  CHECK(steps.item() == 2);
}

TEST_CASE("while_loop: nested") {
  gp::ndarray<double> total{0}, i{0}, j{0};
  gp::ndarray<bool> outer = gp::full({}, true), inner = gp::full({}, true);
  const auto runs = gp::while_loop(outer, [&] {
    j(gp::ellipsis) = 0.0;
    inner(gp::ellipsis) = true;
    gp::while_loop(inner, [&] {
      total += i;
      j += 1.0;
      inner(gp::ellipsis) = gp::max(j) < 3.0;
    });
    i += 1.0;
    outer(gp::ellipsis) = gp::max(i) < 4.0;
  });
  CHECK(runs.item() == 4);
  CHECK(total.item() == 3 * (0 + 1 + 2 + 3));
}

TEST_CASE("while_loop: what the body throws comes out") {
  gp::ndarray<double> x{1};
  const gp::ndarray<bool> go = gp::full({}, true);
  const auto loop = [&] {
    gp::while_loop(go, [&] {
      x += 1.0;
      throw std::runtime_error("mine");
    });
  };
  CHECK_THROWS_WITH_AS(loop(), "mine", std::runtime_error);
  CHECK(gp::current_stream() == gp::default_stream());
  CHECK((x + 1.0).to_vector().size() == 1);
}
