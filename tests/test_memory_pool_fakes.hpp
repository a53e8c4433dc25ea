// A device for memory pools that is only bookkeeping: memory that can run out, streams whose work ends on
// command.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <gparray/error.hpp>
#include <map>
#include <mutex>
#include <vector>

#include "memory/pool.hpp"

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
    if (work)
      for (const hazard& h : hazards)
        if (h.begin < found->first + bytes && found->first < h.end && !work->finished(h.stream, h.work))
          ++misuses;
    chunks.erase(found);
    held -= bytes;
    std::free(p);
  }
  std::optional<std::size_t> available() const noexcept override { return capacity - held; }
  const char* name() const noexcept override { return "fake"; }

  std::size_t capacity = std::size_t{1} << 40, held = 0;
  int calls = 0, fail_call = 0, throw_call = 0, misuses = 0;
  std::map<char*, std::size_t> chunks;
  std::vector<hazard> hazards;
  events* work = nullptr;
};

/// A pool over both; at the end nothing may be held or recorded any more.
struct device {
  memory source;
  events work;
  gparray::core::memory_pool pool{source, work};
};

inline constexpr std::size_t KiB = 1024;
inline constexpr std::size_t MiB = 1024 * KiB;

}  // namespace fake
