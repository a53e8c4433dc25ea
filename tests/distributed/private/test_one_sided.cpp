// Ranks that write to the memory of each other's GPUs, of which there are none here, by the windows of a fake
// NCCL.
#include <distributed/collectives/one_sided.hpp>

#include "distributed/order_cases.hpp"
#include "distributed/private/fake_gpu_ranks.hpp"

using namespace ranks;

namespace {

/// While it lives, small arrays are written to other ranks' memory, too.
struct small_exchanges {
  small_exchanges() { gd::detail::one_sided_from = {.exchange = 4096, .piece = 4096, .run = 16}; }
  ~small_exchanges() { gd::detail::one_sided_from = {}; }
};

}  // namespace

TEST_CASE("GPUs write to each other's memory what is transformed and sorted, where NCCL has windows for it") {
  using complex = std::complex<double>;
  const gp::ndarray<double> real = some_numbers({18, 24, 20});
  const gp::ndarray<complex> numbers = real + real.copy() * complex(0, 0.5);
  const gp::ndarray<complex> transformed = gp::fft::fftn(numbers), half = gp::fft::rfftn(real);
  constexpr std::int64_t n = 20001;
  gp::ndarray<double> mixed = gp::random::Generator(5).random<double>({n}) - 0.5;
  mixed("::3") = mixed("::3") * 0.;
  mixed("::1001") = std::nan("");
  const gp::ndarray<double> sorted = gp::sort(mixed);
  const gp::ndarray<std::int64_t> order = gp::argsort(mixed);
  fake_ranks::session gpus(true);
  const small_exchanges now;
  with_ranks({2, 3, 4}, [&](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world), columns = gd::layout::blocks(world, {-1, 0});
    const auto met = [&] { static_cast<void>(gd::all_gather_values(0, world)); };
    /// How many exchanges and copies there were on each rank, and whether the numbers are right.
    const auto look = [&](const char* what, const auto& f, const auto& is_right, bool puts) {
      f().local().eval();  // once more: the landing is there then
      met();
      const int copies_before = fake_ranks::session::puts();
      met();
      const auto made = f();
      made.local().eval();
      met();
      const int copies = fake_ranks::session::puts() - copies_before;
      met();
      note.check((copies > 0) == puts, std::string(what) + ": copies, " + std::to_string(copies));
      note.check(is_right(made.gather()), what);
    };
    const auto a = gd::shard(ranks::here(numbers), rows);
    const auto r = gd::shard(ranks::here(real), rows);
    const auto close_to = [](const auto& expected) {
      return [&expected](const auto& made) { return bool(gp::allclose(made, ranks::here(expected))); };
    };
    look("there", [&] { return gp::fft::fftn(a, {}, columns); }, close_to(transformed), true);
    const gd::sharded<complex> there = gp::fft::fftn(a, {}, columns);
    look("back", [&] { return gp::fft::ifftn(there, {}, rows); }, close_to(numbers), true);
    look("there and back", [&] { return gp::fft::fftn(a); }, close_to(transformed), true);
    look("of real numbers", [&] { return gp::fft::rfftn(r, {}, columns); }, close_to(half), true);
    look(
        "small",
        [&] { return gp::fft::fftn(gd::shard(ranks::here(numbers)(":2,:2,:2"), rows), {}, columns); },
        [](const auto&) { return true; }, false);
    if (world.size() == 4) {  // which moves twice
      const auto grid = gd::layout::blocks(gd::mesh(world, {2, 2}), {0, 1});
      const gp::ndarray<complex> long_rows = ranks::here(numbers).reshape({16, 10, 54});
      look(
          "of a grid", [&] { return gp::fft::fftn(gd::shard(long_rows, grid)); },
          [&](const auto& made) { return bool(gp::allclose(made, gp::fft::fftn(long_rows))); }, true);
    }
    const auto x = gd::shard(ranks::here(mixed), rows);
    look(
        "sort", [&] { return gd::sort(x); }, [&](const auto& made) { return same_bits(made, sorted); }, true);
    look(
        "argsort", [&] { return gd::argsort(x); }, [&](const auto& made) { return same_bits(made, order); },
        true);
  });
  CHECK(fake_nccl::model.windows == 0);
  CHECK(fake_nccl::model.memory == 0);
}

TEST_CASE("GPUs send messages where some of them have no memory for others, or do not reach them") {
  const gp::ndarray<double> numbers = gp::random::Generator(5).random<double>({20001});
  const gp::ndarray<double> sorted = gp::sort(numbers);
  for (const bool reach : {true, false}) {
    fake_ranks::session gpus(true);
    const small_exchanges now;
    fake_nccl::model.reach_each_other = reach;
    fake_nccl::model.full_ranks = reach ? 1 : 0;
    with_ranks({2}, [&](const gd::communicator& world, notes& note) {
      const auto x = gd::shard(ranks::here(numbers), gd::layout::rows(world));
      note.check(same_bits(gd::sort(x).gather(), sorted), "sort by messages");
      note.check(fake_ranks::session::puts() == 0, "messages");
      note.check(same_bits(gd::sort(x).gather(), sorted), "sort");
      static_cast<void>(gd::all_gather_values(0, world));
      note.check((fake_ranks::session::puts() > 0) == reach, "puts where there is memory now");
    });
    CHECK(fake_nccl::model.windows == 0);
    CHECK(fake_nccl::model.memory == 0);
  }
}
