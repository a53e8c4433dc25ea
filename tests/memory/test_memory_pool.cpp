// Splitting, joining, sizes and counts on one stream.
#include <limits>

#include <doctest/doctest.h>

#include "memory/pool_fakes.hpp"

using namespace gparray::core;
using fake::KiB;
using fake::MiB;

TEST_CASE("memory_pool: sizes are rounded, small requests share a chunk") {
  fake::device d;
  block* a = d.pool.allocate(1, nullptr);
  block* b = d.pool.allocate(513, nullptr);
  CHECK(a->requested == 1);
  CHECK(a->bytes == 512);
  CHECK(b->bytes == 1024);
  CHECK(static_cast<char*>(b->pointer) == static_cast<char*>(a->pointer) + 512);
  CHECK(d.source.calls == 1);
  CHECK(d.source.held == 2 * MiB);
  const statistics s = d.pool.stats();
  CHECK(s.used_bytes == 1536);
  CHECK(s.total_bytes == 2 * MiB);
  CHECK(s.free_bytes == 2 * MiB - 1536);
  CHECK(s.misses == 1);
  CHECK(s.hits == 1);
  CHECK(s.n_free_blocks == 1);
  d.pool.deallocate(a);
  d.pool.deallocate(b);
}

TEST_CASE("memory_pool: large requests get chunks of their own size") {
  fake::device d;
  block* a = d.pool.allocate(1 * MiB + 1, nullptr);
  CHECK(d.source.held == 2 * MiB);
  CHECK(a->bytes == 1 * MiB + 512);
  block* b = d.pool.allocate(33 * MiB, nullptr);
  CHECK(d.source.held == 36 * MiB);
  d.pool.deallocate(a);
  d.pool.deallocate(b);
  CHECK(d.pool.stats().peak_bytes == 34 * MiB + 512);
}

TEST_CASE("memory_pool: a freed block is reused at once on its stream") {
  fake::device d;
  for (const std::size_t bytes : {std::size_t{512}, 100 * KiB, 1 * MiB, 3 * MiB, 100 * MiB}) {
    block* a = d.pool.allocate(bytes, fake::stream(1));
    d.work.submit(fake::stream(1));
    void* const p = a->pointer;
    d.pool.deallocate(a);
    block* b = d.pool.allocate(bytes, fake::stream(1));
    CHECK(b->pointer == p);
    d.pool.deallocate(b);
  }
  CHECK(d.work.recorded == 0);  // one stream costs no events
}

TEST_CASE("memory_pool: neighbours join in every order of freeing") {
  const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& order : orders) {
    fake::device d;
    block* blocks[3];
    for (block*& b : blocks) b = d.pool.allocate(600 * KiB, nullptr);
    void* const first = blocks[0]->pointer;
    for (const int i : order) d.pool.deallocate(blocks[i]);
    CHECK(d.pool.stats().n_free_blocks == 1);
    CHECK(d.pool.stats().used_bytes == 0);
    block* whole = d.pool.allocate(1 * MiB, nullptr);
    CHECK(whole->pointer == first);
    CHECK(d.source.calls == 1);
    d.pool.deallocate(whole);
    d.pool.free_all_blocks();
    CHECK(d.source.held == 0);
    CHECK(d.pool.stats().n_free_blocks == 0);
    CHECK(d.pool.stats().total_bytes == 0);
    CHECK(d.source.misuses == 0);
  }
}

TEST_CASE("memory_pool: the best fit wins") {
  fake::device d;
  block* sizes[4];
  block* walls[4];
  const std::size_t bytes[] = {64 * KiB, 40 * KiB, 48 * KiB, 96 * KiB};
  for (int i = 0; i < 4; ++i) {
    sizes[i] = d.pool.allocate(bytes[i], nullptr);
    walls[i] = d.pool.allocate(512, nullptr);
  }
  void* const p = sizes[2]->pointer;
  for (block* b : sizes) d.pool.deallocate(b);
  block* b = d.pool.allocate(47 * KiB, nullptr);
  CHECK(b->pointer == p);
  d.pool.deallocate(b);
  for (block* w : walls) d.pool.deallocate(w);
  CHECK(d.pool.stats().n_free_blocks == 1);
}

TEST_CASE("memory_pool: the best fit wins among nearly equal sizes") {
  fake::device d;
  block* blocks[3];
  block* walls[3];
  const std::size_t bytes[] = {520 * KiB, 514 * KiB, 530 * KiB};
  for (int i = 0; i < 3; ++i) {
    blocks[i] = d.pool.allocate(bytes[i], nullptr);
    walls[i] = d.pool.allocate(512, nullptr);
  }
  void* const p = blocks[1]->pointer;
  for (block* b : blocks) d.pool.deallocate(b);
  block* b = d.pool.allocate(513 * KiB, nullptr);
  CHECK(b->pointer == p);
  d.pool.deallocate(b);
  for (block* w : walls) d.pool.deallocate(w);
}

TEST_CASE("memory_pool: a large block is split when the rest is useful") {
  fake::device d;
  d.pool.deallocate(d.pool.allocate(10 * MiB, nullptr));
  block* a = d.pool.allocate(4 * MiB, nullptr);
  block* b = d.pool.allocate(6 * MiB, nullptr);
  CHECK(d.source.calls == 1);
  CHECK(static_cast<char*>(b->pointer) == static_cast<char*>(a->pointer) + 4 * MiB);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 10 * MiB);
  d.pool.deallocate(a);
  d.pool.free_all_blocks();  // half a chunk cannot go
  CHECK(d.source.held == 10 * MiB);
  d.pool.deallocate(b);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 0);
}

TEST_CASE("memory_pool: zero bytes, null, and requests beyond all memory") {
  fake::device d;
  block* a = d.pool.allocate(0, nullptr);
  block* b = d.pool.allocate(0, nullptr);
  CHECK(a != b);
  CHECK(a->pointer == nullptr);
  CHECK(a->pool == &d.pool);
  d.pool.record_use(a, fake::stream(1));
  d.pool.deallocate(a);
  d.pool.deallocate(b);
  d.pool.deallocate(nullptr);
  CHECK(d.source.calls == 0);
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t bytes : {most, most - 511, most / 2 + 1, most / 2 - MiB, most / 4})
    CHECK_THROWS_AS(d.pool.allocate(bytes, nullptr), gparray::out_of_memory);
  CHECK(d.pool.stats().used_bytes == 0);
  CHECK(d.pool.stats().total_bytes == 0);
}

TEST_CASE("memory_pool: the destructor returns everything") {
  fake::memory source;
  fake::events work;
  {
    memory_pool pool(source, work);
    block* a = pool.allocate(5 * MiB, fake::stream(1));
    block* b = pool.allocate(1, fake::stream(2));
    work.submit(fake::stream(1));
    work.submit(fake::stream(2));
    pool.record_use(a, fake::stream(2));
    pool.deallocate(a);
    pool.deallocate(b);
  }
  CHECK(source.held == 0);
  CHECK(work.live == 0);
}
