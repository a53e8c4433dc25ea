// Element-wise kernels on a real GPU against the host backend.
#include "cuda/support/twin.hpp"

using namespace twin;

namespace {

// libmvec is within 4 ulp, CUDA's functions within 2 (its gamma functions 10), and functors compose up to
// three of them with a few roundings; a half is rounded once from float32, so two results differ by one unit
// in the last place.
double tolerance_of(dtype type) { return kind(type) == 'f' && itemsize(type) == 2 ? 1 : 32; }

struct function_case {
  explicit function_case(backend& gpu, ufunc f, dtype loop, std::int64_t n, int step) : gpu(gpu), data(gpu) {
    plan.ndim = 1;
    plan.shape[0] = plan.size = n;
    plan.n_inputs = arity(f);
    plan.n_steps = 1;
    plan.steps[0] = {f, loop, {0, 1, 2}};
    random_numbers random;
    for (int i = 0; i < arity(f); ++i) {
      const dtype type = input_dtype(f, i, loop);
      const auto size = static_cast<std::int64_t>(itemsize(type));
      std::byte* values = data.allocate(static_cast<std::size_t>(n * step * size));
      std::vector<std::byte> dense(static_cast<std::size_t>(n * size));
      fill_argument(type, dense.data(), n, i, random);
      for (std::int64_t k = 0; k < n; ++k)
        std::memcpy(values + k * step * size, dense.data() + k * size, itemsize(type));
      plan.inputs[i].kind = input_kind::array;
      plan.inputs[i].type = type;
      plan.inputs[i].data = values;
      plan.inputs[i].strides[0] = step * size;
    }
    plan.out.type = output_dtype(f, loop);
    plan.out.strides[0] = static_cast<std::int64_t>(itemsize(plan.out.type));
    plan.out.data = data.allocate(static_cast<std::size_t>(n) * itemsize(plan.out.type));
  }
  std::vector<std::byte> run_on_gpu() {
    data.upload();
    gpu.map(translated(plan, data), {});
    return data.download(plan.out.data, static_cast<std::size_t>(plan.size) * itemsize(plan.out.type));
  }
  backend& gpu;
  memory data;
  map_plan plan;
};

void run_and_check(backend& gpu, memory& data, const map_plan& plan, std::int64_t n_out, double tolerance,
                   const std::string& what) {
  data.upload();
  gpu.map(translated(plan, data), {});
  const auto actual = data.download(plan.out.data, static_cast<std::size_t>(n_out) * itemsize(plan.out.type));
  host_backend().map(plan, {});
  check_close(plan.out.type, plan.out.data, actual, n_out, tolerance, what);
}

input make_input(dtype type, const void* data, std::initializer_list<std::int64_t> strides) {
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
  plan.size = 1;
  for (const std::int64_t n : shape) plan.size *= n;
}

void set_output(map_plan& plan, dtype type, void* data) {
  plan.out.type = type;
  plan.out.data = data;
  fill_strides(plan.ndim, plan.shape, static_cast<std::int64_t>(itemsize(type)), plan.out.strides);
}

}  // namespace

TEST_CASE("cuda gpu: every function and dtype, side by side and strided") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  for (int f = 0; f < ufunc_count; ++f) {
    for (int d = 0; d < dtype_count; ++d) {
      const auto op = static_cast<ufunc>(f);
      const auto loop = static_cast<dtype>(d);
      if (!has_loop(op, loop)) continue;
      function_case dense(*gpu, op, loop, 1003, 1), strided(*gpu, op, loop, 1003, 3);
      const auto actual = dense.run_on_gpu();
      host_backend().map(dense.plan, {});
      const dtype type = dense.plan.out.type;
      check_close(type, dense.plan.out.data, actual, 1003, tolerance_of(type), std::string(name(op)));
      // The two kernels share the functor, so not a bit may differ.
      CAPTURE(name(op));
      CAPTURE(name(loop));
      CHECK(actual == strided.run_on_gpu());
    }
  }
}

TEST_CASE("cuda gpu: every conversion, side by side, strided and folded into a load or a store") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  for (int f = 0; f < dtype_count; ++f) {
    for (int t = 0; t < dtype_count; ++t) {
      const auto from = static_cast<dtype>(f), to = static_cast<dtype>(t);
      for (const int step : {1, 2}) {
        memory data(*gpu);
        const std::int64_t n = 997, size = static_cast<std::int64_t>(itemsize(from));
        std::byte* values = data.allocate(static_cast<std::size_t>(n * step * size));
        random_numbers random;
        fill_argument(from, values, n * step, 0, random);
        map_plan plan;
        set_shape(plan, {n});
        plan.n_inputs = 1;
        plan.n_steps = 1;
        plan.inputs[0] = make_input(from, values, {step * size});
        plan.steps[0] = {ufunc::cast, to, {0, 0, 0}};
        set_output(plan, to, data.allocate(static_cast<std::size_t>(n) * itemsize(to)));
        run_and_check(*gpu, data, plan, n, 0, "cast from " + std::string(name(from)));
        if (!has_loop(ufunc::add, to)) continue;
        plan.n_steps = 3;
        plan.steps[1] = {ufunc::add, to, {1, 1, 0}};
        plan.steps[2] = {ufunc::cast, from, {2, 0, 0}};
        set_output(plan, from, data.allocate(static_cast<std::size_t>(n * size)));
        run_and_check(*gpu, data, plan, n, 0, "cast there and back from " + std::string(name(from)));
      }
    }
  }
}

TEST_CASE("cuda gpu: broadcasts, misaligned rows, constants, ranges") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  random_numbers random;
  for (const std::int64_t rows : {1, 3, 100, 1000}) {
    for (const std::int64_t columns : {1, 3, 31, 33, 64, 255, 1000, 5000}) {
      for (const std::int64_t offset : {0, 1, 3}) {
        memory data(*gpu);
        auto* matrix = data.allocate(static_cast<std::size_t>((rows * columns + offset) * 4));
        auto* row = data.allocate(static_cast<std::size_t>((columns + offset) * 4));
        auto* column = data.allocate(static_cast<std::size_t>(rows * 4));
        fill_argument(dtype::float32, matrix, rows * columns + offset, 1, random);
        fill_argument(dtype::float32, row, columns + offset, 1, random);
        fill_argument(dtype::float32, column, rows, 1, random);
        auto* out = data.allocate(static_cast<std::size_t>((rows * columns + 4) * 4));
        map_plan plan;
        set_shape(plan, {rows, columns});
        plan.n_inputs = 2;
        plan.n_steps = 1;
        plan.steps[0] = {ufunc::subtract, dtype::float32, {0, 1, 0}};
        set_output(plan, dtype::float32, out + offset * 4);
        plan.inputs[0] = make_input(dtype::float32, column, {4, 0});
        plan.inputs[1] = make_input(dtype::float32, row + offset * 4, {0, 4});
        const std::string what = "rows " + std::to_string(rows) + " columns " + std::to_string(columns);
        run_and_check(*gpu, data, plan, rows * columns, 0, "column - row, " + what);
        plan.inputs[0] = make_input(dtype::float32, matrix + 4 * (offset ? 1 : 0), {4 * columns, 4});
        run_and_check(*gpu, data, plan, rows * columns, 0, "matrix - row, " + what);
        plan.inputs[1].kind = input_kind::constant;
        plan.inputs[1].type = dtype::float32;
        write(dtype::float32, reinterpret_cast<std::byte*>(plan.inputs[1].value.bytes), 0.75);
        run_and_check(*gpu, data, plan, rows * columns, 0, "matrix - constant, " + what);
        plan.inputs[1].kind = input_kind::iota;
        plan.inputs[1].type = dtype::int64;
        plan.inputs[1].first = -5;
        plan.inputs[1].strides[0] = 7;
        plan.inputs[1].strides[1] = -2;
        plan.n_steps = 2;
        plan.steps[0] = {ufunc::cast, dtype::float32, {1, 0, 0}};
        plan.steps[1] = {ufunc::subtract, dtype::float32, {0, 2, 0}};
        run_and_check(*gpu, data, plan, rows * columns, 0, "matrix - range, " + what);
      }
    }
  }
}

TEST_CASE("cuda gpu: copies and transpositions of every element size") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  for (const dtype type : {dtype::uint8, dtype::int16, dtype::float32, dtype::float64, dtype::complex128}) {
    const auto size = static_cast<std::int64_t>(itemsize(type));
    for (const std::int64_t rows : {1, 7, 64, 65, 130, 1024}) {
      for (const std::int64_t columns : {1, 9, 32, 63, 128, 1000}) {
        memory data(*gpu);
        random_numbers random;
        auto* in = data.allocate(static_cast<std::size_t>(3 * rows * columns * size));
        for (std::int64_t i = 0; i < 3 * rows * columns * size; ++i)
          in[i] = static_cast<std::byte>(256 * random());
        map_plan plan;
        plan.n_inputs = 1;
        plan.n_steps = 0;
        const std::string what = std::to_string(rows) + " x " + std::to_string(columns);
        // As it is, transposed in each of three layers, transposed with the layers innermost but one.
        set_shape(plan, {3, rows, columns});
        auto* out = data.allocate(static_cast<std::size_t>(3 * rows * columns * size));
        set_output(plan, type, out);
        plan.inputs[0] = make_input(type, in, {rows * columns * size, columns * size, size});
        run_and_check(*gpu, data, plan, plan.size, 0, "copy " + what);
        plan.inputs[0] = make_input(type, in, {rows * columns * size, size, rows * size});
        run_and_check(*gpu, data, plan, plan.size, 0, "transposed copy " + what);
        set_shape(plan, {rows, 3, columns});
        set_output(plan, type, out);
        plan.inputs[0] = make_input(type, in, {size, rows * columns * size, rows * size});
        run_and_check(*gpu, data, plan, plan.size, 0, "transposed layers " + what);
      }
    }
  }
}

TEST_CASE("cuda gpu: several steps are the steps one by one") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  memory data(*gpu);
  random_numbers random;
  const std::int64_t n = 100003;
  auto* a = data.allocate(n * 4);
  auto* b = data.allocate(n * 4);
  for (std::int64_t i = 0; i < n; ++i) {
    write(dtype::float32, a + i * 4, random());
    write(dtype::int32, b + i * 4, std::floor(1000 * random()));
  }
  map_plan plan;
  set_shape(plan, {n});
  plan.n_inputs = 2;
  plan.inputs[0] = make_input(dtype::float32, a, {4});
  plan.inputs[1] = make_input(dtype::int32, b, {4});
  plan.n_steps = 5;
  plan.steps[0] = {ufunc::cast, dtype::float32, {1, 0, 0}};
  plan.steps[1] = {ufunc::multiply, dtype::float32, {0, 2, 0}};
  plan.steps[2] = {ufunc::subtract, dtype::float32, {3, 0, 0}};
  plan.steps[3] = {ufunc::sqrt, dtype::float32, {0, 0, 0}};
  plan.steps[4] = {ufunc::add, dtype::float32, {4, 5, 0}};
  set_output(plan, dtype::float32, data.allocate(n * 4));
  run_and_check(*gpu, data, plan, n, 0, "a * b - a + sqrt(a)");
}
