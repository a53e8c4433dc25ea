// What a GPU's pool holds for real programs: the allocations of four of them (bench/record_memory.cpp), run
// again on a device that has addresses and counts, and no memory.
//
// The ratio is that of two peaks over a whole run: bytes held from the device, by bytes that arrays had asked
// for and had not given back.
#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "memory/pool_fakes.hpp"
#include "support/test_path.hpp"

using namespace gparray::core;
using fake::MiB;
using fake::stream;

namespace {

class address_source final : public upstream {
 public:
  void* allocate(std::size_t) override { return nullptr; }
  void deallocate(void*, std::size_t) noexcept override {}
  std::size_t range_bytes() const noexcept override { return 4096 * MiB; }
  void* reserve(std::size_t bytes) override {
    next_ += bytes;
    return reinterpret_cast<void*>(next_ - bytes);
  }
  bool map_memory(void*, std::size_t bytes) override {
    ++calls;
    held += bytes;
    peak = std::max(peak, held);
    return true;
  }
  void unmap_memory(void*, std::size_t bytes) noexcept override {
    ++calls;
    held -= bytes;
  }
  std::size_t held = 0, peak = 0, calls = 0;

 private:
  std::uintptr_t next_ = std::uintptr_t{1} << 40;
};

/// A program on a GPU that is `lag` lines behind: every line is work for both streams, which is done when so
/// many more have come.
class replay {
 public:
  explicit replay(int lag) : lag_(lag) {}

  void run(const std::string& name) {
    std::ifstream in(test_path("memory/traces/" + name + ".txt"));
    REQUIRE(in.good());
    char what;
    std::size_t id;
    while (in >> what >> id) {
      if (what == 'a') allocate(in, id);
      if (what == 'u') use(in, id);
      if (what == 'f') give_back(id);
      step();
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (blocks_[i]) give_back(i);
  }

  double ratio() const { return static_cast<double>(source.peak) / static_cast<double>(peak_live); }
  std::size_t live = 0, peak_live = 0, allocations = 0, worst_surplus = 0;
  address_source source;
  fake::events work;
  memory_pool pool{source, work};

 private:
  void allocate(std::istream& in, std::size_t id) {
    std::size_t bytes;
    std::uintptr_t s;
    in >> bytes >> s;
    blocks_.resize(std::max(blocks_.size(), id + 1));
    blocks_[id] = pool.allocate(bytes, stream(s));
    ++allocations;
    live += bytes;
    peak_live = std::max(peak_live, live);
    const std::size_t allowed = peak_live + peak_live / 4;
    worst_surplus = std::max(worst_surplus, source.held - std::min(source.held, allowed));
  }
  void use(std::istream& in, std::size_t id) {
    std::uintptr_t s;
    in >> s;
    pool.record_use(blocks_[id], stream(s));
  }
  void give_back(std::size_t id) {
    live -= blocks_[id]->requested;
    pool.deallocate(std::exchange(blocks_[id], nullptr));
  }
  void step() {
    for (const std::uintptr_t s : {0, 1}) work.submit(stream(s));
    if (++lines_ % lag_ == 0)
      for (const std::uintptr_t s : {0, 1}) work.finish(stream(s));
  }

  int lag_, lines_ = 0;
  std::vector<block*> blocks_;
};

}  // namespace

TEST_CASE("memory_pool: the peak of what is held is at most 1.25 of the peak of what programs use") {
  for (const std::string name : {"train", "transform", "analyse", "solve"}) {
    for (const int lag : {1, 16, 64}) {
      CAPTURE(name);
      CAPTURE(lag);
      replay r(lag);
      r.run(name);
      MESSAGE(name << ", " << lag << " lines behind: " << r.peak_live / MiB << " MiB, ratio " << r.ratio()
                   << ", " << r.source.calls << " calls of the device for " << r.allocations
                   << " allocations");
      CHECK(r.ratio() <= 1.25);
      // Earlier in the run the same but for some pages: each stream begins with two.
      CHECK(r.worst_surplus <= 12 * MiB);
      CHECK(r.source.calls <= r.allocations / 8);
      CHECK(r.live == 0);
      r.pool.free_all_blocks();
      CHECK(r.source.held == 0);
    }
  }
}

TEST_CASE("memory_pool: a program that does the same again holds no more") {
  for (const std::string name : {"train", "transform", "analyse", "solve"}) {
    CAPTURE(name);
    replay r(1);
    for (int i = 0; i < 3; ++i) r.run(name);
    CHECK(r.ratio() <= 1.25);
  }
}
