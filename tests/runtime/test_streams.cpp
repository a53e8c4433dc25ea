// Streams and events of whatever device the tests run on.
#include <chrono>
#include <thread>
#include <type_traits>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

static_assert(!std::is_copy_constructible_v<gp::stream> && std::is_nothrow_move_constructible_v<gp::stream>);
static_assert(!std::is_copy_constructible_v<gp::event> && std::is_nothrow_move_constructible_v<gp::event>);
static_assert(std::is_trivially_copyable_v<gp::stream_view>);
static_assert(!std::is_copy_constructible_v<gp::stream_guard>);
static_assert(std::is_nothrow_destructible_v<gp::stream> && std::is_nothrow_destructible_v<gp::event>);

TEST_CASE("stream: work on it, waited for") {
  gp::stream s;
  CHECK(s.device() == gp::default_device());
  gp::ndarray<float> a{1, 2, 3}, b;
  s.wait(gp::current_stream());
  {
    const gp::stream_guard on(s);
    b = a * 2.f;
  }
  s.synchronize();
  CHECK(s.done());
  CHECK(b.to_vector() == std::vector<float>{2, 4, 6});
}

TEST_CASE("stream: an event orders two streams") {
  gp::stream s, t;
  const gp::ndarray<float> a(std::vector<float>(100000, 1.f));
  gp::ndarray<float> b, c;
  gp::synchronize();
  {
    const gp::stream_guard on(s);
    b = a + 1.f;
  }
  const gp::event ready = s.record({.timing = false});
  t.wait(ready);
  {
    const gp::stream_guard on(t);
    c = b * 3.f;
  }
  t.synchronize();
  CHECK(ready.done());
  CHECK(gp::all(c == 6.f).item());
}

TEST_CASE("stream: the current one is restored, also by an exception") {
  const gp::stream_view before = gp::current_stream();
  gp::stream s;
  try {
    const gp::stream_guard on(s);
    CHECK(gp::current_stream() == s);
    throw 1;
  } catch (int) {
  }
  CHECK(gp::current_stream() == before);
}

TEST_CASE("stream: moved") {
  gp::stream s;
  const gp::stream_view name = s;
  gp::stream t = std::move(s);
  CHECK(t == name);
  gp::stream u;
  u = std::move(t);
  CHECK(u == name);
  u.synchronize();
}

TEST_CASE("event: elapsed time") {
  gp::event start, end;
  start.record();
  gp::synchronize();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  end.record();
  const double elapsed = gp::elapsed_time(start, end);
  // The GPU marks `start` before synchronize() returns and `end` after it was enqueued; its clock ticks in
  // 0.5 us.
  CHECK(elapsed >= 19.9);
  CHECK(gp::elapsed_time(end, start) == doctest::Approx(-elapsed));
}

TEST_CASE("event: not recorded, moved from, without timing") {
  gp::event e, f;
  CHECK(e.done());
  e.synchronize();
  gp::current_stream().wait(e);
  e.record();
  CHECK_THROWS_WITH_AS((void)gp::elapsed_time(e, f),
                       "elapsed_time: the end event has not been recorded; call record() first",
                       gp::value_error);
  gp::event untimed(gp::default_device(), {.timing = false});
  untimed.record();
  CHECK_THROWS_WITH_AS((void)gp::elapsed_time(e, untimed),
                       "elapsed_time: the end event was made with {.timing = false}", gp::value_error);
  const gp::event g = std::move(e);
  CHECK(g.device() == gp::default_device());
  CHECK_THROWS_WITH_AS(e.synchronize(), "event: this event was moved from; make a new one", gp::value_error);
  CHECK_THROWS_AS((void)e.done(), gp::value_error);
  CHECK_THROWS_AS(gp::current_stream().wait(e), gp::value_error);
}

TEST_CASE("stream: many, used by many threads") {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  const gp::device d = gp::default_device();
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      gp::set_default_device(d);
      for (int k = 0; k < 20; ++k) {
        gp::stream s;
        const gp::stream_guard on(s);
        const gp::ndarray<float> a(std::vector<float>(1000, static_cast<float>(i)));
        right += gp::sum(a + 1.f).item() == 1000.f * static_cast<float>(i + 1);
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(right == 80);
}

TEST_CASE("stream: the CPU's has no native handle") {
  const gp::device cpu = gp::device::cpu();
  CHECK(gp::stream(cpu).native_handle() == nullptr);
  CHECK(gp::current_stream(cpu) == gp::default_stream(cpu));
  CHECK(gp::default_stream(cpu).done());
  int something;
  CHECK_THROWS_AS((void)gp::stream::borrow(&something, cpu), gp::value_error);
  CHECK(gp::stream::borrow(nullptr, cpu) == gp::default_stream(cpu));
}
