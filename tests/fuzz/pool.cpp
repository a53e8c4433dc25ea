// Random operations on a memory pool whose device is only bookkeeping: gparray_pool_fuzz --operations
// 10000000 --seeds 1000
// --streams 32 --threads 8. A seed that failed is run alone with --first and --seeds 1.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "pool_model.hpp"

namespace {

struct options {
  long operations = 100000;
  unsigned first = 1, seeds = 20;
  int streams = 32, threads = 8;
};

options read(int argc, char** argv) {
  options o;
  for (int i = 1; i + 1 < argc; i += 2) {
    const long n = std::strtol(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--operations") == 0) o.operations = n;
    if (std::strcmp(argv[i], "--first") == 0) o.first = static_cast<unsigned>(n);
    if (std::strcmp(argv[i], "--seeds") == 0) o.seeds = static_cast<unsigned>(n);
    if (std::strcmp(argv[i], "--streams") == 0) o.streams = static_cast<int>(n);
    if (std::strcmp(argv[i], "--threads") == 0) o.threads = static_cast<int>(n);
  }
  return o;
}

/// Threads that allocate and free, each on streams that others use too, and look at every byte.
void run_threads(const options& o, long operations, bool pages) {
  fake::device d(pages);
  d.source.capacity = 64 * fake::MiB;
  std::atomic<long> faults{0};
  const auto work = [&](unsigned id) {
    std::mt19937 random(id);
    struct owned {
      gparray::core::block* b = nullptr;
      unsigned char mark = 0;
    };
    std::vector<owned> live(16);
    for (long i = 0; i < operations / o.threads; ++i) {
      owned& entry = live[random() % live.size()];
      const auto mine = fake::stream(random() % static_cast<unsigned>(o.streams));
      if (entry.b) {
        const auto* p = static_cast<const unsigned char*>(entry.b->pointer);
        if (*p != entry.mark || std::memcmp(p, p + 1, entry.b->bytes - 1) != 0) ++faults;
        if (random() % 8 == 0) d.pool.record_use(entry.b, mine);
        d.pool.deallocate(entry.b);
        entry.b = nullptr;
      } else {
        try {
          entry = {d.pool.allocate(1 + random() % (random() % 64 ? 16 * fake::KiB : 3 * fake::MiB), mine),
                   static_cast<unsigned char>(random())};
          std::memset(entry.b->pointer, entry.mark, entry.b->bytes);
        } catch (const gparray::out_of_memory&) {
        }
      }
      d.work.submit(mine);
      if (random() % 4 == 0) d.work.finish(mine);
      if (random() % 2000 == 0) d.pool.free_all_blocks();
    }
    for (const owned& each : live) d.pool.deallocate(each.b);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < o.threads; ++i) threads.emplace_back(work, static_cast<unsigned>(i + 1));
  for (std::thread& t : threads) t.join();
  d.pool.free_all_blocks();
  if (faults != 0 || d.source.held != 0 || !d.source.ranges.empty() || d.source.misuses != 0 ||
      d.work.live != 0) {
    std::printf(
        "memory pool, %d threads: %ld blocks were written by others, %zu bytes kept, %d misuses, %d events "
        "kept\n",
        o.threads, faults.load(), d.source.held, d.source.misuses, d.work.live);
    std::abort();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const options o = read(argc, argv);
  const long in_threads = o.operations / 5, each = (o.operations - in_threads) / o.seeds;
  long growths = 0, refusals = 0;
  for (unsigned seed = o.first; seed < o.first + o.seeds; ++seed) {
    fuzz::pool_plan plan;
    plan.seed = seed;
    plan.streams = seed % 5 == 0 ? 2 : seed % 5 == 1 ? 4 : o.streams;
    plan.canaries = seed % 2 == 0;
    plan.pages = seed % 4 >= 2;
    plan.largest = plan.canaries ? 64 * fake::KiB : 16 * fake::MiB;
    // Small ones are full most of the time; none is a multiple of the pool's chunks.
    plan.capacity = (seed % 3 == 0   ? 16
                     : seed % 3 == 1 ? 100
                                     : 1000) *
                        fake::MiB / (plan.canaries ? 4 : 1) +
                    300 * fake::KiB;
    fuzz::pool_model model(plan);
    model.run(each);
    growths += model.growths();
    refusals += model.refusals();
  }
  for (const bool pages : {false, true}) run_threads(o, in_threads / 2, pages);
  std::printf(
      "memory pool: %ld operations, %u seeds, %d streams, %d threads; it grew %ld times and refused %ld\n",
      each * o.seeds + in_threads, o.seeds, o.streams, o.threads, growths, refusals);
  return 0;
}
