// How the CUDA backend puts cuFFT to work, on a fake of it: layouts, work areas, streams, plans, failures.
// Kernels do nothing here, so results are looked at where no copy and no factor is needed.
#include <array>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/fft/fft_layout.hpp>
#include <cuda/map/copy_params.hpp>
#include <gparray/fft.hpp>
#include <gparray/gparray.hpp>

#include "cuda/support/fake_cufft.hpp"
#include "cuda/support/fake_runtime.hpp"

using namespace gparray;
using namespace gparray::core;
using z = std::complex<double>;

namespace {

struct fixture {
  fake_cuda::session runtime;
  fake_cufft::session library;
  std::unique_ptr<cuda::cuda_backend_type> gpu = std::make_unique<cuda::cuda_backend_type>(1);
  fft_engine& engine() { return *gpu->fft(); }
};

/// An axis of the data: its size, whether it is transformed, and bytes to the next element on both sides.
struct axis {
  std::int64_t n;
  bool transformed;
  std::int64_t in, out;
};

fft_plan plan_of(fft_kind kind, std::initializer_list<axis> axes, const void* in, void* out) {
  fft_plan plan{};
  plan.kind = kind;
  plan.real = dtype::float64;
  plan.in = in;
  plan.out = out;
  plan.scale = 1;
  for (const axis& a : axes) {
    if (a.transformed) {
      plan.n[plan.rank] = a.n;
      plan.in_strides[plan.rank] = a.in;
      plan.out_strides[plan.rank++] = a.out;
    } else {
      plan.batch_shape[plan.batch_ndim] = a.n;
      plan.batch_in_strides[plan.batch_ndim] = a.in;
      plan.batch_out_strides[plan.batch_ndim++] = a.out;
    }
  }
  return plan;
}

/// The transform by its definition, along one axis after the other, in rows of complex numbers.
class reference {
 public:
  explicit reference(std::vector<std::int64_t> shape) : shape_(std::move(shape)) {
    std::int64_t size = 1;
    for (std::int64_t n : shape_) size *= n;
    for (std::int64_t i = 0; i < size; ++i)
      values.emplace_back(static_cast<double>((i * i * 7 + i) % 11 - 5),
                          static_cast<double>((i * 3) % 7 - 3));
  }
  void transform(std::size_t along, int sign) {
    std::int64_t inner = 1;
    for (std::size_t d = along + 1; d < shape_.size(); ++d) inner *= shape_[d];
    const std::int64_t n = shape_[along];
    std::vector<z> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      const std::int64_t k = index / inner % n, first = index - k * inner;
      for (std::int64_t j = 0; j < n; ++j)
        result[i] += values[static_cast<std::size_t>(first + j * inner)] *
                     std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) /
                                         static_cast<double>(n));
    }
    values = result;
  }
  std::vector<z> values;

 private:
  std::vector<std::int64_t> shape_;
};

bool close(const std::vector<z>& have, const std::vector<z>& want) {
  REQUIRE(have.size() == want.size());
  double largest = 0;
  for (std::size_t i = 0; i < have.size(); ++i) largest = std::max(largest, std::abs(have[i] - want[i]));
  // Sums of at most 1000 terms of up to 8, by both sides' definition: 1000 * 8 * 1000 * 2^-52.
  return largest < 2e-9;
}

/// Transforms a C-contiguous array of this shape along some axes; what comes out agrees with the definition.
/// Returns how many executions that took.
int check_complex(std::vector<std::int64_t> shape, std::vector<bool> transformed, bool in_place = false) {
  fixture f;
  reference data(shape);
  std::vector<z> in = data.values, out(in.size());
  fft_plan plan{};
  plan.kind = fft_kind::forward;
  plan.real = dtype::float64;
  plan.in = in.data();
  plan.out = in_place ? in.data() : out.data();
  plan.scale = 1;
  auto stride = static_cast<std::int64_t>(in.size() * sizeof(z));
  for (std::size_t d = 0; d < shape.size(); ++d) {
    stride /= shape[d];
    if (transformed[d]) {
      data.transform(d, -1);
      plan.n[plan.rank] = shape[d];
      plan.in_strides[plan.rank] = plan.out_strides[plan.rank] = stride;
      ++plan.rank;
    } else {
      plan.batch_shape[plan.batch_ndim] = shape[d];
      plan.batch_in_strides[plan.batch_ndim] = plan.batch_out_strides[plan.batch_ndim] = stride;
      ++plan.batch_ndim;
    }
  }
  f.engine().run(plan, {0, nullptr});
  CHECK(fake_cuda::model.launches.empty());
  CHECK(close(in_place ? in : out, data.values));
  return fake_cufft::model.executions;
}

}  // namespace

TEST_CASE("cuFFT takes strided batches and up to three axes at once, without a copy") {
  CHECK(check_complex({12}, {true}) == 1);
  CHECK(check_complex({5, 8}, {false, true}) == 1);
  CHECK(check_complex({5, 8}, {true, false}) == 1);
  CHECK(check_complex({6, 8}, {true, true}) == 1);
  CHECK(check_complex({3, 4, 5}, {true, true, true}) == 1);
  CHECK(check_complex({3, 4, 5}, {true, false, true}) == 1);
  CHECK(check_complex({3, 4, 5}, {true, true, false}) == 1);
  CHECK(check_complex({3, 4, 5}, {false, true, true}) == 1);
  CHECK(check_complex({3, 4, 5}, {false, true, true}, true) == 1);
  // The middle axis: a batch is one stride, the other dimension repeats the call; the longer is the batch.
  CHECK(check_complex({3, 4, 5}, {false, true, false}) == 3);
  CHECK(check_complex({6, 4, 2}, {false, true, false}) == 2);
  // Four axes: three at once, the fourth in place.
  CHECK(check_complex({2, 3, 2, 5}, {true, true, true, true}) == 2);
  CHECK(check_complex({1, 7}, {true, true}) == 1);
}

TEST_CASE("many repeats become one call between two copies") {
  fixture f;
  std::vector<z> in(40 * 4 * 20), out(in.size());
  const auto s = static_cast<std::int64_t>(sizeof(z));
  const fft_plan plan =
      plan_of(fft_kind::forward, {{40, false, 80 * s, 80 * s}, {4, true, 20 * s, 20 * s}, {20, false, s, s}},
              in.data(), out.data());
  const cuda::fft_program program = cuda::program_of(plan);
  REQUIRE(program.steps.size() == 1);
  CHECK(program.steps[0].transposed);
  CHECK(program.steps[0].layout.batch == 800);
  CHECK(program.steps[0].layout.in.stride == 1);
  CHECK(program.steps[0].layout.in.distance == 4);
  f.engine().run(plan, {0, nullptr});
  CHECK(fake_cufft::model.executions == 1);
  CHECK(fake_cuda::model.launches.size() >= 2);
}

TEST_CASE("long columns become rows for cuFFT, short ones stay where they are") {
  const auto s = static_cast<std::int64_t>(sizeof(z));
  const auto step_of = [](fft_kind kind, std::int64_t n, std::int64_t in, std::int64_t out) {
    const fft_plan plan = plan_of(kind, {{n, true, 3 * in, 3 * out}, {3, false, in, out}}, nullptr, nullptr);
    return cuda::program_of(plan).steps.at(0);
  };
  const auto becomes_rows = [&](fft_kind kind, std::int64_t n, std::int64_t in, std::int64_t out,
                                std::int64_t in_n, std::int64_t out_n) {
    const cuda::fft_step step = step_of(kind, n, in, out);
    return step.transposed && step.aligned && step.layout.batch == 3 && step.layout.in.stride == 1 &&
           step.layout.out.stride == 1 && step.layout.in.distance == in_n &&
           step.layout.out.distance == out_n;
  };
  CHECK(becomes_rows(fft_kind::forward, 4097, s, s, 4097, 4097));
  CHECK(becomes_rows(fft_kind::inverse, 625000, s, s, 625000, 625000));
  CHECK(becomes_rows(fft_kind::real_forward, 2048, s / 2, s, 2048, 1025));
  CHECK(becomes_rows(fft_kind::real_inverse, 512, s, s / 2, 257, 512));
  CHECK_FALSE(step_of(fft_kind::forward, 4096, s, s).transposed);
  CHECK_FALSE(step_of(fft_kind::real_forward, 2047, s / 2, s).transposed);
  CHECK_FALSE(step_of(fft_kind::real_inverse, 511, s, s / 2).transposed);
  // Rows on either side.
  const auto transposed = [&](std::int64_t in, std::int64_t out) {
    return cuda::program_of(
               plan_of(fft_kind::forward, {{8192, true, in, out}, {3, false, s, s}}, nullptr, nullptr))
        .steps.at(0)
        .transposed;
  };
  CHECK(transposed(3 * s, 3 * s));
  CHECK_FALSE(transposed(s, 3 * s));
  CHECK_FALSE(transposed(3 * s, s));
  // Two dimensions at once are cuFFT's own to walk through.
  const fft_plan plane =
      plan_of(fft_kind::forward, {{8192, true, 12 * s, 12 * s}, {4, true, 3 * s, 3 * s}, {3, false, s, s}},
              nullptr, nullptr);
  CHECK_FALSE(cuda::program_of(plane).steps.at(0).transposed);
}

TEST_CASE("without memory for copies cuFFT works where the data lies, if it can") {
  const auto s = static_cast<std::int64_t>(sizeof(z));
  std::vector<z> in(40 * 4 * 20 + 1), out(in.size());
  const fft_plan plan =
      plan_of(fft_kind::forward, {{40, false, 80 * s, 80 * s}, {4, true, 20 * s, 20 * s}, {20, false, s, s}},
              in.data(), out.data());
  fixture f;
  fake_cuda::model.capacity = 0;
  fake_cufft::model.work_bytes = 0;
  f.engine().run(plan, {0, nullptr});
  CHECK(fake_cufft::model.executions == 20);
  CHECK(fake_cuda::model.launches.empty());
  const auto* const numbers = reinterpret_cast<const double*>(in.data());
  const int odd = reinterpret_cast<std::uintptr_t>(numbers) % 16 == 0 ? 1 : 0;
  const fft_plan misaligned = plan_of(fft_kind::real_forward, {{6, true, 8, 16}}, numbers + odd, out.data());
  CHECK_THROWS_AS(f.engine().run(misaligned, {0, nullptr}), out_of_memory);
}

TEST_CASE("between copies rows are read and written by tiles, whichever side they were columns on") {
  fixture f;
  const auto s = static_cast<std::int64_t>(sizeof(z));
  std::vector<z> in(20 * 9 * 20), out(in.size());
  f.engine().run(plan_of(fft_kind::forward,
                         {{20, false, 180 * s, 180 * s}, {9, true, 20 * s, 20 * s}, {20, false, s, s}},
                         in.data(), out.data()),
                 {0, nullptr});
  REQUIRE(fake_cuda::model.launches.size() == 2);
  for (const fake_cuda::launch_record& launch : fake_cuda::model.launches) {
    const bool tiled = launch.kernel == cuda::find_transpose_kernel(sizeof(z), true);
    CHECK(tiled);
  }
}

TEST_CASE("real transforms: rows and columns, halves of whole spectra") {
  fixture f;
  std::vector<double> in;
  for (int i = 0; i < 5 * 6; ++i) in.push_back((i * i * 3 + i) % 11 - 5);
  std::vector<z> out(5 * 6);
  reference rows({5, 6}), columns({5, 6});
  rows.values.assign(in.begin(), in.end());
  columns.values = rows.values;
  rows.transform(1, -1);
  columns.transform(0, -1);
  // Into the first four of every six elements, as the transform of real numbers to whole spectra begins.
  f.engine().run(
      plan_of(fft_kind::real_forward, {{5, false, 48, 96}, {6, true, 8, 16}}, in.data(), out.data()),
      {0, nullptr});
  for (std::size_t i = 0; i < 30; ++i) CHECK(std::abs(out[i] - (i % 6 < 4 ? rows.values[i] : 0.)) < 1e-12);
  f.engine().run(
      plan_of(fft_kind::real_forward, {{5, true, 48, 96}, {6, false, 8, 16}}, in.data(), out.data()),
      {0, nullptr});
  for (std::size_t i = 0; i < 18; ++i) CHECK(std::abs(out[i] - columns.values[i]) < 1e-12);
  CHECK(fake_cufft::model.executions == 2);
  CHECK(fake_cuda::model.launches.empty());
}

TEST_CASE("the inverse to real numbers works on a copy, unless the input is scratch, and clears its ends") {
  fixture f;
  std::vector<z> in(4 * 4, z(1, 1));
  std::vector<double> out(4 * 6);
  fft_plan plan =
      plan_of(fft_kind::real_inverse, {{4, false, 64, 48}, {6, true, 16, 8}}, in.data(), out.data());
  CHECK(cuda::program_of(plan).copies_input);
  f.engine().run(plan, {0, nullptr});
  const std::size_t with_copy = fake_cuda::model.launches.size();
  CHECK(in == std::vector<z>(16, z(1, 1)));
  plan.input_is_scratch = true;
  CHECK_FALSE(cuda::program_of(plan).copies_input);
  f.engine().run(plan, {0, nullptr});
  CHECK(fake_cuda::model.launches.size() - with_copy ==
        2);  // elements 0 and 3; odd lengths have no second end
  plan.n[0] = 5;
  const std::size_t before = fake_cuda::model.launches.size();
  f.engine().run(plan, {0, nullptr});
  CHECK(fake_cuda::model.launches.size() - before == 1);
}

TEST_CASE("what cuFFT cannot step through is copied first") {
  const auto s = static_cast<std::int64_t>(sizeof(z));
  std::vector<z> in(40), out(40);
  const auto copies = [&](std::initializer_list<axis> axes) {
    return cuda::program_of(plan_of(fft_kind::forward, axes, in.data(), out.data())).copies_input;
  };
  CHECK_FALSE(copies({{5, false, 8 * s, 8 * s}, {8, true, s, s}}));
  CHECK(copies({{5, false, 8 * s, 8 * s}, {8, true, -s, s}}));
  CHECK(copies({{5, false, -8 * s, 8 * s}, {8, true, s, s}}));
  CHECK(copies({{5, false, 0, 8 * s}, {8, true, s, s}}));
  // Two transformed axes that do not nest in the input are two calls.
  const fft_plan not_nested =
      plan_of(fft_kind::forward, {{5, true, s, 8 * s}, {8, true, 5 * s, s}}, in.data(), out.data());
  CHECK(cuda::program_of(not_nested).steps.size() == 2);
  CHECK_FALSE(cuda::program_of(not_nested).copies_input);
}

TEST_CASE("real numbers at odd places go through a copy: cuFFT wants the addresses of complex ones") {
  std::vector<double> in(20);
  std::vector<z> out(20);
  const auto transposed = [&](int first) {
    return cuda::program_of(
               plan_of(fft_kind::real_forward, {{6, true, 8, 16}}, in.data() + first, out.data()))
        .steps[0]
        .transposed;
  };
  const int odd = reinterpret_cast<std::uintptr_t>(in.data()) % 16 == 0 ? 1 : 0;
  CHECK(transposed(odd));
  CHECK_FALSE(transposed(1 - odd));
}

TEST_CASE("a factor is one more kernel") {
  fixture f;
  std::vector<z> in(12), out(12);
  fft_plan plan = plan_of(fft_kind::inverse, {{12, true, 16, 16}}, in.data(), out.data());
  plan.scale = 1 / 12.;
  f.engine().run(plan, {0, nullptr});
  CHECK(fake_cuda::model.launches.size() == 1);
}

TEST_CASE("plans are shared, work areas come from the pool of the stream") {
  fixture f;
  std::vector<z> in(24), out(24);
  const fft_plan plan =
      plan_of(fft_kind::forward, {{2, false, 192, 192}, {12, true, 16, 16}}, in.data(), out.data());
  const stream_handle stream = f.gpu->create_stream(0, true, 0);
  f.engine().run(plan, {0, nullptr});
  f.engine().run(plan, {0, stream});
  f.engine().run(plan, {0, stream});
  CHECK(fake_cufft::model.made == 1);
  CHECK(f.engine().cache(0).info().hits == 2);
  CHECK(f.engine().cache(0).info().bytes == 4096);
  CHECK(fake_cufft::model.streams == std::vector<void*>{nullptr, stream, stream});
  CHECK(fake_cufft::model.works[1] == fake_cufft::model.works[2]);
  for (void* work : fake_cufft::model.works) CHECK(fake_cuda::inside(fake_cuda::model.memory, work));
  CHECK(fake_cuda::model.count("cudaMalloc") == 1);
  for (const auto& [handle, p] : fake_cufft::model.plans) CHECK_FALSE(p.allocates);
  f.engine().cache(0).clear();
  CHECK(fake_cufft::model.plans.empty());
  f.gpu->destroy_stream(0, stream);
}

TEST_CASE("whichever call fails, the error names it and no plan is left over") {
  std::vector<z> in(12), out(12);
  const fft_plan plan = plan_of(fft_kind::forward, {{12, true, 16, 16}}, in.data(), out.data());
  const char* const names[] = {"cufftCreate",    "cufftSetAutoAllocation", "cufftMakePlanMany64",
                               "cufftSetStream", "cufftSetWorkArea",       "cufftXtExec"};
  for (int k = 1; k <= 6; ++k) {
    CAPTURE(k);
    fixture f;
    fake_cufft::model.fail_at = k;
    std::string text;
    try {
      f.engine().run(plan, {0, nullptr});
    } catch (const cuda_error& e) {
      text = e.what();
      CHECK(e.code() == CUFFT_INTERNAL_ERROR);
    }
    CHECK(text.starts_with(names[k - 1] + std::string(" failed while ")));
    CHECK(text.ends_with(": CUFFT_INTERNAL_ERROR (5)"));
    f.engine().cache(0).clear();
    CHECK(fake_cufft::model.plans.empty());
    f.engine().run(plan, {0, nullptr});
  }
}

TEST_CASE("cuFFT is tried again when the pool has given back what it cached") {
  fixture f;
  std::vector<z> in(12), out(12);
  const fft_plan plan = plan_of(fft_kind::forward, {{12, true, 16, 16}}, in.data(), out.data());
  core::memory_pool& pool = *f.gpu->pool(memory_space::device, 0);
  pool.deallocate(pool.allocate(1 << 20, nullptr));
  REQUIRE(fake_cuda::model.memory.size() == 1);
  fake_cufft::model.error = CUFFT_ALLOC_FAILED;
  fake_cufft::model.fail_at = 3;
  f.engine().run(plan, {0, nullptr});
  CHECK(fake_cuda::model.count("cudaMalloc") == 2);  // that of the work area is new
  CHECK(fake_cufft::model.executions == 1);
}

namespace {

/// The backend of the fixture as the default device of the public functions.
struct device_fixture : fixture {
  device_fixture() : before(default_device()) {
    exchange_gpu_backend(gpu.get());
    set_default_device(device::cuda(0));
  }
  ~device_fixture() {
    set_default_device(before);
    exchange_gpu_backend(nullptr);
  }
  device before;
};

}  // namespace

TEST_CASE("a graph keeps the plans that its launches use, and its work area is its own") {
  device_fixture f;
  const ndarray<z> a = zeros<z>({8, 16});
  ndarray<z> out = zeros<z>({8, 16});
  const auto plans = [] { return fake_cufft::model.plans.size(); };
  {
    graph g = capture([&] { fft::fft2(a, {}, out); });
    CHECK(fake_cufft::model.executions == 1);
    const void* const work = fake_cufft::model.works[0];
    fft::plan_cache().clear();
    CHECK(plans() == 1);
    fft::fft2(a, {}, out);
    CHECK(fake_cufft::model.made == 1);
    CHECK(fake_cufft::model.works[1] != work);
    CHECK_THROWS_AS(capture([&] { fft::plan<fft::transform::fft, z> p({8}); }), value_error);
  }
  fft::plan_cache().clear();
  CHECK(plans() == 0);
}

TEST_CASE("an element-wise result reaches cuFFT where it lies; out= is written without a copy") {
  device_fixture f;
  const ndarray<z> a = zeros<z>({8, 16});
  ndarray<z> out = empty<z>({8, 16});
  fft::fft(a, {.axis = 0}, out);
  CHECK(fake_cufft::model.executions == 1);
  CHECK(fake_cuda::model.launches.empty());
  // Real numbers: half a transform, and one kernel for the other half.
  fft::fft(zeros<double>({8, 16}));
  CHECK(fake_cuda::model.launches.size() == 1);
}
