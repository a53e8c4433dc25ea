// Running out of memory, limits, devices and hooks that fail.
#include <functional>
#include <string>

#include <doctest/doctest.h>

#include "memory/pool_fakes.hpp"
#include "support/error_text.hpp"

using namespace gparray::core;
using fake::KiB;
using fake::MiB;
using fake::stream;

namespace {

std::string text_of_failure(memory_pool& pool, std::size_t bytes, stream_handle s = nullptr) {
  try {
    pool.deallocate(pool.allocate(bytes, s));
  } catch (const gparray::out_of_memory& e) {
    return e.what();
  }
  return "no exception";
}

/// Whatever failed before, the pool works, and gives everything back.
void check_intact(fake::device& d) {
  block* b = d.pool.allocate(3 * MiB, stream(5));
  CHECK(d.pool.stats().used_bytes == b->bytes);
  d.pool.deallocate(b);
  d.pool.free_all_blocks();
  CHECK(d.pool.stats().used_bytes == 0);
  CHECK(d.pool.stats().total_bytes == 0);
  CHECK(d.source.held == 0);
  CHECK(d.source.misuses == 0);
  CHECK(d.work.live == 0);
}

struct counting_hook final : gparray::memory_hook {
  int live = 0, allocations = 0, deallocations = 0, upstream = 0;
  std::size_t upstream_bytes = 0;
  gparray::allocation last;
  std::function<void()> inside_allocate, inside_deallocate, inside_upstream;
  void on_allocate(const gparray::allocation& a) override {
    last = a;
    ++allocations;
    if (inside_allocate) inside_allocate();
    ++live;
  }
  void on_deallocate(const gparray::allocation& a) override {
    last = a;
    ++deallocations;
    --live;
    if (inside_deallocate) inside_deallocate();
  }
  void on_upstream_allocate(void*, std::size_t bytes) override {
    ++upstream;
    upstream_bytes += bytes;
    if (inside_upstream) inside_upstream();
  }
};

struct hook_failure {};

}  // namespace

TEST_CASE("memory_pool: cached memory goes back before it is given up") {
  fake::device d;
  d.source.capacity = 8 * MiB;
  d.pool.deallocate(d.pool.allocate(2 * MiB, nullptr));
  d.pool.deallocate(d.pool.allocate(4 * MiB, nullptr));
  block* b = d.pool.allocate(8 * MiB, nullptr);
  CHECK(d.source.held == 8 * MiB);
  CHECK(d.work.waits == 0);
  d.pool.deallocate(b);
  check_intact(d);
}

TEST_CASE("memory_pool: out of memory waits for other streams only when nothing else helps") {
  fake::device d;
  d.source.capacity = 8 * MiB;
  block* a = d.pool.allocate(4 * MiB, stream(1));
  block* b = d.pool.allocate(4 * MiB, stream(2));
  d.pool.record_use(b, stream(3));
  d.work.submit(stream(1));
  d.work.submit(stream(3));
  d.pool.deallocate(a);
  d.pool.deallocate(b);
  d.work.finish(stream(1));
  block* c = d.pool.allocate(4 * MiB, stream(4));
  CHECK(d.work.waits == 0);
  block* e = d.pool.allocate(4 * MiB, stream(4));
  CHECK(d.work.waits > 0);
  CHECK(contains(text_of_failure(d.pool, 4 * MiB), "out of fake memory: asked for 4.00 MiB (4194304 bytes)"));
  d.pool.deallocate(c);
  d.pool.deallocate(e);
  check_intact(d);
}

TEST_CASE("memory_pool: the text says what was asked and held, and the remedy") {
  fake::device d;
  d.source.capacity = 10 * MiB;
  block* a = d.pool.allocate(6 * MiB, nullptr);
  block* b = d.pool.allocate(1, nullptr);
  const std::string full = text_of_failure(d.pool, 7 * MiB);
  for (const char* part : {"asked for 7.00 MiB (7340032 bytes)", "6.00 MiB in use", "2.00 MiB cached",
                           "free outside the pool: 2.00 MiB", "limit: none", "drop arrays"})
    CHECK_MESSAGE(contains(full, part), full);
  const std::string pieces = text_of_failure(d.pool, 2 * MiB - 512);
  CHECK(pieces == "no exception");  // the upstream has 2 MiB left
  d.pool.set_limit(10 * MiB);
  d.source.capacity = 100 * MiB;
  const std::string limited = text_of_failure(d.pool, 7 * MiB);
  CHECK_MESSAGE(contains(limited, "limit: 10.00 MiB. Remedy: raise the limit with set_limit"), limited);
  d.pool.set_limit(0);
  d.pool.deallocate(a);
  d.pool.deallocate(b);
  check_intact(d);
}

TEST_CASE("memory_pool: fragmentation is named") {
  fake::device d;
  d.source.capacity = 8 * MiB;
  block* blocks[4];
  d.pool.deallocate(d.pool.allocate(8 * MiB, nullptr));
  for (block*& b : blocks) b = d.pool.allocate(2 * MiB, nullptr);
  d.pool.deallocate(blocks[0]);
  d.pool.deallocate(blocks[2]);
  CHECK(contains(text_of_failure(d.pool, 3 * MiB), "in pieces between arrays that are alive"));
  d.pool.deallocate(blocks[1]);
  d.pool.deallocate(blocks[3]);
  check_intact(d);
}

TEST_CASE("memory_pool: the limit bounds what is held, and may be below a usual chunk") {
  fake::device d;
  d.pool.set_limit(64 * KiB);
  CHECK(d.pool.limit() == 64 * KiB);
  block* a = d.pool.allocate(40 * KiB, nullptr);
  CHECK(d.source.held == 40 * KiB);
  CHECK_THROWS_AS(d.pool.allocate(32 * KiB, nullptr), gparray::out_of_memory);
  d.pool.set_limit(1);  // below what is held
  CHECK_THROWS_AS(d.pool.allocate(1, nullptr), gparray::out_of_memory);
  d.pool.set_limit(4 * MiB);
  block* b = d.pool.allocate(3 * MiB, nullptr);
  CHECK(d.source.held <= 4 * MiB);
  d.pool.deallocate(a);
  d.pool.deallocate(b);
  d.pool.deallocate(d.pool.allocate(4 * MiB, nullptr));  // what is cached makes room
  CHECK(d.source.held == 4 * MiB);
  d.pool.set_limit(0);
  check_intact(d);
}

TEST_CASE("memory_pool: as a last resort small requests take from large chunks") {
  fake::device d;
  d.source.capacity = 8 * MiB;
  d.pool.deallocate(d.pool.allocate(8 * MiB, nullptr));
  block* a = d.pool.allocate(6 * MiB, nullptr);  // 2 MiB of the chunk are left
  block* b = d.pool.allocate(1 * KiB, nullptr);
  CHECK(d.source.calls >= 2);
  d.pool.deallocate(a);
  d.pool.deallocate(b);
  check_intact(d);
}

TEST_CASE("memory_pool: the k-th upstream call fails") {
  for (int k = 1; k <= 8; ++k) {
    for (const bool throws : {false, true}) {
      fake::device d;
      (throws ? d.source.throw_call : d.source.fail_call) = k;
      std::vector<block*> live;
      int failures = 0;
      for (std::size_t i = 1; i <= 8; ++i) {
        try {
          live.push_back(d.pool.allocate(i * 3 * MiB, stream(i % 3)));
        } catch (const gparray::error&) {
          ++failures;
        }
      }
      CHECK(failures == (throws ? 1 : 0));  // null is tried again, an exception goes through
      for (block* b : live) d.pool.deallocate(b);
      check_intact(d);
    }
  }
}

TEST_CASE("memory_pool: a query that throws loses nothing") {
  fake::device d;
  block* a = d.pool.allocate(4 * MiB, stream(1));
  block* b = d.pool.allocate(4 * MiB, stream(1));
  d.pool.record_use(b, stream(2));
  d.pool.deallocate(a);
  d.pool.deallocate(b);
  d.work.done_throws = true;
  CHECK_THROWS_AS(d.pool.allocate(4 * MiB, stream(3)), gparray::cuda_error);
  CHECK_THROWS_AS(d.pool.free_all_blocks(), gparray::cuda_error);
  d.work.done_throws = false;
  check_intact(d);
}

TEST_CASE("memory_pool: hooks see every event") {
  fake::device d;
  auto hook = std::make_shared<counting_hook>();
  d.pool.add_hook(hook);
  block* a = d.pool.allocate(700, stream(3));
  CHECK(hook->last.pointer == a->pointer);
  CHECK(hook->last.requested == 700);
  CHECK(hook->last.bytes == 1024);
  CHECK(hook->last.stream == stream(3));
  CHECK(hook->upstream == 1);
  CHECK(hook->upstream_bytes == 2 * MiB);
  block* b = d.pool.allocate(700, stream(3));
  CHECK(hook->upstream == 1);
  CHECK(hook->live == 2);
  void* const p = a->pointer;
  d.pool.deallocate(a);
  CHECK(hook->last.pointer == p);
  CHECK(hook->last.stream == stream(3));
  d.pool.remove_hook(hook.get());
  CHECK(hook.use_count() == 1);
  d.pool.deallocate(b);
  CHECK(hook->deallocations == 1);
  check_intact(d);
}

TEST_CASE("memory_pool: hooks that throw leave nothing behind") {
  fake::device d;
  auto first = std::make_shared<counting_hook>();
  auto second = std::make_shared<counting_hook>();
  d.pool.add_hook(first);
  d.pool.add_hook(second);
  const auto fail = [] { throw hook_failure{}; };

  second->inside_upstream = fail;
  CHECK_THROWS_AS(d.pool.allocate(1, nullptr), hook_failure);
  CHECK(d.pool.stats().used_bytes == 0);
  CHECK(d.source.held == 2 * MiB);  // cached
  second->inside_upstream = nullptr;

  second->inside_allocate = fail;
  CHECK_THROWS_AS(d.pool.allocate(1, nullptr), hook_failure);
  CHECK_THROWS_AS(d.pool.allocate(0, nullptr), hook_failure);
  CHECK(d.pool.stats().used_bytes == 0);
  CHECK(first->allocations == 2);
  CHECK(first->live == 0);  // told of the way back
  second->inside_allocate = nullptr;

  block* b = d.pool.allocate(1, nullptr);
  first->inside_deallocate = fail;
  d.pool.deallocate(b);
  CHECK(second->deallocations == 1);
  CHECK(d.pool.stats().used_bytes == 0);
  d.pool.remove_hook(first.get());
  d.pool.remove_hook(second.get());
  CHECK_THROWS_AS(d.pool.allocate(1, nullptr), hook_failure);
  check_intact(d);  // thrown once
}

TEST_CASE("memory_pool: a hook may use the pool") {
  fake::device d;
  auto hook = std::make_shared<counting_hook>();
  hook->inside_allocate = [&] { d.pool.deallocate(d.pool.allocate(5 * MiB, stream(1))); };
  hook->inside_deallocate = [&] { d.pool.free_all_blocks(); };
  d.pool.add_hook(hook);
  d.pool.deallocate(d.pool.allocate(1, nullptr));
  CHECK(hook->allocations == 1);
  CHECK(d.source.held == 0);
  d.pool.remove_hook(hook.get());
  check_intact(d);
}
