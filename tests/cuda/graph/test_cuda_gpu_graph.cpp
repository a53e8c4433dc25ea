// What only a real GPU shows of graphs: errors within captures, forked streams, memory in flight, loops
// without the host. What graphs compute on any device is in test_graph.cpp.
#include <optional>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <cuda/graph/persistent_loop.hpp>
#include <gparray/gparray.hpp>
#include <gparray/runtime/jit.hpp>
#include <plan/backend.hpp>

namespace gp = gparray;
using doubles = std::vector<double>;

namespace {

struct on_gpu {
  gp::device_guard guard{gp::device::cuda(0)};
};

bool no_gpu() { return gp::core::cuda_backend() == nullptr; }

/// Enough work to be still running when the host has gone on.
void long_work(gp::ndarray<double>& x) {
  for (int i = 0; i < 200; ++i) x += 1.0;
}

}  // namespace

TEST_CASE("cuda gpu graph: a matrix product may be the first thing of a process that is captured") {
  if (no_gpu()) return;
  const on_gpu here;
  gp::ndarray<float> a = gp::ones<float>({300, 200}), c = gp::zeros<float>({300, 300});
  gp::graph g = gp::capture([&] { c(gp::ellipsis) = gp::matmul(a, a.T()); });
  CHECK(gp::max(c).item() == 0);
  g.launch();
  CHECK(gp::all(c == 200.f).item());
  a *= 2.f;
  g.launch();
  CHECK(gp::all(c == 800.f).item());
}

TEST_CASE(
    "cuda gpu graph: arrays made in the capture outlive the graph, and what it used outlives its names") {
  if (no_gpu()) return;
  const on_gpu here;
  gp::ndarray<double> made, view;
  {
    std::optional<gp::graph> g;
    {
      gp::ndarray<double> x = gp::arange<double>(1 << 20);
      g = gp::capture([&] {
        const gp::ndarray<double> t = x * 2.0;
        made = t + 1.0;
        view = made("::2");
      });
    }
    // Memory that was x's or a temporary's would be written here.
    const gp::ndarray<double> other = gp::full({1 << 20}, -1.0), more = gp::full({1 << 20}, -2.0);
    g->launch();
    CHECK(made.item(1000) == 2001);
  }
  const gp::ndarray<double> other = gp::full({1 << 20}, -1.0), more = gp::full({1 << 20}, -2.0);
  CHECK(gp::all(made == gp::arange<double>(1 << 20) * 2.0 + 1.0).item());
  made = {};
  CHECK(view.item(500) == 2001);
}

TEST_CASE("cuda gpu graph: destroyed while it runs") {
  if (no_gpu()) return;
  const on_gpu here;
  gp::ndarray<double> x = gp::zeros({1 << 22}), out;
  gp::stream s;
  {
    gp::graph g = gp::capture([&] {
      gp::ndarray<double> t = x + 0.0;
      long_work(t);
      x(gp::ellipsis) = t;
    });
    s.wait(gp::current_stream());
    g.launch(s);
    g.launch(s);
  }
  // New memory, written on another stream, must not be the graph's.
  for (int i = 0; i < 4; ++i) out = gp::full({1 << 22}, -1.0);
  s.synchronize();
  CHECK(gp::all(x == 400.0).item());
}

TEST_CASE("cuda gpu graph: streams that fork and join become branches") {
  if (no_gpu()) return;
  const on_gpu here;
  gp::ndarray<double> x = gp::full({1 << 16}, 3.0), a = gp::zeros({1 << 16}), b = gp::zeros({1 << 16});
  gp::ndarray<double> sum = gp::zeros({1 << 16});
  gp::graph g = gp::capture([&] {
    gp::stream side;
    side.wait(gp::current_stream());
    {
      const gp::stream_guard on(side);
      for (int i = 0; i < 5; ++i) {
        const gp::ndarray<double> t = x * 2.0;
        b(gp::ellipsis) = t + gp::sum(t) * 0.0;
      }
    }
    for (int i = 0; i < 5; ++i) {
      const gp::ndarray<double> t = x + 1.0;
      a(gp::ellipsis) = t - 2.0 + gp::sum(t) * 0.0;
    }
    gp::current_stream().wait(side);
    sum(gp::ellipsis) = a + b;
  });
  for (int i = 0; i < 20; ++i) {
    sum.fill(0);
    g.launch();
    CHECK(gp::all(sum == 8.0).item());
  }
  CHECK(g.dot().find("->") != std::string::npos);
}

TEST_CASE("cuda gpu graph: copies to pinned memory are recorded, data from pageable memory taken once") {
  if (no_gpu()) return;
  const on_gpu here;
  gp::ndarray<double> x = gp::zeros({1000}), pinned = gp::zeros_pinned<double>({1000});
  gp::graph g = gp::capture([&] {
    x += gp::ndarray<double>(doubles(1000, 5.0));
    gp::copyto(pinned, x);
  });
  CHECK(pinned.to_vector()[0] == 0);
  for (int launch = 1; launch <= 3; ++launch) {
    g.launch();
    gp::synchronize();
    CHECK(pinned.to_vector() == doubles(1000, 5.0 * launch));
  }
}

TEST_CASE("cuda gpu graph: calls that would wait throw, and the capture is whole") {
  if (no_gpu()) return;
  const on_gpu here;
  gp::ndarray<double> x{1, 2, 3};
  int refused = 0;
  const auto refuse = [&](const auto& call) {
    try {
      call();
    } catch (const gp::value_error& e) {
      refused += std::string(e.what()).find("a graph is being captured") != std::string::npos;
    }
  };
  gp::graph g = gp::capture([&] {
    x += 1.0;
    refuse([&] { (void)x.item(0); });
    refuse([&] { (void)gp::asnumpy(x); });
    refuse([&] { (void)x.to_vector(); });
    refuse([&] {
      std::ostringstream text;
      text << x;
    });
    refuse([] { gp::synchronize(); });
    refuse([] { gp::current_stream().synchronize(); });
    x += 1.0;
  });
  CHECK(refused == 6);
  CHECK(g.node_count() == 2);
  g.launch();
  CHECK(x.to_vector() == doubles{3, 4, 5});
}

TEST_CASE("cuda gpu graph: a capture that fails leaves the device usable and its memory free") {
  if (no_gpu()) return;
  const on_gpu here;
  gp::synchronize();
  gp::memory_pool pool = gp::get_default_memory_pool();
  const std::size_t before = pool.used_bytes();
  gp::stream s;
  const auto fail_with = [&](const auto& end) {
    gp::ndarray<double> x = gp::zeros({1 << 20});
    try {
      gp::capture([&] {
        const gp::ndarray<double> t = x + 1.0;
        end(x);
      });
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(fail_with([](auto&) { throw std::runtime_error("mine"); }) == "mine");
  CHECK(fail_with([](auto& x) {
          const gp::ndarray<bool> go = gp::ones<bool>({});
          gp::while_loop(go, [&] {
            x += 1.0;
            throw std::runtime_error("in the body");
          });
        }) == "in the body");
  CHECK(fail_with([&](auto& x) {
          s.wait(gp::current_stream());
          const gp::stream_guard on(s);
          x += 1.0;
        }).find("must wait in the end for every stream") != std::string::npos);
  CHECK(fail_with([](auto&) { gp::capture([] {}); }).find("capturing a graph already") != std::string::npos);
  CHECK(pool.used_bytes() == before);
  gp::ndarray<double> x{1, 2, 3};
  gp::graph g = gp::capture([&] { x += 1.0; });
  s.wait(gp::current_stream());
  g.launch(s);
  s.synchronize();
  CHECK(x.to_vector() == doubles{2, 3, 4});
}

TEST_CASE("cuda gpu graph: a new kernel's first use may be in a capture, temporaries are the graph's") {
  if (no_gpu()) return;
  const on_gpu here;
  const gp::ndarray<float> x = gp::linspace<float>(0, 1, 1 << 20);
  gp::ndarray<float> y = gp::zeros<float>({1 << 20});
  const auto work = [&] { y(gp::ellipsis) = gp::sinh(x) * gp::cosh(x) - gp::cbrt(x) + gp::arctan(x); };
  gp::graph g = gp::capture(work);
  g.launch();
  const auto from_graph = gp::asnumpy(y.copy());
  work();
  CHECK(gp::all(from_graph == gp::asnumpy(y)).item());
  CHECK(gp::asnumpy(y).item(1 << 19) != 0);
}

TEST_CASE("cuda gpu graph: a loop of many iterations does not return to the host") {
  if (no_gpu()) return;
  const on_gpu here;
  gp::ndarray<double> x = gp::zeros({100});
  gp::ndarray<bool> go = gp::ones<bool>({});
  const auto steps = gp::while_loop(go, [&] {
    x += 1.0;
    go(gp::ellipsis) = gp::sum(x) < 100.0 * 20000;
  });
  CHECK(steps.item() == 20000);
  CHECK(gp::all(x == 20000.0).item());
  // One that has been made is launched in a few microseconds; the time of an iteration is printed.
  gp::graph g = gp::capture([&] {
    go(gp::ellipsis) = true;
    gp::while_loop(go, [&] { x += 1.0; }, {.max_iterations = 10000});
  });
  g.launch();
  gp::synchronize();
  const gp::event start = gp::current_stream().record();
  g.launch();
  const double ms = gp::elapsed_time(start, gp::current_stream().record());
  CHECK(gp::all(x == 40000.0).item());
  MESSAGE("an iteration of one kernel takes " << ms / 10 << " us");
}

TEST_CASE("cuda gpu graph: a small loop is one persistent kernel, with the results of a conditional node") {
  if (no_gpu()) return;
  const on_gpu here;
  const auto mode = gp::jit_mode();
  const bool has_clusters = gp::core::cuda_backend()->compute_capability(0).first >= 9;
  for (const std::int64_t n : {40, 100, 256, 400}) {
    CAPTURE(n);
    gp::ndarray<double> p = gp::zeros({n, n}), p_new = gp::zeros({n, n}), f = gp::zeros({n, n});
    gp::ndarray<bool> go = gp::zeros<bool>({});
    gp::ndarray<std::int64_t> steps = gp::zeros<std::int64_t>({});
    f(n / 2, n / 2) = 1.0;
    const auto loop = [&] {
      p.fill(0);
      p_new.fill(0);
      go(gp::ellipsis) = true;
      steps(gp::ellipsis) = gp::while_loop(
          go,
          [&] {
            p_new("1:-1, 1:-1") =
                0.25 * (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:") + f("1:-1, 1:-1"));
            go(gp::ellipsis) = gp::logical_not(gp::linalg::norm(p_new - p) < 1e-6);
            p(gp::ellipsis) = p_new;
          },
          {.max_iterations = 20000});
    };
    std::vector<double> values[2];
    std::int64_t counts[2];
    for (const bool persistent : {false, true}) {
      gp::set_jit_mode(persistent ? mode : gp::jit::off);
      const auto before = gp::core::cuda::counted_loops();
      gp::graph g = gp::capture(loop);
      const auto after = gp::core::cuda::counted_loops();
      CAPTURE(after.reason);
      if (mode != gp::jit::off && has_clusters) CHECK(after.persistent - before.persistent == persistent);
      g.launch();
      gp::synchronize();
      const gp::event start = gp::current_stream().record();
      g.launch();
      const double ms = gp::elapsed_time(start, gp::current_stream().record());
      counts[persistent] = steps.item();
      values[persistent] = p.to_vector();
      MESSAGE(n << " x " << n << std::string(persistent ? ", persistent: " : ", conditional: ")
                << ms * 1e3 / static_cast<double>(counts[persistent]) << " us for each of "
                << counts[persistent] << " iterations");
    }
    gp::set_jit_mode(mode);
    CHECK(counts[0] == counts[1]);
    CHECK(values[0] == values[1]);
  }
}
