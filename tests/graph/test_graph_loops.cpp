// Loops of graphs against the same operations called one by one on the same device: not a bit may differ,
// whatever way the device repeats them.
#include <functional>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

using arrays = std::vector<gp::ndarray<double>>;
using step = std::function<void(arrays&, gp::ndarray<bool>&)>;

/// Runs `body` as a loop and one by one; returns how often it ran.
std::int64_t compare(const arrays& values, std::int64_t most, const step& body) {
  arrays looped, plain;
  for (const gp::ndarray<double>& v : values) {
    looped.push_back(v.copy());
    plain.push_back(v.copy());
  }
  gp::ndarray<bool> go = gp::full({}, true), go_plain = gp::full({}, true);
  const auto runs = gp::while_loop(go, [&] { body(looped, go); }, {.max_iterations = most});
  std::int64_t n = 0;
  for (; n < most && go_plain.item(); ++n) body(plain, go_plain);
  CHECK(runs.item() == n);
  CHECK(go.item() == go_plain.item());
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(gp::array_equal(looped[i], plain[i]));
  return n;
}

gp::ndarray<double> waves(gp::dims shape) {
  const std::int64_t n = gp::zeros(shape).size();
  return gp::sin(gp::arange<double>(static_cast<double>(n)) * 0.37).reshape(shape);
}

/// A cold plate with a hot spot.
void relax(arrays& v, gp::ndarray<bool>& go) {
  v[1]("1:-1, 1:-1") = 0.25 * (v[0](":-2, 1:-1") + v[0]("2:, 1:-1") + v[0]("1:-1, :-2") + v[0]("1:-1, 2:") +
                               v[2]("1:-1, 1:-1"));
  go(gp::ellipsis) = gp::logical_not(gp::linalg::norm(v[1] - v[0]) < 1e-3);
  v[0](gp::ellipsis) = v[1];
}

arrays plate(std::int64_t n) {
  arrays v{gp::zeros({n, n}), gp::zeros({n, n}), gp::zeros({n, n})};
  v[2](n / 2, n / 2) = 10.0;
  return v;
}

}  // namespace

TEST_CASE("while_loop: a relaxation of any size until it has converged") {
  for (const std::int64_t n : {3, 8, 33, 64, 150, 256, 700}) {
    CAPTURE(n);
    CHECK(compare(plate(n), 150, relax) >= 2);
  }
  // Never converged: the counter ends it.
  CHECK(compare(plate(64), 7, relax) == 7);
  CHECK(compare(plate(64), 1, relax) == 1);
  CHECK(compare(plate(64), 0, relax) == 0);
}

TEST_CASE("while_loop: one element") {
  const step newton = [](arrays& v, gp::ndarray<bool>& go) {
    v[0](gp::ellipsis) = 0.5 * (v[0] + 2.0 / v[0]);
    go(gp::ellipsis) = gp::abs(v[0] * v[0] - 2.0) > 1e-12;
  };
  CHECK(compare({gp::ones({})}, 100, newton) == 5);
}

TEST_CASE("while_loop: reductions of rows, columns, everything and strided parts, several in one body") {
  const step mixed = [](arrays& v, gp::ndarray<bool>& go) {
    v[1](gp::ellipsis) = gp::sum(v[0], 0);
    v[2](gp::ellipsis) = gp::var(v[0] * 2.0, 1);
    v[3](gp::ellipsis) = gp::max(v[0]("::3, ::-2")) + gp::mean(v[1]) - gp::min(v[2]);
    v[0]("::2") = v[0]("1::2") * 0.5 + v[1];
    v[0](gp::ellipsis) = v[0] / (1.0 + gp::abs(v[3])) + gp::std(v[0].T(), 0)(gp::all, gp::newaxis);
    go(gp::ellipsis) = gp::sum(v[0] * v[0]) > 0.0;
  };
  CHECK(compare({waves({64, 48}), gp::zeros({48}), gp::zeros({64}), gp::zeros({})}, 12, mixed) == 12);
  CHECK(compare({waves({600, 130}), gp::zeros({130}), gp::zeros({600}), gp::zeros({})}, 5, mixed) == 5);
  CHECK(compare({waves({2, 30000}), gp::zeros({30000}), gp::zeros({2}), gp::zeros({})}, 5, mixed) == 5);
}

TEST_CASE(
    "while_loop: steps that read what an earlier step of the same iteration, or of the last one, wrote") {
  const step chain = [](arrays& v, gp::ndarray<bool>& go) {
    go(gp::ellipsis) = gp::max(v[0]) < 1e6;
    v[0]("1:") = v[0](":-1") * 1.01 + v[1]("1:");
    v[1](gp::ellipsis) = v[0]("::-1") + v[2];
    v[2] += 1.0;
    v[0]("::2") = v[1]("::-2");
  };
  CHECK(compare({waves({20000}), waves({20000}), gp::zeros({20000})}, 60, chain) > 10);
}

TEST_CASE("while_loop: a reduction of what the step before it wrote, all of it or some") {
  struct {
    gp::dims shape;
    step body;
  } const cases[]{// More parts than a warp keeps in registers.
                  {{650000},
                   [](arrays& v, gp::ndarray<bool>& go) {
                     v[0] *= 1.5;
                     v[1](gp::ellipsis) = gp::sum(v[0]);
                     go(gp::ellipsis) = v[1] < 1e9;
                   }},
                  // All of it, in one row; with a second reduction of the same.
                  {{70, 71},
                   [](arrays& v, gp::ndarray<bool>& go) {
                     v[0] *= 1.5;
                     v[1](gp::ellipsis) = gp::sum(gp::abs(v[0]));
                     go(gp::ellipsis) = gp::max(v[0]) < 50.0;
                   }},
                  // Rows within the array, and what is not written.
                  {{90, 77},
                   [](arrays& v, gp::ndarray<bool>& go) {
                     v[0]("3:-5, 7:-2") = v[0]("2:-6, 6:-3") * 1.01 + v[0]("4:-4, 8:-1");
                     v[1](gp::ellipsis) = gp::linalg::norm(v[0]);
                     go(gp::ellipsis) = v[1] < 1e9;
                     v[0](gp::ellipsis) = gp::sin(v[0]) + 0.1;
                   }},
                  // Rows whose parts begin elsewhere than those of the array.
                  {{10, 997},
                   [](arrays& v, gp::ndarray<bool>& go) {
                     v[0]("1:, 1:") = v[0](":-1, :-1") + 1.0;
                     v[1](gp::ellipsis) = gp::sum(v[0] * v[0]);
                     go(gp::ellipsis) = v[1] < 1e6;
                   }},
                  // Neighbours are read, or not all that was written: all must wait.
                  {{5000},
                   [](arrays& v, gp::ndarray<bool>& go) {
                     v[0] *= 1.25;
                     v[1](gp::ellipsis) = gp::linalg::norm(v[0]("1:") - v[0](":-1"));
                     go(gp::ellipsis) = v[1] < 1e4;
                   }},
                  {{9000},
                   [](arrays& v, gp::ndarray<bool>& go) {
                     v[0] += 0.5;
                     v[1](gp::ellipsis) = gp::sum(v[0]("1000:8000"));
                     go(gp::ellipsis) = v[1] < 1e5;
                   }},
                  // Written after it was reduced.
                  {{4100}, [](arrays& v, gp::ndarray<bool>& go) {
                     v[0] += 0.5;
                     v[1](gp::ellipsis) = gp::sum(v[0]);
                     v[0](0) = v[1] / 4100.0;
                     go(gp::ellipsis) = v[1] < 1e5;
                   }}};
  for (const auto& c : cases) {
    CAPTURE(c.shape.size());
    CAPTURE(c.shape[0]);
    const std::int64_t n = compare({waves(c.shape), gp::zeros({})}, 40, c.body);
    CHECK(n > 3);
  }
}

TEST_CASE("while_loop: what the last step stores and the next iteration reads") {
  const std::initializer_list<step> bodies{
      // A counter beside the condition: each block would have to see the last one's.
      [](arrays& v, gp::ndarray<bool>& go) {
        v[0] *= 1.1;
        v[1] += 1.0;
        go(gp::ellipsis) = gp::sum(v[0]) + v[1] < 1e5;
      },
      // The first step reads the last one's sum.
      [](arrays& v, gp::ndarray<bool>& go) {
        v[0](gp::ellipsis) = v[0] * 0.5 + v[1];
        v[1](gp::ellipsis) = gp::sum(v[0]) / 6000.0 + 1.0;
        go(gp::ellipsis) = v[1] < 1e5;
      },
      // A limit that the first step changes.
      [](arrays& v, gp::ndarray<bool>& go) {
        v[2] -= 1.0;
        v[0] += 1.0;
        go(gp::ellipsis) = gp::sum(v[0]) < 6000.0 * (v[2] + 100.0);
      },
      // Nothing of it: all blocks tell themselves.
      [](arrays& v, gp::ndarray<bool>& go) {
        v[0] += 1.0;
        v[1](gp::ellipsis) = gp::sqrt(gp::sum(v[0]));
        v[2](gp::ellipsis) = v[1] * 2.0;
        go(gp::ellipsis) = gp::logical_and(v[1] < 400.0, v[2] < 500.0);
      }};
  for (const step& body : bodies) CHECK(compare({waves({6000}), gp::zeros({}), gp::zeros({})}, 60, body) > 3);
}

TEST_CASE("while_loop: bodies with anything else in them") {
  const step product = [](arrays& v, gp::ndarray<bool>& go) {
    v[1](gp::ellipsis) = gp::matmul(v[0], v[0].T());
    v[0](gp::ellipsis) = v[1] / gp::linalg::norm(v[1]) + gp::cumsum(v[0], 1) * 1e-3;
    v[1].fill(0);
    go(gp::ellipsis) = gp::sum(v[0]) > -1e9;
  };
  CHECK(compare({waves({40, 40}), gp::zeros({40, 40})}, 20, product) == 20);
}

TEST_CASE("while_loop: two loops in one graph, launched again and again") {
  gp::ndarray<double> x = gp::ones({5000}), y = gp::ones({5000});
  gp::ndarray<bool> go = gp::full({}, true), more = gp::full({}, true);
  gp::ndarray<std::int64_t> first = gp::zeros<std::int64_t>({}), second = gp::zeros<std::int64_t>({});
  gp::graph g = gp::capture([&] {
    go(gp::ellipsis) = true;
    more(gp::ellipsis) = true;
    first(gp::ellipsis) = gp::while_loop(go, [&] {
      x *= 2.0;
      go(gp::ellipsis) = gp::sum(x) < 5000.0 * 1000;
    });
    second(gp::ellipsis) = gp::while_loop(more, [&] {
      y += x;
      more(gp::ellipsis) = gp::max(y) < 10000.0;
    });
    x /= 1024.0;
    y /= 10000.0;
  });
  for (int launch = 0; launch < 3; ++launch) {
    g.launch();
    CHECK(first.item() == 10);
    CHECK(second.item() == 10);
    CHECK(gp::all(x == 1.0).item());
    y(gp::ellipsis) = 1.0;
  }
  // Another graph of the same shape in its place.
  gp::ndarray<double> z = gp::ones({5000});
  g.update([&] {
    go(gp::ellipsis) = true;
    gp::while_loop(go, [&] {
      z *= 4.0;
      go(gp::ellipsis) = gp::sum(z) < 5000.0 * 1000;
    });
  });
  g.launch();
  CHECK(gp::all(z == 1024.0).item());
}

TEST_CASE("while_loop: loops within loops") {
  const step nested = [](arrays& v, gp::ndarray<bool>& go) {
    gp::ndarray<bool> inner = gp::full({}, true);
    v[1](gp::ellipsis) = 0.0;
    gp::while_loop(inner, [&] {
      v[0] += v[1];
      v[1] += 1.0;
      inner(gp::ellipsis) = gp::max(v[1]) < 3.0;
    });
    v[2] += 1.0;
    go(gp::ellipsis) = gp::sum(v[2]) < 40000.0;
  };
  CHECK(compare({waves({10000}), gp::zeros({10000}), gp::zeros({10000})}, 100, nested) == 4);
}
