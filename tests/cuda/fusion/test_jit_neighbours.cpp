// Kernels whose threads reduce several neighbouring rows of an expression at once, as g++ compiles them: the
// bits are those of the kernels that read the same values from memory, one row after the other.
#include <cuda/fusion/jit_parameters.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <plan/compiler.hpp>

#include "cuda/support/emulated_fusion.hpp"

using namespace twin;

namespace {

/// |x - y|, or |sqrt(|x|) - y|, over (a, b, n), reduced along n. Strides of the operands in elements.
struct sample {
  reduction op;
  dtype type;
  std::int64_t a, b, n;
  std::int64_t x[3], y[3];
  bool has_root = false;
  int component = -1;  // y is that one of x's interleaved rows
};

/// What is computed: the plan, the kernel of several rows, and the values for a kernel of one.
struct prepared {
  std::unique_ptr<reduce_plan> plan = std::make_unique<reduce_plan>();
  cuda::fused_plan fused;
  int log_group = 0;
};

class neighbours : fixture {
 public:
  prepared prepare(const sample& s) {
    prepared p;
    reduce_plan& plan = *p.plan;
    map_plan& map = plan.map;
    map.ndim = 3;
    const std::int64_t shape[] = {s.a, s.b, s.n};
    std::copy_n(shape, 3, map.shape);
    map.size = s.a * s.b * s.n;
    map.n_inputs = 2;
    set_input(map, map.inputs[0], s.type, s.x);
    set_input(map, map.inputs[1], s.type, s.y);
    if (s.component >= 0)
      map.inputs[1].data = static_cast<const std::byte*>(map.inputs[0].data) +
                           s.component * static_cast<std::int64_t>(itemsize(s.type));
    map.n_steps = 0;
    const auto add = [&](ufunc op, std::uint8_t first, std::uint8_t second) {
      step& next = map.steps[map.n_steps++];
      next = step{};
      next.op = op;
      next.loop = s.type;
      next.args = {first, second, 0};
      return static_cast<std::uint8_t>(1 + map.n_steps);
    };
    const ufunc positive = is_complex(s.type) ? ufunc::negative : ufunc::absolute;
    const std::uint8_t x = s.has_root ? add(ufunc::sqrt, add(positive, 0, 0), 0) : std::uint8_t{0};
    add(positive, add(ufunc::subtract, x, 1), 0);
    map.out.type = s.type;
    fill_strides(3, map.shape, static_cast<std::int64_t>(itemsize(s.type)), map.out.strides);
    plan.op = s.op;
    plan.element = s.type;
    plan.n_kept = 2;
    plan.n_out = s.a * s.b;
    plan.n_reduced = s.n;
    plan.ddof = 0;
    plan.out.type = result_dtype(s.op, s.type);
    const std::size_t bytes = result_bytes(s.op, s.type);
    plan.out.data = allocate(static_cast<std::size_t>(plan.n_out) * bytes);
    fill_strides(2, map.shape, static_cast<std::int64_t>(bytes), plan.out.strides);
    p.log_group = *cuda::log_threads_of_row(plan);
    REQUIRE(cuda::plan_neighbours(work_of(p), 0, p.fused));
    CHECK((p.fused.key.sharing[1] == cuda::row_sharing::component) == (s.component >= 0));
    if (!numbers_.count(p.fused.key)) numbers_[p.fused.key] = program.add(p.fused.key);
    plain_number(s, "inner_params");
    plain_number(s, "dense_params");
    return p;
  }

  void build() { program.build(); }

  void check(const sample& s, const prepared& p) {
    CAPTURE(name(s.op));
    CAPTURE(name(s.type));
    CAPTURE(s.a);
    CAPTURE(s.b);
    CAPTURE(s.n);
    CAPTURE(int{p.fused.key.lanes});
    reduce_plan& plan = *p.plan;
    const auto bytes = static_cast<std::size_t>(plan.n_out) * result_bytes(plan.op, plan.element);
    const auto several = bytes_after(plan.out.data, bytes, [&] {
      const cuda::neighbour_launch l = cuda::launch_of(work_of(p), p.fused, 1);
      cuda::use_reduction_parameters(&plan.map, {}, p.fused, l.params, {}, [&](const auto& parameters) {
        program.kernel(numbers_.at(p.fused.key))(&parameters, static_cast<unsigned>(l.n_blocks),
                                                 cuda::reduce_threads);
      });
    });
    std::byte* values = allocate(static_cast<std::size_t>(plan.map.size) * itemsize(s.type));
    plan.map.out.data = values;
    host_backend().map(plan.map, {0, cpu_order});
    reduce_plan stored = plan;
    stored.map.n_inputs = 1;
    stored.map.n_steps = 0;
    stored.map.inputs[0].data = values;
    std::copy_n(plan.map.out.strides, 3, stored.map.inputs[0].strides);
    const cuda::reduce_kernels& kernels = cuda::find_reduce_kernels(s.op, s.type);
    for (const char* parameters : {"inner_params", "dense_params"}) {
      CAPTURE(std::string(parameters));
      launched[kernels.dense] = program.kernel(plain_number(s, parameters));
      launched[kernels.inner] = program.kernel(plain_number(s, "inner_params"));
      const auto one = bytes_after(plan.out.data, bytes, [&] { gpu->reduce(stored, {}); });
      CHECK(one == several);
    }
    CHECK(n_missed == 0);
  }

 private:
  /// Whatever the number of threads: several rows where they have something in common.
  static cuda::row_reduction work_of(const prepared& p) {
    return {*p.plan,
            {&p.plan->op, 1},
            p.log_group,
            cuda::find_reduce_kernels(p.plan->op, p.plan->element).state_bytes,
            1};
  }

  void set_input(const map_plan& map, input& in, dtype type, const std::int64_t (&strides)[3]) {
    const auto size = static_cast<std::int64_t>(itemsize(type));
    std::int64_t first = 0, last = 0;
    for (int d = 0; d < 3; ++d) {
      in.strides[d] = strides[d] * size;
      (strides[d] < 0 ? first : last) += (map.shape[d] - 1) * strides[d];
    }
    std::byte* memory = allocate(static_cast<std::size_t>((last - first + 1) * size));
    // Finite numbers, whose sum shows in which order they are added.
    for (std::int64_t i = 0; i <= last - first; ++i)
      write(type, memory + i * size, is_inexact(type) ? 3 * random() - 1 : std::floor(900 * random()));
    in.kind = input_kind::array;
    in.type = type;
    in.first = 0;
    in.data = memory - first * size;
  }

  std::size_t plain_number(const sample& s, const char* parameters) {
    const std::string kernel =
        "gparray::core::cuda::reduce_inner<gparray::kernel::" + std::string(name(s.op)) + "_reduction<" +
        type_name(s.type) + ">, gparray::core::cuda::" + parameters + ">";
    if (!plain_.count(kernel)) plain_[kernel] = program.add(kernel, false);
    return plain_.at(kernel);
  }

  std::unordered_map<kernel_key, std::size_t, cuda::kernel_key_hash> numbers_;
  std::map<std::string, std::size_t> plain_;
};

std::vector<sample> all_samples() {
  std::vector<sample> samples;
  // Two sets of points: neighbours along the slow dimension share y. Of each length from two elements to more
  // than four threads' tiles, of which many are not aligned.
  for (std::int64_t n = 2; n <= 70; ++n)
    samples.push_back({reduction::sum, dtype::float32, 15, 5, n, {n, 0, 1}, {0, n, 1}});
  struct kind {
    reduction op;
    dtype type;
  };
  for (const kind k : {kind{reduction::sum, dtype::float64}, kind{reduction::argmin, dtype::float32},
                       kind{reduction::max, dtype::int32}, kind{reduction::std, dtype::float32},
                       kind{reduction::nansum, dtype::float32}})
    for (const std::int64_t n : {2, 3, 32, 33, 300})
      samples.push_back({k.op, k.type, 7, 6, n, {n, 0, 1}, {0, n, 1}});
  samples.push_back({reduction::max, dtype::complex64, 7, 6, 300, {300, 0, 1}, {0, 300, 1}});
  // Neighbours whose rows are interleaved; rows that are read backwards, gaps, one element for a row, a row
  // for each result.
  for (const std::int64_t n : {3, 32, 40, 1030}) {
    samples.push_back({reduction::sum, dtype::float32, 6, 3, n, {n, 0, 1}, {0, 1, 3}, true});
    samples.push_back({reduction::sum, dtype::float32, 8, 7, n, {-n, 0, -1}, {0, 2 * n, 2}});
    samples.push_back({reduction::sum, dtype::float32, 8, 7, n, {n, 0, 1}, {0, n + 1, 1}});
    samples.push_back({reduction::sum, dtype::float32, 2, 7, n, {1, 0, 0}, {0, n, 1}});
    samples.push_back({reduction::sum, dtype::float32, 3, 8, n, {0, 0, 1}, {8 * n, n, 1}});
    samples.push_back({reduction::sum, dtype::float32, 6, 3, n, {n, 0, 1}, {0, 1, 3}});
  }
  // Vectors side by side, beside their components, as in x - x[:, None].
  for (const std::int64_t n : {8, 36, 40, 1032})
    for (const int component : {0, 2}) {
      samples.push_back(
          {reduction::sum, dtype::float32, 6, 3, n, {3 * n, 1, 3}, {3 * n, 0, 3}, true, component});
      samples.push_back(
          {reduction::max, dtype::int16, 6, 2, n, {2 * n, 1, 2}, {2 * n, 0, 2}, false, component / 2});
    }
  // Rows of a matrix that are one tile for each thread, by a vector, by each other, and not aligned.
  for (const std::int64_t n : {16, 32, 64, 128, 256}) {
    for (const dtype type : {dtype::float32, dtype::float16})
      samples.push_back({reduction::sum, type, 9, 7, n, {7 * n, n, 1}, {0, 0, 1}});
    samples.push_back({reduction::mean, dtype::float32, 9, 7, n, {7 * n, n, 1}, {7 * n, n, 1}, true});
    samples.push_back({reduction::sum, dtype::float32, 2, 3, n, {3 * n + 3, n + 1, 1}, {0, 0, 1}});
  }
  return samples;
}

}  // namespace

TEST_CASE("generated reductions of neighbouring rows have the bits of those of one row") {
  neighbours f;
  const std::vector<sample> samples = all_samples();
  std::vector<prepared> plans;
  std::set<int> rows, columns, spread_rows;
  for (const sample& s : samples) {
    plans.push_back(f.prepare(s));
    rows.insert(plans.back().fused.key.lanes);
    columns.insert(plans.back().fused.key.columns);
    if (plans.back().fused.key.spreads) spread_rows.insert(plans.back().fused.key.lanes);
  }
  CHECK(rows == std::set{1, 2, 3, 4, 8});
  // Packs of two to four elements; and tiles of float64 and float32, one for each thread.
  CHECK(columns == std::set{0, 2, 3, 4, 8, 16});
  CHECK(spread_rows == std::set{3, 4});
  f.build();
  for (std::size_t i = 0; i < samples.size(); ++i) f.check(samples[i], plans[i]);
}

#ifdef GPARRAY_TEST_NVRTC
TEST_CASE(
    "the run-time compiler takes reductions of neighbouring rows of every type, with and without roots") {
  neighbours f;
  std::string structs;
  std::vector<std::string> kernels;
  for (const dtype type : {dtype::float32, dtype::float64, dtype::float16, dtype::bfloat16, dtype::complex64,
                           dtype::complex128, dtype::int8, dtype::int32})
    for (const reduction op : {reduction::sum, reduction::max}) {
      if (op == reduction::sum && type != dtype::complex64) continue;
      const prepared p = f.prepare({op, type, 2, 6, 300, {300, 0, 1}, {0, 300, 1}, is_inexact(type)});
      const std::string expression = "expression_" + std::to_string(kernels.size());
      structs += cuda::kernel_struct(p.fused.key, expression);
      kernels.push_back(cuda::kernel_expression(p.fused.key, expression));
    }
  compile_request request = cuda::request_of(cuda::kernel_includes(cuda::kernel_form::neighbours) +
                                                 "namespace gparray::core::cuda {\n" + structs + "}\n",
                                             "", "compute_90");
  request.name_expressions = kernels;
  CHECK(compile(request).lowered_names.size() == kernels.size());
}
#endif
