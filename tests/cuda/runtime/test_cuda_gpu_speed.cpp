// Times of the large contiguous cases on a real GPU, beside what a device copy of the same bytes takes. They
// are printed; a kernel that is twice as slow as the memory allows fails, argmax at four times: it carries
// indices.
#include <chrono>
#include <functional>

#include "cuda/support/twin.hpp"

using namespace twin;

namespace {

double microseconds(backend& gpu, const std::function<void()>& run) {
  run();
  run();
  gpu.synchronize_device(0);
  std::vector<double> times;
  for (int batch = 0; batch < 5; ++batch) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i) run();
    gpu.synchronize_device(0);
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / 20);
  }
  std::sort(times.begin(), times.end());
  return times[2];
}

/// Floats in [0, 1): zeros would be faster than real data.
struct device_array {
  device_array(backend& gpu, std::int64_t n)
      : pool(*gpu.pool(memory_space::device, 0)),
        held(pool.allocate(static_cast<std::size_t>(n) * 4, nullptr)) {
    std::vector<float> numbers(static_cast<std::size_t>(n));
    unsigned state = 1;
    for (float& number : numbers) {
      state = state * 1664525u + 1013904223u;
      number = static_cast<float>(state >> 8) * 0x1p-24f;
    }
    gpu.copy(held->pointer, numbers.data(), numbers.size() * 4, {});
  }
  ~device_array() { pool.deallocate(held); }
  core::memory_pool& pool;
  core::block* held;
};

}  // namespace

TEST_CASE("cuda gpu: speed of large arrays") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  constexpr std::int64_t side = 10000, n = side * side;
  device_array x(*gpu, n), y(*gpu, n), z(*gpu, n);
  const auto in = [](const device_array& a, std::initializer_list<std::int64_t> strides) {
    input i;
    i.kind = input_kind::array;
    i.type = dtype::float32;
    i.data = a.held->pointer;
    std::copy(strides.begin(), strides.end(), i.strides);
    return i;
  };
  const double copy = microseconds(*gpu, [&] { gpu->copy(y.held->pointer, x.held->pointer, n * 4, {}); });
  MESSAGE("device copy of 400 MB: " << copy << " us");
  // `passes`: reads and writes of the array, of which the copy makes two.
  const auto report = [&](const std::string& what, double passes, const std::function<void()>& run) {
    const double us = microseconds(*gpu, run);
    MESSAGE(what << ": " << us << " us, " << us / (copy * passes / 2) << " of the copy's time for its bytes");
    const double allowed = what.starts_with("argmax") ? 4 : 2;
    CHECK_MESSAGE(us < allowed * copy * passes / 2, what);
  };

  map_plan map;
  map.size = n;
  map.n_steps = 1;
  map.out.type = dtype::float32;
  map.out.data = z.held->pointer;
  map.ndim = 1;
  map.shape[0] = n;
  map.out.strides[0] = 4;
  map.n_inputs = 2;
  map.inputs[0] = in(x, {4});
  map.inputs[1] = in(y, {4});
  map.steps[0] = {ufunc::add, dtype::float32, {0, 1, 0}};
  report("add_f32_1e8", 3, [&] { gpu->map(map, {}); });
  map.inputs[1].kind = input_kind::constant;
  map.inputs[1].value = {};
  report("add_constant_f32_1e8", 2, [&] { gpu->map(map, {}); });
  map.n_inputs = 1;
  map.steps[0] = {ufunc::sin, dtype::float32, {0, 0, 0}};
  report("sin_f32_1e8", 2, [&] { gpu->map(map, {}); });
  map.ndim = 2;
  map.shape[0] = map.shape[1] = side;
  map.out.strides[0] = 4 * side;
  map.out.strides[1] = 4;
  map.n_inputs = 2;
  map.inputs[0] = in(x, {4, 0});
  map.inputs[1] = in(y, {0, 4});
  map.steps[0] = {ufunc::add, dtype::float32, {0, 1, 0}};
  report("bcast_add_f32_10000", 1, [&] { gpu->map(map, {}); });
  map.n_inputs = 1;
  map.n_steps = 0;
  map.inputs[0] = in(x, {4, 4 * side});
  report("transpose_copy_f32_10000", 2, [&] { gpu->map(map, {}); });

  reduce_plan reduction;
  reduction.element = reduction.out.type = dtype::float32;
  reduction.out.data = z.held->pointer;
  reduction.out.strides[0] = 4;
  reduction.ddof = 0;
  map_plan& values = reduction.map;
  values.n_steps = 0;
  values.n_inputs = 1;
  values.size = n;
  for (const auto op : {reduction::sum, reduction::max, reduction::argmax, reduction::std}) {
    reduction.op = op;
    reduction.out.type = result_dtype(op, dtype::float32);
    reduction.n_kept = 0;
    reduction.n_out = 1;
    reduction.n_reduced = n;
    values.ndim = 1;
    values.shape[0] = n;
    values.inputs[0] = in(x, {4});
    const std::string text(name(op));
    report(text + "_f32_10000", 1, [&] { gpu->reduce(reduction, {}); });
    reduction.n_kept = 1;
    reduction.n_out = reduction.n_reduced = side;
    reduction.out.strides[0] = static_cast<std::int64_t>(itemsize(reduction.out.type));
    values.ndim = 2;
    values.shape[0] = values.shape[1] = side;
    values.inputs[0] = in(x, {4, 4 * side});
    report(text + "0_f32_10000", 1, [&] { gpu->reduce(reduction, {}); });
    values.inputs[0] = in(x, {4 * side, 4});
    report(text + "1_f32_10000", 1, [&] { gpu->reduce(reduction, {}); });
  }

  scan_plan scan;
  scan.op = scan::sum;
  scan.type = dtype::float32;
  scan.ndim = 1;
  scan.shape[0] = n;
  scan.in = x.held->pointer;
  scan.out = z.held->pointer;
  scan.in_strides[0] = scan.out_strides[0] = 4;
  report("cumsum_f32_1e8", 3, [&] { gpu->scan(scan, {}); });

  map.ndim = 1;
  map.shape[0] = map.size = 1000;
  map.n_inputs = 2;
  map.n_steps = 1;
  map.inputs[0] = in(x, {4});
  map.inputs[1] = in(y, {4});
  map.out.strides[0] = 4;
  MESSAGE("add_f32_1e3: " << microseconds(*gpu,
                                          [&] {
                                            for (int i = 0; i < 100; ++i) gpu->map(map, {});
                                          }) /
                                 100
                          << " us");
}
