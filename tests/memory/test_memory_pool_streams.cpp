// Who gets freed memory when: streams, events, record_use, release_stream.
#include <doctest/doctest.h>

#include "memory/pool_fakes.hpp"

using namespace gparray::core;
using fake::KiB;
using fake::MiB;
using fake::stream;

TEST_CASE("memory_pool: another stream waits for the event") {
  for (const std::size_t bytes : {1 * KiB, 8 * MiB}) {
    fake::device d;
    block* a = d.pool.allocate(bytes, stream(1));
    void* const p = a->pointer;
    d.work.submit(stream(1));
    d.pool.deallocate(a);
    block* b = d.pool.allocate(bytes, stream(2));
    CHECK(b->pointer != p);
    d.work.finish(stream(1));
    block* c =
        d.pool.allocate(b->bytes == bytes ? 2 * MiB : bytes, stream(2));  // more than is left of b's chunk
    d.pool.deallocate(c);
    block* e = d.pool.allocate(bytes, stream(3));
    CHECK((c->pointer == p || e->pointer == p));
    CHECK(d.work.waits == 0);
    d.pool.deallocate(b);
    d.pool.deallocate(e);
    d.pool.free_all_blocks();
    CHECK(d.source.held == 0);
    CHECK(d.work.live == 0);
  }
}

TEST_CASE("memory_pool: an event recorded before the free does not count") {
  fake::device d;
  block* a = d.pool.allocate(4 * MiB, stream(1));
  block* b = d.pool.allocate(4 * MiB, stream(1));
  void* const p = b->pointer;
  d.work.submit(stream(1));
  d.pool.deallocate(a);
  block* c = d.pool.allocate(4 * MiB, stream(2));  // records an event on stream 1: not done
  d.work.finish(stream(1));
  d.work.submit(stream(1));  // uses b
  d.pool.deallocate(b);
  block* e = d.pool.allocate(4 * MiB, stream(2));  // a's chunk is safe by the first event
  CHECK(e->pointer != p);
  CHECK(d.source.calls == 3);
  block* f = d.pool.allocate(4 * MiB, stream(2));
  CHECK(f->pointer != p);
  CHECK(d.source.calls == 4);
  d.work.finish(stream(1));
  block* g = d.pool.allocate(4 * MiB, stream(2));
  CHECK(g->pointer == p);
  for (block* x : {c, e, f, g}) d.pool.deallocate(x);
}

TEST_CASE("memory_pool: a chunk that is partly in use stays with its stream") {
  fake::device d;
  block* a = d.pool.allocate(1 * KiB, stream(1));
  block* b = d.pool.allocate(1 * KiB, stream(1));
  d.pool.deallocate(a);
  block* c = d.pool.allocate(1 * KiB, stream(2));
  CHECK(d.source.calls == 2);
  d.pool.deallocate(b);
  d.pool.deallocate(c);
}

TEST_CASE("memory_pool: record_use keeps a block back until every stream is done") {
  fake::device d;
  block* a = d.pool.allocate(4 * MiB, stream(1));
  void* const p = a->pointer;
  d.pool.record_use(a, stream(2));
  d.pool.record_use(a, stream(3));
  d.pool.record_use(a, stream(2));
  d.pool.record_use(a, stream(1));  // its own: nothing to remember
  d.work.submit(stream(2));
  d.work.submit(stream(3));
  d.pool.deallocate(a);
  CHECK(d.work.recorded == 2);
  CHECK(d.pool.stats().used_bytes == 0);
  CHECK(d.pool.stats().pending_bytes == 4 * MiB);
  CHECK(d.pool.stats().free_bytes == 4 * MiB);
  d.work.finish(stream(2));
  block* b = d.pool.allocate(4 * MiB, stream(1));  // its own stream must wait too
  CHECK(b->pointer != p);
  d.work.finish(stream(3));
  block* c = d.pool.allocate(4 * MiB, stream(1));
  CHECK(c->pointer == p);
  CHECK(d.pool.stats().pending_bytes == 0);
  CHECK(d.work.live == 0);
  d.pool.deallocate(b);
  d.pool.deallocate(c);
}

TEST_CASE("memory_pool: a pending block does not join its neighbours") {
  fake::device d;
  block* a = d.pool.allocate(1 * MiB, stream(1));
  block* b = d.pool.allocate(1 * MiB, stream(1));
  d.pool.record_use(b, stream(2));
  d.work.submit(stream(2));
  d.pool.deallocate(b);
  d.pool.deallocate(a);
  CHECK(d.pool.stats().n_free_blocks == 1);
  d.work.finish(stream(2));
  block* c = d.pool.allocate(1, stream(1));
  CHECK(d.source.calls == 1);
  d.pool.deallocate(c);
  CHECK(d.pool.stats().n_free_blocks == 1);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 0);
}

TEST_CASE("memory_pool: an event that cannot be recorded now is recorded later") {
  fake::device d;
  block* a = d.pool.allocate(4 * MiB, stream(1));
  void* const p = a->pointer;
  d.pool.record_use(a, stream(2));
  d.work.submit(stream(2));
  d.work.record_fails = true;
  d.pool.deallocate(a);
  d.work.finish(stream(2));
  block* b = d.pool.allocate(4 * MiB, stream(1));
  CHECK(b->pointer != p);
  d.pool.free_all_blocks();
  CHECK(d.pool.stats().pending_bytes == 4 * MiB);
  d.work.record_fails = false;
  block* c = d.pool.allocate(4 * MiB, stream(1));
  CHECK(c->pointer == p);
  d.pool.deallocate(b);
  d.pool.deallocate(c);
}

TEST_CASE("memory_pool: free_all_blocks waits for the device") {
  fake::device d;
  block* a = d.pool.allocate(4 * MiB, stream(1));
  block* b = d.pool.allocate(4 * MiB, stream(1));
  d.source.work = &d.work;
  for (block* x : {a, b}) {
    const char* p = static_cast<char*>(x->pointer);
    d.source.hazards.push_back({p, p + x->bytes, stream(1), d.work.submit(stream(1))});
  }
  d.pool.deallocate(a);
  block* c = d.pool.allocate(4 * MiB, stream(2));  // leaves an event behind that is older than the free of b
  const char* p = static_cast<char*>(b->pointer);
  d.source.hazards.push_back({p, p + b->bytes, stream(1), d.work.submit(stream(1))});
  d.pool.deallocate(b);
  d.pool.free_all_blocks();
  CHECK(d.work.waits > 0);
  CHECK(d.source.held == 4 * MiB);
  CHECK(d.source.misuses == 0);
  d.pool.deallocate(c);
}

TEST_CASE("memory_pool: the memory of a stream that is gone is not lost") {
  fake::device d;
  block* a = d.pool.allocate(4 * MiB, stream(1));
  block* b = d.pool.allocate(4 * MiB, stream(1));
  block* used_there = d.pool.allocate(4 * MiB, stream(2));
  void* const p = a->pointer;
  d.pool.record_use(used_there, stream(1));
  d.work.submit(stream(1));
  d.pool.deallocate(a);
  d.pool.release_stream(stream(1));
  d.work.destroyed[stream(1)] = true;
  d.pool.release_stream(stream(9));  // never seen
  d.pool.deallocate(b);
  d.pool.deallocate(used_there);
  block* c = d.pool.allocate(4 * MiB, stream(2));
  CHECK(c->pointer != p);
  CHECK(d.source.calls == 4);
  CHECK(d.pool.stats().pending_bytes == 4 * MiB);
  d.work.finish(stream(1));
  block* e = d.pool.allocate(4 * MiB, stream(2));
  block* f = d.pool.allocate(4 * MiB, stream(2));
  block* g = d.pool.allocate(4 * MiB, stream(2));
  CHECK(d.source.calls == 4);
  CHECK(d.work.misuses == 0);
  for (block* x : {c, e, f, g}) d.pool.deallocate(x);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 0);
  CHECK(d.work.live == 0);
}

TEST_CASE("memory_pool: a stream that cannot record when it goes keeps its memory out of reach") {
  fake::device d;
  block* a = d.pool.allocate(4 * MiB, stream(1));
  block* b = d.pool.allocate(4 * MiB, stream(2));
  d.pool.record_use(b, stream(1));
  d.work.record_fails = true;
  d.pool.release_stream(stream(1));
  d.work.record_fails = false;
  d.work.destroyed[stream(1)] = true;
  d.pool.record_use(b, stream(3));
  d.pool.deallocate(a);
  d.pool.deallocate(b);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 8 * MiB);
  CHECK(d.pool.stats().used_bytes == 0);
  block* c = d.pool.allocate(4 * MiB, stream(2));
  CHECK(d.source.calls == 3);
  d.pool.deallocate(c);
  d.pool.free_all_blocks();
  CHECK(d.source.chunks.size() == 2);
  CHECK(d.work.misuses == 0);
  CHECK(d.work.live == 0);
  for (auto& [p, bytes] : d.source.chunks) std::free(p);
  d.source.chunks.clear();
}

TEST_CASE("memory_pool: a new stream of an old one's handle does not get what that one's work still uses") {
  for (const bool freed_before : {true, false}) {
    CAPTURE(freed_before);
    fake::device d;
    block* a = d.pool.allocate(100 * KiB, stream(1));
    d.work.submit(stream(1));
    void* const p = a->pointer;
    if (freed_before) d.pool.deallocate(a);
    d.pool.release_stream(stream(1));
    if (!freed_before) d.pool.deallocate(a);
    block* b = d.pool.allocate(100 * KiB, stream(1));
    CHECK(b->pointer != p);
    d.pool.deallocate(b);
  }
}

// RMM issue 2489: memory that had gone from one stream to a second was given to a third by an event from
// before that.
TEST_CASE("memory_pool: memory that changes its stream twice waits for the last one's work") {
  fake::device d;
  block* x = d.pool.allocate(4 * MiB, stream(1));
  void* const p = x->pointer;
  d.work.submit(stream(1));
  d.pool.deallocate(x);
  block* y = d.pool.allocate(4 * MiB, stream(2));
  CHECK(y->pointer != p);
  d.work.finish(stream(1));
  block* z = d.pool.allocate(4 * MiB, stream(2));
  REQUIRE(z->pointer == p);
  d.work.submit(stream(2));  // a kernel that writes z, and does not end for a while
  d.pool.deallocate(z);
  block* early = d.pool.allocate(4 * MiB, stream(3));
  CHECK(early->pointer != p);
  d.work.submit(stream(1));
  d.work.finish(stream(1));  // says nothing about the second stream
  block* again = d.pool.allocate(4 * MiB, stream(3));
  CHECK(again->pointer != p);
  d.work.finish(stream(2));
  block* late = d.pool.allocate(4 * MiB, stream(3));
  CHECK(late->pointer == p);
  for (block* b : {y, early, again, late}) d.pool.deallocate(b);
}

// RMM issue 2489 as it was reported: a stream asked for more than any list of free blocks had, the lists were
// merged into its own without the first stream's event, and a third stream took from there what the first one
// still wrote.
TEST_CASE("memory_pool: a request that nothing fits hands no memory on before its work is done") {
  for (const bool pages : {false, true}) {
    CAPTURE(pages);
    fake::device d(pages);
    d.source.work = &d.work;
    block* x = d.pool.allocate(4 * MiB, stream(1));
    const char* const p = static_cast<char*>(x->pointer);
    d.source.hazards.push_back({p, p + x->bytes, stream(1), d.work.submit(stream(1))});
    d.pool.deallocate(x);
    block* large = d.pool.allocate(40 * MiB, stream(2));
    block* third = d.pool.allocate(4 * MiB, stream(3));
    CHECK(third->pointer != p);
    CHECK(d.source.misuses == 0);
    CHECK(d.work.waits == 0);
    d.pool.deallocate(large);
    d.pool.deallocate(third);
    d.pool.free_all_blocks();
    CHECK(d.source.held == 0);
    CHECK(d.source.misuses == 0);
  }
}

// PyTorch issue 189504: after the wait for other streams' work only the device was asked for memory again,
// and not the pool.
TEST_CASE("memory_pool: a block that only waits for another stream is found before memory runs out") {
  fake::device d;
  d.source.capacity = 8 * MiB;
  block* kept = d.pool.allocate(2 * MiB, stream(1));  // its chunk cannot be given back while it lives
  d.pool.deallocate(kept);
  kept = d.pool.allocate(8 * MiB, stream(1));
  d.pool.deallocate(kept);
  kept = d.pool.allocate(3 * MiB, stream(1));
  block* freed = d.pool.allocate(4 * MiB, stream(1));
  void* const p = freed->pointer;
  d.pool.record_use(freed, stream(2));
  d.work.submit(stream(2));
  d.pool.deallocate(freed);
  block* again = d.pool.allocate(4 * MiB, stream(1));
  CHECK(again->pointer == p);
  d.pool.deallocate(again);
  d.pool.deallocate(kept);
}
