// The CUDA backend's own logic on a fake device, without a GPU.
#include <memory>
#include <numeric>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/device/map_params.hpp>
#include <cuda/device/reduce_params.hpp>
#include <cuda/map/copy_params.hpp>
#include <cuda/map/map_table.hpp>
#include <cuda/reduction/reduce_table.hpp>
#include <cuda/runtime/library.hpp>
#include <gparray/error.hpp>

#include "cuda/support/fake_runtime.hpp"

using namespace gparray;
using namespace gparray::core;
using fake_cuda::model;

namespace {

struct fixture {
  fake_cuda::session session;
  std::unique_ptr<cuda::cuda_backend_type> gpu = std::make_unique<cuda::cuda_backend_type>(1);
  core::memory_pool& pool() { return *gpu->pool(memory_space::device, 0); }
};

struct device_block {
  device_block(core::memory_pool& pool, std::size_t bytes)
      : pool(pool), held(pool.allocate(bytes, nullptr)) {}
  ~device_block() { pool.deallocate(held); }
  void* data() const { return held->pointer; }
  core::memory_pool& pool;
  core::block* held;
};

input array_input(dtype type, const void* data, std::initializer_list<std::int64_t> strides) {
  input in;
  in.kind = input_kind::array;
  in.type = type;
  in.data = data;
  std::copy(strides.begin(), strides.end(), in.strides);
  return in;
}

void set_shape(map_plan& plan, std::initializer_list<std::int64_t> shape) {
  plan.ndim = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), plan.shape);
  plan.size = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

void set_output(map_plan& plan, dtype type, void* data, std::initializer_list<std::int64_t> strides) {
  plan.out.data = data;
  plan.out.type = type;
  std::copy(strides.begin(), strides.end(), plan.out.strides);
}

/// out = a + b on float32.
std::unique_ptr<map_plan> add_plan(char* memory, std::int64_t n) {
  auto plan = std::make_unique<map_plan>();
  plan->n_inputs = 2;
  plan->n_steps = 1;
  set_shape(*plan, {n});
  plan->inputs[0] = array_input(dtype::float32, memory, {4});
  plan->inputs[1] = array_input(dtype::float32, memory + n * 4, {4});
  plan->steps[0] = {ufunc::add, dtype::float32, {0, 1, 0}};
  set_output(*plan, dtype::float32, memory + 2 * n * 4, {4});
  return plan;
}

const void* vector_kernel(ufunc f, dtype d) { return cuda::find_map_kernels(f, d).vector; }
const void* strided_kernel(ufunc f, dtype d) { return cuda::find_map_kernels(f, d).strided; }

cuda::vector_params<2> seen_vector;
cuda::strided_params<2> seen_strided;

/// sum over the rows and the columns of a * b + a, a copy from and to pageable memory, a stream: most of the
/// backend.
void everything(cuda::cuda_backend_type& gpu) {
  core::memory_pool& pool = *gpu.pool(memory_space::device, 0);
  const stream_handle stream = gpu.create_stream(0, true, 0);
  struct stream_owner {
    cuda::cuda_backend_type& gpu;
    stream_handle stream;
    ~stream_owner() { gpu.destroy_stream(0, stream); }
  } owner{gpu, stream};
  const std::int64_t n = 1 << 20;
  device_block memory(pool, 3 * n * 4);
  auto* data = static_cast<char*>(memory.data());
  std::vector<char> host(n * 4, 1);
  gpu.copy(data, host.data(), host.size(), {0, stream});

  reduce_plan reduction;
  map_plan& map = reduction.map;
  set_shape(map, {n});
  map.n_inputs = 2;
  map.n_steps = 2;
  map.inputs[0] = array_input(dtype::float32, data, {4});
  map.inputs[1] = array_input(dtype::float32, data + n * 4, {4});
  map.steps[0] = {ufunc::multiply, dtype::float32, {0, 1, 0}};
  map.steps[1] = {ufunc::add, dtype::float32, {2, 0, 0}};
  reduction.op = reduction::sum;
  reduction.element = dtype::float32;
  reduction.n_kept = 0;
  reduction.n_out = 1;
  reduction.n_reduced = n;
  reduction.ddof = 0;
  reduction.out.data = data;
  reduction.out.type = dtype::float32;
  gpu.reduce(reduction, {0, stream});

  scan_plan scan;
  scan.op = scan::sum;
  scan.type = dtype::float32;
  scan.ndim = 1;
  scan.shape[0] = n;
  scan.in = data;
  scan.in_strides[0] = scan.out_strides[0] = 4;
  scan.out = data + 2 * n * 4;
  gpu.scan(scan, {0, stream});
  gpu.copy(host.data(), data, host.size(), {0, stream});
  gpu.synchronize_stream({0, stream});
}

}  // namespace

TEST_CASE("cuda fake: a one-step plan is one launch of the contiguous kernel") {
  fixture f;
  device_block memory(f.pool(), 3 * 1001 * 4);
  const auto plan = add_plan(static_cast<char*>(memory.data()), 1001);
  model.on_launch = [](const fake_cuda::launch_record& r) {
    std::memcpy(static_cast<void*>(&seen_vector), r.params, sizeof seen_vector);
  };
  model.calls.clear();
  const stream_handle stream = reinterpret_cast<stream_handle>(0x70);
  f.gpu->map(*plan, {0, stream});
  REQUIRE(model.launches.size() == 1);
  CHECK(model.calls == std::vector<std::string>{"cudaStreamIsCapturing", "cudaLaunchKernelExC"});
  CHECK(model.launches[0].kernel == vector_kernel(ufunc::add, dtype::float32));
  CHECK(model.launches[0].stream == static_cast<cudaStream_t>(stream));
  CHECK(model.launches[0].blocks == 1);
  CHECK(seen_vector.n_columns == 1001);
  CHECK(seen_vector.n_rows == 1);
  CHECK(seen_vector.in[1] == static_cast<char*>(memory.data()) + 1001 * 4);
  CHECK(seen_vector.modes[0] == cuda::access::contiguous);
}

TEST_CASE("cuda fake: operands decide the kernel") {
  fixture f;
  device_block memory(f.pool(), 1 << 20);
  auto* data = static_cast<char*>(memory.data());
  const auto plan = add_plan(data, 1000);
  model.on_launch = [](const fake_cuda::launch_record& r) {
    if (r.kernel == strided_kernel(ufunc::add, dtype::float32))
      std::memcpy(static_cast<void*>(&seen_strided), r.params, sizeof seen_strided);
    else std::memcpy(static_cast<void*>(&seen_vector), r.params, sizeof seen_vector);
  };
  SUBCASE("another dtype is converted by the strided kernel's loads") {
    plan->n_steps = 2;
    plan->inputs[1].type = dtype::int32;
    plan->steps[0] = {ufunc::cast, dtype::float32, {1, 0, 0}};
    plan->steps[1] = {ufunc::add, dtype::float32, {0, 2, 0}};
    f.gpu->map(*plan, {});
    REQUIRE(model.launches.size() == 1);
    CHECK(model.launches[0].kernel == strided_kernel(ufunc::add, dtype::float32));
    CHECK(seen_strided.in_types[1] == dtype::int32);
    CHECK(seen_strided.size == 1000);
  }
  SUBCASE("a constant travels in the parameters, converted") {
    plan->inputs[1].kind = input_kind::constant;
    plan->inputs[1].type = dtype::float64;
    const double three = 3;
    std::memcpy(plan->inputs[1].value.bytes, &three, sizeof three);
    f.gpu->map(*plan, {});
    REQUIRE(model.launches.size() == 1);
    CHECK(model.launches[0].kernel == vector_kernel(ufunc::add, dtype::float32));
    CHECK(seen_vector.modes[1] == cuda::access::constant_bits);
    float converted;
    std::memcpy(&converted, seen_vector.constants[1].bytes, sizeof converted);
    CHECK(converted == 3.f);
  }
  SUBCASE("a column and a row are broadcast by the vector kernel") {
    set_shape(*plan, {100, 64});
    plan->inputs[0] = array_input(dtype::float32, data, {4, 0});
    plan->inputs[1] = array_input(dtype::float32, data + 4096, {0, 4});
    set_output(*plan, dtype::float32, data + 8192, {256, 4});
    f.gpu->map(*plan, {});
    REQUIRE(model.launches.size() == 1);
    CHECK(model.launches[0].kernel == vector_kernel(ufunc::add, dtype::float32));
    CHECK(seen_vector.n_rows == 100);
    CHECK(seen_vector.n_columns == 64);
    CHECK(seen_vector.modes[0] == cuda::access::row_value);
    CHECK(seen_vector.modes[1] == cuda::access::contiguous);
    // 16 packs of 4: 16 rows a block.
    CHECK(model.launches[0].blocks == 7);
    // 17 packs, for rows may begin up to 3 elements after an aligned address, take 32 threads: 8 rows a
    // block.
    for (const std::int64_t row : {256, 260}) {
      set_output(*plan, dtype::float32, data + 8192 + (row == 256 ? 4 : 0), {row, 4});
      f.gpu->map(*plan, {});
      CHECK(model.launches.back().blocks == 13);
    }
  }
  SUBCASE("every second element is strided") {
    plan->inputs[0].strides[0] = 8;
    f.gpu->map(*plan, {});
    CHECK(model.launches.at(0).kernel == strided_kernel(ufunc::add, dtype::float32));
  }
}

TEST_CASE("cuda fake: copies") {
  fixture f;
  device_block memory(f.pool(), 8 << 20);
  auto* data = static_cast<char*>(memory.data());
  map_plan plan;
  plan.n_inputs = 1;
  plan.n_steps = 0;
  SUBCASE("a large block is one copy by the driver") {
    set_shape(plan, {1 << 20});
    plan.inputs[0] = array_input(dtype::float32, data, {4});
    set_output(plan, dtype::float32, data + (4 << 20), {4});
    f.gpu->map(plan, {});
    CHECK(model.launches.empty());
    CHECK(model.count("cudaMemcpyAsync") == 1);
  }
  SUBCASE("a transposition goes through tiles") {
    set_shape(plan, {128, 256});
    plan.inputs[0] = array_input(dtype::float32, data, {4, 512});
    set_output(plan, dtype::float32, data + (1 << 18), {1024, 4});
    f.gpu->map(plan, {});
    REQUIRE(model.launches.size() == 1);
    CHECK(model.launches[0].kernel == cuda::find_transpose_kernel(4, true));
    CHECK(model.launches[0].blocks == 2 * 4);
  }
}

TEST_CASE("cuda fake: casts are folded only where one conversion gives the same value") {
  fixture f;
  device_block memory(f.pool(), 1 << 20);
  auto* data = static_cast<char*>(memory.data());
  map_plan plan;
  set_shape(plan, {1000});
  plan.n_inputs = 1;
  plan.n_steps = 3;
  plan.inputs[0] = array_input(dtype::float64, data, {8});
  plan.steps[0] = {ufunc::cast, dtype::int8, {0, 0, 0}};
  plan.steps[1] = {ufunc::cast, dtype::float32, {1, 0, 0}};
  plan.steps[2] = {ufunc::sin, dtype::float32, {2, 0, 0}};
  set_output(plan, dtype::float32, data + 8192, {4});
  f.gpu->map(plan, {});
  // float64 to int8 is carried out; int8 to float32 happens in the loads of sin.
  REQUIRE(model.launches.size() == 2);
  CHECK(model.launches[0].kernel == cuda::find_cast_kernel(dtype::float64, dtype::int8));
  CHECK(model.launches[1].kernel == strided_kernel(ufunc::sin, dtype::float32));
}

TEST_CASE("cuda fake: temporaries of a chain are handed on") {
  fixture f;
  const std::int64_t n = 1 << 20;
  device_block memory(f.pool(), 3 * n * 4);
  const auto plan = add_plan(static_cast<char*>(memory.data()), n);
  plan->n_steps = 6;
  for (int s = 1; s < 6; ++s)
    plan->steps[s] = {ufunc::multiply, dtype::float32, {static_cast<std::uint8_t>(s + 1), 0, 0}};
  const std::size_t before = f.pool().stats().used_bytes;
  f.gpu->map(*plan, {});
  CHECK(model.launches.size() == 6);
  CHECK(f.pool().stats().used_bytes == before);
  // At most the argument and the result of a step are alive together.
  CHECK(f.pool().stats().peak_bytes - before <= 2 * n * 4 + 4096);
}

TEST_CASE("cuda fake: pageable copies round trip through the pinned buffers") {
  fixture f;
  const std::size_t bytes = cuda::staging::chunk_bytes * 3 + 12345;
  device_block memory(f.pool(), bytes);
  std::vector<unsigned char> from(bytes), to(bytes, 0);
  for (std::size_t i = 0; i < bytes; ++i)
    from[i] = static_cast<unsigned char>(static_cast<unsigned>(i) * 2654435761u >> 24);
  f.gpu->copy(memory.data(), from.data(), bytes, {});
  CHECK(model.count("cudaMemcpyAsync") == 4);
  CHECK(model.host_memory.size() == 2);
  f.gpu->copy(to.data(), memory.data(), bytes, {});
  CHECK(to == from);
  CHECK(model.host_memory.size() == 2);
}

TEST_CASE("cuda fake: a split reduction zeroes its counters once for a stream") {
  fixture f;
  device_block memory(f.pool(), 8 << 20);
  reduce_plan plan;
  set_shape(plan.map, {2 << 20});
  plan.map.n_inputs = 1;
  plan.map.n_steps = 0;
  plan.map.inputs[0] = array_input(dtype::float32, memory.data(), {4});
  plan.op = reduction::sum;
  plan.element = dtype::float32;
  plan.n_kept = 0;
  plan.n_out = 1;
  plan.n_reduced = 2 << 20;
  plan.ddof = 0;
  plan.out.data = memory.data();
  plan.out.type = dtype::float32;
  f.gpu->reduce(plan, {});
  f.gpu->reduce(plan, {});
  REQUIRE(model.launches.size() == 2);
  CHECK(model.launches[0].kernel == cuda::find_reduce_kernels(reduction::sum, dtype::float32).dense);
  CHECK(model.launches[0].blocks > 64);
  CHECK(model.count("cudaMemsetAsync") == 1);
}

TEST_CASE("cuda fake: errors name the call, the operation and the code") {
  fixture f;
  device_block memory(f.pool(), 3 * 1000 * 4);
  const auto plan = add_plan(static_cast<char*>(memory.data()), 1000);
  model.fail_at = static_cast<int>(model.calls.size()) + 1;
  model.error = cudaErrorNoKernelImageForDevice;
  std::string text;
  int code = 0;
  try {
    f.gpu->map(*plan, {});
  } catch (const cuda_error& e) {
    text = e.what();
    code = e.code();
  }
  CHECK(code == cudaErrorNoKernelImageForDevice);
  CHECK(text.find("cudaLaunchKernelExC failed while launching add: cudaErrorNoKernelImageForDevice") == 0);
  CHECK(text.find("CMAKE_CUDA_ARCHITECTURES") != std::string::npos);
}

TEST_CASE("cuda fake: running out of memory says how much there is") {
  fixture f;
  model.capacity = 16 << 20;
  std::string text;
  try {
    f.pool().allocate(64 << 20, nullptr);
  } catch (const out_of_memory& e) {
    text = e.what();
  }
  CHECK(text.find("cuda:0") != std::string::npos);
}

TEST_CASE("cuda fake: no GPU has a reason and a remedy") {
  fake_cuda::session session;
  std::string reason;
  model.device_count_error = cudaErrorInsufficientDriver;
  CHECK(cuda::count_devices(reason) == 0);
  CHECK(reason.find("no GPU: the NVIDIA driver supports CUDA 11.4") == 0);
  model.device_count_error = cudaErrorNoDevice;
  CHECK(cuda::count_devices(reason) == 0);
  CHECK(reason.find("CUDA_VISIBLE_DEVICES") != std::string::npos);
}

TEST_CASE("cuda fake: a missing library names its package") {
  std::string text;
  try {
    cuda::open_library({"libgparray_missing.so.13", "libgparray_missing.so.12"},
                       "the package nvidia-missing");
  } catch (const library_error& e) {
    text = e.what();
  }
  CHECK(text.find("libgparray_missing.so.13 could not be loaded (") == 0);
  CHECK(text.find("Install the package nvidia-missing, or set GPARRAY_CUDA_PATH") != std::string::npos);
}

TEST_CASE("cuda fake: whichever call fails, nothing is leaked") {
  int n_calls = 0, n_failures = 0;
  for (int k = 0; k == 0 || k <= n_calls; ++k) {
    CAPTURE(k);
    fixture f;
    model.fail_at = k;
    bool reported = k == 0;
    if (k == 0) {
      everything(*f.gpu);
      n_calls = static_cast<int>(model.calls.size());
    } else {
      try {
        everything(*f.gpu);
      } catch (const cuda_error& e) {
        ++n_failures;
        reported = true;
        CHECK(std::string(e.what()).find(model.calls[static_cast<std::size_t>(k) - 1]) == 0);
      }
    }
    CHECK(f.pool().stats().used_bytes == 0);
    f.gpu.reset();
    // A pool that cannot record when a dying stream's memory is free again keeps that memory rather than hand
    // it out.
    if (!reported) model.memory.clear();
    CHECK(model.is_empty());
  }
  CHECK(n_calls > 20);
  CHECK(n_failures > n_calls / 2);
}

TEST_CASE("cuda fake: rows that 32 bits cannot count are refused") {
  fixture f;
  device_block memory(f.pool(), 512);
  reduce_plan plan;
  const std::int64_t n = std::int64_t{1} << 31;
  // Few packs, but each row has more elements than a kernel's column numbers reach.
  set_shape(plan.map, {2, n});
  plan.map.n_inputs = 1;
  plan.map.n_steps = 0;
  plan.map.inputs[0] = array_input(dtype::int8, memory.data(), {n + 512, 1});
  plan.op = reduction::max;
  plan.element = plan.out.type = dtype::int8;
  plan.n_kept = 0;
  plan.n_out = 1;
  plan.n_reduced = 2 * n;
  plan.ddof = 0;
  plan.out.data = memory.data();
  CHECK_THROWS_AS(f.gpu->reduce(plan, {}), value_error);
  plan.map.shape[1] = n - 1;
  plan.map.size = plan.n_reduced = 2 * (n - 1);
  CHECK_NOTHROW(f.gpu->reduce(plan, {}));
}
