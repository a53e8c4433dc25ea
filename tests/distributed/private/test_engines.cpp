// Engines do what every engine must do: that of threads, that of MPI where mpirun has started this process as
// a rank, and that of NCCL where ranks have GPUs.
#include <cstdlib>
#include <map>
#include <thread>

#include <distributed/mpi/mpi_engine.hpp>
#include <distributed/runtime/communicator_state.hpp>
#include <distributed/runtime/threads_engine.hpp>
#include <distributed/start/launch.hpp>

#include <gparray/gparray.hpp>

#include "distributed/private/engine_cases.hpp"
#include "distributed/ranks.hpp"

using namespace engine_cases;
using ranks::is_a_rank;

namespace {

/// Memory of this thread's GPU.
struct gpu_memory {
  static void* allocate(std::size_t n) {
    gp::ndarray<std::uint8_t> a = gp::empty<std::uint8_t>({static_cast<std::int64_t>(n + 1)});
    void* const data = a.data();
    const std::lock_guard held(lock);
    arrays.emplace(data, std::move(a));
    return data;
  }
  static void release(void* p) {
    const std::lock_guard held(lock);
    arrays.erase(p);
  }
  static gp::ndarray<std::uint8_t> part(const void* p, std::size_t n) {
    const std::lock_guard held(lock);
    return arrays.at(const_cast<void*>(p))(gp::slice(0, static_cast<std::int64_t>(n)));
  }
  static void put(void* to, const void* from, std::size_t n) {
    if (n > 0) gp::copyto(part(to, n), host(const_cast<void*>(from), n));
  }
  static void get(void* to, const void* from, std::size_t n) {
    if (n > 0) gp::copyto(host(to, n), part(from, n));
  }
  static gp::ndarray<std::uint8_t> host(void* p, std::size_t n) {
    return gp::frombuffer(static_cast<std::uint8_t*>(p), {static_cast<std::int64_t>(n)});
  }
  static gp::stream_view stream() { return gp::current_stream(); }

  static inline std::mutex lock;
  static inline std::map<void*, gp::ndarray<std::uint8_t>> arrays;
};

}  // namespace

TEST_CASE("threads") {
  for (const int n : {1, 2, 3, 5}) {
    CAPTURE(n);
    const auto fate = std::make_shared<gd::common_fate>(std::chrono::seconds(60));
    const auto engines = gd::thread_team(n, fate);
    std::vector<std::thread> threads;
    for (const auto& e : engines) threads.emplace_back([&e] { check_engine<host_memory>(*e, false); });
    for (std::thread& t : threads) t.join();
  }
}

TEST_CASE("MPI") {
  const gd::launch started = gd::find_launch();
  if (!started.by_mpi) return;
  gd::mpi_world& world = gd::mpi_world::get(std::chrono::seconds(60), started.size);
  // In one piece, and in pieces as messages of more than 2^30 bytes are.
  for (const std::size_t piece : {std::size_t{1} << 30, std::size_t{701}}) {
    gd::mpi_engine e(world, piece);
    CHECK(e.rank() == started.rank);
    CHECK(e.size() == started.size);
    check_engine<host_memory>(e, true);
  }
  // On another thread, too.
  std::thread([&] {
    gd::mpi_engine e(world);
    check_engine<host_memory>(e, true);
  }).join();
}

TEST_CASE("the engines of a world of processes") {
  if (!is_a_rank()) return;
  const gparray::distributed::communicator world = gparray::distributed::init();
  MESSAGE(world.engine());
  gd::communicator_state& state = world.state();
  check_engine<host_memory>(state.host(), gd::find_launch().by_mpi && world.size() > 1);
  if (!world.place().is_cuda() || world.size() == 1) return;
  REQUIRE(state.gpu());
  check_engine<gpu_memory>(*state.gpu(), true);
}

TEST_CASE("the engines of threads with a GPU each") {
  const int n = gp::default_device().is_cuda() ? gp::device_count() : 0;
  if (n < 2 || is_a_rank()) return;
  gparray::distributed::spawn(n, [&](const gparray::distributed::communicator& world) {
    REQUIRE(world.state().gpu());
    check_engine<gpu_memory>(*world.state().gpu(), true);
    check_engine<host_memory>(world.state().host(), false);
  });
}

TEST_CASE("collectives of GPUs in a graph") {
  if (!is_a_rank()) return;
  const gparray::distributed::communicator world = gparray::distributed::init();
  gd::engine* const e = world.state().gpu();
  if (!e) return;
  gp::ndarray<float> mine = gp::zeros<float>({4}), all = gp::zeros<float>({4 * world.size()}),
                     other = gp::zeros<float>({4});
  const int next = (world.rank() + 1) % world.size(), last = (world.rank() + world.size() - 1) % world.size();
  // What travels between two ranks travels for the first time there; so does what is gathered.
  gp::graph g = gp::capture([&] {
    const gp::stream_view on = gp::current_stream();
    mine += 1.f;
    e->all_gather(mine.data(), all.data(), 16, on);
    e->exchange(std::vector<gd::outgoing>{{next, mine.data(), 16}},
                std::vector<gd::incoming>{{last, other.data(), 16}}, on);
  });
  mine(gp::ellipsis) = static_cast<float>(10 * world.rank());
  for (int turn = 1; turn <= 100; ++turn) g.launch();
  CHECK(gp::asnumpy(other).item(3) == 10.f * static_cast<float>(last) + 100);
  for (int r = 0; r < world.size(); ++r)
    CHECK(gp::asnumpy(all).item(4 * r) == 10.f * static_cast<float>(r) + 100);
  e->poll();
}
