// A device for memory pools that is only bookkeeping: memory that can run out, streams whose work ends on
// command.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <sys/mman.h>
#include <vector>

#include <gparray/error.hpp>

#include "memory/pool.hpp"
#include "memory/sizes.hpp"

namespace fake {

using gparray::core::stream_handle;

inline stream_handle stream(std::uintptr_t i) { return reinterpret_cast<stream_handle>(i); }

class events final : public gparray::core::event_source {
 public:
  /// Enqueues work; it runs until finish(). The result tells this work from later work.
  int submit(stream_handle s) {
    const std::lock_guard guard(lock_);
    return ++submitted_[s];
  }
  void finish(stream_handle s) {
    const std::lock_guard guard(lock_);
    finished_[s] = submitted_[s];
  }
  bool finished(stream_handle s, int work) {
    const std::lock_guard guard(lock_);
    return finished_[s] >= work;
  }

  void* record(stream_handle s) override {
    const std::lock_guard guard(lock_);
    if (destroyed[s]) ++misuses;
    if (record_fails) return nullptr;
    ++recorded;
    ++live;
    return new event{s, submitted_[s]};
  }
  bool done(void* e) override {
    const std::lock_guard guard(lock_);
    if (done_throws) throw gparray::cuda_error("the device is broken", 700);
    ++queries;
    return finished_[of(e).stream] >= of(e).work;
  }
  void wait(void* e) noexcept override {
    const std::lock_guard guard(lock_);
    ++waits;
    int& f = finished_[of(e).stream];
    if (f < of(e).work) f = of(e).work;
  }
  void release(void* e) noexcept override {
    const std::lock_guard guard(lock_);
    --live;
    delete &of(e);
  }

  int recorded = 0, live = 0, queries = 0, waits = 0, misuses = 0;
  bool record_fails = false, done_throws = false;
  std::map<stream_handle, bool> destroyed;

 private:
  struct event {
    stream_handle stream;
    int work;
  };
  static event& of(void* e) { return *static_cast<event*>(e); }
  std::mutex lock_;
  std::map<stream_handle, int> submitted_, finished_;
};

/// A range of memory that work may still touch. `gone`: the stream was destroyed since; its handle may live
/// again.
struct hazard {
  const char* begin;
  const char* end;
  stream_handle stream;
  int work;
  bool gone = false;
};

class memory final : public gparray::core::upstream {
 public:
  void* allocate(std::size_t bytes) override {
    ++calls;
    if (calls == fail_call || bytes > capacity - held) return nullptr;
    if (calls == throw_call) throw gparray::cuda_error("the driver is gone", 4);
    void* p = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    chunks[static_cast<char*>(p)] = bytes;
    held += bytes;
    return p;
  }
  void deallocate(void* p, std::size_t bytes) noexcept override {
    const auto found = chunks.find(static_cast<char*>(p));
    if (found == chunks.end() || found->second != bytes) {
      ++misuses;
      return;
    }
    if (in_use(p, bytes)) ++misuses;
    chunks.erase(found);
    held -= bytes;
    std::free(p);
  }

  std::size_t range_bytes() const noexcept override { return pages ? std::size_t{64} << 20 : 0; }
  void* reserve(std::size_t bytes) override {
    void* p = mmap(nullptr, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return nullptr;
    char* const begin = static_cast<char*>(p) + (page - reinterpret_cast<std::uintptr_t>(p) % page) % page;
    ranges[begin] = {static_cast<char*>(p), bytes};
    return begin;
  }
  void release(void* p, std::size_t bytes) noexcept override {
    const auto found = ranges.find(static_cast<char*>(p));
    if (found == ranges.end() || found->second.bytes != bytes || count_mapped(found->first, bytes) != 0) {
      ++misuses;
      return;
    }
    munmap(found->second.whole, bytes + page);
    ranges.erase(found);
  }
  bool map_memory(void* p, std::size_t bytes) override {
    ++calls;
    if (calls == fail_call || bytes > capacity - held) return false;
    if (calls == throw_call) throw gparray::cuda_error("the driver is gone", 4);
    if (!whole_pages(p, bytes) || count_mapped(p, bytes) != 0) ++misuses;
    for (std::size_t i = 0; i < bytes; i += page) mapped.insert(static_cast<char*>(p) + i);
    mprotect(p, bytes, PROT_READ | PROT_WRITE);
    held += bytes;
    return true;
  }
  void unmap_memory(void* p, std::size_t bytes) noexcept override {
    ++unmaps;
    if (!whole_pages(p, bytes) || count_mapped(p, bytes) != bytes / page || in_use(p, bytes)) ++misuses;
    for (std::size_t i = 0; i < bytes; i += page) mapped.erase(static_cast<char*>(p) + i);
    mmap(p, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    held -= bytes;
  }

  std::optional<std::size_t> available() const noexcept override { return capacity - held; }
  const char* name() const noexcept override { return "fake"; }

  std::size_t capacity = std::size_t{1} << 40, held = 0;
  int calls = 0, unmaps = 0, fail_call = 0, throw_call = 0, misuses = 0;
  bool pages = false;                   // addresses and memory apart, as an upstream with range_bytes()
  std::map<char*, std::size_t> chunks;  // without
  struct range {
    char* whole;  // of which the range begins at a page
    std::size_t bytes;
  };
  std::map<char*, range> ranges;
  std::set<char*> mapped;
  std::vector<hazard> hazards;
  events* work = nullptr;

 private:
  static constexpr std::size_t page = gparray::core::chunk_granularity;
  static bool whole_pages(void* p, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(p) % page == 0 && bytes % page == 0 && bytes > 0;
  }
  std::size_t count_mapped(void* p, std::size_t bytes) const {
    const auto from = mapped.lower_bound(static_cast<char*>(p));
    return static_cast<std::size_t>(std::distance(from, mapped.lower_bound(static_cast<char*>(p) + bytes)));
  }
  bool in_use(void* p, std::size_t bytes) const {
    const char* const begin = static_cast<char*>(p);
    if (work)
      for (const hazard& h : hazards)
        if (h.begin < begin + bytes && begin < h.end && !work->finished(h.stream, h.work)) return true;
    return false;
  }
};

/// A pool over both; at the end nothing may be held or recorded any more.
struct device {
  explicit device(bool pages = false) { source.pages = pages; }
  memory source;
  events work;
  gparray::core::memory_pool pool{source, work};
};

inline constexpr std::size_t KiB = 1024;
inline constexpr std::size_t MiB = 1024 * KiB;

}  // namespace fake
