// What a warm pool costs: allocate and deallocate, nanoseconds a pair.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "memory/host.hpp"

namespace {

using namespace gparray::core;

// The least of several runs: what the code costs when nothing else has the processor.
template<class Function>
double nanoseconds(int n, Function pair) {
  double best = 1e30;
  for (int run = 0; run < 15; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < n; ++i) pair(i);
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count() / n);
  }
  return best;
}

void report(const char* what, double ns) { fmt::print("{:<58}{:>9.1f} ns\n", what, ns); }

}  // namespace

int main() {
  // The C library locks more cheaply as long as a process has never had a second thread; array programs have
  // one.
  std::thread([] {}).join();
  memory_pool& pool = host_pool();
  constexpr int n = 200000;
  for (const std::size_t bytes : {std::size_t{512}, std::size_t{1} << 20, std::size_t{1} << 24}) {
    const auto pair = [&](int) { pool.deallocate(pool.allocate(bytes, nullptr)); };
    report(fmt::format("pair of {} bytes, warm", bytes).c_str(), nanoseconds(n, pair));
  }

  // A working set as an array program has it: 64 live blocks of mixed sizes, one replaced at a time.
  std::vector<block*> live(64);
  std::vector<std::size_t> sizes(1024);
  std::uint32_t seed = 1;
  for (auto& size : sizes) size = std::size_t{1} << (8 + (seed = seed * 1664525 + 1013904223) % 14);
  report("pair of mixed sizes among 64 live blocks", nanoseconds(n, [&](int i) {
           block*& entry = live[static_cast<std::size_t>(i) * 7 % live.size()];
           pool.deallocate(entry);
           entry = pool.allocate(sizes[static_cast<std::size_t>(i) % sizes.size()], nullptr);
         }));
  for (block* b : live) pool.deallocate(b);

  report("malloc and free of 1 MiB, for comparison", nanoseconds(n, [](int) {
           void* volatile p = std::malloc(std::size_t{1} << 20);
           std::free(p);
         }));
}
