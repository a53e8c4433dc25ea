// The ahead-of-time kernels on the GPU that is there: it takes the code of each, with as many threads as it
// is launched with. Where the library holds only text for the driver, these cases are what compiles it.
#include <type_traits>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/device/index_params.hpp>
#include <cuda/device/map_params.hpp>
#include <cuda/device/reduce_params.hpp>
#include <cuda/linalg/small_qr_params.hpp>
#include <cuda/map/map_table.hpp>
#include <cuda/random/random_params.hpp>
#include <cuda/reduction/reduce_table.hpp>
#include <cuda/reduction/scan_table.hpp>
#include <cuda/sorting/order_params.hpp>
#include <cuda/sorting/radix_params.hpp>
#include <cuda/sparse/sparse_params.hpp>
#include <gparray/gparray.hpp>

using namespace gparray;
using namespace gparray::core;

namespace {

int n_kernels = 0;

void check_code(const void* kernel, int threads) {
  if (!kernel) return;
  ++n_kernels;
  cudaFuncAttributes code{};
  const cudaError_t error = cuda::runtime.cudaFuncGetAttributes(&code, kernel);
  REQUIRE(std::string(cudaGetErrorName(error)) == "cudaSuccess");
  CHECK(code.maxThreadsPerBlock >= threads);
  CHECK(code.sharedSizeBytes <= 48 << 10);
}

template<class Body>
void on_gpu(Body body) {
  if (!cuda_backend()) return;
  const device_guard guard(device::cuda(0));
  zeros<float>({1}).eval();
  n_kernels = 0;
  body();
  CHECK(n_kernels > 0);
}

template<class Body>
void for_each_dtype(Body body) {
  for (int d = 0; d < dtype_count; ++d) body(static_cast<dtype>(d));
}

}  // namespace

// One case for each file of kernels, so that the driver can compile several at the same time.
#define MAP_CASE(group)                                                                \
  TEST_CASE("cuda gpu code: element-wise kernels of map_" #group) {                    \
    on_gpu([] {                                                                        \
      for (const cuda::map_kernels& each : cuda::map_table::of_group<group>().cells) { \
        check_code(each.vector, cuda::map_threads);                                    \
        check_code(each.strided, cuda::map_threads);                                   \
      }                                                                                \
    });                                                                                \
  }
MAP_CASE(0)
MAP_CASE(1)
MAP_CASE(2)
MAP_CASE(3)
MAP_CASE(4)
MAP_CASE(5)
MAP_CASE(6)
MAP_CASE(7)
#undef MAP_CASE

#define REDUCE_CASE(group)                                                                 \
  TEST_CASE("cuda gpu code: reductions of reduce_" #group) {                               \
    on_gpu([] {                                                                            \
      for (const cuda::reduce_kernels& each : cuda::reduce_table::of_group<group>().cells) \
        for (const void* kernel : {each.inner, each.dense, each.columns})                  \
          check_code(kernel, cuda::reduce_threads);                                        \
    });                                                                                    \
  }
REDUCE_CASE(0)
REDUCE_CASE(1)
REDUCE_CASE(2)
REDUCE_CASE(3)
REDUCE_CASE(4)
REDUCE_CASE(5)
#undef REDUCE_CASE

TEST_CASE("cuda gpu code: conversions") {
  on_gpu([] {
    for_each_dtype([](dtype to) {
      for_each_dtype([&](dtype from) { check_code(cuda::find_cast_kernel(from, to), cuda::map_threads); });
    });
  });
}

TEST_CASE("cuda gpu code: scans") {
  on_gpu([] {
    for_each_dtype([](dtype type) {
      for (const scan op : {scan::sum, scan::prod, scan::max, scan::fmin, scan::bitwise_xor}) {
        const cuda::scan_kernels k = cuda::find_scan_kernels(op, type);
        for (const void* each : {k.tiles, k.short_rows, k.middle_rows, k.columns, k.column_tiles})
          check_code(each, cuda::scan_threads);
      }
    });
  });
}

TEST_CASE("cuda gpu code: sorting and searching") {
  on_gpu([] {
    for (const bool keys_are_64_bit : {false, true}) {
      check_code(cuda::find_digit_kernel(keys_are_64_bit), cuda::n_digits);
      for (const bool numbers : {false, true}) {
        check_code(cuda::find_row_kernel(keys_are_64_bit, numbers), cuda::row_shape::threads);
        for (const std::uint32_t size : {1000u, 1u << 30})
          check_code(cuda::find_pass_kernel(keys_are_64_bit, numbers, size).address, cuda::pass_threads);
      }
    }
    check_code(cuda::find_search_kernel(dtype::float64), cuda::order_threads);
  });
}

TEST_CASE("cuda gpu code: random numbers") {
  on_gpu([] {
    for (int op = 0; op < 64; ++op) {
      const auto distribution = static_cast<core::distribution>(op);
      for_each_dtype([&](dtype type) {
        for (const bool arrays : {false, true})
          check_code(cuda::find_block_kernel(distribution, type, arrays).kernel, cuda::random_threads);
      });
      check_code(cuda::find_element_kernel(distribution).kernel, cuda::random_threads);
    }
  });
}

TEST_CASE("cuda gpu code: small factorisations") {
  on_gpu([] {
    for (const dtype type : {dtype::float32, dtype::float64, dtype::complex64, dtype::complex128})
      for (int rows = 1; 32 * rows <= cuda::largest_small_qr(type); rows *= 2) {
        check_code(cuda::find_small_qr_kernel(type, rows), cuda::small_qr_threads(32 * rows));
        check_code(cuda::find_small_q_kernel(type, rows), cuda::small_qr_threads(32 * rows));
      }
  });
}

TEST_CASE("cuda gpu code: picked elements, sparse rows") {
  on_gpu([] {
    for (const std::size_t bytes : {1, 2, 4, 8, 16}) {
      check_code(cuda::find_index_kernel(bytes, false), cuda::index_threads);
      check_code(cuda::find_line_kernel(bytes), cuda::index_threads);
      check_code(cuda::find_compact_kernel(bytes), cuda::index_threads);
    }
    for (const dtype index : {dtype::int32, dtype::int64}) {
      check_code(cuda::find_expand_kernel(index), cuda::sparse_threads);
      check_code(cuda::find_product_write_kernel(dtype::float64, index), cuda::sparse_threads);
    }
  });
}
