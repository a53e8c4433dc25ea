// What the library says of what it does inside, without a GPU.
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/fusion/jit_kernels.hpp>
#include <gparray/gparray.hpp>
#include <support/shared_library.hpp>

#include "core/support/fake_gpu.hpp"
#include "cuda/support/fake_runtime.hpp"

using namespace gparray;
namespace cuda = gparray::core::cuda;

namespace {

struct messages {
  explicit messages(std::string_view words) {
    set_log_categories(words);
    set_log_callback([this](const log_message& m) { levels.push_back(m.level), texts.emplace_back(m.text); });
  }
  ~messages() {
    set_log_callback({});
    set_log_categories("");
  }
  std::vector<log_level> levels;
  std::vector<std::string> texts;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("copies say what memory they are between, and warn of pageable memory once") {
  const fake_cuda::session session;
  cuda::cuda_backend_type gpu(1);
  core::memory_pool& pool = *gpu.pool(memory_space::device, 0);
  std::vector<char> host(1 << 20);
  core::block* const block = pool.allocate(host.size(), nullptr);
  {
    const messages got("transfer");
    gpu.copy(block->pointer, host.data(), host.size(), {0});
    gpu.copy(host.data(), block->pointer, host.size(), {0});
    gpu.copy(block->pointer, host.data(), 1000, {0});
    REQUIRE(got.texts.size() == 3);
    CHECK(contains(got.texts[0],
                   "1048576 bytes from pageable host to device memory on cuda:0; the host copies"));
    CHECK(contains(got.texts[1],
                   "1048576 bytes from device to pageable host memory on cuda:0; the host copies"));
    CHECK(got.levels[1] == log_level::info);
    CHECK(got.texts[2] == "1000 bytes from pageable host to device memory on cuda:0");
  }
  {
    const messages got("");
    gpu.copy(block->pointer, host.data(), host.size(), {0});
    CHECK(got.texts.empty());
  }
  pool.deallocate(block);
}

TEST_CASE("a pool says what it takes and gives back") {
  const fake_cuda::session session;
  cuda::cuda_backend_type gpu(1);
  core::memory_pool& pool = *gpu.pool(memory_space::device, 0);
  const messages got("memory");
  pool.deallocate(pool.allocate(3 << 20, nullptr));
  pool.deallocate(pool.allocate(3 << 20, nullptr));  // from the cache
  pool.free_all_blocks();
  REQUIRE(got.texts.size() == 2);
  CHECK(contains(got.texts[0], "cuda:0: took 4194304 bytes for an array of 3145728"));
  CHECK(contains(got.texts[1], "cuda:0: gave back 4194304 of 4194304 bytes"));
}

TEST_CASE("a kernel that cannot be made is told, unless nobody wants to hear of it") {
  const jit before = jit_mode();
  set_jit_mode(jit::sync);
  cuda::kernel_table broken(
      8, [](const cuda::kernel_key&) -> cuda::loaded_kernel { throw compile_error("expected a ;"); });
  const auto find = [&](int device) {
    cuda::kernel_key key{};
    key.device = device;
    CHECK_FALSE(broken.find(key, false));
  };
  {
    const messages got("jit");
    find(0);
    find(1);
    REQUIRE(got.texts.size() == 2);
    CHECK(
        contains(got.texts[0], "runs step by step, which takes several times as long, as its kernel could"));
    CHECK(contains(got.texts[0], "expected a ;"));
    CHECK(got.levels[1] == log_level::info);
  }
  {
    const messages got("none");
    find(2);
    CHECK(got.texts.empty());
  }
  set_jit_mode(before);
}

TEST_CASE("matrices that the host factors are told") {
  const device_guard on_cpu(device::cpu());
  const fake::installed fake;
  const messages got("fallback");
  const ndarray<double> a = to_device(eye(5), device::cuda(0));
  (void)linalg::eigh(a);
  REQUIRE(got.texts.size() == 1);
  CHECK(contains(got.texts[0], "of shape (5,5) on cuda:0 runs on the CPU"));
  (void)linalg::eigh(to_device(a, device::cpu()));
  CHECK(got.texts.size() == 1);
}

TEST_CASE("libraries that are loaded, and those that are not") {
  const std::vector<std::string> folders{""};
  const messages got("library");
  CHECK_FALSE(core::try_library({"libgparray_nowhere.so.1"}, folders));
  CHECK(core::try_library({"libgparray_nowhere.so.1", "libc.so.6"}, folders));
  REQUIRE(got.texts.size() == 2);
  CHECK(contains(got.texts[0], "could not load libgparray_nowhere.so.1 ("));
  CHECK(contains(got.texts[1], "loaded /"));
  CHECK(contains(got.texts[1], "/libc.so.6"));
}
