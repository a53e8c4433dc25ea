// A GPU's memory in pages: what the driver is asked for, and what becomes of its refusals.
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

#include <doctest/doctest.h>

#include <cuda/runtime/memory.hpp>
#include <gparray/error.hpp>

#include "cuda/support/fake_runtime.hpp"
#include "support/error_text.hpp"

using namespace gparray::core;
using fake_cuda::model;

namespace {

constexpr std::size_t MiB = std::size_t{1} << 20, page = 2 * MiB;

/// Addresses and pages that nobody reads.
struct page_driver {
  CUdeviceptr next = CUdeviceptr{1} << 40;
  std::map<CUdeviceptr, std::size_t> ranges;
  std::map<CUdeviceptr, std::set<int>> mapped;  // by address, the devices that may read
  int handles = 0, misuses = 0, can_map = 1;
  std::size_t most_pages = 1000;
  CUresult refusal = CUDA_ERROR_OUT_OF_MEMORY;
  bool peers = false, peers_allowed = true;
};
page_driver pages;

struct entry {
  const char* name;
  void* call;
};
template<class Call>
entry row(const char* name, Call call) {
  return {name, reinterpret_cast<void*>(+call)};
}

const entry driver_calls[] = {
    row("cuDeviceGetAttribute",
        [](int* value, CUdevice_attribute, CUdevice) { return *value = pages.can_map, CUDA_SUCCESS; }),
    row("cuMemGetAllocationGranularity",
        [](std::size_t* bytes, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
          return *bytes = page, CUDA_SUCCESS;
        }),
    row("cuMemAddressReserve",
        [](CUdeviceptr* address, std::size_t bytes, std::size_t, CUdeviceptr, unsigned long long) {
          pages.ranges[*address = pages.next] = bytes;
          pages.next += bytes;
          return CUDA_SUCCESS;
        }),
    row("cuMemAddressFree",
        [](CUdeviceptr address, std::size_t bytes) {
          const auto found = pages.ranges.find(address);
          if (found == pages.ranges.end() || found->second != bytes) {
            ++pages.misuses;
            return CUDA_ERROR_INVALID_VALUE;
          }
          pages.ranges.erase(found);
          return CUDA_SUCCESS;
        }),
    row("cuMemCreate",
        [](CUmemGenericAllocationHandle* handle, std::size_t bytes, const CUmemAllocationProp* p,
           unsigned long long) {
          if (bytes != page || p->location.type != CU_MEM_LOCATION_TYPE_DEVICE) ++pages.misuses;
          if (pages.mapped.size() >= pages.most_pages) return pages.refusal;
          return *handle = 1, ++pages.handles, CUDA_SUCCESS;
        }),
    row("cuMemRelease", [](CUmemGenericAllocationHandle) { return --pages.handles, CUDA_SUCCESS; }),
    row("cuMemMap",
        [](CUdeviceptr address, std::size_t bytes, std::size_t, CUmemGenericAllocationHandle,
           unsigned long long) {
          if (bytes != page || !pages.mapped.try_emplace(address).second) ++pages.misuses;
          return CUDA_SUCCESS;
        }),
    row("cuMemUnmap",
        [](CUdeviceptr address, std::size_t bytes) {
          if (bytes != page || pages.mapped.erase(address) != 1) ++pages.misuses;
          return CUDA_SUCCESS;
        }),
    row("cuMemSetAccess",
        [](CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* who, std::size_t n) {
          if (n > 1 && !pages.peers_allowed) return CUDA_ERROR_INVALID_DEVICE;
          for (std::size_t done = 0; done < bytes; done += page)
            for (std::size_t i = 0; i < n; ++i) pages.mapped.at(address + done).insert(who[i].location.id);
          return CUDA_SUCCESS;
        }),
};

void add_page_driver() {
  setenv("GPARRAY_MEMORY_PAGES", "1", 1);
  pages = {};
  cuda::runtime.cudaGetDeviceCount = [](int* n) { return *n = 2, cudaSuccess; };
  cuda::runtime.cudaDeviceCanAccessPeer = [](int* can, int, int) { return *can = pages.peers, cudaSuccess; };
  cuda::runtime.cudaGetDriverEntryPointByVersion = [](const char* name, void** address, unsigned,
                                                      unsigned long long,
                                                      cudaDriverEntryPointQueryResult* result) {
    *result = cudaDriverEntryPointSymbolNotFound;
    for (const entry& e : driver_calls)
      if (std::strcmp(e.name, name) == 0) *address = e.call, *result = cudaDriverEntryPointSuccess;
    return cudaSuccess;
  };
}

void check_nothing_is_left() {
  CHECK(pages.mapped.empty());
  CHECK(pages.ranges.empty());
  CHECK(pages.handles == 0);
  CHECK(pages.misuses == 0);
}

}  // namespace

TEST_CASE("cuda pages: device memory is mapped where it is needed") {
  const fake_cuda::session session;
  add_page_driver();
  {
    cuda::device_memory memory(0);
    memory_pool& pool = *memory.pool(gparray::memory_space::device);
    block* a = pool.allocate(5 * MiB, nullptr);
    CHECK(pages.mapped.size() == 3);
    CHECK(pages.handles == 0);
    CHECK(model.memory.empty());
    for (const auto& [address, readers] : pages.mapped) CHECK(readers == std::set<int>{0});
    pool.deallocate(a);
    pool.free_all_blocks();
    check_nothing_is_left();
    pool.deallocate(pool.allocate(100 * MiB, nullptr));
    CHECK(pages.mapped.size() == 50);
  }
  check_nothing_is_left();
}

TEST_CASE("cuda pages: other devices may read them as they may read memory of cudaMalloc") {
  for (const bool allowed : {true, false}) {
    const fake_cuda::session session;
    add_page_driver();
    pages.peers = true;
    pages.peers_allowed = allowed;
    cuda::device_memory memory(0);
    memory_pool& pool = *memory.pool(gparray::memory_space::device);
    block* a = pool.allocate(4 * MiB, nullptr);
    for (const auto& [address, readers] : pages.mapped)
      CHECK(readers == (allowed ? std::set<int>{0, 1} : std::set<int>{0}));
    pool.deallocate(a);
  }
}

TEST_CASE("cuda pages: a device that has no more of them") {
  const fake_cuda::session session;
  add_page_driver();
  cuda::device_memory memory(0);
  memory_pool& pool = *memory.pool(gparray::memory_space::device);
  block* a = pool.allocate(4 * MiB, nullptr);
  pages.most_pages = 4;
  CHECK_THROWS_AS(pool.allocate(6 * MiB, nullptr), gparray::out_of_memory);
  CHECK(pages.mapped.size() == 2);
  pages.refusal = CUDA_ERROR_NOT_PERMITTED;
  CHECK(error_of<gparray::cuda_error>([&] { pool.allocate(6 * MiB, nullptr); }).find("cuMemMap") !=
        std::string::npos);
  CHECK(pages.mapped.size() == 2);
  pages.most_pages = 5;
  block* b = pool.allocate(6 * MiB, nullptr);
  pool.deallocate(a);
  pool.deallocate(b);
  pool.free_all_blocks();
  check_nothing_is_left();
}

TEST_CASE("cuda pages: cudaMalloc where there are none, and where they are not wanted") {
  for (const bool wanted : {true, false}) {
    const fake_cuda::session session;
    add_page_driver();
    pages.can_map = !wanted;
    if (!wanted) unsetenv("GPARRAY_MEMORY_PAGES");
    {
      cuda::device_memory memory(0);
      memory_pool& pool = *memory.pool(gparray::memory_space::device);
      pool.deallocate(pool.allocate(5 * MiB, nullptr));
      CHECK(pages.ranges.empty());
      CHECK(model.memory.size() == 1);
    }
  }
}
