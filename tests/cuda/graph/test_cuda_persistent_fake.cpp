// Which loops become one persistent kernel, and how it is launched: on a fake device, without a GPU.
#include <algorithm>
#include <array>
#include <functional>

#include <gparray/error.hpp>

#include "cuda/support/persistent_fixture.hpp"
#include "support/error_text.hpp"

namespace gp = gparray;
using persistent::fixture;
using persistent::model;

namespace {

/// A body of four launches: map, reduction, 0-d map, copy.
struct heat {
  explicit heat(std::int64_t n) : p(gp::zeros({n, n})), p_new(gp::zeros({n, n})), go(gp::zeros<bool>({})) {}
  void operator()() {
    p_new("1:-1, 1:-1") = 0.25 * (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:"));
    go(gp::ellipsis) = gp::logical_not(gp::linalg::norm(p_new - p) < 1e-4);
    p(gp::ellipsis) = p_new;
  }
  gp::ndarray<double> p, p_new;
  gp::ndarray<bool> go;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// Why the loop is a conditional node.
template<class Body>
std::string reason_of(const fixture& f, const gp::ndarray<bool>& go, Body body) {
  const std::size_t before = f.conditional();
  model.cluster_launches.clear();
  model.changed_nodes.clear();
  gp::while_loop(go, body);
  CHECK(f.conditional() == before + 1);
  CHECK(model.cluster_launches.empty());
  return f.reason();
}

}  // namespace

TEST_CASE("persistent loop: one kernel after a conditional node that never runs its body") {
  fixture f;
  heat body(64);
  gp::graph g = gp::capture([&] { gp::while_loop(body.go, [&] { body(); }); });
  CHECK(f.persistent() == 1);
  CHECK(f.conditional() == 0);
  CHECK(g.node_count() == 3);  // condition, conditional node, kernel
  CHECK(model.changed_nodes == std::vector<std::size_t>{1});
  REQUIRE(model.cluster_launches.size() == 1);
  CHECK(model.cluster_launches[0].kernel == &persistent::kernel_stand_in);
  CHECK(model.cluster_launches[0].blocks == 8);
  CHECK(model.cluster_launches[0].cluster == 8);
  CHECK(model.cluster_launches[0].threads == 512);  // at least two teams
  g.launch();
  g.launch();
  CHECK(model.graph_launches.size() == 2);
}

TEST_CASE("persistent loop: threads wait only where a step needs another's results") {
  fixture f;
  heat body(64);
  gp::while_loop(body.go, [&] { body(); });
  REQUIRE(persistent::sources.size() == 1);
  const std::string text = persistent::sources[0];
  CAPTURE(text);
  // The parts of the norm, each after the stencil of what it reads; then the copy, and while all wait for it
  // each block ends the norm and compares it. So it knows the condition, which nobody loads.
  CHECK(count(text, "cluster_barrier barrier") == 1);
  CHECK(count(text, "barrier.wait();") == 1);
  CHECK(count(text, "share_blocks(") == 2);
  CHECK(count(text, "vector_map_part<expression_0>(") == 1);
  CHECK(count(text, "GPARRAY_SYNC_BLOCK();") == 1);
  CHECK(count(text, "barrier.compute_and_wait(") == 1);
  CHECK(count(text, "states_1.load(p.step_1)") == 1);
  CHECK(contains(text, ">(p.step_1, states_1);"));
  CHECK(contains(text, "map_point<expression_2>(p.step_2, v2)"));
  CHECK(contains(text, "return load_known<bool>(p.loop.condition, v2, v3)"));
  CHECK(count(text, "is_last_team()") == 0);
  // The first step writes the condition, so that all must have read it; and nothing else.
  gp::while_loop(body.go, [&] { body.go(gp::ellipsis) = gp::logical_not(body.go); });
  REQUIRE(persistent::sources.size() == 2);
  CHECK(count(persistent::sources[1], "barrier.wait();") == 1);
  // Equal bodies on other memory share the kernel.
  heat other(66);
  gp::while_loop(other.go, [&] { other(); });
  CHECK(persistent::sources.size() == 2);
  CHECK(f.persistent() == 3);
}

TEST_CASE("persistent loop: which maps are computed in parts, and whether all blocks compute the condition") {
  fixture f;
  gp::ndarray<double> x = gp::zeros({6000}), y = gp::zeros({6000}), s = gp::zeros({}), t = gp::zeros({});
  gp::ndarray<double> z = gp::zeros({80, 80}), w = gp::zeros({8, 60, 40});
  gp::ndarray<float> single = gp::zeros<float>({6000});
  gp::ndarray<bool> go = gp::zeros<bool>({});
  const auto below = [&](const gp::ndarray<double>& value) { go(gp::ellipsis) = value < 1e3; };
  struct {
    std::function<void()> body;
    std::size_t in_parts, known_to_all_blocks;
  } const cases[]{
      {[&] { x += 1.0, below(gp::sum(x)); }, 1, 1},
      {[&] { x += 1.0, below(gp::sum(x * y)); }, 1, 1},
      {[&] { z("2:-3, 1:") = z("1:-4, :-1") + 1.0, below(gp::sum(z)); }, 1, 1},
      {[&] { single += 1.0f, go(gp::ellipsis) = gp::sum(single) < 1e3f; }, 1, 1},
      // Two readers: the second one waits for all, in memory that was the first one's.
      {[&] { x += 1.0, t(gp::ellipsis) = gp::max(x * 2.0), below(gp::sum(x)); }, 1, 0},
      // Other elements than its own, not all of what was written, of a converted array, of more dimensions.
      {[&] { x += 1.0, below(gp::sum(x("2:") - x(":-2"))); }, 0, 1},
      {[&] { x += 1.0, below(gp::sum(x("10:"))); }, 0, 1},
      {[&] { x += 1.0, below(gp::sum(x("::-1"))); }, 1, 1},
      {[&] { w(":, 1:, 1:") = w(":, 1:, :-1") + 1.0, below(gp::sum(w)); }, 0, 1},
      // Something else between the map and the reduction needs the one, and is needed by the other.
      {[&] { x += 1.0, y(gp::ellipsis) = x("::-1"), below(gp::sum(x * y)); }, 0, 1},
      {[&] { x += 1.0, y += 1.0, below(gp::sum(x * y)); }, 0, 1},
      // The next iteration's first step changes what the others may still load, or loads what one stores; a
      // sum that is loaded beforehand does no harm.
      {[&] { x += s, below(gp::sum(x)); }, 1, 1},
      {[&] { x += s, s(gp::ellipsis) = gp::sum(x), below(s); }, 1, 0},
      {[&] { t += 1.0, x += 1.0, go(gp::ellipsis) = gp::sum(x) < t; }, 1, 0},
      // A running total: every block would need the last one's.
      {[&] { x += 1.0, s(gp::ellipsis) = gp::sum(x), t += s, go(gp::ellipsis) = t < 9.0; }, 1, 0},
      // What has just been stored is in a register.
      {[&] {
         x += 1.0, s(gp::ellipsis) = gp::sum(x), t(gp::ellipsis) = s + 1.0, go(gp::ellipsis) = s + t < 9.0;
       },
       1, 1},
  };
  for (const auto& c : cases) {
    CAPTURE(&c - cases);
    const std::size_t before = f.persistent();
    persistent::sources.clear();
    gp::core::cuda::exchange_persistent_maker(persistent::write_down);  // forgets earlier kernels
    gp::while_loop(go, c.body);
    CAPTURE(f.reason());
    REQUIRE(f.persistent() == before + 1);
    REQUIRE(persistent::sources.size() == 1);
    CHECK(count(persistent::sources[0], "vector_map_part<") == c.in_parts);
    CHECK(count(persistent::sources[0], "barrier.compute_and_wait(") == c.known_to_all_blocks);
  }
}

TEST_CASE("persistent loop: as many blocks as there is work for, and as the device has room for") {
  fixture f;
  heat tiny(40), small(78), large(256);
  gp::while_loop(tiny.go, [&] { tiny(); });
  gp::while_loop(small.go, [&] { small(); });
  gp::while_loop(large.go, [&] { large(); });
  model.largest_cluster = 4;
  gp::while_loop(small.go, [&] { small(); });  // too much for 4 blocks
  gp::while_loop(tiny.go, [&] { tiny(); });
  model.largest_cluster = 0;
  gp::while_loop(tiny.go, [&] { tiny(); });
  model.compute_capability = 8;
  gp::while_loop(tiny.go, [&] { tiny(); });
  const std::vector<std::array<unsigned, 3>> expected{{8, 8, 512}, {16, 16, 512}, {128, 0, 512}, {12, 0, 512},
                                                      {4, 4, 512}, {5, 0, 512},   {5, 0, 512}};
  REQUIRE(model.cluster_launches.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(model.cluster_launches[i].blocks == expected[i][0]);
    CHECK(model.cluster_launches[i].cluster == expected[i][1]);
    CHECK(model.cluster_launches[i].threads == expected[i][2]);
  }
  // Large bodies need a barrier of the grid.
  CHECK(contains(persistent::sources[0], "cluster_barrier barrier"));
  CHECK(std::ranges::any_of(persistent::sources,
                            [](const std::string& text) { return contains(text, "grid_barrier barrier"); }));
  model.cooperative = false;
  CHECK(contains(reason_of(f, tiny.go, [&] { tiny(); }), "no cooperative launches"));
  model.cooperative = true;
  model.multiprocessors = 8;
  CHECK(contains(reason_of(f, large.go, [&] { large(); }), "for which launches cost little"));
}

TEST_CASE("persistent loop: a cluster for little work in each phase, a grid for more, launches for much") {
  fixture f;
  const auto form_of = [](std::int64_t n, auto work) {
    heat body(n);
    model.cluster_launches.clear();
    gp::while_loop(body.go, [&] { work(body); });
    if (model.cluster_launches.empty()) return 'n';
    CHECK(model.cluster_launches[0].threads <= 768);  // of whom each has 80 registers
    return model.cluster_launches[0].cluster > 0 ? 'c' : 'g';
  };
  const auto copy = [](heat& body) { body.p(gp::ellipsis) = body.p_new; };
  const auto all = [](heat& body) { body(); };
  std::string forms, of_copy;
  for (const int n : {64, 80, 112, 128, 512, 700, 768, 1200}) {
    forms += form_of(n, all);
    of_copy += form_of(n, copy);
  }
  // 82 bytes of work for a point, of which a cluster takes 2 * 256 KB, a grid (112 + 4 * 40) KB a
  // multiprocessor.
  CHECK(forms == "ccgggnnn");
  // 16 bytes, in one phase and one step.
  CHECK(of_copy == "ccccgggn");
}

TEST_CASE("persistent loop: other loops stay conditional nodes") {
  fixture f;
  heat body(64), large(700);
  const auto reason = [&](const auto& work) { return reason_of(f, body.go, work); };
  CHECK(contains(reason([] {}), "empty"));
  CHECK(contains(reason_of(f, large.go, [&] { large(); }), "for which launches cost little"));
  CHECK(contains(reason([&] {
                   body();
                   body.p(gp::ellipsis) = gp::cumsum(body.p, 0);
                 }),
                 "no maps or reductions"));
  CHECK(contains(reason([&] {
                   body();
                   body.p.fill(0);
                   gp::copyto(body.p, gp::ndarray<double>(std::vector<double>(64)));
                 }),
                 "no maps or reductions"));
  CHECK(contains(reason([&] {
                   body();
                   gp::stream side;
                   side.wait(gp::current_stream());
                   {
                     const gp::stream_guard on(side);
                     body.p_new += 1.0;
                   }
                   gp::current_stream().wait(side);
                 }),
                 "no maps or reductions"));
  // More than 4 KB of parameters.
  const auto sums = [&] {
    body();
    body.p(0) = gp::sum(body.p_new, 0);
    body.p(1) = gp::sum(body.p_new, 1);
  };
  persistent::driver_version = 12000;
  CHECK(contains(reason(sums), "do not fit one kernel"));
  persistent::driver_version = 12010;
  gp::while_loop(body.go, sums);
  CHECK(f.persistent() == 1);
  model.cluster_launches.clear();
  model.changed_nodes.clear();
  gp::set_jit_mode(gp::jit::off);
  gp::while_loop(body.go, [&] { body(); });
  CHECK(f.persistent() == 1);
  CHECK(model.cluster_launches.empty());
  CHECK(model.changed_nodes.empty());
}

TEST_CASE("persistent loop: a kernel that does not compile, or a node that cannot be changed, is no error") {
  fixture f([](const gp::core::compile_request&, int) -> gp::core::cuda::loaded_kernel {
    throw gp::compile_error("no such luck");
  });
  heat body(64);
  CHECK(reason_of(f, body.go, [&] { body(); }) == "no such luck");
  gp::core::cuda::exchange_persistent_maker(persistent::write_down);
  gp::core::cuda::runtime.cudaGraphKernelNodeSetParams = [](cudaGraphNode_t, const cudaKernelNodeParams*) {
    return cudaErrorNotSupported;
  };
  CHECK(contains(reason_of(f, body.go, [&] { body(); }), "does not change the node"));
}

TEST_CASE("persistent loop: of loops within loops the inner one is persistent") {
  fixture f;
  gp::ndarray<double> i = gp::zeros({}), j = gp::zeros({});
  gp::ndarray<bool> outer = gp::zeros<bool>({}), inner = gp::zeros<bool>({});
  gp::graph g = gp::capture([&] {
    gp::while_loop(outer, [&] {
      j(gp::ellipsis) = 0.0;
      gp::while_loop(inner, [&] {
        j += 1.0;
        inner(gp::ellipsis) = j < 3.0;
      });
      i += 1.0;
      outer(gp::ellipsis) = i < 4.0;
    });
    gp::while_loop(inner, [&] { j += 1.0; }, {.max_iterations = 3});
  });
  CHECK(f.persistent() == 2);
  CHECK(f.conditional() == 1);
  // A grid of all multiprocessors is not launched within a loop.
  heat large(256);
  gp::while_loop(outer, [&] { gp::while_loop(large.go, [&] { large(); }); });
  CHECK(f.persistent() == 2);
  CHECK(f.conditional() == 3);
}

TEST_CASE("persistent loop: whichever call fails, nothing is leaked and no loop runs twice") {
  int n_calls = 0;
  for (int k = 0; k == 0 || k <= n_calls; ++k) {
    CAPTURE(k);
    fixture f;
    model.fail_at = k;
    try {
      heat body(64);
      gp::graph g = gp::capture([&] { gp::while_loop(body.go, [&] { body(); }); });
      g.launch();
      if (k == 0) n_calls = static_cast<int>(model.calls.size());
      CHECK(f.persistent() + f.conditional() == 1);
      CHECK(model.cluster_launches.size() == f.persistent());
      CHECK(model.changed_nodes.size() == f.persistent());
    } catch (const gp::cuda_error& e) {
      CHECK(contains(e.what(), model.calls[static_cast<std::size_t>(k) - 1]));
    } catch (const gp::value_error&) {
      CHECK(model.calls[static_cast<std::size_t>(k) - 1] == "cudaStreamIsCapturing");
    }
    CHECK(gp::core::recordings_under_way.load() == 0);
    CHECK(model.captures.empty());
    CHECK(model.graphs.empty());
    CHECK(model.executables.empty());
    CHECK(gp::core::cuda::persistent_trace::of({}) == nullptr);
  }
  CHECK(n_calls > 15);
}
