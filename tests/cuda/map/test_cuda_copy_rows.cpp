// Several copies in one launch, which the fake device runs on the CPU.
#include <cstring>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/map/copy_rows_params.hpp>
#include <plan/row_copy.hpp>

#include "cuda/support/emulated_kernels.hpp"
#include "cuda/support/fake_runtime.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;
using std::int64_t;

struct fixture {
  fixture() {
    fake_cuda::model.on_launch = [](const fake_cuda::launch_record& r) {
      static const emulation::run_function kernel = [] {
        static emulation::program program;
        program.include("cuda/map/copy_rows.cuh");
        program.add("gparray::core::cuda::copy_all_rows", true);
        program.build();
        return program.kernel(0);
      }();
      REQUIRE(r.kernel == cuda::copy_rows_kernel());
      kernel(r.params, r.blocks, r.threads);
    };
  }

  fake_cuda::session session;
  cuda::cuda_backend_type gpu{1};
  alignas(16) unsigned char from[1 << 17], to[1 << 17], expected[1 << 17];
};

}  // namespace

TEST_CASE_FIXTURE(fixture,
                  "rows are copied in the largest units that they allow, and nothing else is written") {
  for (std::size_t i = 0; i < sizeof from; ++i) from[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
  std::memset(to, 0, sizeof to);
  std::memset(expected, 0, sizeof expected);
  std::vector<row_copy> copies;
  int64_t at = 0;
  const auto add = [&](int64_t rows, int64_t bytes, int64_t from_step, int64_t to_step) {
    copies.push_back({from + at, to + at, rows, bytes, from_step, to_step});
    for (int64_t r = 0; r < rows; ++r)
      std::memcpy(expected + at + r * to_step, from + at + r * from_step, static_cast<std::size_t>(bytes));
    at += rows * std::max(from_step, to_step) + 4;
  };
  add(1, 20000, 0, 0);  // several blocks
  add(7, 48, 48, 160);
  add(0, 48, 48, 160);
  add(5, 8, 8, 24);
  add(300, 4, 4, 12);
  add(3, 0, 4, 12);
  for (int i = 0; i < 61; ++i) add(1, 4 + 4 * (i % 3), 0, 16);
  CHECK(gpu.copy_rows(copies, {0, nullptr}));
  CHECK(std::memcmp(to, expected, sizeof to) == 0);
  CHECK(fake_cuda::model.launches.size() == 3);  // 32 copies each
}

TEST_CASE_FIXTURE(fixture, "copies that are no better together are refused, and nothing is done") {
  const row_copy whole{from, to, 1, 64, 64, 64}, odd{from, to + 1, 1, 64, 64, 64},
      narrow{from, to, 2, 6, 6, 8}, large{from, to, int64_t{1} << 20, 400, 400, 400};
  for (const row_copy& other : {odd, narrow, large}) {
    const row_copy both[] = {whole, other};
    CHECK_FALSE(gpu.copy_rows(both, {0, nullptr}));
  }
  CHECK(fake_cuda::model.launches.empty());
}
