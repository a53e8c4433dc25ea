// What the core enqueues for item(), and what becomes of the array.
#include <thread>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

namespace gp = gparray;

namespace {

struct fixture {
  fake::installed fake;
  gp::ndarray<double> a = gp::arange<double>(10);

  std::size_t n_enqueued() {
    std::size_t n = 0;
    for (const auto& [where, stream] : fake.gpu.streams) n += stream.enqueued;
    return n;
  }
  /// The pieces of work that `body` enqueues.
  template<class Body>
  std::size_t work_of(Body body) {
    const std::size_t before = n_enqueued();
    body();
    return n_enqueued() - before;
  }
};

}  // namespace

TEST_CASE("item: a pending array is one piece of work, and no copy comes after it") {
  fixture f;
  f.a.eval();
  CHECK(f.work_of([&] { CHECK(gp::sum(f.a).item() == 45); }) == 1);
  CHECK(f.work_of([&] { CHECK(gp::sum(f.a * 2.).item() == 90); }) == 1);
  CHECK(f.work_of([&] { CHECK(static_cast<bool>(gp::all(f.a < 10.))); }) == 1);
  CHECK(f.work_of([&] { CHECK(double(gp::sum(f.a, {.keepdims = true})) == 45); }) == 1);
  CHECK(f.work_of([&] { CHECK(gp::sqrt(gp::sum(f.a)).item() == std::sqrt(45.)); }) == 2);
  CHECK(f.work_of([&] { CHECK(!static_cast<bool>(gp::sum(f.a) < 45.)); }) == 2);
  CHECK(f.fake.gpu.results_taken == 6);
  const gp::ndarray<double> kept = gp::sum(f.a).eval();
  CHECK(f.work_of([&] { CHECK(kept.item() == 45); }) == 1);
  CHECK(f.fake.gpu.results_taken == 6);
}

TEST_CASE("item: what is known is neither computed again nor stored before it is used") {
  fixture f;
  f.a.eval();
  const auto total = gp::sum(f.a);
  CHECK(f.work_of([&] { CHECK(total.item() == 45); }) == 1);
  const auto more = f.a(0) + 46.;
  CHECK(f.work_of([&] { CHECK(more.item() == 46); }) == 1);
  CHECK(f.work_of([&] { CHECK((total.item() == 45 && more.item() == 46)); }) == 0);
  f.a += 1.;
  CHECK((total.pending() && more.pending()));
  CHECK(f.work_of([&] { (total + more).eval(); }) == 2);
  CHECK((total.item() == 45 && more.item() == 46));
  CHECK(!total.pending());
  CHECK(gp::explain(gp::sum(f.a)).find("sum") != std::string::npos);
}

TEST_CASE("item: reductions of the same elements come along") {
  fixture f;
  const auto total = gp::sum(f.a), mean = gp::mean(f.a), apart = gp::sum(f.a * 2.);
  CHECK(total.item() == 45);
  CHECK(f.fake.gpu.reductions == std::vector<std::size_t>{2, 1});  // what was pending is computed: an effect
  CHECK(!mean.pending());
  CHECK(mean.item() == 4.5);
  CHECK(apart.item() == 90);
}

TEST_CASE("item: without a slot, as while none is left, the value is read from memory") {
  fixture f;
  f.fake.gpu.has_slots = false;
  const auto total = gp::sum(f.a);
  CHECK(total.item() == 45);
  CHECK(!total.pending());
  CHECK(f.fake.gpu.results_taken == 0);
}

TEST_CASE("item: while one thread waits, another computes the same array") {
  fixture f;
  const auto total = gp::sum(f.a);
  double other = 0;
  f.fake.gpu.on_take = [&] {
    std::thread([&] {
      const gp::device_guard on_gpu(gp::device("cuda:0"));
      const gp::ndarray<double> own = total * 2.;
      f.fake.gpu.on_take = nullptr;
      other = own.item();
    }).join();
  };
  CHECK(total.item() == 45);
  CHECK(other == 90);
  CHECK(!total.pending());
  CHECK(total.item() == 45);
}

TEST_CASE("item: after a failure the array is pending, and computed before what it is made of changes") {
  fixture f;
  for (const bool while_enqueuing : {true, false}) {
    const auto total = gp::sum(f.a);
    f.fake.gpu.refuse_reductions = while_enqueuing;
    if (!while_enqueuing) f.fake.gpu.on_take = [] { throw gp::device_error("lost"); };
    CHECK_THROWS_AS(total.item(), gp::device_error);
    f.fake.gpu.refuse_reductions = false;
    f.fake.gpu.on_take = nullptr;
    CHECK(total.pending());
    f.a(gp::all) *= 1.;
    CHECK(!total.pending());
    CHECK(total.item() == 45);
  }
}

TEST_CASE("item: nothing is left waiting when an effect fails in between") {
  fixture f;
  const auto other = gp::sum(f.a * 3.);  // older, so it is computed after
  const auto total = f.a(0) + 45.;
  f.fake.gpu.refuse_reductions = true;
  CHECK_THROWS_AS(total.item(), gp::device_error);
  CHECK(f.fake.gpu.waiting() == 0);  // the slot is free, as nothing will be written into it
  f.fake.gpu.refuse_reductions = false;
  CHECK(total.item() == 45);
  CHECK(other.item() == 135);
}

TEST_CASE("item: threads ask for one array at the same time") {
  fixture f;
  for (int round = 0; round < 50; ++round) {
    const auto total = gp::sum(f.a), more = gp::sum(f.a) + 1.;
    std::atomic<int> ready{0}, wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        const gp::device_guard on_gpu(gp::device("cuda:0"));
        ++ready;
        while (ready < 4) std::this_thread::yield();
        wrong += (t % 2 ? total.item() : (total + 0.).item()) != 45;
        wrong += (t / 2 ? more.item() : (more * 1.).item()) != 46;
        wrong += gp::sum(f.a * static_cast<double>(t)).item() != 45. * t;
      });
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
  }
}
