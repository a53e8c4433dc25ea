// Threads use the library at once: on different arrays, and reading the same ones, pending ones included.
// Meant for ThreadSanitizer as much as for the values.
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using floats = std::vector<float>;

namespace {

constexpr int n_threads = 4;

/// Runs body(i) on several threads at once, with the device of this one as theirs.
template<class Body>
void on_threads(Body body) {
  const gp::device d = gp::default_device();
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < n_threads; ++i)
    threads.emplace_back([&, i] {
      gp::set_default_device(d);
      ++ready;
      while (ready < n_threads) std::this_thread::yield();
      body(i);
    });
  for (std::thread& t : threads) t.join();
}

}  // namespace

TEST_CASE("threads: different arrays") {
  std::atomic<int> right{0};
  on_threads([&](int i) {
    const auto x = static_cast<float>(i);
    for (int k = 0; k < 50; ++k) {
      gp::ndarray<float> a(floats(2000, x));
      a += 1.f;
      const auto b = a * a - a;
      a(gp::slice(0, 10)) = 0.f;
      right += gp::sum(b).item() == 2000.f * ((x + 1) * (x + 1) - (x + 1));
    }
  });
  CHECK(right == n_threads * 50);
}

TEST_CASE("threads: large arrays, which the library's own threads work on") {
  std::atomic<int> right{0};
  on_threads([&](int i) {
    const gp::ndarray<float> a(floats(200000, static_cast<float>(i)));
    for (int k = 0; k < 5; ++k)
      right += gp::sum(a * 2.f + 1.f).item() == 200000.f * static_cast<float>(2 * i + 1);
  });
  CHECK(right == n_threads * 5);
}

TEST_CASE("threads: reading the same array") {
  const gp::ndarray<float> shared{1, 2, 3, 4};
  std::atomic<int> right{0};
  on_threads([&](int) {
    for (int k = 0; k < 100; ++k) {
      const gp::ndarray<float> copy = shared;
      right += (copy + shared("::-1")).to_vector() == floats{5, 5, 5, 5};
    }
  });
  CHECK(right == n_threads * 100);
}

TEST_CASE("threads: an expression computed by several threads that did not make it") {
  const gp::ndarray<float> a{1, 2, 3};
  std::atomic<int> right{0};
  for (int k = 0; k < 50; ++k) {
    const auto pending = gp::sqrt(a * a) + 1.f;
    REQUIRE(pending.pending());
    std::atomic<const void*> address{nullptr};
    on_threads([&](int) {
      right += pending.to_vector() == floats{2, 3, 4};
      const void* expected = nullptr;  // computed once: all see one address
      const void* const mine = pending.raw_data();
      if (!address.compare_exchange_strong(expected, mine)) right += expected == mine ? 0 : -1000;
    });
  }
  CHECK(right == n_threads * 50);
}

TEST_CASE("threads: an expression used as an operand by several threads") {
  const gp::ndarray<float> a{1, 2, 3};
  std::atomic<int> right{0};
  for (int k = 0; k < 50; ++k) {
    const auto pending = a + 1.f;
    on_threads([&](int i) {
      const auto x = static_cast<float>(i);
      right += (pending * x).to_vector() == floats{2 * x, 3 * x, 4 * x};
    });
  }
  CHECK(right == n_threads * 50);
}

TEST_CASE("threads: expressions dropped on another thread while their maker has an effect") {
  const gp::ndarray<float> a{1, 2, 3};
  for (int k = 0; k < 200; ++k) {
    std::vector<gp::expr<float>> made;
    for (int i = 0; i < 8; ++i) made.push_back(a + static_cast<float>(i));
    std::thread dropping([given = std::move(made)]() mutable { given.clear(); });
    gp::synchronize();  // computes what is not gone yet
    dropping.join();
  }
  CHECK((a + 1.f).to_vector() == floats{2, 3, 4});
}

TEST_CASE("threads: names of a loop dropped on another thread while their maker computes it") {
  const gp::ndarray<float> half = gp::full<float>({20000}, 0.5f);  // as many as are worth a loop's kernel
  for (int k = 0; k < 50; ++k) {
    gp::ndarray<float> x = gp::zeros_like(half);
    std::vector<gp::ndarray<float>> made;
    for (int turn = 0; turn < 16; ++turn) {
      const gp::ndarray<float> y = x * half;
      x = y + 1.f;
      if (turn > 7) made.push_back(y);
    }
    std::thread dropping([given = std::move(made)]() mutable { given.clear(); });
    x.eval();
    dropping.join();
    CHECK(gp::all(x == 2.f - 0x1p-15f));
  }
}

TEST_CASE("threads: a thread that ends leaves nothing pending") {
  gp::ndarray<float> a{1, 2, 3};
  std::optional<gp::expr<float>> kept;
  std::thread([&] { kept.emplace(a + 1.f); }).join();
  CHECK(!kept->pending());
  a += 10.f;
  CHECK(kept->to_vector() == floats{2, 3, 4});
}

TEST_CASE("threads: dropped by another thread after the maker has ended") {
  const gp::ndarray<float> a{1, 2, 3};
  const auto pool = gp::default_memory_pool(a.space(), a.device());
  const auto used = pool.used_bytes();
  {
    std::vector<gp::expr<float>> kept;
    std::thread([&] {
      for (int i = 0; i < 100; ++i) kept.push_back(a + static_cast<float>(i));
    }).join();
    CHECK(pool.used_bytes() > used);
  }
  CHECK(pool.used_bytes() == used);
}

TEST_CASE("threads: settings are each thread's own") {
  const gp::device before = gp::default_device();
  on_threads([&](int i) {
    if (i % 2) {
      const gp::device_guard on_cpu(gp::device::cpu());
      for (int k = 0; k < 100; ++k) (void)gp::default_device();
    }
  });
  CHECK(gp::default_device() == before);
}
