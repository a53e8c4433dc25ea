// The pools as users see them, and allocators of one's own.
#include <cmath>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using floats = std::vector<float>;

namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;

gp::memory_pool host_pool() { return gp::default_memory_pool(gp::memory_space::host, gp::device::cpu()); }

/// Gives out host memory and keeps account.
struct counting_allocator final : gp::allocator {
  void* allocate(std::size_t bytes, void*) override {
    if (refuse) return nullptr;
    if (fail) throw std::runtime_error("not today");
    ++live;
    total += bytes;
    return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  }
  void deallocate(void* p, std::size_t bytes, void*) noexcept override {
    --live;
    total -= bytes;
    std::free(p);
  }
  std::atomic<int> live{0};
  std::atomic<std::size_t> total{0};
  bool refuse = false, fail = false;
};

struct recording_hook final : gp::memory_hook {
  void on_allocate(const gp::allocation& a) override {
    if (fail_allocate) throw std::runtime_error("hook refuses");
    ++allocated;
    requested = a.requested;
  }
  void on_deallocate(const gp::allocation&) override {
    ++deallocated;
    if (fail_deallocate) throw std::runtime_error("hook complains");
  }
  void on_upstream_allocate(void*, std::size_t) override { ++upstream; }
  int allocated = 0, deallocated = 0, upstream = 0;
  std::size_t requested = 0;
  bool fail_allocate = false, fail_deallocate = false;
};

/// Takes the hook out again, however the test ends.
struct hooked {
  hooked() { host_pool().add_hook(hook); }
  ~hooked() { host_pool().remove_hook(hook.get()); }
  std::shared_ptr<recording_hook> hook = std::make_shared<recording_hook>();
};

gp::ndarray<float> host_array(std::size_t n) {
  return gp::empty_in<float>(gp::memory_space::host, {static_cast<std::int64_t>(n)});
}

}  // namespace

TEST_CASE("memory pool: what it counts") {
  auto pool = host_pool();
  pool.free_all_blocks();
  const auto used = pool.used_bytes(), misses = pool.misses();
  {
    const auto a = host_array(6 * MiB / 4);
    CHECK(pool.used_bytes() == used + 6 * MiB);
    CHECK(pool.misses() == misses + 1);
    CHECK(pool.total_bytes() >= pool.used_bytes());
    CHECK(pool.peak_bytes() >= pool.used_bytes());
  }
  CHECK(pool.used_bytes() == used);
  CHECK(pool.free_bytes() == pool.total_bytes() - pool.used_bytes());
  CHECK(pool.n_free_blocks() >= 1);
  const auto hits = pool.hits();
  {
    const auto again = host_array(6 * MiB / 4);
  }
  CHECK(pool.hits() == hits + 1);
  const auto held = pool.total_bytes();
  pool.free_all_blocks();
  CHECK(pool.total_bytes() <= held - 6 * MiB);
}

TEST_CASE("memory pool: CuPy's names") {
  const auto pool = gp::get_default_memory_pool();
  const gp::ndarray<float> a(floats(1000, 1.f));
  CHECK(pool.used_bytes() > 0);
  if (gp::device_count() == 0) CHECK_THROWS_AS(gp::get_default_pinned_memory_pool(), gp::device_error);
  else CHECK(gp::get_default_pinned_memory_pool().limit() == 0);
}

TEST_CASE("memory pool: a limit") {
  auto pool = host_pool();
  pool.free_all_blocks();
  const auto before = pool.used_bytes();
  pool.set_limit(pool.total_bytes() + 8 * MiB);
  CHECK(pool.limit() == pool.total_bytes() + 8 * MiB);
  try {
    (void)host_array(16 * MiB / 4);
    FAIL("the limit was not kept");
  } catch (const gp::out_of_memory& e) {
    const std::string text = e.what();
    CAPTURE(text);
    CHECK(text.find("out of host memory: asked for 16.00 MiB (16777216 bytes)") == 0);
    CHECK(text.find("raise the limit with set_limit") != std::string::npos);
  }
  CHECK(pool.used_bytes() == before);
  {
    const auto fits = host_array(4 * MiB / 4);
  }
  pool.set_limit_fraction(0.5);
  CHECK(pool.limit() == gp::device::cpu().memory_info().second / 2);
  CHECK_THROWS_AS(pool.set_limit_fraction(1.5), gp::value_error);
  CHECK_THROWS_AS(pool.set_limit_fraction(-0.1), gp::value_error);
  CHECK_THROWS_AS(pool.set_limit_fraction(std::nan("")), gp::value_error);
  pool.set_limit(0);
  CHECK(pool.limit() == 0);
}

TEST_CASE("memory hook: told of every block") {
  const hooked h;
  host_pool().free_all_blocks();
  {
    const auto a = host_array(5 * MiB / 4);
  }
  CHECK(h.hook->allocated == 1);
  CHECK(h.hook->requested == 5 * MiB);
  CHECK(h.hook->deallocated == 1);
  CHECK(h.hook->upstream == 1);
  host_pool().remove_hook(h.hook.get());
  {
    const auto a = host_array(10);
  }
  CHECK(h.hook->allocated == 1);
  CHECK_THROWS_AS(host_pool().add_hook(nullptr), gp::value_error);
}

TEST_CASE("memory hook: an exception reaches the caller, nothing leaks and nothing stays locked") {
  const hooked h;
  const auto used = host_pool().used_bytes();
  h.hook->fail_allocate = true;
  CHECK_THROWS_WITH_AS(host_array(10), "hook refuses", std::runtime_error);
  CHECK(host_pool().used_bytes() == used);
  h.hook->fail_allocate = false;
  h.hook->fail_deallocate = true;
  {
    const auto a = host_array(10);
  }  // a destructor does not throw
  CHECK_THROWS_WITH_AS(host_array(10), "hook complains", std::runtime_error);
  h.hook->fail_deallocate = false;
  {
    const auto a = host_array(10);
  }
  CHECK(host_pool().used_bytes() == used);
}

TEST_CASE("memory hook: an expression that could not be computed is still pending, and works later") {
  if (!gp::default_device().is_cpu()) return;
  const gp::ndarray<float> a{1, 2, 3};
  const auto sum = a + 1.f;
  {
    const hooked h;
    h.hook->fail_allocate = true;
    CHECK_THROWS_AS(sum.eval(), std::runtime_error);
    CHECK(sum.pending());
    CHECK_THROWS_AS(gp::synchronize(), std::runtime_error);
    CHECK(sum.pending());
  }
  CHECK(sum.to_vector() == floats{2, 3, 4});
}

TEST_CASE("allocator: a guard's arrays come from it and go back to it") {
  const auto source = std::make_shared<counting_allocator>();
  gp::ndarray<float> kept;
  const auto used = host_pool().used_bytes();
  {
    const gp::allocator_guard guard(gp::memory_space::host, gp::device::cpu(), source);
    CHECK(gp::get_allocator(gp::memory_space::host, gp::device::cpu()) == source);
    kept = host_array(100);
    kept.fill(1);
    CHECK(source->live == 1);
    CHECK(source->total == 400);
    CHECK(host_array(0).size() == 0);  // an empty array asks for nothing
    CHECK(source->live == 1);
    {
      const gp::allocator_guard inner(gp::memory_space::host, gp::device::cpu(), nullptr);  // the pool again
      const auto pooled = host_array(100);
      CHECK(source->live == 1);
      CHECK(host_pool().used_bytes() > used);
    }
    int others = -1;
    std::thread([&] {
      const auto elsewhere = host_array(100);
      others = source->live;
    }).join();
    CHECK(others == 1);  // this thread's alone
  }
  CHECK(gp::get_allocator(gp::memory_space::host, gp::device::cpu()) == nullptr);
  CHECK(host_pool().used_bytes() == used);
  CHECK(kept.to_vector() == floats(100, 1.f));
  kept = {};
  CHECK(source->live == 0);
  CHECK(source->total == 0);
}

TEST_CASE("allocator: for the process") {
  const auto source = std::make_shared<counting_allocator>();
  gp::set_allocator(gp::memory_space::host, gp::device::cpu(), source);
  int live = 0;
  std::thread([&] {
    const auto a = host_array(100);
    live = source->live;
  }).join();
  CHECK(live == 1);
  const auto a = host_array(5);
  gp::set_allocator(gp::memory_space::host, gp::device::cpu(), nullptr);
  CHECK(source->live == 1);
  {
    const auto b = host_array(5);
  }
  CHECK(source->live == 1);
  std::weak_ptr<counting_allocator> alive = source;
  CHECK(alive.use_count() == 2);  // this test, and the array that came from it
}

TEST_CASE("allocator: one that fails") {
  const auto source = std::make_shared<counting_allocator>();
  const gp::allocator_guard guard(gp::memory_space::host, gp::device::cpu(), source);
  source->refuse = true;
  try {
    (void)host_array(100);
    FAIL("no exception");
  } catch (const gp::out_of_memory& e) {
    CHECK(std::string(e.what()).find(
              "the allocator set for host memory of cpu returned null for 400 bytes") != std::string::npos);
  }
  source->refuse = false;
  source->fail = true;
  CHECK_THROWS_WITH_AS(host_array(100), "not today", std::runtime_error);
  source->fail = false;
  {
    const auto a = host_array(100);
  }
  CHECK(source->live == 0);
}

TEST_CASE("allocator: what is pending when the guard begins takes memory from outside it") {
  if (!gp::default_device().is_cpu()) return;
  const gp::ndarray<float> a{1, 2, 3};
  const auto source = std::make_shared<counting_allocator>();
  const auto outside = a + 1.f;
  gp::expr<float> inside = a * 2.f;
  {
    const gp::allocator_guard guard(gp::memory_space::host, gp::device::cpu(), source);
    CHECK(source->live == 0);
    inside = a * 3.f;
  }
  CHECK(source->live == 1);
  CHECK(inside.to_vector() == floats{3, 6, 9});
  CHECK(outside.to_vector() == floats{2, 3, 4});
}
