// all_reduce on several GPUs, one a rank, beside NCCL's own call: mpirun -n 2 build/bench/bench_distributed
// [LARGEST BYTES] Without MPI: RANK=0 WORLD_SIZE=2 GPARRAY_RENDEZVOUS=/tmp/bench
// build/bench/bench_distributed & RANK=1 ... Rank 0 prints microseconds of a call: enqueued one after the
// other, waited for each, and in a graph of 100. Then messages, and what steps of programs take: of heat, and
// of cg.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>

#include <distributed/nccl/nccl_engine.hpp>
#include <distributed/runtime/communicator_state.hpp>

#include <gparray/distributed.hpp>
#include <gparray/distributed/sparse/linalg.hpp>
#include <gparray/gparray.hpp>

namespace gp = gparray;
namespace gd = gparray::distributed;

namespace {

using work = std::function<void()>;

/// Microseconds of one of `turns` calls, by events of the device.
double queued(const gd::communicator& world, int turns, const work& f) {
  for (int i = 0; i < 3; ++i) f();
  gp::synchronize();
  world.barrier();
  gp::event start, end;
  start.record();
  for (int i = 0; i < turns; ++i) f();
  end.record();
  return gp::elapsed_time(start, end) * 1000 / turns;
}

double waited(const gd::communicator& world, int turns, const work& f) {
  world.barrier();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < turns; ++i) f(), gp::synchronize();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / turns;
}

double in_graph(const gd::communicator& world, const work& f) {
  constexpr int length = 100;
  gp::graph g = gp::capture([&] {
    for (int i = 0; i < length; ++i) f();
  });
  return queued(world, 20, [&] { g.launch(); }) / length;
}

/// A message each way of 64 KiB as NCCL does it, by the engine, and as an array.
void measure_messages(const gd::communicator& world, const gd::detail::nccl_table& calls,
                      gd::detail::nccl_comm comm, gd::detail::engine& engine, const char* where) {
  constexpr std::int64_t bytes = 1 << 16;
  const int next = (world.rank() + 1) % world.size(), last = (world.rank() + world.size() - 1) % world.size();
  gp::ndarray<std::uint8_t> x = gp::ones<std::uint8_t>({bytes}), y = gp::zeros<std::uint8_t>({bytes});
  void *const from = x.data(), *const to = y.data();
  const auto print = [&](const char* what, const work& f) {
    const double q = queued(world, 1000, f), w = waited(world, 250, f), g = in_graph(world, f);
    if (world.rank() == 0)
      std::printf("%12ld %-10s %10.2f %10.2f %10.2f  message on %s stream\n", static_cast<long>(bytes), what,
                  q, w, g, where);
  };
  print("bare", [&] {
    calls.GroupStart();
    calls.Send(from, bytes, gd::detail::nccl_byte, next, comm, gp::current_stream().native_handle());
    calls.Recv(to, bytes, gd::detail::nccl_byte, last, comm, gp::current_stream().native_handle());
    calls.GroupEnd();
  });
  print("engine", [&] {
    const gd::detail::outgoing out{next, from, bytes};
    const gd::detail::incoming in{last, to, bytes};
    engine.exchange({&out, 1}, {&in, 1}, gp::current_stream());
  });
  print("array", [&] { static_cast<void>(gd::send_recv(x, next, last, world)); });
}

void print_step(const gd::communicator& world, const char* what, std::int64_t n, double microseconds) {
  if (world.rank() == 0) std::printf("%-28s %6ld %10.2f us\n", what, static_cast<long>(n), microseconds);
}

/// Rows to columns of n x n, beside an all-to-all of as many bytes and two copies of a rank's part.
void measure_reshard(const gd::communicator& world, gd::detail::engine& engine, std::int64_t n) {
  const gd::sharded<double> a = gd::ones({n, n}, gd::layout::rows(world));
  const auto columns = gd::layout::blocks(world, {-1, 0});
  gp::ndarray<double> from = a.local().copy(), to = from.copy();
  std::vector<std::size_t> cuts;
  for (int r = 0; r <= world.size(); ++r)
    cuts.push_back(static_cast<std::size_t>(from.nbytes()) / static_cast<std::size_t>(world.size()) *
                   static_cast<std::size_t>(r));
  const double bare = queued(world, 50, [&] {
    gp::copyto(to, from);
    engine.all_to_all(to.data(), cuts, from.data(), cuts, gp::current_stream());
    gp::copyto(to, from);
  });
  const double ours = queued(world, 50, [&] { a.reshard(columns).local().eval(); });
  if (world.rank() == 0)
    std::printf("reshard %ld: %.1f us, of all-to-all and two copies (%.1f us) %.2f\n", static_cast<long>(n),
                ours, bare, ours / bare);
}

/// What an operation of sharded arrays costs the host beside one of the parts.
void measure_overhead(const gd::communicator& world) {
  const gd::sharded<double> a = gd::ones({1000}, gd::layout::rows(world)), b = a.copy();
  const gp::ndarray<double> x = a.local().copy(), y = x.copy();
  const auto print = [&](const char* what, const work& of_parts, const work& of_all) {
    double least[2] = {1e9, 1e9};
    for (int turn = 0; turn < 5; ++turn) {
      least[0] = std::min(least[0], waited(world, 1, [&] {
                                      for (int i = 0; i < 2000; ++i) of_parts();
                                    }) / 2000);
      least[1] = std::min(least[1], waited(world, 1, [&] {
                                      for (int i = 0; i < 2000; ++i) of_all();
                                    }) / 2000);
    }
    if (world.rank() == 0)
      std::printf("%s: %.2f us of parts, %.2f of a sharded array\n", what, least[0], least[1]);
  };
  print("a + b", [&] { (x + y).eval(); }, [&] { gd::sharded<double>(a + b).local().eval(); });
  print("a * 2 + b", [&] { (x * 2. + y).eval(); }, [&] { gd::sharded<double>(a * 2. + b).local().eval(); });
}

/// examples/heat_distributed.cpp with n x n points, and its pieces.
void measure_heat(const gd::communicator& world, std::int64_t n) {
  const auto rows = gd::layout::rows(world);
  gd::sharded<double> p = gd::zeros({n, n}, rows), f = gd::zeros({n, n}, rows);
  f(n / 2, n / 2) = 1e4;
  const auto step = [&] {
    gd::sharded<double> next = p.copy();
    next("1:-1, 1:-1") =
        0.25 * (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:") + 1e-6 * f("1:-1, 1:-1"));
    return next;
  };
  for (int i = 0; i < 50; ++i) p = step();
  gp::synchronize();
  std::this_thread::sleep_for(std::chrono::seconds(1));  // the kernels that are compiled meanwhile
  const int turns = n <= 1024 ? 2000 : 200;
  print_step(world, "heat, a step", n, queued(world, turns, [&] { p = step(); }));
  const auto tested = [&] {
    const gd::sharded<double> next = step();
    static_cast<void>(gp::linalg::norm(next - p).item());
    p = next;
  };
  print_step(world, "heat, a step that is tested", n, queued(world, turns, tested));
  print_step(world, "heat, a copy", n, queued(world, turns, [&] { static_cast<void>(p.copy()); }));
  const auto norm = [&] { static_cast<void>(gp::linalg::norm(p).item()); };
  print_step(world, "heat, a norm", n, queued(world, turns, norm));
}

/// A five-point matrix of n x n points.
void measure_cg(const gd::communicator& world, std::int64_t n) {
  namespace sp = gp::sparse;
  const auto rows = gd::layout::rows(world);
  const gd::sharded<double> grid = gd::ones({n, n}, rows);
  const gp::slice lines(grid.local_offset()[0], grid.local_offset()[0] + grid.local_shape()[0]);
  const auto second = sp::diags<double>({-1., 2., -1.}, {-1, 0, 1}, gp::dims{n, n});
  const auto one = sp::eye<double>(n);
  const auto a = gd::from_local(
      sp::kron(second(lines, gp::slice()), one) + sp::kron(one(lines, gp::slice()), second), rows);
  const gd::sharded<double> b = gd::from_local(grid.local().ravel(), rows);
  const auto product = [&] { gp::matmul(a, b).local().eval(); };
  print_step(world, "a sparse product", n, queued(world, 200, product));
  const auto dot = [&] { static_cast<void>(gp::vdot(b, b).item()); };
  print_step(world, "a dot product", n, queued(world, 200, dot));
  constexpr int iterations = 200;
  const auto solve = [&] {
    static_cast<void>(gd::sparse::linalg::cg(a, b, {.rtol = 1e-30, .maxiter = iterations}));
  };
  print_step(world, "cg, an iteration", n, waited(world, 4, solve) / iterations);
}

}  // namespace

int main(int argc, char** argv) {
  const gd::communicator world = gd::init();
  auto* const engine = dynamic_cast<gd::detail::nccl_engine*>(world.state().gpu());
  if (!engine) return std::fprintf(stderr, "it needs a GPU for each of at least two ranks\n"), 1;
  const auto largest = static_cast<std::int64_t>(argc > 1 ? std::atof(argv[1]) : double(1 << 30));
  const gd::detail::nccl_table& calls = gd::detail::nccl();

  // Nothing of ours is around the bare call.
  gd::detail::nccl_id id{};
  if (world.rank() == 0) calls.GetUniqueId(&id);
  world.state().host().broadcast(&id, sizeof id, 0, gp::default_stream(gp::device::cpu()));
  gd::detail::nccl_comm comm = nullptr;
  if (calls.CommInitRank(&comm, world.size(), id, world.rank()) != 0) return 1;

  const bool prints = world.rank() == 0;
  if (prints)
    std::printf("%d ranks, %s, %s\n%12s %-10s %10s %10s %10s %8s\n", world.size(), world.engine().c_str(),
                world.place().name().c_str(), "bytes", "all_reduce", "queued", "waited", "in graph",
                "of bare");
  for (const std::int64_t bytes :
       {std::int64_t{8}, std::int64_t{1} << 10, std::int64_t{1} << 16, std::int64_t{1} << 20,
        std::int64_t{1} << 25, std::int64_t{1} << 28, std::int64_t{1} << 30}) {
    if (bytes > largest) break;
    const std::int64_t n = bytes / 4;
    gp::ndarray<float> x = gp::full<float>({n}, static_cast<float>(world.rank() + 1)),
                       y = gp::zeros<float>({n});
    const float expected = static_cast<float>(world.size() * (world.size() + 1) / 2);
    float* const from = x.data();
    float* const to = y.data();
    const work bare = [&] {
      calls.AllReduce(from, to, static_cast<std::size_t>(n), 7, 0, comm,
                      gp::current_stream().native_handle());
    };
    // What is not looked at would not be summed up.
    const work exact = [&] { (y = gd::all_reduce(x, world)).eval(); };
    const work any = [&] { (y = gd::all_reduce(x, world, {.order = gd::order::any})).eval(); };
    const int turns = bytes <= 1 << 16 ? 1000 : bytes <= 1 << 25 ? 200 : 20;
    double of_bare = 0;
    for (const auto& [name, f] : {std::pair{"bare", &bare}, {"exact", &exact}, {"any", &any}}) {
      const double q = queued(world, turns, *f), w = waited(world, turns / 4, *f);
      const double g = bytes <= 1 << 20 ? in_graph(world, *f) : 0;
      if (f == &bare) of_bare = g > 0 ? g : q;
      (*f)();
      const bool right = gp::all(y == expected).item();
      if (prints)
        std::printf("%12ld %-10s %10.2f %10.2f %10.2f %8.2f%s\n", static_cast<long>(bytes), name, q, w, g,
                    (g > 0 ? g : q) / of_bare, right ? "" : "  WRONG");
    }
  }
  measure_messages(world, calls, comm, *engine, "the default");
  {
    const gp::stream own;
    const gp::stream_guard guard(own);
    measure_messages(world, calls, comm, *engine, "another");
    measure_heat(world, 256);
  }
  measure_overhead(world);
  measure_reshard(world, *engine, 8192);
  for (const std::int64_t n : {256, 2048, 8192}) measure_heat(world, n);
  for (const std::int64_t n : {256, 2048}) measure_cg(world, n);
  gp::synchronize();
  calls.CommDestroy(comm);
  world.barrier();
}
