// Reading a few bytes from a GPU: what it costs, how it waits, and what becomes of the slots.
#include <memory>
#include <thread>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/runtime/mailbox.hpp>
#include <gparray/error.hpp>

#include "cuda/support/fake_runtime.hpp"
#include "support/error_text.hpp"

using namespace gparray;
using namespace gparray::core;
using fake_cuda::model;

namespace {

using names = std::vector<std::string>;

/// 512 bytes of device memory that hold their positions, modulo 251.
struct fixture {
  fixture() {
    auto* bytes = static_cast<unsigned char*>(memory->pointer);
    for (int i = 0; i < 512; ++i) bytes[i] = static_cast<unsigned char>(i % 251);
    read(0, 1);  // the first one makes the slots
    model.calls.clear();
    model.launches.clear();
  }
  ~fixture() { pool.deallocate(memory); }
  /// Whether the bytes at `offset` arrive.
  bool read(int offset, std::size_t bytes) {
    std::vector<unsigned char> expected(bytes), to(bytes + 1, 0xee);
    for (std::size_t i = 0; i < bytes; ++i)
      expected[i] = static_cast<unsigned char>((static_cast<std::size_t>(offset) + i) % 251);
    gpu->read(to.data(), static_cast<char*>(memory->pointer) + offset, bytes, {});
    return std::equal(expected.begin(), expected.end(), to.begin()) && to.back() == 0xee;
  }

  fake_cuda::session session;
  std::unique_ptr<cuda::cuda_backend_type> gpu = std::make_unique<cuda::cuda_backend_type>(1);
  core::memory_pool& pool = *gpu->pool(memory_space::device, 0);
  core::block* memory = pool.allocate(512, nullptr);
};

void spoil_at_next_query() {
  fake_cuda::bring_back_devices();
  model.post_delay = 1000;
  model.error = cudaErrorIllegalAddress;
  model.fail_at = static_cast<int>(model.calls.size()) + 2;  // after the launch
}

}  // namespace

TEST_CASE("cuda mailbox: a few bytes are one launch and no other call") {
  fixture f;
  for (const std::size_t bytes : {1, 2, 3, 4, 5, 7, 8, 16, 31, 200})
    for (const int offset : {0, 1, 2, 3, 8}) {
      CAPTURE(bytes);
      CAPTURE(offset);
      model.calls.clear();
      CHECK(f.read(offset, bytes));
      CHECK(model.calls == names{"cudaLaunchKernelExC"});
      CHECK(model.launches.back().blocks == 1);
      CHECK(model.launches.back().threads == (bytes + 3) / 4);
    }
  model.calls.clear();
  CHECK(f.read(0, cuda::mailbox::max_bytes - 5));
  CHECK(model.calls == names{"cudaLaunchKernelExC"});
  char too_many[cuda::mailbox::max_bytes + 1];
  f.gpu->read(too_many, f.memory->pointer, sizeof too_many, {});
  CHECK(model.count("cudaMemcpyAsync") == 1);
  CHECK(model.count("cudaLaunchKernelExC") == 1);
}

TEST_CASE("cuda mailbox: the driver is asked now and then, and waited for when it takes long") {
  fixture f;
  // Whoever had no processor meanwhile finds that it has taken long: that may be so once, and not each time.
  for (int attempt = 0; attempt < 20 && model.count("cudaStreamQuery") == 0; ++attempt) {
    model.calls.clear();
    model.post_delay = 1;
    CHECK(f.read(3, 8));
  }
  CHECK(model.calls == names{"cudaLaunchKernelExC", "cudaStreamQuery"});
  model.calls.clear();
  model.post_delay = 1000;
  CHECK(f.read(4, 8));
  CHECK(model.calls.front() == "cudaLaunchKernelExC");
  CHECK(model.calls.back() == "cudaStreamSynchronize");
  CHECK(model.count("cudaStreamSynchronize") == 1);
  CHECK(model.count("cudaStreamQuery") <= 3);
}

TEST_CASE("cuda mailbox: a kernel that failed is reported, and the slot is left alone") {
  fixture f;
  spoil_at_next_query();
  const std::string text = error_of<cuda_error>([&] { f.read(0, 8); });
  // Whoever had no processor meanwhile waits instead of asking.
  CHECK((text.starts_with("cudaStreamQuery failed") || text.starts_with("cudaStreamSynchronize failed")));
  CHECK(text.find(" failed while copying from the device to host memory on the default stream: "
                  "cudaErrorIllegalAddress") != std::string::npos);
  CHECK(text.find("an earlier kernel failed") != std::string::npos);
  REQUIRE(model.posts.size() == 1);
  const std::uint64_t* const abandoned = model.posts[0].words;
  model.fail_at = 0;
  model.posts.clear();
  for (int i = 0; i < 3; ++i) {
    spoil_at_next_query();
    CHECK_THROWS_AS(f.read(0, 8), cuda_error);
    CHECK(model.posts.back().words != abandoned);
    model.fail_at = 0;
    model.posts.clear();
  }
  // When no slot is left, the bytes come by a copy.
  for (int i = 0; i < 60; ++i) {
    spoil_at_next_query();
    CHECK_THROWS_AS(f.read(0, 8), cuda_error);
    model.posts.clear();
  }
  fake_cuda::bring_back_devices();
  model.fail_at = 0;
  model.post_delay = 0;
  model.calls.clear();
  CHECK(f.read(5, 8));
  CHECK(model.count("cudaMemcpyAsync") == 1);
  CHECK(model.count("cudaLaunchKernelExC") == 0);
}

TEST_CASE("cuda mailbox: a launch that fails gives the slot back") {
  fixture f;
  model.error = cudaErrorLaunchOutOfResources;
  for (int i = 0; i < 100; ++i) {
    model.fail_at = static_cast<int>(model.calls.size()) + 1;
    CHECK_THROWS_AS(f.read(0, 8), cuda_error);
  }
  model.calls.clear();
  CHECK(f.read(0, 8));
  CHECK(model.calls == names{"cudaLaunchKernelExC"});
}

TEST_CASE("cuda mailbox: what does not come by mail comes by a copy") {
  fixture f;
  model.loses_posts = true;
  CHECK(f.read(7, 8));
  CHECK(model.count("cudaMemcpyAsync") == 1);
  // The slot is free again.
  model.loses_posts = false;
  model.calls.clear();
  for (int i = 0; i < 100; ++i) CHECK(f.read(i, 8));
  CHECK(model.calls == names(100, "cudaLaunchKernelExC"));
}

TEST_CASE("cuda mailbox: a result that its kernel stores is no call at all") {
  fixture f;
  for (const std::size_t bytes : {1, 2, 4, 8, 16}) {
    CAPTURE(bytes);
    void* const slot = f.gpu->slot_for_result(bytes, {});
    CHECK(reinterpret_cast<std::uintptr_t>(slot) % 16 == 0);
    unsigned char sent[16], got[17];
    for (int i = 0; i < 16; ++i) sent[i] = static_cast<unsigned char>(i + 1);
    std::memset(got, 0xee, sizeof got);
    std::memcpy(slot, sent, bytes);
    f.gpu->take_result(got, slot, bytes, {});
    CHECK(std::memcmp(got, sent, bytes) == 0);
    CHECK(got[bytes] == 0xee);
  }
  CHECK(model.calls.empty());
}

TEST_CASE("cuda mailbox: a result is waited for until all of it is there") {
  fixture f;
  void* const slot = f.gpu->slot_for_result(16, {});
  std::thread kernel([slot] {
    for (int i = 0; i < 4; ++i) {
      std::this_thread::sleep_for(std::chrono::microseconds(5));
      std::atomic_ref(static_cast<std::uint32_t*>(slot)[i]).store(static_cast<std::uint32_t>(i));
    }
  });
  std::uint32_t got[4];
  const cuda::runtime_table real = cuda::runtime;
  cuda::runtime.cudaStreamQuery = [](cudaStream_t) { return cudaErrorNotReady; };
  static std::thread* running;
  running = &kernel;
  cuda::runtime.cudaStreamSynchronize = [](cudaStream_t) {
    running->join();
    return cudaSuccess;
  };
  f.gpu->take_result(got, slot, 16, {});
  if (kernel.joinable()) kernel.join();
  cuda::runtime = real;
  for (std::uint32_t i = 0; i < 4; ++i) CHECK(got[i] == i);
}

TEST_CASE("cuda mailbox: a result that looks like none is there when the stream is done") {
  fixture f;
  void* const slot = f.gpu->slot_for_result(8, {});
  std::int64_t got = 0;
  f.gpu->take_result(&got, slot, 8, {});
  CHECK(static_cast<std::uint64_t>(got) == 0xa5a5a5a5a5a5a5a5);
  // The second where this thread had no processor for so long that it does not spin any more.
  const bool asked_once =
      model.calls == names{"cudaStreamQuery"} || model.calls == names{"cudaStreamSynchronize"};
  CHECK(asked_once);
}

TEST_CASE("cuda mailbox: results and reads share slots, and neither is taken for the other") {
  fixture f;
  for (int i = 0; i < 300; ++i) {
    void* const slot = f.gpu->slot_for_result(16, {});
    std::memset(slot, i, 16);
    unsigned char got[16];
    f.gpu->take_result(got, slot, 16, {});
    CHECK(got[15] == static_cast<unsigned char>(i));
    CHECK(f.read(i % 200, 16));
  }
}

TEST_CASE("cuda mailbox: slots are given back, after the stream if a kernel may come to write") {
  fixture f;
  for (int i = 0; i < 100; ++i) f.gpu->drop_result(f.gpu->slot_for_result(8, {}), {}, false);
  CHECK(model.calls.empty());
  for (int i = 0; i < 100; ++i) f.gpu->drop_result(f.gpu->slot_for_result(8, {}), {}, true);
  CHECK(model.calls == names(100, "cudaStreamSynchronize"));
  // A context that is lost keeps the slot, and so does a wait that fails.
  model.error = cudaErrorIllegalAddress;
  for (int i = 0; i < 64; ++i) {
    fake_cuda::bring_back_devices();
    void* const slot = f.gpu->slot_for_result(8, {});
    REQUIRE(slot);
    model.fail_at = static_cast<int>(model.calls.size()) + 1;
    if (i % 2) f.gpu->drop_result(slot, {}, true);
    else CHECK_THROWS_AS(f.gpu->take_result(&i, slot, 4, {}), cuda_error);
  }
  model.fail_at = 0;
  fake_cuda::bring_back_devices();
  CHECK(!f.gpu->slot_for_result(8, {}));
}

TEST_CASE("cuda mailbox: threads read at the same time, each its own") {
  fixture f;
  const cuda::runtime_table real = cuda::runtime;
  // The fake's notes are one thread's business.
  cuda::runtime.cudaGetDevice = [](int* device) { return *device = 0, cudaSuccess; };
  cuda::runtime.cudaLaunchKernelExC = [](const cudaLaunchConfig_t*, const void*, void** arguments) {
    const auto& p = *static_cast<const cuda::post_params*>(arguments[0]);
    for (std::uint32_t i = 0; i < p.bytes; i += 4) {
      std::uint32_t value;
      std::memcpy(&value, p.from + i, 4);
      std::atomic_ref(p.words[i / 4]).store(std::uint64_t{p.stamp} << 32 | value);
    }
    return cudaSuccess;
  };
  std::vector<std::int64_t> sums(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5000; ++i) {
        const std::int64_t sent = std::int64_t{t} << 32 | i;
        std::int64_t got = -1;
        f.gpu->read(&got, &sent, sizeof got, {});
        void* const slot = f.gpu->slot_for_result(sizeof sent, {});
        std::memcpy(slot, &sent, sizeof sent);
        std::int64_t result = -1;
        f.gpu->take_result(&result, slot, sizeof result, {});
        sums[static_cast<std::size_t>(t)] += got == sent && result == sent;
      }
    });
  for (std::thread& t : threads) t.join();
  cuda::runtime = real;
  CHECK(sums == std::vector<std::int64_t>(8, 5000));
}
