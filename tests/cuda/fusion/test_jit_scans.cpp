// Scans of what is never stored: by each kernel, with the bits that the kernel compiled ahead of time makes
// of the same values in memory.
#include <deque>

#include <cuda/reduction/reduce_table.hpp>
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

/// A reduction of b * sums - a, where sums are those of a * b + c along each of so many lines side by side,
/// or products.
struct line_sample {
  dtype type;
  reduction op;
  ufunc scan;
  std::int64_t n;  // elements of a line
};
// Rows of several tiles, whole and not; of several chunks where the order of merging does not matter.
constexpr line_sample line_samples[] = {{dtype::float32, reduction::mean, ufunc::add, 100},
                                        {dtype::float64, reduction::sum, ufunc::multiply, 128},
                                        {dtype::float32, reduction::max, ufunc::add, 1100}};
constexpr std::int64_t n_lines = 300;

/// The elements that are reduced, one after the other.
template<class T>
void compute_elements(const map_plan& map, ufunc scan, std::byte* elements) {
  const auto* const a = static_cast<const T*>(map.inputs[0].data);
  const auto* const b = static_cast<const T*>(map.inputs[1].data);
  const auto* const c = static_cast<const std::int32_t*>(map.inputs[2].data);
  T* const to = reinterpret_cast<T*>(elements);
  for (std::int64_t line = 0; line < n_lines; ++line) {
    T sum = scan == ufunc::add ? T(0) : T(1);
    for (std::int64_t i = 0; i < map.shape[1]; ++i) {
      const std::int64_t at = i * n_lines + line;
      const T term = a[at] * b[line] + static_cast<T>(c[i]);
      sum = scan == ufunc::add ? sum + term : sum * term;
      to[at] = sum * b[line] - a[at];
    }
  }
}

/// The kernel of such a reduction, and that of one of stored elements.
class line_reduction {
 public:
  line_reduction(fixture& f, const line_sample& s) : f_(f), s_(s) {
    plan_.map = expression(f, {scan_kernel::columns, n_lines, s.n, true}, s.type);
    const std::uint16_t of_scan = 6, scaled = 7;
    plan_.map.steps[scan_step] = {s.scan, s.type, {5, 5, 0}};
    plan_.map.steps[4] = {ufunc::multiply, s.type, {of_scan, 1, 0}};
    plan_.map.steps[5] = {ufunc::subtract, s.type, {scaled, 0, 0}};
    plan_.map.n_steps = 6;
    plan_.op = s.op;
    plan_.element = s.type;
    plan_.n_kept = 1;
    plan_.n_out = n_lines;
    plan_.n_reduced = s.n;
    plan_.ddof = 0;
    plan_.out.type = s.type;
    plan_.out.strides[0] = static_cast<std::int64_t>(itemsize(s.type));
    plan_.out.data = f.allocate(n_lines * itemsize(s.type));
    REQUIRE(cuda::plan_scanned(plan_, scan_step, 0, fused_));
    number_ = f.program.add(fused_.key);
    of_stored_ = f.program.add("gparray::core::cuda::reduce_columns<" + cuda::reduction_type(fused_.key) +
                                   ", gparray::core::cuda::column_params>",
                               false);
  }
  void check() {
    f_.bind(fused_.key, f_.program.kernel(number_));
    launched[cuda::find_reduce_kernels(s_.op, s_.type).columns] = f_.program.kernel(of_stored_);
    const std::size_t bytes = n_lines * itemsize(s_.type);
    const auto together =
        bytes_after(plan_.out.data, bytes, [&] { CHECK(f_.gpu->reduce_scanned(plan_, scan_step, {})); });
    std::byte* const elements = f_.allocate(static_cast<std::size_t>(plan_.map.size) * itemsize(s_.type));
    if (s_.type == dtype::float32) compute_elements<float>(plan_.map, s_.scan, elements);
    else compute_elements<double>(plan_.map, s_.scan, elements);
    plan_.map.n_inputs = 1;
    plan_.map.n_steps = 0;
    plan_.map.inputs[0].data = elements;
    const auto stored = bytes_after(plan_.out.data, bytes, [&] { f_.gpu->reduce(plan_, {}); });
    CHECK(same(s_.type, plan_.out.strides[0], stored, together));
  }

 private:
  static constexpr int scan_step = 3;

  fixture& f_;
  const line_sample& s_;
  reduce_plan plan_;
  cuda::fused_plan fused_;
  std::size_t number_ = 0, of_stored_ = 0;
};

}  // namespace

TEST_CASE(
    "generated scans, and reductions of them, have the bits of those that read the same values from memory") {
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
  std::deque<line_reduction> reductions;
  for (const line_sample& s : line_samples) reductions.emplace_back(f, s);
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
  for (line_reduction& r : reductions) {
    CAPTURE(&r - &reductions.front());
    r.check();
  }
  CHECK(n_emulated == 2 * static_cast<int>(samples.size() + reductions.size()));
  CHECK(n_missed == 0);
}

TEST_CASE("a GPU takes reductions of scans where each line is one thread's") {
  fixture f;
  const auto takes = [&](scan op, std::int64_t n_rows, std::int64_t n, bool columns) {
    scan_plan plan;
    plan.op = op;
    plan.type = dtype::float32;
    plan.ndim = 2;
    plan.shape[0] = n_rows;
    plan.shape[1] = n;
    plan.in_strides[0] = columns ? 4 : 4 * n;
    plan.in_strides[1] = columns ? 4 * n_rows : 4;
    return f.gpu->takes_scanned(plan);
  };
  CHECK(takes(scan::sum, 300, 30, true));
  CHECK(takes(scan::prod, 100'000, 250, true));
  CHECK(!takes(scan::sum, 300, 30, false));
  CHECK(!takes(scan::sum, 300, 250, true));
  CHECK(!takes(scan::max, 100'000, 250, true));
  set_jit_mode(jit::off);
  CHECK(!takes(scan::sum, 300, 30, true));
}
