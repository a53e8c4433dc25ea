// Ranks with a GPU each, of which there are none here: their results are those of the CPU, the host touches
// no memory of theirs, and what differs between ranks is said as elsewhere.
#include "distributed/private/fake_gpu_ranks.hpp"
#include "distributed/ranks.hpp"

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
