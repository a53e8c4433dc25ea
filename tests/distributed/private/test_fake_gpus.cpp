// Ranks with a GPU each, of which there are none here: their results are those of the CPU, the host touches
// no memory of theirs, and what differs between ranks is said as elsewhere.
#include <gparray/distributed/sparse/linalg.hpp>

#include "distributed/order_cases.hpp"
#include "distributed/private/fake_gpu_ranks.hpp"

using namespace ranks;

namespace {

/// The five-point matrix of an n x n grid, on the CPU.
gp::sparse::csr_matrix<double> grid_matrix(std::int64_t n) {
  const gp::device_guard on_cpu(gp::device::cpu());
  const auto second = gp::sparse::diags<double>({-1., 2., -1.}, {-1, 0, 1}, gp::dims{n, n});
  const auto one = gp::sparse::eye<double>(n);
  return gp::sparse::kron(second, one) + gp::sparse::kron(one, second);
}

/// Its entries on the device of this rank.
gp::sparse::csr_matrix<double> here(const gp::sparse::csr_matrix<double>& a) {
  return {ranks::here(a.data()), ranks::here(a.indices()), ranks::here(a.indptr()), a.shape()};
}

}  // namespace

TEST_CASE("sparse products, windows, sums and files of ranks with a GPU each") {
  const auto matrix = grid_matrix(9);
  const gp::ndarray<double> numbers = some_numbers({81});
  const gp::ndarray<double> product = gp::matmul(matrix, numbers), plate = numbers.reshape({9, 9});
  const gp::ndarray<double> inner = plate(":-2") + plate("2:") * 2.;
  fake_ranks::session gpus;
  with_ranks({2}, [&](const gd::communicator& world, notes& note) {
    REQUIRE(world.engine().starts_with("nccl"));
    const auto rows = gd::layout::rows(world);
    const auto a = gd::shard(here(matrix), rows);
    const gd::sharded<double> x = gd::shard(ranks::here(numbers), rows);
    note.check(same_bits(gp::matmul(a, x).gather(), product), "product");
    const gd::sharded<double> p = gd::shard(ranks::here(plate), rows);
    note.check(same_bits(gd::sharded<double>(p(":-2") + p("2:") * 2.).gather(), inner), "windows");
    note.check(gp::allclose(gp::sum(p, 1).gather(), ranks::here(gp::ndarray<double>(gp::sum(plate, 1)))),
               "sums of rows");
    note.check(std::abs(gp::sum(p).item() - gp::sum(plate).item()) < 1e-10, "sum");
    note.check(gp::argmax(p).item() == gp::argmax(plate).item(), "argmax");
    note.check(same_bits(gd::sort(x).gather(), gp::sort(numbers)), "sort");
  });
}

TEST_CASE("elements by their numbers, borders and what is not zero of ranks with a GPU each") {
  const gp::ndarray<double> a = gp::floor(some_numbers({9, 6}));
  const gp::ndarray<std::int64_t> order = gp::random::Generator(3).permutation(9);
  const gp::ndarray<double> shuffled = gp::take(a, order, 0), some = gp::take(a, {5, -1, 5}, 0),
                            padded = gp::pad(a, 2, {.mode = "reflect"});
  const auto places = gp::nonzero(a);
  fake_ranks::session gpus;
  with_ranks({2}, [&](const gd::communicator& world, notes& note) {
    const auto x = gd::shard(ranks::here(a), gd::layout::rows(world));
    note.check(same_bits(gp::take(x, ranks::here(order), 0).gather(), shuffled), "by an array");
    note.check(same_bits(gp::take(x, {5, -1, 5}, 0).gather(), some), "by a list");
    note.check(same_bits(gp::pad(x, 2, "reflect").gather(), padded), "reflected");
    const auto mine = gp::nonzero(x);
    for (std::size_t k = 0; k < 2; ++k)
      note.check(same_bits(mine[k].gather(), gp::ndarray<std::int64_t>(places[k])), "not zero");
  });
}

TEST_CASE("sums of ranks with a GPU each have the bits of one rank") {
  fake_ranks::session gpus;
  const fake::touching_memory open;  // what the host must not touch is not the point, and takes its time
  const sampler taken;
  with_ranks(order_of_sums::rank_counts(), [&](const gd::communicator& world, notes& note) {
    order_of_sums order(world, note, taken);
    order.check_vectors();
    order.check_matrices();
    order.check_axes(true);
  });
}

TEST_CASE("a receiver that expects another size than is sent is told by any engine") {
  fake_ranks::session gpus;
  const std::string text = error_of<gd::distributed_error>([&] {
    gd::spawn(2, [](const gd::communicator& world) {
      if (world.rank() == 0) gd::send(gp::zeros<float>({3}), 1, world);
      else static_cast<void>(gd::recv<float>({4}, 0, world));
    });
  });
  CHECK(contains(text,
                 "rank 0 has sent 12 bytes to rank 1, which "
                 "expects 16"));
  // What came instead is out of the way.
  with_ranks({2}, [](const gd::communicator& world, notes& note) {
    const int other = 1 - world.rank();
    const std::string refused = error_of<gd::distributed_error>(
        [&] { static_cast<void>(gd::send_recv(gp::zeros<float>({3 + world.rank()}), other, other, world)); });
    note.check(contains(refused, "which expects"), "other sizes");
    const gp::ndarray<int> mine = gp::full<int>({5}, world.rank());
    note.check(gd::send_recv(mine, other, other, world).item(4) == other, "the next one");
  });
}

TEST_CASE("of a large copy that is overwritten inside the rim is copied") {
  constexpr std::int64_t rows = 4200, columns = 4096;
  const gp::ndarray<std::uint8_t> start = (gp::arange<std::uint32_t>(rows).reshape({rows, 1}) * 7919u ^
                                           gp::arange<std::uint32_t>(columns) * 104729u)
                                              .astype<std::uint8_t>();
  const auto step = [](const auto& p) {
    return p(":-3, 1:-1") + p("3:, 1:-1") + p("2:-1, :-2") * p("2:-1, 2:");
  };
  gp::ndarray<std::uint8_t> expected = start.copy(), in_place = start.copy();
  expected("2:-1, 1:-1") = step(start);
  in_place("2:-1, 1:-1") = step(in_place);
  fake_ranks::session gpus;
  with_ranks({2}, [&](const gd::communicator& world, notes& note) {
    using array = gd::sharded<std::uint8_t>;
    const array given = gd::shard(ranks::here(start), gd::layout::rows(world));
    const auto maps = [&](const auto& f) {
      world.barrier();
      const int before = gpus.now().maps;
      world.barrier();
      f();
      world.barrier();
      const int after = gpus.now().maps;
      world.barrier();
      return after - before;
    };
    array p = given.copy(), next = p.copy();
    next("2:-1, 1:-1") = step(p);  // makes room beside the blocks, as the second one does for several steps
    p = next.copy();
    next("2:-1, 1:-1") = step(p);
    p = next.copy();
    p("...") = given;
    // On each rank three sides, not the whole copy.
    array rim = p.copy();
    note.check(maps([&] { rim("2:-1, 1:-1") = step(p); }) == 2 * (3 + 1), "the rim");
    p("...") = 0;
    note.check(same_bits(rim.gather(), expected), "another array, and what was copied");
    p("...") = given;
    array same = p.copy();
    same("2:-1, 1:-1") = step(same);
    note.check(same_bits(same.gather(), in_place), "the same array");
    const array seen = p.copy(), kept = seen;
    const gp::ndarray<std::uint8_t> part = kept.local();
    seen("2:-1, 1:-1") = step(p);
    note.check(part.item(5, 5) == seen.local().item(5, 5), "one that somebody has looked at");
    const array late = p.copy();
    p("...") = 0;
    note.check(same_bits(late.gather(), start), "a copy before a write");
  });
}

TEST_CASE("what does not lie at a multiple of 16 bytes travels by way of what does, if it is large") {
  const gp::ndarray<float> numbers = some_numbers({100'000}).astype<float>();
  fake_ranks::session gpus;
  with_ranks({2}, [&](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const auto all_have_come = [&] { static_cast<void>(gd::all_gather_values(0, world)); };
    const auto check = [&](const char* what, std::int64_t cut, int maps) {
      const auto a = gd::shard(ranks::here(numbers), rows.with_boundaries(0, {0, cut, 100'000}));
      a.local().eval();
      all_have_come();
      const int before = gpus.now().maps;
      all_have_come();
      const auto made = a.reshard(rows);
      made.local().eval();
      all_have_come();
      const int after = gpus.now().maps;
      all_have_come();
      note.check(after - before == maps, std::string(what) + ": " + std::to_string(after - before));
      note.check(same_bits(made.gather(), numbers), what);
    };
    check("aligned", 20'000, 2);  // what each rank keeps
    check("large", 20'001, 3);    // and what comes
    check("small", 50'003, 2);
  });
}

TEST_CASE("a transform to another layout moves once, and is scaled as it moves") {
  const gp::ndarray<double> real = some_numbers({6, 8, 10});
  const gp::ndarray<std::complex<double>> numbers = real + real.copy() * std::complex<double>(0, 0.5);
  fake_ranks::session gpus;
  with_ranks({2}, [&](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world), columns = gd::layout::blocks(world, {-1, 0});
    const auto a = gd::shard(ranks::here(numbers), rows);
    const auto all_have_come = [&] { static_cast<void>(gd::all_gather_values(0, world)); };
    const auto look = [&](const char* what, const auto& f, int transforms, int maps) {
      f().local().eval();
      all_have_come();
      const auto before = gpus.now();
      const int transforms_before = gpus.transforms_run();
      all_have_come();
      f().local().eval();
      all_have_come();
      const auto made = gpus.now() - before;
      const int run = gpus.transforms_run() - transforms_before;
      all_have_come();
      note.check(made.exchanges == 2, std::string(what) + ": exchanges");
      note.check(run == 2 * transforms, std::string(what) + ": transforms");
      note.check(made.maps == 2 * maps, std::string(what) + ": maps, " + std::to_string(made.maps));
    };
    // What goes is packed, what stays is copied; there, and what comes is not beside the rest in the end.
    const gd::sharded<std::complex<double>> there = gp::fft::fftn(a, {}, columns);
    look("there", [&] { return gp::fft::fftn(a, {}, columns); }, 2, 2);
    look("back", [&] { return gp::fft::ifftn(there, {}, rows); }, 2, 2);
    note.check(gp::allclose(gp::fft::ifftn(there, {}, rows).gather(), ranks::here(numbers)),
               "the same again");
  });
}

TEST_CASE("GPUs sort large vectors in pieces that are merged while others travel") {
  // Two pieces of each rank.
  constexpr std::int64_t n = (std::int64_t{1} << 23) + 1001;
  gp::ndarray<double> numbers = gp::random::Generator(5).random<double>({n}) - 0.5;
  numbers("::3") = numbers("::3") * 0.;  // zeros of both signs
  numbers("::1001") = std::nan("");
  const gp::ndarray<double> sorted = gp::sort(numbers);
  fake_ranks::session gpus;
  with_ranks({2}, [&](const gd::communicator& world, notes& note) {
    const auto x = gd::shard(ranks::here(numbers), gd::layout::rows(world));
    static_cast<void>(gd::all_gather_values(0, world));
    const int before = gpus.now().exchanges;
    const gd::sharded<double> made = gd::sort(x);
    static_cast<void>(gd::all_gather_values(0, world));
    const int after = gpus.now().exchanges;
    static_cast<void>(gd::all_gather_values(0, world));
    note.check((after - before) / 2 == 2 + 2, "samples twice, two pieces: " + std::to_string(after - before));
    note.check(same_bits(made.gather(), sorted), "sort");
    note.check(made.local_shape() == x.local_shape(), "even");
  });
}

TEST_CASE("GPUs sort what has few different elements, and find those that differ") {
  gp::ndarray<float> numbers = gp::random::Generator(6).random<float>({5001}) - 0.5f;
  numbers("::3") = numbers("::3") * 0.f;
  numbers("::101") = std::nanf("");
  const gp::ndarray<std::int32_t> alike = gp::full<std::int32_t>({1 << 15}, 7);
  fake_ranks::session gpus;
  with_ranks({1, 2, 3}, [&](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const auto x = gd::shard(ranks::here(numbers), rows);
    note.check(same_bits(gd::unique(x).gather(), gp::unique(numbers)), "unique");
    note.check(same_bits(gd::argsort(x).gather(), gp::argsort(numbers)), "argsort");
    note.check(same_bits(gd::sort(gd::shard(ranks::here(alike), rows)).gather(), alike), "one number");
  });
}

TEST_CASE("a rank that is alone leaves a GPU's arrays there") {
  const gp::ndarray<double> numbers = some_numbers({40});
  const auto matrix = grid_matrix(5);
  fake_ranks::session gpus;
  with_ranks({1}, [&](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const gp::ndarray<double> x = ranks::here(numbers);
    const auto a = here(matrix);
    const auto waits = [&](const char* what, const auto& f) {
      const int before = gpus.now().waits;
      f();
      note.check(gpus.now().waits == before, what);
    };
    waits("scatter", [&] { gd::scatter(x, 0, world).eval(); });
    waits("scattered", [&] { gd::scatter(x, 0, rows).local().eval(); });
    waits("send_recv", [&] { gd::send_recv(x, 0, 0, world).eval(); });
    waits("all_reduce", [&] { gd::all_reduce(x, world).eval(); });
    waits("all_gather", [&] { gd::all_gather(x, world).eval(); });
    waits("reshard", [&] {
      gd::shard(x.reshape({4, 10}), rows).reshard(gd::layout::blocks(world, {-1, 0})).local().eval();
    });
    const gp::ndarray<double> large = gp::ones<double>({1 << 11, 1 << 10});
    waits("reshard of what is large",
          [&] { gd::shard(large, rows).reshard(gd::layout::blocks(world, {-1, 0})).local().eval(); });
    waits("roll", [&] { gp::roll(gd::shard(x, rows), 3, 0).local().eval(); });
    waits("gather", [&] { gd::shard(x, rows).gather().eval(); });
    waits("fft", [&] { gp::fft::fftn(gd::shard(x.reshape({5, 8}), rows)).local().eval(); });
    const auto wanted = gd::sparse::csr_matrix<double>(gd::shard(a, rows));
    waits("a sparse product",
          [&] { gp::matmul(wanted, gd::shard(x(gp::slice(0, 25)), rows)).local().eval(); });
    // To itself, in two calls.
    gd::send(x, 0, world);
    note.check(same_bits(gd::recv<double>({40}, 0, world), x), "send, and then recv");
  });
}

TEST_CASE("two GPUs leave to NCCL what is exact in every order") {
  constexpr std::int64_t n = 1'100'000;  // beyond what two ranks exchange as a whole
  fake_ranks::session gpus;
  with_ranks({2}, [&](const gd::communicator& world, notes& note) {
    const auto mine = [&](auto value, int rank) {
      gp::ndarray<decltype(value)> x = gp::full<decltype(value)>({n}, value);
      x(gp::slice(0, 3)) = static_cast<decltype(value)>(rank + 1);
      return x;
    };
    const auto check = [&](const char* what, auto value, gd::op how, const auto& f, int exchanges) {
      const auto x = mine(value, world.rank());
      world.barrier();
      const int before = gpus.now().exchanges;
      const auto result = gd::all_reduce(x, world, {.op = how});
      result.eval();
      world.barrier();
      const int after = gpus.now().exchanges;
      world.barrier();
      note.check(same_bits(result, f(mine(value, 0), mine(value, 1))), what);
      note.check(after - before == 2 * (exchanges + 1), std::string(what) + ": calls");  // and a barrier
    };
    const auto sum = [](const auto& a, const auto& b) { return (a + b).eval(); };
    check("float64", 0.1, gd::op::sum, sum, 1);
    check("int64", std::int64_t{7}, gd::op::sum, sum, 1);
    check("mean", 0.1, gd::op::mean, [](const auto& a, const auto& b) { return ((a + b) / 2.).eval(); }, 1);
    check(
        "max", std::int64_t{7}, gd::op::max,
        [](const auto& a, const auto& b) { return gp::maximum(a, b).eval(); }, 1);
    // Of NaN it makes something else.
    check(
        "max of float64", 0.1, gd::op::max,
        [](const auto& a, const auto& b) { return gp::maximum(a, b).eval(); }, 2);
  });
}

namespace {

using fake_ranks::counts;

/// What one call of f enqueues on each of two ranks, the third and those that follow.
template<class F>
counts of_a_rank(fake_ranks::session& gpus, const gd::communicator& world, const F& f) {
  constexpr int turns = 4;
  const auto all_have_come = [&] {
    static_cast<void>(gd::all_gather_values(0, world));
  };  // through host memory
  f(), f();
  all_have_come();
  const counts before = gpus.now();
  all_have_come();
  for (int i = 0; i < turns; ++i) f();
  all_have_come();
  const counts after = gpus.now();
  all_have_come();
  return (after - before).divided(2 * turns);
}

}  // namespace

TEST_CASE("what a step enqueues on each rank") {
  const auto matrix = grid_matrix(32);
  fake_ranks::session gpus;
  std::map<std::string, counts> found;
  with_ranks({2}, [&](const gd::communicator& world, notes&) {
    const auto rows = gd::layout::rows(world);
    const auto look = [&](const std::string& what, const auto& f) {
      const counts one = of_a_rank(gpus, world, f);
      if (world.rank() == 0) found[what] = one;
    };
    gd::sharded<double> p = gd::zeros({8, 512}, rows), source = gd::zeros({8, 512}, rows);
    const auto step = [&] {
      gd::sharded<double> next = p.copy();
      next("1:-1, 1:-1") = 0.25 * (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:") +
                                   1e-3 * source("1:-1, 1:-1"));
      return next;
    };
    look("a step", [&] { p = step(); });
    look("a step that is tested", [&] {
      const gd::sharded<double> next = step();
      static_cast<void>(gp::linalg::norm(next - p).item());
      p = next;
    });
    p = gd::zeros({256, 256}, rows);
    source = gd::zeros({256, 256}, rows);
    look("16 steps of larger blocks", [&] {
      for (int i = 0; i < 16; ++i) p = step();
    });
    for (const std::int64_t n : {10, 100'000}) {
      const gp::ndarray<float> x = gp::ones<float>({n});
      look("all_reduce of " + std::to_string(n), [&] { gd::all_reduce(x, world).eval(); });
    }
    const auto a = gd::shard(here(matrix), rows);
    const gd::sharded<double> b = gd::ones({32 * 32}, rows);
    look("a sparse product", [&] { gp::matmul(a, b).local().eval(); });
    look("a dot product", [&] { static_cast<void>(gp::vdot(b, b).item()); });
    const gd::sharded<double> c = b.copy();
    look("in place", [&] {
      c += b;
      c.local().eval();
    });
    look("a sum of two", [&] { gd::sharded<double>(b + 2. * b).local().eval(); });
    for (const int n : {5, 15})
      look("cg " + std::to_string(n),
           [&] { static_cast<void>(gd::sparse::linalg::cg(a, b, {.maxiter = n})); });
  });
  const auto expect = [&](const char* what, const counts& wanted) {
    CAPTURE(what);
    CHECK(found[what] == wanted);
  };
  // The copy and the five neighbours; the halo. The norm is computed with what it is of.
  expect("a step", {.maps = 2, .exchanges = 1});
  expect("16 steps of larger blocks", {.maps = 32, .exchanges = 1});
  // Of its blocks, and of their values.
  expect("a step that is tested", {.maps = 3, .reductions = 2, .exchanges = 2, .waits = 1});
  // To combine.
  expect("all_reduce of 10", {.maps = 1, .exchanges = 1});
  expect("all_reduce of 100000", {.maps = 1, .exchanges = 1});
  // What goes to the neighbours, and the own elements beside what comes.
  expect("a sparse product", {.maps = 1, .gathers = 1, .products = 1, .exchanges = 1});
  // All products are one block, to which each rank sends its own.
  expect("a dot product", {.reductions = 2, .copies = 1, .exchanges = 1, .waits = 1});
  expect("a sum of two", {.maps = 1});
  expect("in place", {.maps = 1});
  // On one GPU an iteration has 6 maps and two sums; elements are put beside others.
  const counts iteration = (found["cg 15"] - found["cg 5"]).divided(10);
  CAPTURE(iteration);
  CHECK(iteration.maps <= 7);
  CHECK(iteration.reductions == 4);
  CHECK(iteration.products == 1);
  CHECK(iteration.exchanges == 3);
  CHECK(iteration.waits <= 1);
}
