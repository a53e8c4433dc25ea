// Devices whose addresses and memory are apart: where pages are mapped, when they are taken from free blocks,
// and when not.
#include <doctest/doctest.h>

#include "memory/pool_fakes.hpp"

using namespace gparray::core;
using fake::KiB;
using fake::MiB;
using fake::stream;

TEST_CASE("memory_pool: only the pages that a request needs get memory") {
  fake::device d(true);
  block* a = d.pool.allocate(5 * MiB, nullptr);
  CHECK(d.source.held == 6 * MiB);
  CHECK(a->bytes == 5 * MiB);
  block* b = d.pool.allocate(3 * MiB, nullptr);  // with what is left of the last page
  CHECK(d.source.held == 8 * MiB);
  CHECK(static_cast<char*>(b->pointer) == static_cast<char*>(a->pointer) + 5 * MiB);
  block* small = d.pool.allocate(1, nullptr);  // has a range of its own
  CHECK(d.source.held == 10 * MiB);
  CHECK(d.source.ranges.size() == 2);
  const statistics s = d.pool.stats();
  CHECK(s.total_bytes == 10 * MiB);
  CHECK(s.used_bytes == 8 * MiB + 512);
  CHECK(s.n_free_blocks == 1);
  CHECK(s.misses == 3);
  for (block* x : {a, b, small}) d.pool.deallocate(x);
  CHECK(d.source.held == 10 * MiB);  // kept for later
  block* again = d.pool.allocate(8 * MiB, nullptr);
  CHECK(d.pool.stats().hits == 1);
  d.pool.deallocate(again);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 0);
  CHECK(d.source.ranges.empty());
  CHECK(d.source.misuses == 0);
}

TEST_CASE("memory_pool: a request beyond a range gets a range of its size") {
  fake::device d(true);
  block* a = d.pool.allocate(63 * MiB, nullptr);
  block* b = d.pool.allocate(100 * MiB, nullptr);
  CHECK(d.source.ranges.size() == 2);
  CHECK(d.source.held == 164 * MiB);
  d.pool.deallocate(a);
  d.pool.deallocate(b);
  d.pool.free_all_blocks();
  CHECK(d.source.ranges.empty());
  CHECK(d.source.misuses == 0);
}

TEST_CASE("memory_pool: free pages between blocks in use go where they are needed") {
  fake::device d(true);
  block* a[4];
  for (block*& each : a) each = d.pool.allocate(8 * MiB, nullptr);
  d.pool.deallocate(a[0]);
  d.pool.deallocate(a[2]);
  CHECK(d.source.held == 32 * MiB);
  block* b = d.pool.allocate(12 * MiB, nullptr);  // longer than either gap
  CHECK(d.source.held <= 36 * MiB);               // an eighth above the 32 that were in use
  CHECK(d.source.unmaps > 0);
  block* c = d.pool.allocate(1536 * KiB, nullptr);  // where a page was left
  CHECK(d.source.held <= 36 * MiB);
  for (block* x : {a[1], a[3], b, c}) d.pool.deallocate(x);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 0);
  CHECK(d.source.misuses == 0);
}

TEST_CASE("memory_pool: a gap of addresses between free blocks is filled") {
  fake::device d(true);
  d.source.capacity = 16 * MiB;
  block* a = d.pool.allocate(8 * MiB, nullptr);
  block* wall = d.pool.allocate(2 * MiB, nullptr);
  void* const p = a->pointer;
  d.pool.deallocate(a);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 2 * MiB);
  block* b = d.pool.allocate(8 * MiB, nullptr);
  CHECK(b->pointer == p);
  CHECK(d.source.held == 10 * MiB);
  CHECK(d.source.ranges.size() == 1);
  d.pool.deallocate(b);
  d.pool.deallocate(wall);
}

TEST_CASE("memory_pool: free memory on both sides of a gap is part of what it becomes") {
  fake::device d(true);
  d.source.capacity = 14 * MiB;
  block* a = d.pool.allocate(3 * MiB, nullptr);
  block* b = d.pool.allocate(6 * MiB, nullptr);
  block* c = d.pool.allocate(5 * MiB, nullptr);
  void* const p = b->pointer;
  d.pool.deallocate(b);
  d.pool.free_all_blocks();  // two pages; half of one on either side stays
  CHECK(d.source.held == 10 * MiB);
  CHECK(d.pool.stats().n_free_blocks == 2);
  b = d.pool.allocate(6 * MiB, nullptr);
  CHECK(b->pointer == p);
  CHECK(d.source.held == 14 * MiB);
  for (block* x : {a, b, c}) d.pool.deallocate(x);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 0);
  CHECK(d.source.ranges.empty());
}

TEST_CASE("memory_pool: pages are not unmapped while work may touch them") {
  fake::device d(true);
  d.source.work = &d.work;
  const auto free_in_use = [&](block* b, stream_handle s) {
    const char* p = static_cast<char*>(b->pointer);
    d.source.hazards.push_back({p, p + b->bytes, s, d.work.submit(s)});
    d.pool.deallocate(b);
  };
  free_in_use(d.pool.allocate(16 * MiB, stream(1)), stream(1));
  block* b = d.pool.allocate(16 * MiB, stream(2));  // nobody waits for another stream
  CHECK(d.work.waits == 0);
  CHECK(d.source.held == 32 * MiB);
  d.work.finish(stream(1));
  block* c = d.pool.allocate(10 * MiB, stream(2));
  CHECK(d.source.held <= 34 * MiB);  // two pages a stream above the 26 that were in use
  CHECK(d.work.waits == 0);
  free_in_use(c, stream(2));
  free_in_use(b, stream(2));
  block* e = d.pool.allocate(40 * MiB, stream(2));  // for its own, if the pool would hold too much
  CHECK(d.source.held <= 48 * MiB);
  CHECK(d.source.misuses == 0);
  d.pool.deallocate(e);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 0);
  CHECK(d.source.misuses == 0);
  CHECK(d.work.live == 0);
}

TEST_CASE("memory_pool: out of memory, every free page is used before") {
  fake::device d(true);
  d.source.capacity = 32 * MiB;
  block* a[4];
  for (block*& each : a) each = d.pool.allocate(8 * MiB, stream(1));
  d.work.submit(stream(1));
  d.pool.deallocate(a[0]);
  d.pool.deallocate(a[2]);
  block* b = d.pool.allocate(16 * MiB, stream(2));
  CHECK(d.source.held == 32 * MiB);
  CHECK_THROWS_AS(d.pool.allocate(2 * MiB, stream(2)), gparray::out_of_memory);
  for (block* x : {a[1], a[3], b}) d.pool.deallocate(x);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 0);
  CHECK(d.source.misuses == 0);
}

TEST_CASE("memory_pool: a limit bounds the pages") {
  fake::device d(true);
  d.pool.set_limit(10 * MiB);
  block* a = d.pool.allocate(7 * MiB, nullptr);
  CHECK_THROWS_AS(d.pool.allocate(4 * MiB, nullptr), gparray::out_of_memory);
  block* b = d.pool.allocate(3 * MiB, nullptr);
  CHECK(d.source.held == 10 * MiB);
  d.pool.deallocate(a);
  d.pool.deallocate(b);
}

TEST_CASE("memory_pool: a device that fails to map leaves the pool as it was") {
  for (const bool throws : {false, true}) {
    fake::device d(true);
    block* a = d.pool.allocate(3 * MiB, nullptr);
    d.source.capacity = throws ? d.source.capacity : d.source.held;
    if (throws) {
      d.source.throw_call = d.source.calls + 1;
      CHECK_THROWS_AS(d.pool.allocate(5 * MiB, nullptr), gparray::cuda_error);
    } else {
      CHECK_THROWS_AS(d.pool.allocate(5 * MiB, nullptr), gparray::out_of_memory);
    }
    CHECK(d.pool.stats().total_bytes == 4 * MiB);
    CHECK(d.pool.stats().used_bytes == 3 * MiB);
    d.source.capacity = 100 * MiB;
    block* b = d.pool.allocate(5 * MiB, nullptr);
    CHECK(static_cast<char*>(b->pointer) == static_cast<char*>(a->pointer) + 3 * MiB);
    d.pool.deallocate(a);
    d.pool.deallocate(b);
    d.pool.free_all_blocks();
    CHECK(d.source.held == 0);
    CHECK(d.source.ranges.empty());
  }
}

TEST_CASE("memory_pool: the pages and addresses of a stream that is gone are used again") {
  fake::device d(true);
  for (std::uintptr_t i = 1; i <= 100; ++i) {
    block* a = d.pool.allocate(20 * MiB, stream(i));
    d.work.submit(stream(i));
    d.pool.deallocate(a);
    d.pool.release_stream(stream(i));
    d.work.finish(stream(i));
    d.work.destroyed[stream(i)] = true;
    CHECK(d.source.held <= 24 * MiB);
  }
  CHECK(d.source.ranges.size() <= 4);
  CHECK(d.work.misuses == 0);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 0);
  CHECK(d.work.live == 0);
}
