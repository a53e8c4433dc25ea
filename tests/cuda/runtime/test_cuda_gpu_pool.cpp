// The pool of a GPU's memory under load: threads and streams share it, kernels write every byte of every
// block and look at it again before it goes back.
#include <atomic>
#include <chrono>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/runtime/memory.hpp>
#include <gparray/gparray.hpp>

namespace {

namespace gp = gparray;
namespace core = gparray::core;

constexpr const char* source = R"(
__device__ long long first() { return blockIdx.x * (long long)blockDim.x + threadIdx.x; }
__device__ long long stride() { return gridDim.x * (long long)blockDim.x; }
extern "C" __global__ void fill(unsigned char* p, long long n, unsigned char mark) {
  for (long long i = first(); i < n; i += stride()) p[i] = mark;
}
extern "C" __global__ void check(const unsigned char* p, long long n, unsigned char mark, unsigned* faults) {
  for (long long i = first(); i < n; i += stride())
    if (p[i] != mark) atomicAdd(faults, 1u);
}
)";

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;
constexpr int n_operations = 1000000, n_threads = 8, n_streams = 16;

struct owned {
  core::block* b = nullptr;
  std::size_t stream = 0;
  unsigned char mark = 0;
};

class load {
 public:
  explicit load(core::memory_pool& pool) : pool_(pool), streams_(n_streams) {
    for (const gp::stream& s : streams_) handles_.push_back(s.native_handle());
  }

  void run() {
    gp::synchronize();
    std::vector<std::thread> threads;
    for (unsigned id = 1; id <= n_threads; ++id) threads.emplace_back([this, id] { work(id); });
    for (std::thread& t : threads) t.join();
    for (const gp::stream& s : streams_) s.synchronize();
    for (const gp::stream& s : streams_) pool_.release_stream(s.native_handle());
  }

  unsigned faults() const { return faults_.item(0); }
  std::atomic<long> refusals = 0, errors = 0;

 private:
  void work(unsigned id) {
    std::mt19937 random(id);
    std::vector<owned> live(16);
    try {
      for (int i = 0; i < n_operations / n_threads; ++i) {
        owned& entry = live[random() % live.size()];
        entry.b ? give_back(entry, random) : take(entry, random);
      }
      for (owned& each : live)
        if (each.b) give_back(each, random);
    } catch (const gp::error&) {
      ++errors;
    }
  }

  void take(owned& entry, std::mt19937& random) {
    const std::size_t s = random() % n_streams;
    const std::size_t bytes = 1 + random() % (random() % 64 ? 64 * KiB : 6 * MiB);
    try {
      entry = {pool_.allocate(bytes, handles_[s]), s, static_cast<unsigned char>(random())};
    } catch (const gp::out_of_memory&) {
      ++refusals;
      return;
    }
    fill_({grid(bytes)}, {256}, {.stream = streams_[s]}, bytes_of(entry), size_of(entry), entry.mark);
  }

  /// Looked at on the stream that wrote it, or on one that waits for that; nobody waits for the check.
  void give_back(owned& entry, std::mt19937& random) {
    std::size_t s = entry.stream;
    if (random() % 8 == 0) {
      s = random() % n_streams;
      if (s != entry.stream) streams_[s].wait(streams_[entry.stream]);
      pool_.record_use(entry.b, handles_[s]);
    }
    check_({grid(entry.b->requested)}, {256}, {.stream = streams_[s]}, bytes_of(entry), size_of(entry),
           entry.mark, at_faults_);
    pool_.deallocate(std::exchange(entry.b, nullptr));
  }

  static unsigned char* bytes_of(const owned& o) { return static_cast<unsigned char*>(o.b->pointer); }
  static long long size_of(const owned& o) { return static_cast<long long>(o.b->requested); }
  static std::int64_t grid(std::size_t bytes) { return static_cast<std::int64_t>(bytes / (16 * KiB) + 1); }

  core::memory_pool& pool_;
  std::vector<gp::stream> streams_;
  std::vector<core::stream_handle> handles_;
  gp::RawKernel fill_{source, "fill"}, check_{source, "check"};
  gp::ndarray<unsigned> faults_ = gp::zeros<unsigned>({1}).eval();
  unsigned* const at_faults_ = faults_.data();  // threads share no array
};

}  // namespace

TEST_CASE("cuda gpu: a million blocks of 16 streams and 8 threads, every byte written and looked at") {
  if (gp::device_count() == 0) {
    MESSAGE("skipped: no GPU");
    return;
  }
  const gp::device_guard on_gpu(gp::device::cuda(0));
  // Plenty of memory, and so little that pages move between streams, and requests are refused.
  for (const std::size_t limit : {4096 * MiB, 64 * MiB}) {
    CAPTURE(limit);
    setenv("GPARRAY_MEMORY_PAGES", "1", 1);
    core::cuda::device_memory memory(0);
    core::memory_pool& pool = *memory.pool(gp::memory_space::device);
    pool.set_limit(limit);
    const auto start = std::chrono::steady_clock::now();
    {
      load l(pool);
      l.run();
      CHECK(l.faults() == 0);
      CHECK(l.errors == 0);
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      const core::statistics s = pool.stats();
      MESSAGE("limit " << limit / MiB << " MiB: " << elapsed.count() << " s, " << l.refusals << " refusals, "
                       << s.misses << " times mapped, " << s.total_bytes / MiB << " MiB held, peak "
                       << s.peak_bytes / MiB << " MiB");
      CHECK(s.used_bytes == 0);
      CHECK(s.total_bytes <= limit);
    }
    pool.free_all_blocks();
    unsetenv("GPARRAY_MEMORY_PAGES");
    CHECK(pool.stats().total_bytes == 0);
    CHECK(pool.stats().pending_bytes == 0);
  }
}

TEST_CASE("cuda gpu: memory in pages is read and copied like any other") {
  if (gp::device_count() == 0) {
    MESSAGE("skipped: no GPU");
    return;
  }
  const gp::device_guard on_gpu(gp::device::cuda(0));
  gp::default_memory_pool(gp::memory_space::device).free_all_blocks();
  const std::int64_t n = 10'000'000;
  // Blocks over many pages, some of which move: the middle one of three goes, and its pages are needed
  // elsewhere.
  gp::ndarray<double> a = gp::arange<double>(n), b = gp::ones({n}), c = 2.0 * gp::arange<double>(n);
  gp::eval(a, b, c);
  b = gp::ndarray<double>();
  const gp::ndarray<double> d = gp::concatenate(a, c);
  CHECK(gp::sum(d).item() == doctest::Approx(1.5 * static_cast<double>(n) * static_cast<double>(n - 1)));
  const gp::ndarray<double> on_host = gp::to_device(d, gp::device::cpu());
  CHECK(on_host.item(n - 1) == static_cast<double>(n - 1));
  CHECK(on_host.item(2 * n - 1) == 2.0 * static_cast<double>(n - 1));
}
