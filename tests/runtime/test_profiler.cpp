// How long calls take.
#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>
#include <gparray/runtime/profiler.hpp>

namespace gp = gparray;

TEST_CASE("a benchmark counts its calls") {
  int calls = 0;
  const auto a = gp::ones(100);
  auto r = gp::profiler::benchmark([&] { ++calls, (void)gp::ndarray<double>(a + 1); },
                                   {.n_repeat = 5, .n_warmup = 2, .name = "add"});
  CHECK(calls == 7);
  CHECK(r.cpu_times.size() == 5);
  CHECK(r.gpu_times.size() == 5);
  for (const double t : r.cpu_times) CHECK(t > 0);
  r.cpu_times = {1e-6, 3e-6};
  r.gpu_times = {};
  CHECK(r.str() ==
        "add                 : CPU: 2.000 us +/- 1.000 (min: 1.000 / max: 3.000) us   GPU: no calls");
  calls = 0;
  gp::profiler::benchmark([&] { ++calls; }, {.n_warmup = 0, .max_duration = 0});
  CHECK(calls == 0);
  // Both clocks count seconds, of which no call takes more than all together by the steady clock. Work of
  // others on the GPU may delay the event before a call, but not the one behind it.
  const auto start = std::chrono::steady_clock::now();
  const auto slow = gp::profiler::benchmark([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); },
                                            {.n_repeat = 3, .n_warmup = 0});
  CHECK(slow.name == "function");
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const double t : slow.cpu_times) CHECK((t > 1.9e-3 && t < all));
  for (const double t : slow.gpu_times) CHECK((t > 0 && t < all));
  CHECK_THROWS_AS(gp::profiler::benchmark([] {}, {.n_repeat = -1}), gp::value_error);
}

TEST_CASE("ranges nest, whether somebody looks or not") {
  gp::ndarray<double> a;
  {
    const gp::profiler::time_range outer("outer");
    const gp::profiler::time_range inner("inner \"quoted\"", {.sync = true});
    a = gp::arange(4.0) * 2;
  }
  {
    const gp::profiler::profile recorded;
    a += 1;
  }
  CHECK(a.to_vector() == std::vector<double>{1, 3, 5, 7});
}
