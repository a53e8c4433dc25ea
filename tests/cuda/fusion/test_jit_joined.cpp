// Reductions of the same elements by one generated kernel: each result has the bits that its own kernel
// gives, wherever the elements are, and whatever else is in the kernel.
#include <plan/compiler.hpp>

#include "cuda/support/emulated_fusion.hpp"
#include "support/sampler.hpp"

using namespace twin;
using cuda::kernel_form;

namespace {

/// Where the elements are: side by side and aligned, or one element further, or with gaps; side by side along
/// the results; or computed, along the reduced elements or along the results.
enum class arrangement { dense, shifted, gaps, columns, computed_rows, computed_columns };
constexpr arrangement arrangements[] = {arrangement::dense,         arrangement::shifted,
                                        arrangement::gaps,          arrangement::columns,
                                        arrangement::computed_rows, arrangement::computed_columns};

bool along_results(arrangement where) {
  return where == arrangement::columns || where == arrangement::computed_columns;
}
bool is_computed(arrangement where) {
  return where == arrangement::computed_rows || where == arrangement::computed_columns;
}

kernel_form form_of(arrangement where) {
  if (along_results(where)) return kernel_form::columns;
  return where == arrangement::dense ? kernel_form::dense : kernel_form::inner;
}

struct group {
  dtype element;
  std::vector<reduction> reductions;  // in the order of the table, as keys have them
};

const std::vector<group>& groups() {
  static const std::vector<group> list{
      {dtype::float32,
       {reduction::sum, reduction::max, reduction::argmin, reduction::mean, reduction::var, reduction::std}},
      {dtype::float16, {reduction::sum, reduction::norm, reduction::nanmean}},
      {dtype::uint8, {reduction::min, reduction::any, reduction::mean}},
      {dtype::complex128, {reduction::sum, reduction::mean, reduction::std}}};
  return list;
}

/// Generated kernels alone differ from joined ones as those of elements in memory do: one dtype is enough.
bool is_wanted(const group& g, arrangement where) {
  return !is_computed(where) || g.element == dtype::float32;
}

struct shape {
  std::int64_t n_kept, n_reduced;
};
// Some lanes; a warp; a few blocks for each row; several splits.
constexpr shape row_shapes[] = {{3, 5}, {70, 35}, {2, 4100}, {1, 90007}};
// The last one has so many splits that they are merged in groups.
constexpr shape column_shapes[] = {{64, 3}, {40, 2501}, {32, 700}, {90, 70}, {33, 9000}};

/// Numbers that show a change of the order in which they are added.
void fill_with_reals(dtype type, std::byte* to, std::int64_t n, random_numbers& random) {
  const dtype part = real_dtype(type);
  const std::int64_t parts = n * (is_complex(type) ? 2 : 1);
  for (std::int64_t i = 0; i < parts; ++i) {
    const double x = is_inexact(type) ? 3 * random() - 1 : std::floor(9 * random());
    write(part, to + i * static_cast<std::int64_t>(itemsize(part)), x);
  }
}

/// The plans of a group, the results of each on memory of its own.
std::vector<std::unique_ptr<reduce_plan>> make_plans(const group& g, arrangement where, const shape& s,
                                                     const operand_source& memory) {
  const auto item = static_cast<std::int64_t>(itemsize(g.element));
  const std::int64_t step = where == arrangement::gaps ? 2 : 1;
  // Rows begin where packs are aligned.
  const std::int64_t length = along_results(where) ? s.n_kept : s.n_reduced;
  const std::int64_t row = (length * step * item + 15) / 16 * 16;
  const std::int64_t count = (along_results(where) ? s.n_reduced : s.n_kept) * row / item + 1;
  const std::byte* const elements = memory(g.element, count) + (where == arrangement::shifted ? item : 0);
  std::vector<std::unique_ptr<reduce_plan>> plans;
  for (const reduction op : g.reductions) {
    plans.push_back(std::make_unique<reduce_plan>());
    reduce_plan& plan = *plans.back();
    map_plan& map = plan.map;
    map.ndim = 2;
    map.n_inputs = 1;
    map.n_steps = 0;
    map.shape[0] = s.n_kept;
    map.shape[1] = s.n_reduced;
    map.size = s.n_kept * s.n_reduced;
    map.inputs[0].kind = input_kind::array;
    map.inputs[0].type = g.element;
    map.inputs[0].data = elements;
    map.inputs[0].strides[0] = along_results(where) ? item * step : row;
    map.inputs[0].strides[1] = along_results(where) ? row : item * step;
    std::copy_n(map.inputs[0].strides, 2, map.out.strides);
    if (is_computed(where)) {
      map.n_steps = 1;
      map.steps[0] = {ufunc::add, g.element, {0, 0, 0}};
    }
    plan.op = op;
    plan.element = g.element;
    plan.n_kept = 1;
    plan.n_out = s.n_kept;
    plan.n_reduced = s.n_reduced;
    plan.ddof = op == reduction::std ? 1 : 0;
    plan.out.type = result_dtype(op, g.element);
    plan.out.strides[0] = static_cast<std::int64_t>(itemsize(plan.out.type));
    plan.out.data = memory(plan.out.type, s.n_kept);
  }
  return plans;
}

/// The key of a kernel for some reductions of such plans.
kernel_key key_of(const group& g, arrangement where, const shape& s, std::span<const reduction> reductions) {
  if (is_computed(where)) {
    const auto nowhere = [](dtype, std::int64_t) { return reinterpret_cast<std::byte*>(256); };
    const auto plans = make_plans(g, where, s, nowhere);
    std::vector<const reduce_plan*> wanted;
    for (const auto& plan : plans)
      if (std::ranges::find(reductions, plan->op) != reductions.end()) wanted.push_back(plan.get());
    jumping_plan ordered;
    const cuda::reduce_source source = cuda::make_source(*plans[0], ordered);
    REQUIRE(source.computed);
    cuda::fused_plan fused;
    REQUIRE(cuda::plan_fused(wanted, source, false, 0, fused));
    return fused.key;
  }
  kernel_key key;
  key.form = form_of(where);
  key.out = g.element;
  key.set_reductions(reductions);
  return key;
}

std::span<const shape> shapes_of(arrangement where) {
  if (along_results(where)) return column_shapes;
  return row_shapes;
}

using list_of_plans = std::vector<const reduce_plan*>;

list_of_plans pointers(const std::vector<std::unique_ptr<reduce_plan>>& plans) {
  list_of_plans list;
  for (const auto& plan : plans) list.push_back(plan.get());
  return list;
}

std::vector<std::vector<std::byte>> results_of(const list_of_plans& plans) {
  std::vector<std::vector<std::byte>> results;
  for (const reduce_plan* plan : plans) {
    const auto* const data = static_cast<const std::byte*>(plan->out.data);
    results.emplace_back(data, data + plan->n_out * plan->out.strides[0]);
  }
  return results;
}

/// A program with the joined kernels of some groups and places, and those of each reduction alone.
struct joined_fixture : fixture {
  explicit joined_fixture(std::span<const group> wanted, std::span<const arrangement> where) {
    for (const group& g : wanted)
      for (const arrangement p : where)
        if (is_wanted(g, p))
          for (const shape& s : shapes_of(p)) add_kernels(g, p, s);
    program.build();
    for (const auto& [key, number] : generated) bind(key, program.kernel(number));
    for (const auto& [kernel, number] : ahead_of_time) launched[kernel] = program.kernel(number);
  }

  void add_kernels(const group& g, arrangement where, const shape& s) {
    add_generated(key_of(g, where, s, g.reductions));
    for (const reduction& op : g.reductions) {
      if (is_computed(where)) {
        add_generated(key_of(g, where, s, {&op, 1}));
      } else if (const void* kernel = kernel_of(op, g.element, where); !ahead_of_time.contains(kernel)) {
        ahead_of_time[kernel] = program.add(expression_of(op, g.element, where), false);
      }
    }
  }
  void add_generated(const kernel_key& key) {
    if (!generated.contains(key)) generated[key] = program.add(key);
  }
  static const void* kernel_of(reduction op, dtype element, arrangement where) {
    const cuda::reduce_kernels& kernels = cuda::find_reduce_kernels(op, element);
    return where == arrangement::columns ? kernels.columns
           : where == arrangement::dense ? kernels.dense
                                         : kernels.inner;
  }
  static std::string expression_of(reduction op, dtype element, arrangement where) {
    const std::string space = "gparray::core::cuda::", params = where == arrangement::columns ? "column"
                                                                : where == arrangement::dense ? "dense"
                                                                                              : "inner";
    return space + (where == arrangement::columns ? "reduce_columns" : "reduce_inner") +
           "<gparray::kernel::" + std::string(name(op)) + "_reduction<" + type_name(element) + ">, " + space +
           params + "_params>";
  }
  operand_source reals() {
    return [this](dtype type, std::int64_t n) {
      std::byte* const to = allocate(static_cast<std::size_t>(n) * itemsize(type));
      fill_with_reals(type, to, n, random);
      return to;
    };
  }
  std::size_t launches_of(const list_of_plans& plans) {
    fake_cuda::model.launches.clear();
    gpu->reduce_together(plans, {});
    return fake_cuda::model.launches.size();
  }

  std::unordered_map<kernel_key, std::size_t, cuda::kernel_key_hash> generated;
  std::unordered_map<const void*, std::size_t> ahead_of_time;
};

}  // namespace

TEST_CASE("joined reductions are one launch and have the bits of each alone") {
  joined_fixture f(groups(), arrangements);
  sampler wanted(13);
  for (const group& g : groups())
    for (const arrangement where : arrangements)
      for (const shape& s : shapes_of(where)) {
        if (!is_wanted(g, where) || !wanted()) continue;
        CAPTURE(name(g.element));
        CAPTURE(static_cast<int>(where));
        CAPTURE(s.n_reduced);
        const auto plans = make_plans(g, where, s, f.reals());
        list_of_plans list = pointers(plans);
        for (const reduce_plan* plan : list) f.gpu->reduce(*plan, {});
        const auto alone = results_of(list);
        for (const reduce_plan* plan : list)
          std::memset(plan->out.data, 0x5a, static_cast<std::size_t>(s.n_kept * plan->out.strides[0]));
        // The kernel is the same in whatever order they come.
        std::ranges::reverse(list);
        CHECK(f.launches_of(list) == 1);
        std::ranges::reverse(list);
        CHECK(results_of(list) == alone);
      }
  CHECK(n_missed == 0);
}

TEST_CASE("columns of so many rows that their parts are merged in groups are reduced as on a CPU") {
  const group g{dtype::float32, {reduction::sum, reduction::max, reduction::argmin}};
  constexpr arrangement both[] = {arrangement::columns, arrangement::computed_columns};
  joined_fixture f({&g, 1}, both);
  // Of the last one, the rows of a split are several chunks, which go round the splits.
  for (const std::int64_t rows : {9000, 430007})
    for (const arrangement where : both) {
      CAPTURE(rows);
      CAPTURE(static_cast<int>(where));
      // Whole numbers, whose sums are exact.
      const auto plans = make_plans(g, where, {33, rows}, [&](dtype type, std::int64_t n) {
        std::byte* const to = f.allocate(static_cast<std::size_t>(n) * itemsize(type));
        for (std::int64_t i = 0; i < n; ++i)
          write(type, to + i * static_cast<std::int64_t>(itemsize(type)), std::floor(90 * f.random()) - 30);
        return to;
      });
      const list_of_plans list = pointers(plans);
      for (const reduce_plan* plan : list) host_backend().reduce(*plan, {0, cpu_order});
      const auto expected = results_of(list);
      const auto poison = [&] {
        for (const reduce_plan* plan : list)
          std::memset(plan->out.data, 0x5a, static_cast<std::size_t>(33 * plan->out.strides[0]));
      };
      poison();
      for (const reduce_plan* plan : list) f.gpu->reduce(*plan, {});
      CHECK(results_of(list) == expected);
      poison();
      CHECK(f.launches_of(list) == 1);
      CHECK(results_of(list) == expected);
    }
  CHECK(n_missed == 0);
}

TEST_CASE("where there is no joined kernel, the reductions run one by one") {
  const group& g = groups()[0];
  constexpr arrangement dense[] = {arrangement::dense};
  joined_fixture f({&g, 1}, dense);
  const auto plans = make_plans(g, arrangement::dense, {2, 4100}, f.reals());
  const list_of_plans list = pointers(plans);
  CHECK(f.launches_of(list) == 1);
  const auto joined = results_of(list);
  const auto runs_one_by_one = [&] {
    for (const reduce_plan* plan : list)
      std::memset(plan->out.data, 0x5a, static_cast<std::size_t>(2 * plan->out.strides[0]));
    return f.launches_of(list) == list.size() && results_of(list) == joined;
  };
  set_jit_mode(jit::off);
  CHECK(runs_one_by_one());
  set_jit_mode(jit::sync);
  cuda::kernel_table none(4, [](const kernel_key&) -> cuda::loaded_kernel { throw compile_error("none"); });
  cuda::exchange_fused_kernels(&none);
  CHECK(runs_one_by_one());
  cuda::kernel_table later(4, emulated_kernel);
  cuda::exchange_fused_kernels(&later);
  set_jit_mode(jit::async);
  CHECK(runs_one_by_one());  // while the kernel is made in the background
  wait_for_kernels();
  CHECK(f.launches_of(list) == 1);
  CHECK(results_of(list) == joined);
}

TEST_CASE("so many states that they do not fit one kernel are several") {
  fixture f;
  cuda::kernel_table any(64, [](const kernel_key& key) -> cuda::loaded_kernel {
    CHECK(key.n_reductions <= cuda::max_joined);
    throw compile_error("none");
  });
  cuda::exchange_fused_kernels(&any);
  group many{dtype::float32, {}};
  for (int r = 0; r < reduction_count; ++r)
    if (!has_two_results(static_cast<reduction>(r))) many.reductions.push_back(static_cast<reduction>(r));
  const auto plans = make_plans(many, arrangement::dense, {2, 100}, f.memory());
  fake_cuda::model.launches.clear();
  f.gpu->reduce_together(pointers(plans), {});
  CHECK(fake_cuda::model.launches.size() == many.reductions.size());
  CHECK(any.counts().failed >= many.reductions.size() / cuda::max_joined);
}

#ifdef GPARRAY_TEST_NVRTC
TEST_CASE("joined kernels compile") {
  for (const group& g : groups())
    for (const arrangement where : {arrangement::dense, arrangement::columns, arrangement::computed_rows,
                                    arrangement::computed_columns}) {
      const compile_request request = cuda::kernel_request(key_of(g, where, {64, 64}, g.reductions), "sm_90");
      CAPTURE(request.name_expressions[0]);
      CHECK(compile(request).lowered_names.size() == 1);
    }
}
#endif

TEST_CASE("jit gpu: joined reductions have the bits of each alone") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  const jit before = jit_mode();
  set_jit_mode(jit::sync);
  random_numbers random;
  const auto counts = cuda::fused_kernels().counts();
  for (const group& g : groups())
    for (const arrangement where : arrangements)
      for (const shape& s : shapes_of(where)) {
        CAPTURE(name(g.element));
        CAPTURE(static_cast<int>(where));
        CAPTURE(s.n_reduced);
        memory data(*gpu);
        const auto plans = make_plans(g, where, s, [&](dtype type, std::int64_t n) {
          std::byte* const to = data.allocate(static_cast<std::size_t>(n) * itemsize(type));
          fill_with_reals(type, to, n, random);
          return to;
        });
        list_of_plans list = pointers(plans);
        std::vector<void*> host;
        for (const auto& plan : plans) {
          host.push_back(plan->out.data);
          plan->map = translated(plan->map, data);
          plan->out.data = data.on_device(plan->out.data);
        }
        const auto results = [&](auto&& work) {
          data.upload();
          work();
          std::vector<std::vector<std::byte>> all;
          for (std::size_t i = 0; i < list.size(); ++i)
            all.push_back(
                data.download(host[i], static_cast<std::size_t>(s.n_kept * list[i]->out.strides[0])));
          return all;
        };
        const auto alone = results([&] {
          for (const reduce_plan* plan : list) gpu->reduce(*plan, {});
        });
        CHECK(results([&] { gpu->reduce_together(list, {}); }) == alone);
      }
  CHECK(cuda::fused_kernels().counts().failed == counts.failed);
  CHECK(cuda::fused_kernels().counts().made > counts.made);
  set_jit_mode(before);
}
