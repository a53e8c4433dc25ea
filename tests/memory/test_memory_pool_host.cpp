// Host memory from the kernel: alignment, sizes that cannot be had, the pool of the process.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>

#include <doctest/doctest.h>

#include <gparray/error.hpp>

#include "memory/host.hpp"

using namespace gparray::core;

TEST_CASE("host_upstream: aligned memory that can be written to its last byte") {
  host_upstream source;
  constexpr std::size_t huge = std::size_t{2} << 20;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{512}, huge - 512, huge, huge + 512, 3 * huge}) {
    void* p = source.allocate(bytes);
    REQUIRE(p != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(p) % (bytes >= huge ? huge : 4096) == 0);
    std::memset(p, 1, bytes);
    source.deallocate(p, bytes);
  }
}

TEST_CASE("host_upstream: too much is null") {
  host_upstream source;
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t bytes : {std::size_t{1} << 50, most / 2, most - 4096, most, std::size_t{0}})
    CHECK(source.allocate(bytes) == nullptr);
}

TEST_CASE("host_upstream: knows what is free") {
  const auto available = host_upstream{}.available();
  REQUIRE(available.has_value());
  CHECK(*available > std::size_t{1} << 20);
}

TEST_CASE("host_upstream: chunks go back to the kernel whole") {
  // An end cut off for alignment that stayed mapped would show as address space that grows.
  // mapped.
  host_upstream source;
  const auto mapped = [] {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    REQUIRE(file != nullptr);
    long pages = 0;
    REQUIRE(std::fscanf(file, "%ld", &pages) == 1);
    std::fclose(file);
    return pages;
  };
  source.deallocate(source.allocate(std::size_t{4} << 20), std::size_t{4} << 20);
  const long before = mapped();
  for (int i = 0; i < 100; ++i)
    source.deallocate(source.allocate((std::size_t{4} << 20) + 512), (4u << 20) + 512);
  CHECK(mapped() - before < 512);  // one chunk's ends would be 512 pages
}

TEST_CASE("host_pool: a petabyte is an error that names the sizes") {
  try {
    host_pool().allocate(std::size_t{1} << 50, nullptr);
    FAIL("no exception");
  } catch (const gparray::out_of_memory& e) {
    CHECK(std::strstr(e.what(), "out of host memory: asked for 1.00 PiB (1125899906842624 bytes)"));
    CHECK(!std::strstr(e.what(), "unknown"));
  }
}

TEST_CASE("host_pool: freed memory is reused by any stream at once") {
  int a_stream;
  block* a = host_pool().allocate(std::size_t{5} << 20, nullptr);
  void* const p = a->pointer;
  host_pool().deallocate(a);
  block* b = host_pool().allocate(std::size_t{5} << 20, &a_stream);
  CHECK(b->pointer == p);
  host_pool().deallocate(b);
}
