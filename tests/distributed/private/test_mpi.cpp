// The engine of MPI on a fake one: whatever fails, and what is too long for one message.
#include <chrono>
#include <cstdlib>
#include <numeric>

#include <distributed/mpi/mpi_engine.hpp>

#include "distributed/private/fake_mpi.hpp"
#include "support/error_text.hpp"
#include "support/missing_libraries.hpp"

namespace gp = gparray;
namespace gd = gparray::distributed::detail;
using fake_mpi::model;
using namespace std::chrono_literals;

namespace {

const gd::mpi_table table = fake_mpi::table();

/// A world of two ranks, of which this one is the first.
gd::mpi_world make_world(std::chrono::milliseconds timeout = 10s) { return {table, timeout, 2}; }

const gp::stream_view on = gp::default_stream(gp::device::cpu());

/// Every function of the engine once.
void use_all(gd::mpi_engine& e) {
  std::vector<unsigned char> small(64), large(400);
  e.all_gather(small.data(), large.data(), 8, on);
  e.all_gather(small.data(), large.data(), 60,
               on);  // with pieces of 100 bytes too long to be gathered by MPI
  const std::size_t offsets[] = {0, 10, 64};
  e.all_to_all(small.data(), offsets, large.data(), offsets, on);
  e.broadcast(large.data(), 250, 1, on);
  e.exchange(std::vector<gd::outgoing>{{1, small.data(), 5}}, std::vector<gd::incoming>{{1, large.data(), 5}},
             on);
  if (!e.all_reduce(small.data(), large.data(), 8, gp::dtype::float64, gd::combination::sum, on))
    throw gp::value_error("MPI adds float64");
  e.barrier();
  const auto part = e.split(0, 0);
  part->barrier();
}

}  // namespace

TEST_CASE("every call of MPI that fails is an error that names it, and the last one that is made") {
  int failures = 0;
  for (int k = 1;; ++k) {
    model = {.fail_at = k};
    bool in_engine = false;
    const std::string text = error_of<gp::error>([&] {
      gd::mpi_world world = make_world();
      gd::mpi_engine e(world, 100);
      in_engine = true;
      e.current = gd::signature("all_reduce");
      try {
        use_all(e);
      } catch (const gp::distributed::distributed_error&) {
        if (!world.is_broken()) throw;
        const int calls = model.calls;
        CHECK(error_of<gp::error>([&] {
                e.barrier();
              }).starts_with("the ranks are no longer connected: rank 0 of 2"));
        CHECK(error_of<gp::error>([&] { e.poll(); }) != "no error");
        CHECK(model.calls == calls);
        throw;
      }
    });
    if (model.failed.empty()) {
      CHECK(text == "no error");
      break;
    }
    ++failures;
    CAPTURE(text);
    CHECK(contains(text, model.failed + " failed: the network is down (15)"));
    if (in_engine && !contains(model.failed, "Comm_"))
      CHECK(contains(text, "rank 0 of 2 failed in all_reduce"));
  }
  CHECK(failures > 40);
}

TEST_CASE("a rank that does not come is an error at the deadline, with what it says of itself") {
  for (const std::string statement : {"", "broadcast #7 of float32 (3,)"}) {
    model = {.statement = statement};
    gd::mpi_world world = make_world(50ms);
    gd::mpi_engine e(world);
    model.completes = false;
    e.current = gd::signature("all_gather", gp::dtype::int32, {2});
    const auto start = std::chrono::steady_clock::now();
    std::optional<int> rank;
    std::string text;
    try {
      e.barrier();
    } catch (const gp::distributed::distributed_error& error) {
      text = error.what();
      rank = error.rank();
    }
    CAPTURE(text);
    CHECK(contains(text, "rank 0 of 2 waited 0.05 s in all_gather of int32 (2,)"));
    CHECK(contains(text, statement.empty() ? "; rank 1 is in no call"
                                           : "; rank 1 waits in broadcast #7 of float32 (3,)"));
    CHECK(contains(text, "GPARRAY_DISTRIBUTED_TIMEOUT"));
    CHECK(rank == (statement.empty() ? std::optional(1) : std::nullopt));
    CHECK(std::chrono::steady_clock::now() - start < 10s);
    CHECK(contains(error_of<gp::error>([&] { e.barrier(); }), "no longer connected"));
  }
}

TEST_CASE("a rank that waits among some ranks says which these are") {
  model = {};
  gd::mpi_world world = make_world(50ms);
  gd::mpi_engine e(world);
  e.current = gd::signature("split");
  e.current.number = 3;
  const auto some = e.split(1, 0);
  model.completes = false;
  some->current = gd::signature("barrier");
  const std::string text = error_of<gp::error>([&] { some->barrier(); });
  CHECK(contains(text, "waited 0.05 s in barrier among ranks of color 1 of split #3"));
}

TEST_CASE("a message that is shorter than expected is an error") {
  model = {};
  gd::mpi_world world = make_world();
  gd::mpi_engine e(world);
  model.missing_bytes = 3;
  char data[8];
  const std::string text =
      error_of<gp::error>([&] { e.exchange({}, std::vector<gd::incoming>{{1, data, 8}}, on); });
  CHECK(contains(text, "rank 1 has sent 5 bytes where 8 are expected"));
}

TEST_CASE("what is longer than an int can count goes in pieces") {
  model = {};
  gd::mpi_world world = make_world();
  gd::mpi_engine e(world);
  constexpr std::size_t GiB = std::size_t{1} << 30;
  // Nobody looks at these addresses.
  auto* const from = reinterpret_cast<std::byte*>(0x1000);
  auto* const to = reinterpret_cast<std::byte*>(0x7000'0000'0000);
  const auto check = [&](const auto& pieces, const std::byte* start, std::size_t bytes) {
    std::size_t done = 0;
    for (const auto& [data, n] : pieces) {
      CHECK(data == start + done);
      CHECK(n > 0);
      done += static_cast<std::size_t>(n);
    }
    CHECK(done == bytes);
    CHECK(pieces.size() == (bytes + GiB - 1) / GiB);
  };
  for (const std::size_t bytes : {GiB, 2 * GiB, 5 * GiB + 3}) {
    model.sent.clear(), model.received.clear();
    e.exchange(std::vector<gd::outgoing>{{1, from, bytes}}, std::vector<gd::incoming>{{1, to, bytes}}, on);
    check(model.sent, from, bytes);
    check(model.received, to, bytes);
    model.sent.clear();
    e.broadcast(to, bytes, 0, on);
    check(model.sent, to, bytes);
    model.sent.clear(), model.received.clear();
    const std::size_t offsets[] = {0, 0, bytes};
    e.all_to_all(from, offsets, to, offsets, on);
    check(model.sent, from, bytes);
    check(model.received, to, bytes);
    model.sent.clear(), model.received.clear();
    e.all_gather(to, to, bytes, on);  // in its place: rank 0's block is not copied
    check(model.sent, to, bytes);
    check(model.received, to + bytes, bytes);
  }
  // Elements are counted there.
  model.sent.clear();
  CHECK(e.all_reduce(from, to, 3 * GiB / 8, gp::dtype::float64, gd::combination::sum, on));
  REQUIRE(model.sent.size() == 3);
  CHECK(model.sent[2].first == from + 2 * GiB);
  CHECK(model.sent[2].second == GiB / 8);
}

TEST_CASE("what lies at its place already is not named twice, which MPI forbids") {
  model = {};
  gd::mpi_world world = make_world();
  gd::mpi_engine e(world);
  double all[4] = {};
  e.all_gather(all, all, 16, on);
  e.all_gather(all + 2, all, 16, on);  // not this rank's place
  static_cast<void>(e.all_reduce(all, all, 4, gp::dtype::float64, gd::combination::sum, on));
  REQUIRE(model.sent.size() == 3);
  CHECK(model.sent[0].first == table.constants.in_place);
  CHECK(model.sent[1].first == all + 2);
  CHECK(model.sent[2].first == table.constants.in_place);
}

TEST_CASE("an MPI that is not the launcher's is named") {
  model = {.ranks = 1};
  const std::string text = error_of<gp::error>([] { make_world(); });
  CHECK(contains(text, "this process is one of 2 ranks, Open MPI 9.8.7 was loaded, and that knows of 1"));
  CHECK(contains(text, "GPARRAY_MPI_LIBRARY"));
}

TEST_CASE("an MPI that the program has begun is used as it is") {
  model = {.is_running = true, .ranks = 1};
  gd::mpi_world world(table, 10s, 0);
  CHECK(world.size() == 1);
  CHECK(world.name() == "Open MPI 9.8.7");
}

TEST_CASE("names of libraries") {
  CHECK(gd::mpi_name_in("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4") == "Open MPI 4.1.4");
  CHECK(gd::mpi_name_in("MPICH Version:      5.0.2\nMPICH Release date: x") == "MPICH 5.0.2");
  CHECK(gd::mpi_name_in("Intel(R) MPI Library 2021.13 for Linux* OS\n") ==
        "Intel(R) MPI Library 2021.13 for Linux* OS");
  CHECK(gd::mpi_name_in("") == "");
}

TEST_CASE("a machine without MPI is told what to install, and a library that is none is refused") {
  missing::check_missing({"libmpi.so.40", "libmpi.so.12", "libmpi_abi.so.1"}, "openmpi-bin",
                         [] { gd::mpi(); });
  setenv("GPARRAY_MPI_LIBRARY", "/nowhere/libmpi.so", 1);
  CHECK(contains(error_of<gp::error>([] { gd::mpi(); }),
                 "GPARRAY_MPI_LIBRARY must name the file of an MPI library"));
  setenv("GPARRAY_MPI_LIBRARY", "libm.so.6", 1);
  CHECK(contains(error_of<gp::error>([] { gd::mpi(); }),
                 "MPI has no function MPI_Initialized: it is too old. gparray needs MPI 3.0"));
  unsetenv("GPARRAY_MPI_LIBRARY");
}
