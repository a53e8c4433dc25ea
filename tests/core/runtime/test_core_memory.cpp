// Allocators of a user and several streams, on a fake GPU.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

namespace gp = gparray;
using floats = std::vector<float>;

namespace {

/// Frees in the order of the stream, as cudaFreeAsync does.
struct stream_ordered final : gp::allocator {
  explicit stream_ordered(fake::gpu_backend& g) : gpu(g) {}
  void* allocate(std::size_t bytes, void* stream) override {
    ++live;
    last_stream = stream;
    void* const p = std::malloc(bytes);
    fake::registry()->chunks[static_cast<const char*>(p)] = bytes;
    return p;
  }
  void deallocate(void* p, std::size_t bytes, void* stream) noexcept override {
    gpu.enqueue({0, stream}, [this, p, bytes] {
      std::fill_n(static_cast<char*>(p), bytes, char{-1});  // whoever still reads it gets this
      fake::registry()->chunks.erase(static_cast<const char*>(p));
      std::free(p);
      --live;
    });
  }
  fake::gpu_backend& gpu;
  int live = 0;
  void* last_stream = nullptr;
};

const gp::device gpu0 = gp::device::cuda(0);

}  // namespace

TEST_CASE("fake GPU: memory of an allocator goes back behind the work of every stream that used it") {
  fake::installed fake;
  const auto source = std::make_shared<stream_ordered>(fake.gpu);
  gp::stream s;
  gp::ndarray<float> result;
  {
    std::unique_ptr<gp::ndarray<float>> a;
    {
      const gp::allocator_guard guard(gp::memory_space::device, gpu0, source);
      a = std::make_unique<gp::ndarray<float>>(floats(100, 3.f));
      CHECK(source->last_stream == nullptr);
    }
    s.wait(gp::default_stream());
    const gp::stream_guard on(s);
    result = *a * 2.f;
    result += *a;
    a.reset();
  }
  gp::default_stream().synchronize();  // frees it, after s has read it
  CHECK(source->live == 0);
  s.synchronize();
  CHECK(result.to_vector() == floats(100, 9.f));
  CHECK(fake.gpu.live_events == 0);
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("fake GPU: an allocator is told the stream that the array is made on") {
  fake::installed fake;
  const auto source = std::make_shared<stream_ordered>(fake.gpu);
  const gp::allocator_guard guard(gp::memory_space::device, gpu0, source);
  gp::stream s;
  {
    const gp::stream_guard on(s);
    const gp::ndarray<float> a{1, 2, 3};
    CHECK(source->last_stream == s.native_handle());
  }
  s.synchronize();
  CHECK(source->live == 0);
}

TEST_CASE("fake GPU: every space has its pool") {
  fake::installed fake;
  for (const auto space : {gp::memory_space::device, gp::memory_space::managed, gp::memory_space::pinned,
                           gp::memory_space::mapped}) {
    const auto pool = gp::default_memory_pool(space);
    CHECK(pool.used_bytes() == 0);
    const auto a = gp::empty_in<float>(space, {1000});
    CHECK(a.space() == space);
    CHECK(pool.used_bytes() >= 4000);
    CHECK(
        a.device() ==
        (space == gp::memory_space::pinned || space == gp::memory_space::mapped ? gp::device::cpu() : gpu0));
  }
  CHECK(gp::get_default_memory_pool().total_bytes() > 0);
  CHECK(gp::get_default_pinned_memory_pool().total_bytes() > 0);
  CHECK_THROWS_AS(gp::default_memory_pool(gp::memory_space::device, gp::device::cpu()), gp::device_error);
  // Cached blocks of pinned memory that only the CPU used are given back without asking a stream.
  gp::get_default_pinned_memory_pool().free_all_blocks();
  CHECK(gp::get_default_pinned_memory_pool().total_bytes() == 0);
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("fake GPU: the limit is a part of the device's memory") {
  fake::installed fake;
  auto pool = gp::get_default_memory_pool();
  pool.set_limit_fraction(0.25);
  CHECK(pool.limit() == std::size_t{1} << 32);
}

TEST_CASE("fake GPU: mapped arrays are everyone's") {
  fake::installed fake;
  auto mapped = gp::empty_in<float>(gp::memory_space::mapped, {3});
  mapped.fill(2.f);
  const gp::ndarray<float> a{1, 2, 3};
  const gp::ndarray<float> b = a * mapped;
  CHECK(b.device() == gpu0);
  CHECK(b.to_vector() == floats{2, 4, 6});
  CHECK(gp::to_device(mapped, gpu0).to_vector() == floats{2, 2, 2});
}

TEST_CASE("cuda_async_allocator: refused where there is none") {
  CHECK_THROWS_WITH_AS(gp::cuda_async_allocator{gp::device::cpu()},
                       "cuda_async_allocator: cpu is no GPU; name one, for example device(\"cuda:0\")",
                       gp::device_error);
  fake::installed fake;
  gp::cuda_async_allocator none;  // the fake has no such pool
  CHECK_THROWS_AS(none.allocate(16, nullptr), gp::device_error);
}
