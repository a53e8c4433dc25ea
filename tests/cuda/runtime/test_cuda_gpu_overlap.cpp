// Copies and kernels of several streams run at the same time on a real GPU, and memory of the driver's own
// pool is safe on several streams.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>
#include <plan/backend.hpp>

namespace gp = gparray;

namespace {

constexpr std::int64_t n_chunks = 12, chunk = 1 << 22;

double milliseconds(const gp::stream_view& on, const auto& work) {
  gp::synchronize();
  const gp::event start = on.record();
  work();
  return gp::elapsed_time(start, on.record());
}

/// Copy in, `passes` kernels, copy out: chunk i on stream i modulo the number of streams.
double pipeline(const std::vector<gp::stream>& streams, const gp::ndarray<float>& in, gp::ndarray<float>& out,
                std::vector<gp::ndarray<float>>& buffers, int passes) {
  const gp::stream_view origin = gp::current_stream();
  return milliseconds(origin, [&] {
    for (const gp::stream& s : streams) s.wait(origin);
    for (std::int64_t i = 0; i < n_chunks; ++i) {
      const std::size_t turn = static_cast<std::size_t>(i) % streams.size();
      const gp::stream_guard on(streams[turn]);
      gp::copyto(buffers[turn], in(i));
      for (int pass = 0; pass < passes; ++pass) buffers[turn] += 1.f;
      gp::copyto(out(i), buffers[turn]);
    }
    for (const gp::stream& s : streams) origin.wait(s);
  });
}

}  // namespace

TEST_CASE("cuda gpu: copies overlap with computation on several streams") {
  if (!gp::core::cuda_backend()) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  gp::ndarray<float> in = gp::empty_pinned<float>({n_chunks, chunk}),
                     out = gp::zeros_pinned<float>({n_chunks, chunk});
  {
    const gp::device_guard on_cpu(gp::device::cpu());
    gp::copyto(in, gp::remainder(gp::arange<double>(n_chunks * chunk), 1024.0).reshape({n_chunks, chunk}));
  }
  std::vector<gp::stream> one(1), three(3);
  std::vector<gp::ndarray<float>> buffers;
  for (int i = 0; i < 3; ++i) buffers.push_back(gp::zeros<float>({chunk}));

  // As many kernels as take the time of a copy, so that the three stages are of one size. Then one stream
  // takes 3 n units and three streams about n + 2: far below 0.8 of it, which also a machine with one copy
  // engine would reach (2 n units).
  const gp::stream_view s = gp::current_stream();
  const auto copy = [&] { gp::copyto(buffers[0], in(0)); };
  const auto kernels = [&] {
    for (int i = 0; i < 20; ++i) buffers[0] += 1.f;
  };
  milliseconds(s, copy), milliseconds(s, kernels);
  const double copy_ms = milliseconds(s, copy), kernel_ms = milliseconds(s, kernels) / 20;
  const int passes = std::clamp(static_cast<int>(std::lround(copy_ms / kernel_ms)), 1, 500);

  pipeline(three, in, out, buffers, passes);
  const double serial = pipeline(one, in, out, buffers, passes);
  out.fill(0.f);
  double overlapped = pipeline(three, in, out, buffers, passes);
  CHECK(gp::all(out == in + static_cast<float>(passes)).item());
  MESSAGE("one stream " << serial << " ms, three streams " << overlapped << " ms; " << passes
                        << " kernels a chunk, copy " << copy_ms << " ms");
  CHECK(overlapped <= 0.8 * serial);
}

TEST_CASE("cuda gpu: arrays in the driver's stream-ordered memory, on two streams") {
  if (!gp::core::cuda_backend()) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  const gp::allocator_guard from_driver(gp::memory_space::device, gp::device::cuda(0),
                                        std::make_shared<gp::cuda_async_allocator>());
  CHECK(gp::all(gp::ones<bool>({1 << 20})).item());  // a reduction keeps counters in the pool
  const std::size_t used = gp::get_default_memory_pool().used_bytes();
  gp::stream s, t;
  int right = 0;
  for (int i = 0; i < 20; ++i) {
    gp::ndarray<float> a, b;
    {
      const gp::stream_guard on(s);
      a = gp::full<float>({1 << 20}, i);
    }
    t.wait(s);
    {
      const gp::stream_guard on(t);
      b = a * 2.f + 1.f;
      a = {};  // freed on s, behind what t does with it
    }
    {
      const gp::stream_guard on(s);
      const gp::ndarray<float> next = gp::full<float>({1 << 20}, -1.f);
    }
    t.synchronize();
    right += gp::all(b == 2.f * static_cast<float>(i) + 1.f).item();
  }
  CHECK(right == 20);
  CHECK(gp::get_default_memory_pool().used_bytes() == used);
  CHECK_THROWS_AS((void)gp::empty<float>({std::int64_t{1} << 45}), gp::out_of_memory);
}
