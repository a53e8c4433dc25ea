// Thousands of random operations against a model of what memory is safe, threads, and fork.
#include <atomic>
#include <cstring>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include "memory/host.hpp"
#include "memory/pool_fakes.hpp"
#include "support/forks.hpp"

using namespace gparray::core;
using fake::KiB;
using fake::MiB;
using fake::stream;

namespace {

/// Every block is used by work on its stream and on others; no range may change hands before that work is
/// done.
class model {
 public:
  model(unsigned seed, std::size_t capacity, bool pages) : random_(seed), d_(pages) {
    d_.source.capacity = capacity;
    d_.source.work = &d_.work;
  }

  void step() {
    switch (pick(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return allocate();
      case 4:
      case 5:
      case 6:
        return deallocate();
      case 7:
        return d_.work.finish(stream(pick(4)));
      case 8:
        return use_elsewhere();
      default:
        if (pick(40) == 0) d_.pool.free_all_blocks();
        if (pick(40) == 0) release_stream(stream(pick(4)));
    }
  }

  void finish() {
    while (!live_.empty()) deallocate();
    d_.pool.free_all_blocks();
    CHECK(d_.source.held == 0);
    CHECK(d_.source.misuses == 0);
    CHECK(d_.work.live == 0);
    const statistics s = d_.pool.stats();
    CHECK(s.total_bytes == 0);
    CHECK(s.pending_bytes == 0);
    CHECK(s.n_free_blocks == 0);
    CHECK(s.hits > 1000);
  }

  void check_counts() {
    std::size_t used = 0;
    for (const owned& o : live_) used += o.b->bytes;
    const statistics s = d_.pool.stats();
    REQUIRE(s.used_bytes == used);
    REQUIRE(s.total_bytes == d_.source.held);
    REQUIRE(s.total_bytes <= d_.source.capacity);
  }

 private:
  struct use {
    stream_handle stream;
    int last_work;
    bool gone;
  };
  struct owned {
    block* b;
    std::vector<use> uses;
  };

  std::size_t pick(std::size_t n) { return random_() % n; }

  void allocate() {
    const stream_handle s = stream(pick(4));
    const std::size_t bytes = pick(std::size_t{1} << (9 + pick(15)));
    block* b = nullptr;
    try {
      b = d_.pool.allocate(bytes, s);
    } catch (const gparray::out_of_memory&) {
      return;
    }
    REQUIRE(b->bytes >= bytes);
    REQUIRE(b->bytes < bytes + 512 + (bytes > MiB ? MiB : 0));
    REQUIRE(reinterpret_cast<std::uintptr_t>(b->pointer) % 512 == 0);
    const char* begin = static_cast<char*>(b->pointer);
    const char* end = begin + b->bytes;
    for (const owned& o : live_) {
      const char* other = static_cast<char*>(o.b->pointer);
      REQUIRE((end <= other || other + o.b->bytes <= begin));
    }
    std::erase_if(d_.source.hazards, [&](const auto& h) { return d_.work.finished(h.stream, h.work); });
    for (const auto& h : d_.source.hazards)
      REQUIRE((end <= h.begin || h.end <= begin || (h.stream == s && !h.gone)));
    live_.push_back({b, {{s, 0, false}}});
  }

  void deallocate() {
    if (live_.empty()) return;
    std::swap(live_[pick(live_.size())], live_.back());
    const owned o = live_.back();
    live_.pop_back();
    const char* begin = static_cast<char*>(o.b->pointer);
    for (const use& u : o.uses) {
      const int work = u.gone ? u.last_work : d_.work.submit(u.stream);
      d_.source.hazards.push_back({begin, begin + o.b->bytes, u.stream, work, u.gone});
    }
    d_.pool.deallocate(o.b);
  }

  void use_elsewhere() {
    if (live_.empty()) return;
    owned& o = live_[pick(live_.size())];
    const stream_handle s = stream(pick(4));
    d_.pool.record_use(o.b, s);
    o.uses.push_back({s, 0, false});
  }

  void release_stream(stream_handle s) {
    for (owned& o : live_)
      for (use& u : o.uses)
        if (u.stream == s && !u.gone) u = {s, d_.work.submit(s), true};
    for (auto& h : d_.source.hazards) h.gone |= h.stream == s;
    d_.pool.release_stream(s);
  }

  std::mt19937 random_;
  fake::device d_;
  std::vector<owned> live_;
};

}  // namespace

TEST_CASE("memory_pool: random operations against a model") {
  for (const std::size_t capacity : {40 * MiB, 400 * MiB}) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
      CAPTURE(seed);
      model m(seed, capacity, seed % 2 == 0);
      for (int i = 0; i < 5000; ++i) {
        m.step();
        if (i % 16 == 0) m.check_counts();
      }
      m.finish();
    }
  }
}

TEST_CASE("memory_pool: threads never share a block") {
  bool pages = false;
  SUBCASE("of whole chunks") { pages = false; }
  SUBCASE("of pages") { pages = true; }
  fake::device d(pages);
  d.source.capacity = 64 * MiB;
  std::atomic<int> errors{0};
  const auto run = [&](unsigned id) {
    std::mt19937 random(id);
    std::vector<block*> live(8);
    const stream_handle mine = stream(id % 3);
    for (int i = 0; i < 4000; ++i) {
      block*& entry = live[random() % live.size()];
      if (entry) {
        const auto* p = static_cast<unsigned char*>(entry->pointer);
        if (p[0] != id || p[entry->bytes - 1] != id) ++errors;
        if (random() % 8 == 0) d.pool.record_use(entry, stream(random() % 3));
        d.pool.deallocate(entry);
        entry = nullptr;
      }
      try {
        entry = d.pool.allocate(1 + random() % (random() % 4 ? 100 * KiB : 6 * MiB), mine);
        auto* p = static_cast<unsigned char*>(entry->pointer);
        p[0] = p[entry->bytes - 1] = static_cast<unsigned char>(id);
      } catch (const gparray::out_of_memory&) {
      }
      d.work.submit(mine);
      if (random() % 4 == 0) d.work.finish(mine);
      if (random() % 500 == 0) d.pool.free_all_blocks();
      if (random() % 500 == 0) d.pool.stats();
    }
    for (block* b : live) d.pool.deallocate(b);
  };
  std::vector<std::thread> threads;
  for (unsigned id = 1; id <= 4; ++id) threads.emplace_back(run, id);
  for (std::thread& t : threads) t.join();
  CHECK(errors == 0);
  d.pool.free_all_blocks();
  CHECK(d.source.held == 0);
  CHECK(d.source.misuses == 0);
  CHECK(d.work.live == 0);
}

#if GPARRAY_TEST_FORKS
TEST_CASE("memory_pool: the child of a fork can allocate while the parent's threads hold locks") {
  host_pool();  // made before the fork: a child born while another thread makes it would wait for that thread
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) {
      host_pool().deallocate(host_pool().allocate(100, nullptr));
      host_pool().free_all_blocks();
    }
  });
  int failed = 0;
  for (int i = 0; i < 30; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // a deadlock ends here
      block* b = host_pool().allocate(3 * MiB, nullptr);
      std::memset(b->pointer, 1, 3 * MiB);
      host_pool().deallocate(b);
      host_pool().free_all_blocks();
      _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    failed += status != 0;
  }
  stop = true;
  busy.join();
  CHECK(failed == 0);
}
#endif
