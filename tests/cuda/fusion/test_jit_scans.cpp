// Scans of what is never stored: by each kernel, with the bits that the kernel compiled ahead of time makes
// of the same values in memory.
#include <cuda/reduction/scan_table.hpp>

#include "cuda/support/emulated_fusion.hpp"

using namespace twin;
using cuda::scan_kernel;

namespace {

/// rows x n elements, scanned along the last dimension or, of columns, along the one before.
struct shape {
  scan_kernel kernel;
  std::int64_t n_rows, n;
  bool columns = false;
};
constexpr shape shapes[] = {{scan_kernel::short_rows, 70, 97},
                            {scan_kernel::middle_rows, 9, 500},
                            {scan_kernel::tiles, 2, 20003},
                            {scan_kernel::columns, 300, 30, true},
                            {scan_kernel::column_tiles, 40, 1500, true}};

/// a * b + c of an array, one element for each row, and int32 numbers, one for each element of a row.
map_plan expression(fixture& f, const shape& s, dtype type) {
  const auto item = static_cast<std::int64_t>(itemsize(type));
  map_plan plan;
  plan.ndim = 2;
  plan.shape[0] = s.n_rows;
  plan.shape[1] = s.n;
  plan.size = s.n_rows * s.n;
  plan.n_inputs = 3;
  plan.n_steps = 3;
  const operand_source memory = f.memory();
  const auto set = [&](int i, dtype of, std::int64_t n, std::int64_t row, std::int64_t along) {
    input& in = plan.inputs[i];
    in.kind = input_kind::array;
    in.type = of;
    in.data = memory(of, n);
    in.strides[0] = row;
    in.strides[1] = along;
  };
  set(0, type, plan.size, s.columns ? item : s.n * item, s.columns ? s.n_rows * item : item);
  set(1, type, s.n_rows, item, 0);
  set(2, dtype::int32, s.n, 0, 4);
  plan.steps[0] = {ufunc::multiply, type, {0, 1, 0}};
  plan.steps[1] = {ufunc::cast, type, {2, 0, 0}};
  plan.steps[2] = {ufunc::add, type, {3, 4, 0}};
  plan.out.type = type;
  std::copy_n(plan.inputs[0].strides, 2, plan.out.strides);
  return plan;
}

}  // namespace

TEST_CASE("generated scans have the bits of those that read the same values from memory") {
  struct sample {
    const shape* s;
    dtype type;
    scan_plan plan;
    std::unique_ptr<map_plan> elements;
    cuda::fused_plan fused;
    std::size_t number, plain;
  };
  fixture f;
  std::vector<sample> samples;
  for (const shape& s : shapes)
    for (const dtype type : {dtype::float32, dtype::int64}) {
      if (type == dtype::int64 && s.kernel != scan_kernel::middle_rows) continue;  // compiling takes long
      sample& one = samples.emplace_back(sample{&s, type, {}, {}, {}, 0, 0});
      one.elements = std::make_unique<map_plan>(expression(f, s, type));
      one.plan.op = scan::sum;
      one.plan.type = type;
      one.plan.ndim = 2;
      std::copy_n(one.elements->shape, 2, one.plan.shape);
      std::copy_n(one.elements->out.strides, 2, one.plan.in_strides);
      std::copy_n(one.elements->out.strides, 2, one.plan.out_strides);
      REQUIRE(cuda::plan_scan(one.plan, *one.elements, 0, one.fused));
      cuda::set_scan_kernel(*one.elements, s.kernel, one.fused);
      one.number = f.program.add(one.fused.key);
      const std::string name = cuda::kernel_expression(one.fused.key);
      one.plain =
          f.program.add(name.substr(0, name.find(", gparray::core::cuda::expression_params")) + ">", false);
    }
  f.program.build();
  for (const sample& s : samples) {
    f.bind(s.fused.key, f.program.kernel(s.number));
    launched[cuda::find_scan_kernels(s.plan.op, s.type).of(s.s->kernel)] = f.program.kernel(s.plain);
  }
  for (sample& s : samples) {
    CAPTURE(static_cast<int>(s.s->kernel));
    CAPTURE(name(s.type));
    const auto bytes = static_cast<std::size_t>(s.elements->size) * itemsize(s.type);
    s.plan.out = f.allocate(bytes);
    s.plan.in = nullptr;
    const auto fused =
        bytes_after(s.plan.out, bytes, [&] { CHECK(f.gpu->scan_computed(s.plan, *s.elements, {})); });
    s.plan.in = s.elements->out.data = f.allocate(bytes);
    // Sorted as an output's dimensions are.
    map_plan stored = *s.elements;
    if (s.s->columns) {
      std::swap(stored.shape[0], stored.shape[1]);
      std::swap(stored.out.strides[0], stored.out.strides[1]);
      for (int i = 0; i < 3; ++i) std::swap(stored.inputs[i].strides[0], stored.inputs[i].strides[1]);
    }
    host_backend().map(stored, {0, cpu_order});
    const auto plain = bytes_after(s.plan.out, bytes, [&] { f.gpu->scan(s.plan, {}); });
    CHECK(same(s.type, static_cast<std::int64_t>(itemsize(s.type)), plain, fused));
  }
  CHECK(n_emulated == 2 * static_cast<int>(samples.size()));
  CHECK(n_missed == 0);
}
