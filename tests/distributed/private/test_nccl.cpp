// The engine of NCCL on a fake one: what every engine must do, whatever fails, and the watch over the
// deadline.
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <distributed/nccl/nccl_engine.hpp>

#include "distributed/private/engine_cases.hpp"
#include "distributed/private/fake_nccl.hpp"
#include "support/error_text.hpp"
#include "support/missing_libraries.hpp"

using namespace engine_cases;
using fake_nccl::model;
using namespace std::chrono_literals;

namespace {

const gd::nccl_table table = fake_nccl::table_with_windows();

gd::nccl_id new_id() {
  gd::nccl_id id;
  const int before = model.fail_at;
  model.fail_at = 0;
  table.GetUniqueId(&id);
  model.fail_at = before;
  model.calls = 0;
  return id;
}

gd::nccl_communicator::options one_rank(std::chrono::milliseconds timeout = 60s) {
  return {.rank = 0, .size = 1, .place = gp::device::cpu(), .timeout = timeout};
}

std::shared_ptr<gd::nccl_engine> make_engine(const gd::nccl_id& id,
                                             const gd::nccl_communicator::options& how) {
  return std::make_shared<gd::nccl_engine>(std::make_unique<gd::nccl_communicator>(table, id, how));
}

const gp::stream_view on = gp::default_stream(gp::device::cpu());

/// Every function of the engine once.
void use_all(gd::engine& e) {
  std::vector<unsigned char> small(64), large(400);
  const std::size_t offsets[] = {0, 64};
  e.all_gather(small.data(), large.data(), 8, on);
  e.all_to_all(small.data(), offsets, large.data(), offsets, on);
  e.broadcast(large.data(), 250, 0, on);
  e.exchange(std::vector<gd::outgoing>{{0, small.data(), 5}}, std::vector<gd::incoming>{{0, large.data(), 5}},
             on);
  if (!e.all_reduce(small.data(), large.data(), 8, gp::dtype::float64, gd::combination::sum, on))
    throw gp::value_error("NCCL adds float64");
  if (!e.symmetric(100)) throw gp::value_error("NCCL has windows");
  e.barrier();
  e.split(0, 0)->barrier();
}

/// Waits until what another thread does has come.
bool comes(auto&& what) {
  for (const auto end = std::chrono::steady_clock::now() + 20s; std::chrono::steady_clock::now() < end;
       std::this_thread::sleep_for(1ms))
    if (what()) return true;
  return false;
}

std::atomic<bool> work_is_done = false;

struct late_mark final : gd::work_mark {
  void record(const gp::stream_view&) override {}
  bool done() const override { return work_is_done; }
  void wait() const override {}
};

}  // namespace

TEST_CASE("ranks of the fake do what every engine must do") {
  for (const int ranks : {1, 2, 3, 5}) {
    CAPTURE(ranks);
    model.reset();
    const gd::nccl_id id = new_id();
    std::vector<std::thread> threads;
    for (int r = 0; r < ranks; ++r)
      threads.emplace_back([&, r] {
        const auto e =
            make_engine(id, {.rank = r, .size = ranks, .place = gp::device::cpu(), .timeout = 60s});
        CHECK(e->name() == "nccl 2.28.9");
        check_engine<host_memory>(*e, true);
      });
    for (std::thread& t : threads) t.join();
    CHECK(model.made > 0);
    CHECK(model.destroyed == model.made);
    CHECK(model.aborted == 0);
  }
}

TEST_CASE("every call of NCCL that fails is an error that names it, and the last one on that communicator") {
  int failures = 0;
  for (int k = 1;; ++k) {
    model.reset();
    const gd::nccl_id id = new_id();
    model.reset(k);
    const std::string text = error_of<gp::error>([&] {
      const auto e = make_engine(id, one_rank());
      e->current = gd::signature("all_reduce");
      try {
        use_all(*e);
      } catch (const gp::distributed::distributed_error&) {
        if (model.failed == "ncclCommUserRank" || model.failed == "ncclCommCount") throw;  // of the part
        const int calls = model.calls;
        if (error_of<gp::error>([&] { e->poll(); }) == "no error") throw;  // the part's, too
        CHECK(error_of<gp::error>([&] {
                e->barrier();
              }).starts_with("the ranks are no longer connected: rank 0 of 1"));
        CHECK(model.calls == calls);
        throw;
      }
    });
    CHECK(comes([] { return model.destroyed + model.aborted == model.made; }));
    if (model.failed.empty()) {
      CHECK(text == "no error");
      break;
    }
    ++failures;
    CAPTURE(text);
    CHECK(contains(text, "rank 0 of 1 failed in"));
    const std::string name =
        model.failed == "ncclSend" || model.failed == "ncclRecv" ? "ncclSend or ncclRecv" : model.failed;
    CHECK(contains(text, name + ": internal error (3): the cable is loose"));
  }
  CHECK(failures >= 16);
}

TEST_CASE("ranks write to each other's symmetric memory, and say so") {
  for (const bool fails : {false, true}) {
    model.reset();
    const gd::nccl_id id = new_id();
    std::vector<std::thread> threads;
    std::atomic<int> errors = 0, done = 0;
    for (int r = 0; r < 3; ++r)
      threads.emplace_back([&, r] {
        const auto e = make_engine(id, {.rank = r, .size = 3, .place = gp::device::cpu(), .timeout = 60s});
        CHECK(e->has_symmetric_memory());
        for (const std::size_t bytes : {std::size_t{100}, std::size_t{90} << 20, std::size_t{100}}) {
          const gd::symmetric_memory* const memory = e->symmetric(bytes);
          REQUIRE(memory);
          CHECK(memory->bytes >= bytes);
          for (int other = 0; other < 3; ++other)
            memory->of[static_cast<std::size_t>(other)][r] = static_cast<std::byte>(10 * r + 1);
          e->signal(on);
          e->wait_for_signals(on);
          for (int other = 0; other < 3; ++other)
            CHECK(memory->of[static_cast<std::size_t>(r)][other] == static_cast<std::byte>(10 * other + 1));
          e->signal(on);
          e->wait_for_signals(on);
        }
        ++done;
        if (!fails || r > 0) return;
        CHECK(comes([&] { return done == 3; }));  // the call that fails is to be this rank's
        model.fail_at = model.calls + 2;          // ncclGroupStart, ncclSignal
        const std::string text = error_of<gp::error>([&] { e->signal(on); });
        errors += contains(text, "ncclSignal: internal error (3): the cable is loose");
      });
    for (std::thread& t : threads) t.join();
    CHECK(errors == (fails ? 1 : 0));
    CHECK(comes([&] { return model.windows == (fails ? 1 : 0); }));
    // Or the abort would be counted with those of the next test.
    CHECK(comes([] { return model.destroyed + model.aborted == model.made; }));
  }
}

TEST_CASE("what NCCL reports later breaks the communicator") {
  model.reset();
  const auto e = make_engine(new_id(), one_rank(80ms));
  model.async_error = 6;
  CHECK(comes([&] { return error_of<gp::error>([&] { e->poll(); }) != "no error"; }));
  CHECK(contains(error_of<gp::error>([&] { e->barrier(); }), "remote process exited"));
  CHECK(comes([] { return model.aborted == 1; }));
}

TEST_CASE("work that does not come to its end is aborted at the deadline, and not before") {
  for (const bool comes_late : {true, false}) {
    model.reset();
    auto how = one_rank(400ms);
    how.make_mark = [](gp::device) -> std::unique_ptr<gd::work_mark> {
      return std::make_unique<late_mark>();
    };
    work_is_done = true;
    const auto e = make_engine(new_id(), how);
    e->current = gd::signature("all_gather", gp::dtype::int32, {2});
    work_is_done = false;
    char byte = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint32_t i = 1; i <= 40; ++i) {  // more than the ring of marks has room for
      e->current.number = i;
      e->all_gather(&byte, &byte, 1, on);
    }
    if (comes_late) {
      std::this_thread::sleep_for(30ms);
      work_is_done = true;
      std::this_thread::sleep_for(500ms);
      CHECK(error_of<gp::error>([&] { e->poll(); }) == "no error");
      continue;
    }
    CHECK(comes([&] { return error_of<gp::error>([&] { e->poll(); }) != "no error"; }));
    CHECK(std::chrono::steady_clock::now() - start > 350ms);
    const std::string text = error_of<gp::error>([&] { e->all_gather(&byte, &byte, 1, on); });
    CAPTURE(text);
    CHECK(contains(
        text,
        "rank 0 of 1 waited 0.4 s in all_gather #1 of int32 (2,) for ranks that are in another call or "
        "in none"));
    CHECK(contains(text, "GPARRAY_DISTRIBUTED_TIMEOUT"));
    CHECK(comes([] { return model.aborted == 1; }));
  }
}

TEST_CASE("a call of NCCL that does not return ends the process at the deadline") {
  // In a process of its own, which is this program anew: the watch is a thread that a fork does not take
  // along.
  constexpr const char* is_child = "GPARRAY_TEST_CALL_DOES_NOT_RETURN";
  if (std::getenv(is_child)) {
    model.reset();
    const auto e = make_engine(new_id(), one_rank(200ms));
    model.before_gather = [] { std::this_thread::sleep_for(60s); };
    char byte = 0;
    e->current = gd::signature("all_gather");
    e->all_gather(&byte, &byte, 1, on);
    _exit(7);
  }
  const std::string command =
      std::string(is_child) +
      "=1 exec /proc/$PPID/exe '--test-case=a call of NCCL that does not return*' 2>&1";
  FILE* const output = popen(command.c_str(), "r");
  REQUIRE(output);
  std::string text;
  for (int c; (c = std::fgetc(output)) != EOF;) text += static_cast<char>(c);
  const int status = pclose(output);
  CAPTURE(text);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
  CHECK(contains(text, "gparray: rank 0 of 1 waited 0.2 s in all_gather"));
}

TEST_CASE("a communicator that an exception ends does not wait for other ranks") {
  model.reset();
  const gd::nccl_id id = new_id();
  CHECK(error_of<gp::error>([&] {
          const auto e = make_engine(id, one_rank());
          throw gp::value_error("of the program");
        }) == "of the program");
  CHECK(model.aborted == 1);
  CHECK(model.destroyed == 0);
}

TEST_CASE("dtypes") {
  CHECK(gd::nccl_type_of(gp::dtype::bfloat16)->number == 9);
  CHECK(gd::nccl_type_of(gp::dtype::complex128)->number == 8);
  CHECK(gd::nccl_type_of(gp::dtype::complex128)->count == 2);
  CHECK_FALSE(gd::nccl_type_of(gp::dtype::int16));
  // Complex numbers are added as two, and nothing else.
  model.reset();
  const auto e = make_engine(new_id(), one_rank());
  const double in[2] = {1.5, -2};
  double out[2] = {};
  CHECK(e->all_reduce(in, out, 1, gp::dtype::complex128, gd::combination::sum, on));
  CHECK(out[1] == -2);
  CHECK_FALSE(e->all_reduce(in, out, 1, gp::dtype::complex128, gd::combination::prod, on));
  CHECK_FALSE(e->all_reduce(in, out, 1, gp::dtype::float64, gd::combination::min, on));
}

TEST_CASE("a machine without NCCL is told what to install") {
  missing::check_missing({"libnccl.so.2"}, "nvidia-nccl-cu13", [] { gd::nccl(); });
}
