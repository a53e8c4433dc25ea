// The thread that compiles kernels behind the program's back: order, ends, what it takes and what it refuses.
#include <chrono>
#include <future>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include <support/background.hpp>

namespace {

using gparray::core::background_worker;
using namespace std::chrono_literals;

/// Set by a job; a job that is never run takes no longer than this to say so.
struct signal {
  std::shared_ptr<std::promise<void>> promise = std::make_shared<std::promise<void>>();
  std::future<void> future = promise->get_future();
  bool arrives() { return future.wait_for(20s) == std::future_status::ready; }
};

}  // namespace

TEST_CASE("background: jobs are run one after the other, also those that come when all were done") {
  background_worker worker(8);
  std::vector<int> done;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 4; ++i) CHECK(worker.enqueue([&done, i] { done.push_back(i); }));
    signal last;
    CHECK(worker.enqueue([p = last.promise] { p->set_value(); }));
    REQUIRE(last.arrives());
  }
  worker.wait_idle();
  CHECK(done == std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3});
}

TEST_CASE("background: a full queue takes no more, and one that was stopped nothing") {
  background_worker worker(2);
  signal begun, go;
  CHECK(worker.enqueue([b = begun.promise, g = go.future.share()] { b->set_value(), g.wait_for(20s); }));
  REQUIRE(begun.arrives());  // so that it waits in the queue no longer
  int done = 0;
  CHECK(worker.enqueue([&] { ++done; }));
  CHECK(worker.enqueue([&] { ++done; }));
  CHECK_FALSE(worker.enqueue([&] { ++done; }));
  go.promise->set_value();
  worker.wait_idle();
  CHECK(done == 2);
  worker.stop(1h);
  CHECK_FALSE(worker.enqueue([&] { ++done; }));
  worker.wait_idle();
  CHECK(done == 2);
}
