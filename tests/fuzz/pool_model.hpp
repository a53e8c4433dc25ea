// What a memory pool may do and must not, kept beside it: which bytes are live, which streams may still touch
// freed ones, and whether a block that would have fitted was free when the pool asked for more memory, or
// gave up.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "memory/pool_fakes.hpp"
#include "memory/sizes.hpp"

namespace fuzz {

using gparray::core::block;
using gparray::core::stream_handle;

struct pool_plan {
  unsigned seed = 1;
  int streams = 32;
  std::size_t capacity = 64 * fake::MiB;
  std::size_t largest = 8 * fake::MiB;
  bool pages = false;     ///< the device gives out addresses, and memory page by page
  bool canaries = false;  ///< every byte of a block is written, and read again when it is freed
};

class pool_model {
 public:
  explicit pool_model(const pool_plan& plan)
      : plan_(plan), random_(plan.seed), generations_(static_cast<std::size_t>(plan.streams)) {
    d_.source.capacity = plan.capacity;
    d_.source.pages = plan.pages;
    d_.source.work = &d_.work;
  }

  void run(long steps) {
    for (step_ = 0; step_ < steps; ++step_) {
      step();
      if (step_ % 256 == 0) check_counts();
    }
    while (!live_.empty()) deallocate();
    d_.pool.free_all_blocks();
    const auto s = d_.pool.stats();
    check(d_.source.held == 0 && d_.source.ranges.empty() && s.total_bytes == 0 && s.n_free_blocks == 0 &&
              s.pending_bytes == 0,
          "memory was kept");
    check(d_.source.misuses == 0, "memory was given back to the device while in use");
    check(d_.work.live == 0 && d_.work.misuses == 0,
          "events were kept, or recorded on a stream that is gone");
  }
  long growths() const { return growths_; }
  long refusals() const { return refusals_; }

 private:
  struct use {
    std::size_t stream;
    int last_work = 0;  ///< where `gone`
    bool gone = false;
  };
  struct owned {
    block* b;
    unsigned char mark;
    std::vector<use> uses;
  };
  /// A piece of the device's memory: the stream that it was last handed out to, which was then the n-th of
  /// this handle.
  struct piece {
    std::size_t bytes, stream;
    int generation;
    bool small;
  };

  void check(bool good, const char* what) {
    if (good) return;
    std::fprintf(stderr, "memory pool, seed %u, step %ld: %s\n", plan_.seed, step_, what);
    std::abort();
  }
  std::size_t pick(std::size_t n) { return random_() % n; }
  std::size_t any_stream() { return pick(static_cast<std::size_t>(plan_.streams)); }
  static stream_handle handle(std::size_t i) { return fake::stream(i); }

  void step() {
    const std::size_t what = pick(100);
    if (what < 42) return allocate();
    if (what < 82) return deallocate();
    if (what < 92) return finish(any_stream());
    if (what < 98) return use_elsewhere();
    if (what == 98 && pick(40) == 0) return release_stream(any_stream());
    if (what == 99 && pick(40) == 0) return free_all();
  }

  void check_counts() {
    std::size_t used = 0;
    for (const owned& o : live_) used += o.b->bytes;
    const auto s = d_.pool.stats();
    check(s.used_bytes == used, "a wrong count of used bytes");
    check(s.total_bytes == d_.source.held && s.total_bytes <= plan_.capacity, "a wrong count of all bytes");
  }

  void allocate() {
    const std::size_t s = any_stream(), bytes = size();
    const std::size_t rounded = gparray::core::round_up(bytes, gparray::core::block_granularity);
    const int calls = d_.source.calls;
    const bool fits = largest_gap(s, gparray::core::is_small(rounded), false) >= rounded;

    block* b = nullptr;
    try {
      b = d_.pool.allocate(bytes, handle(s));
    } catch (const gparray::out_of_memory&) {
      ++refusals_;
      forget_released();
      check(largest_gap(s, true, true) < rounded && largest_gap(s, false, true) < rounded,
            "out of memory beside a block that fits");
      const std::size_t needed =
          plan_.pages ? gparray::core::round_up(rounded, gparray::core::chunk_granularity) : rounded;
      check(unused_bytes() < needed, "out of memory while chunks or pages are wholly free");
      return;
    }
    if (bytes == 0) return d_.pool.deallocate(b);
    check(b->bytes >= bytes && b->bytes < bytes + 512 + (bytes > fake::MiB ? fake::MiB : 0),
          "a block of a wrong size");
    if (d_.source.calls != calls) {
      ++growths_;
      check(!fits, "the pool asked for memory beside a block that fits");
      forget_released();
    }
    char* const begin = static_cast<char*>(b->pointer);
    char* const end = begin + b->bytes;
    const auto next = ranges_.lower_bound(begin);
    check(next == ranges_.end() || next->first >= end, "a block inside another");
    check(next == ranges_.begin() || std::prev(next)->second <= begin, "a block that another reaches into");
    for (const fake::hazard& h : d_.source.hazards)
      check(end <= h.begin || h.end <= begin || (h.stream == handle(s) && !h.gone) ||
                d_.work.finished(h.stream, h.work),
            "a block that another stream still uses");
    ranges_.emplace(begin, end);
    if (plan_.pages) {
      const auto range = std::prev(d_.source.ranges.upper_bound(begin));
      pieces_[range->first] = {range->second.bytes, s, generations_[s], b->owner->small};
    } else {
      const auto chunk = std::prev(d_.source.chunks.upper_bound(begin));
      pieces_[chunk->first] = {chunk->second, s, generations_[s], b->owner->small};
    }
    const auto mark = static_cast<unsigned char>(random_());
    if (plan_.canaries) std::memset(begin, mark, b->bytes);
    live_.push_back({b, mark, {{s}}});
  }

  void deallocate() {
    if (live_.empty()) return;
    std::swap(live_[pick(live_.size())], live_.back());
    const owned o = std::move(live_.back());
    live_.pop_back();
    const char* begin = static_cast<char*>(o.b->pointer);
    const char* end = begin + o.b->bytes;
    // Each byte equals the first, which is the mark.
    if (plan_.canaries)
      check(
          static_cast<unsigned char>(*begin) == o.mark && std::memcmp(begin, begin + 1, o.b->bytes - 1) == 0,
          "a block was written by another");
    for (const use& u : o.uses)
      d_.source.hazards.push_back(
          {begin, end, handle(u.stream), u.gone ? u.last_work : d_.work.submit(handle(u.stream)), u.gone});
    ranges_.erase(static_cast<char*>(o.b->pointer));
    d_.pool.deallocate(o.b);
  }

  void finish(std::size_t s) {
    d_.work.finish(handle(s));
    std::erase_if(d_.source.hazards, [&](const fake::hazard& h) { return h.stream == handle(s); });
  }
  void use_elsewhere() {
    if (live_.empty()) return;
    owned& o = live_[pick(live_.size())];
    const std::size_t s = any_stream();
    d_.pool.record_use(o.b, handle(s));
    o.uses.push_back({s});
  }
  void release_stream(std::size_t s) {
    for (owned& o : live_)
      for (use& u : o.uses)
        if (u.stream == s && !u.gone) u = {s, d_.work.submit(handle(s)), true};
    for (fake::hazard& h : d_.source.hazards) h.gone |= h.stream == handle(s);
    d_.pool.release_stream(handle(s));
    ++generations_[s];
  }
  void free_all() {
    d_.pool.free_all_blocks();
    forget_released();
    check(unused_bytes() == plan_.capacity - d_.source.held, "a chunk or page that is wholly free was kept");
  }

  /// 0, and mostly small: up to the largest by powers of two.
  std::size_t size() {
    std::size_t bits = 9;
    while (std::size_t{1} << (bits + 1) <= plan_.largest && pick(6) != 0) ++bits;
    return pick(std::size_t{1} << bits);
  }

  void forget_released() {
    std::erase_if(pieces_, [&](const auto& p) { return !is_held(p.first); });
  }
  bool is_held(char* piece) const {
    return d_.source.chunks.contains(piece) || d_.source.ranges.contains(piece);
  }
  /// What the device would have if all chunks and pages without a live block were given back.
  std::size_t unused_bytes() const {
    std::size_t used = 0;
    for (const auto& [begin, bytes] : d_.source.chunks)
      if (is_used(begin, bytes)) used += bytes;
    for (char* const page : d_.source.mapped)
      if (is_used(page, page_bytes)) used += page_bytes;
    return plan_.capacity - used;
  }
  bool is_used(char* begin, std::size_t bytes) const {
    const auto later = ranges_.lower_bound(begin + bytes);
    return later != ranges_.begin() && std::prev(later)->second > begin;
  }
  /// The largest free piece of memory in a chunk of one stream; unless `waiting`, of those that no other
  /// stream may still use.
  std::size_t largest_gap(std::size_t s, bool small, bool waiting) {
    std::size_t largest = 0;
    for (const auto& [begin, p] : pieces_) {
      if (p.stream != s || p.generation != generations_[s] || p.small != small || !is_held(begin)) continue;
      const char* from = begin;
      for (auto r = ranges_.lower_bound(begin); from < begin + p.bytes; ++r) {
        const bool last = r == ranges_.end() || r->first >= begin + p.bytes;
        const char* const to = last ? begin + p.bytes : r->first;
        if (waiting || !used_elsewhere(from, to, s))
          largest =
              std::max(largest, plan_.pages ? most_mapped(from, to) : static_cast<std::size_t>(to - from));
        if (last) break;
        from = r->second;
      }
    }
    return largest;
  }
  /// The most bytes one after the other that have memory.
  std::size_t most_mapped(const char* from, const char* to) const {
    std::size_t most = 0, here = 0;
    while (from < to) {
      const auto page = reinterpret_cast<std::uintptr_t>(from) / page_bytes * page_bytes;
      const char* const next = std::min(to, reinterpret_cast<const char*>(page + page_bytes));
      here = d_.source.mapped.contains(reinterpret_cast<char*>(page))
                 ? here + static_cast<std::size_t>(next - from)
                 : 0;
      most = std::max(most, here);
      from = next;
    }
    return most;
  }
  bool used_elsewhere(const char* from, const char* to, std::size_t s) {
    for (const fake::hazard& h : d_.source.hazards)
      if (h.begin < to && from < h.end && (h.stream != handle(s) || h.gone) &&
          !d_.work.finished(h.stream, h.work))
        return true;
    return false;
  }

  static constexpr std::size_t page_bytes = gparray::core::chunk_granularity;
  pool_plan plan_;
  std::mt19937 random_;
  fake::device d_;
  long step_ = 0, growths_ = 0, refusals_ = 0;
  std::vector<owned> live_;
  std::map<char*, char*> ranges_;  // of live blocks
  std::map<char*, piece> pieces_;  // by their first byte
  std::vector<int> generations_;
};

}  // namespace fuzz
