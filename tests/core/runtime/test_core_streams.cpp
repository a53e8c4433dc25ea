// Streams, events and the memory that streams share, on a fake GPU whose work waits until it is asked for.
#include <thread>

#include <doctest/doctest.h>

#include <core/runtime/stream_state.hpp>
#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

namespace gp = gparray;
using floats = std::vector<float>;

TEST_CASE("fake GPU: work is enqueued on the current stream") {
  fake::installed fake;
  const gp::ndarray<float> a{1, 2, 3};
  CHECK(a.device() == gp::device::cuda(0));
  gp::stream s, t;
  const auto enqueued = [&](const gp::stream_view& on) {
    return fake.gpu.streams[{0, on.native_handle()}].enqueued;
  };
  const auto at_default = enqueued(gp::default_stream());
  gp::ndarray<float> b, c;
  {
    const gp::stream_guard outer(s);
    CHECK(gp::current_stream() == s);
    b = a + 1.f;
    {
      const gp::stream_guard inner(t);
      c = a + 2.f;
      CHECK(gp::current_stream() == t);
    }
    CHECK(gp::current_stream() == s);
  }
  CHECK(gp::current_stream() == gp::default_stream());
  CHECK(enqueued(s) == 1);
  CHECK(enqueued(t) == 1);
  CHECK(enqueued(gp::default_stream()) == at_default);
  gp::synchronize();
  CHECK(c.to_vector() == floats{3, 4, 5});
  CHECK(b.to_vector() == floats{2, 3, 4});
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("fake GPU: what is pending is enqueued on the stream that was current when it was written") {
  fake::installed fake;
  gp::stream s;
  const gp::ndarray<float> a{1, 2, 3};
  const auto outside = a + 1.f;
  std::size_t before;
  {
    const gp::stream_guard on(s);
    CHECK(!outside.pending());
    before = fake.gpu.streams[{0, nullptr}].enqueued;
    const auto inside = a * 2.f;
    CHECK(inside.pending());
  }
  {
    gp::expr<float> kept = a + a;
    {
      const gp::stream_guard on(s);
      kept = a * 4.f;
    }
    CHECK(!kept.pending());
  }
  CHECK(fake.gpu.streams[{0, s.native_handle()}].enqueued ==
        1);  // `inside` was dropped, and nobody computed it
  CHECK(fake.gpu.streams[{0, nullptr}].enqueued == before + 1);  // a + a
  gp::synchronize();
}

TEST_CASE("fake GPU: streams are created as asked and destroyed once") {
  fake::installed fake;
  {
    gp::stream s;
    CHECK(fake.gpu.last_created == std::pair(true, 0));
    gp::stream t(gp::device::cuda(1), {.non_blocking = false, .priority = -2});
    CHECK(fake.gpu.last_created == std::pair(false, -2));
    CHECK(fake.gpu.alive.size() == 2);
    void* const handle = s.native_handle();
    gp::stream moved = std::move(s);
    CHECK(moved.native_handle() == handle);
    CHECK(fake.gpu.alive.size() == 2);
    moved = std::move(t);
    CHECK(fake.gpu.alive.size() == 1);
    CHECK(moved.device() == gp::device::cuda(1));
    const gp::stream_view borrowed = gp::stream::borrow(moved.native_handle(), gp::device::cuda(1));
    CHECK(borrowed == moved);
  }
  CHECK(fake.gpu.alive.empty());
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("fake GPU: a destroyed stream is nobody's current stream and keeps no memory from others") {
  fake::installed fake;
  gp::ndarray<float> kept;
  {
    auto s = std::make_unique<gp::stream>();
    gp::core::exchange_current_stream(gp::device::cuda(0), s->native_handle());
    kept = gp::ndarray<float>{1, 2, 3};
    s->synchronize();
    s.reset();
    CHECK(gp::current_stream() == gp::default_stream());
  }
  kept += 1.f;  // made on a stream that is gone
  CHECK(kept.to_vector() == floats{2, 3, 4});
  kept = {};
  const gp::ndarray<float> next{4, 5, 6};
  CHECK(next.to_vector() == floats{4, 5, 6});
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("fake GPU: memory that another stream reads is not handed out before it has") {
  fake::installed fake;
  gp::stream s;
  auto a = std::make_unique<gp::ndarray<float>>(std::vector<float>(1000, 3.f));
  gp::ndarray<float> result;
  SUBCASE("a map") {
    const gp::stream_guard on(s);
    s.wait(gp::default_stream(gp::device::cuda(0)));
    result = *a * 2.f;
  }
  SUBCASE("a reduction") {
    const gp::stream_guard on(s);
    s.wait(gp::default_stream(gp::device::cuda(0)));
    result = gp::sum(*a) / 500.f;
  }
  SUBCASE("a copy to pinned memory") {
    s.wait(gp::default_stream(gp::device::cuda(0)));
    result = gp::empty_pinned<float>({1000});
    gp::asnumpy(*a, s, result);
  }
  const void* const address = a->raw_data();
  a.reset();
  const gp::ndarray<float> b(std::vector<float>(1000, -1.f));  // on the default stream
  CHECK(b.raw_data() != address);
  gp::default_stream().synchronize();
  s.synchronize();
  if (result.device().is_cpu()) CHECK(result(0).item() == 3.f);
  else CHECK(result.to_vector().front() == 6.f);
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("fake GPU: pinned memory is not handed to the CPU before the copy into it is done") {
  fake::installed fake;
  const gp::ndarray<float> a(std::vector<float>(1000, 3.f));
  auto pinned = std::make_unique<gp::ndarray<float>>(gp::empty_pinned<float>({1000}));
  gp::asnumpy(a, gp::default_stream(), *pinned);  // the null stream
  const void* const address = pinned->raw_data();
  CHECK(fake.gpu.waiting() > 0);
  pinned.reset();
  const auto next = gp::zeros_pinned<float>({1000});
  CHECK(next.raw_data() != address);
  gp::synchronize();
  CHECK(next.to_vector() == floats(1000, 0.f));
  const auto again = gp::zeros_pinned<float>({1000});
  CHECK(again.raw_data() == address);  // the work is done: the cache serves it
}

TEST_CASE("fake GPU: events order streams of two devices") {
  fake::installed fake;
  const gp::device second = gp::device::cuda(1);
  gp::stream s, t(second);
  int step = 0;
  fake.gpu.enqueue({0, s.native_handle()}, [&] { CHECK(++step == 1); });
  const gp::event mark = s.record();
  CHECK(!mark.done());
  t.wait(mark);
  fake.gpu.enqueue({1, t.native_handle()}, [&] { CHECK(++step == 2); });
  CHECK(!t.done());
  t.synchronize();
  CHECK(step == 2);
  CHECK(t.done());
  CHECK(mark.done());
  CHECK(s.done());
}

TEST_CASE("fake GPU: a stream waits for another stream") {
  fake::installed fake;
  gp::stream s, t;
  int step = 0;
  fake.gpu.enqueue({0, s.native_handle()}, [&] { CHECK(++step == 1); });
  t.wait(s);
  fake.gpu.enqueue({0, t.native_handle()}, [&] { CHECK(++step == 2); });
  t.synchronize();
  CHECK(step == 2);
  CHECK(fake.gpu.live_events == 0);
}

TEST_CASE("fake GPU: events") {
  fake::installed fake;
  gp::event start, end;
  gp::event untimed(gp::device::cuda(0), {.timing = false});
  CHECK(start.done());  // nothing recorded, nothing to wait for
  start.synchronize();
  CHECK_THROWS_WITH_AS((void)gp::elapsed_time(start, end),
                       "elapsed_time: the start event has not been recorded; call record() first",
                       gp::value_error);
  start.record();
  fake.gpu.enqueue({0, nullptr}, [] {});
  fake.gpu.enqueue({0, nullptr}, [] {});
  end.record();
  CHECK(gp::elapsed_time(start, end) == 2.);
  CHECK(gp::default_stream().done());  // it waited
  untimed.record();
  CHECK_THROWS_AS((void)gp::elapsed_time(start, untimed), gp::value_error);
  gp::event other(gp::device::cuda(1));
  CHECK_THROWS_WITH_AS(other.record(gp::default_stream()),
                       "event.record: the event is of cuda:1 and the stream of cuda:0; make the event with "
                       "event(device(\"cuda:0\"))",
                       gp::device_error);
  other.record();
  CHECK_THROWS_AS((void)gp::elapsed_time(start, other), gp::device_error);
  const gp::event moved = std::move(start);
  CHECK_THROWS_AS(start.record(), gp::value_error);
  CHECK(moved.done());
}

TEST_CASE("fake GPU: every thread has its own current stream") {
  fake::installed fake;
  gp::stream s;
  const gp::stream_guard on(s);
  bool is_default = false;
  std::thread([&] {
    is_default = gp::current_stream(gp::device::cuda(0)) == gp::default_stream(gp::device::cuda(0));
  }).join();
  CHECK(is_default);
  CHECK(gp::current_stream() == s);
  CHECK(gp::current_stream(gp::device::cuda(1)) == gp::default_stream(gp::device::cuda(1)));
}
