// Generated kernels at work without a GPU: g++ compiles them, a fake device launches them with the parameters
// that the launch code has filled, and what they leave in memory is what the CPU backend makes of the same
// plan.
#include "cuda/support/emulated_fusion.hpp"

using namespace twin;

namespace {

constexpr int n_maps = 48, n_reductions = 32;

/// Functions that g++ computes alike in loops of any shape: not those of libm's vector library.
bool is_reproducible(ufunc f, dtype loop) {
  static constexpr ufunc real[] = {
      ufunc::add,        ufunc::multiply,    ufunc::divide,        ufunc::floor_divide,  ufunc::remainder,
      ufunc::absolute,   ufunc::abs2,        ufunc::reciprocal,    ufunc::square,        ufunc::rint,
      ufunc::floor,      ufunc::ceil,        ufunc::trunc,         ufunc::sqrt,          ufunc::degrees,
      ufunc::radians,    ufunc::bitwise_and, ufunc::bitwise_or,    ufunc::bitwise_xor,   ufunc::invert,
      ufunc::left_shift, ufunc::right_shift, ufunc::bitwise_count, ufunc::equal,         ufunc::not_equal,
      ufunc::less,       ufunc::less_equal,  ufunc::greater,       ufunc::greater_equal, ufunc::logical_and,
      ufunc::logical_or, ufunc::logical_xor, ufunc::logical_not,   ufunc::maximum,       ufunc::minimum,
      ufunc::fmax,       ufunc::fmin,        ufunc::where,         ufunc::clip,          ufunc::isfinite,
      ufunc::isinf,      ufunc::isnan,       ufunc::isneginf,      ufunc::isposinf,      ufunc::signbit,
      ufunc::copysign,   ufunc::nextafter,   ufunc::spacing,       ufunc::ldexp,         ufunc::heaviside,
      ufunc::nan_to_num};
  static constexpr ufunc complex[] = {ufunc::add,  ufunc::multiply,    ufunc::square,  ufunc::equal,
                                      ufunc::less, ufunc::logical_and, ufunc::maximum, ufunc::where,
                                      ufunc::real, ufunc::conjugate,   ufunc::imag,    ufunc::isnan};
  if (is_complex(loop)) return std::ranges::find(complex, f) != std::end(complex);
  return std::ranges::find(real, f) != std::end(real);
}

bool is_exact(const reduce_plan& plan) {
  switch (plan.op) {
    case reduction::sum:
    case reduction::prod:
    case reduction::nansum:
    case reduction::nanprod:
      return !is_inexact(plan.element);
    case reduction::mean:
    case reduction::var:
    case reduction::std:
    case reduction::norm:
    case reduction::nanmean:
    case reduction::nanvar:
    case reduction::nanstd:
    case reduction::moments:
      return false;
    default:
      return true;
  }
}

/// The plan that reduces the map's values where they lie in memory.
std::unique_ptr<reduce_plan> of_stored_values(const reduce_plan& plan, const cuda::reduce_source& source,
                                              const void* values) {
  auto stored = std::make_unique<reduce_plan>(plan);
  stored->jumping.n_jumps = 0;
  map_plan& map = stored->map;
  map.ndim = map.n_steps = 0;
  map.n_inputs = 1;
  map.inputs[0].kind = input_kind::array;
  map.inputs[0].type = plan.element;
  map.inputs[0].data = values;
  stored->n_kept = source.kept.size();
  for (const auto* dimensions : {&source.kept, &source.reduced})
    for (const cuda::reduce_dimension& d : *dimensions) {
      map.shape[map.ndim] = d.size;
      map.inputs[0].strides[map.ndim] = map.out.strides[map.ndim] = d.in_stride;
      stored->out.strides[map.ndim++] = d.out_stride;
    }
  return stored;
}

}  // namespace

namespace {

/// Random plans, compiled together, on the CPU and on the fake GPU.
const map_plan& map_of(const map_plan& plan) { return plan; }
const map_plan& map_of(const jumping_plan& plan) { return plan.map; }
void run(backend& on, const map_plan& plan, queue q) { on.map(plan, q); }
void run(backend& on, const jumping_plan& plan, queue q) { on.map_jumping(plan, q); }

template<class Make>
void check_maps(fixture& f, std::span<const cuda::kernel_form> forms, Make make) {
  std::vector<decltype(make(std::declval<plan_maker>()))> plans;
  std::vector<cuda::fused_plan> fused(n_maps);
  std::set<cuda::kernel_form> has_form;
  for (int n = 0; n < n_maps; ++n) {
    plans.push_back(make(plan_maker(f.random, f.memory(), is_reproducible)));
    REQUIRE(cuda::plan_map(plans.back(), 0, fused[n]));
    has_form.insert(fused[n].key.form);
    f.program.add(fused[n].key);
  }
  CHECK(std::ranges::equal(has_form, forms));
  f.program.build();
  for (int n = 0; n < n_maps; ++n) f.bind(fused[n].key, f.program.kernel(static_cast<std::size_t>(n)));
  for (int n = 0; n < n_maps; ++n) {
    const auto& jumping = plans[static_cast<std::size_t>(n)];
    const map_plan& plan = map_of(jumping);
    CAPTURE(n);
    CAPTURE(cuda::kernel_source(fused[n].key));
    const auto bytes = static_cast<std::size_t>(plan.out.strides[0] * plan.shape[0]);
    const auto expected =
        bytes_after(plan.out.data, bytes, [&] { run(host_backend(), jumping, {0, cpu_order}); });
    const auto actual = bytes_after(plan.out.data, bytes, [&] { run(*f.gpu, jumping, {}); });
    CHECK(same(plan.out.type, plan.out.strides[plan.ndim - 1], expected, actual));
  }
  CHECK(n_emulated == n_maps);
  CHECK(n_missed == 0);
}

}  // namespace

TEST_CASE("generated maps compute what the CPU backend computes") {
  using enum cuda::kernel_form;
  constexpr cuda::kernel_form all[] = {rows, interleaved, jumping}, jumping_ones[] = {interleaved, jumping},
                              of_numbers[] = {rows, strided};
  SUBCASE("of more numbers than a kernel has operands") {
    fixture f;
    check_maps(f, of_numbers, [](plan_maker maker) { return maker.make_of_numbers(); });
  }
  SUBCASE("of operands that are evenly spaced") {
    fixture f;
    check_maps(f, all, [](plan_maker maker) { return maker.make(); });
  }
  SUBCASE("of operands that jump") {
    fixture f;
    check_maps(f, jumping_ones, [](plan_maker maker) { return maker.make_jumping(); });
  }
}

namespace {

/// out[i] = the element at base + index[i] * stride, of a table that has `length`.
map_plan loading_plan(fixture& f, dtype type, std::int64_t n, std::int64_t length) {
  const auto item = static_cast<std::int64_t>(itemsize(type));
  const std::byte* const table = f.memory()(type, length);
  auto* const index = reinterpret_cast<std::int64_t*>(f.allocate(static_cast<std::size_t>(n) * sizeof n));
  for (std::int64_t i = 0; i < n; ++i) index[i] = i * 7919 % length;
  map_plan plan;
  plan.ndim = 1;
  plan.size = plan.shape[0] = n;
  plan.n_inputs = 3;
  plan.inputs[0].kind = input_kind::array;
  plan.inputs[0].data = index;
  plan.inputs[0].strides[0] = sizeof n;
  const std::int64_t constants[] = {item, static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(table))};
  for (int v = 0; v < 3; ++v) plan.inputs[v].type = dtype::int64;
  for (int v = 1; v < 3; ++v) {
    plan.inputs[v].kind = input_kind::constant;
    plan.inputs[v].strides[0] = 0;
    std::memcpy(&plan.inputs[v].value, &constants[v - 1], sizeof n);
  }
  plan.n_steps = 3;
  plan.steps[0] = {ufunc::multiply, dtype::int64, {0, 1}};
  plan.steps[1] = {ufunc::add, dtype::int64, {3, 2}};
  plan.steps[2] = {ufunc::load, type, {4}};
  plan.out.type = type;
  plan.out.strides[0] = item;
  plan.out.data = f.allocate(static_cast<std::size_t>(n * item));
  return plan;
}

}  // namespace

TEST_CASE("generated maps load elements of every dtype from addresses") {
  fixture f;
  constexpr std::int64_t n = 777;
  std::vector<map_plan> plans;
  std::vector<cuda::fused_plan> fused(dtype_count);
  for (int d = 0; d < dtype_count; ++d) {
    plans.push_back(loading_plan(f, static_cast<dtype>(d), n, 100));
    REQUIRE(cuda::plan_map(plans.back(), 0, fused[static_cast<std::size_t>(d)]));
    f.program.add(fused[static_cast<std::size_t>(d)].key);
  }
  f.program.build();
  for (std::size_t d = 0; d < plans.size(); ++d) f.bind(fused[d].key, f.program.kernel(d));
  for (const map_plan& plan : plans) {
    CAPTURE(std::string(name(plan.out.type)));
    const auto bytes = static_cast<std::size_t>(plan.out.strides[0] * n);
    const auto expected =
        bytes_after(plan.out.data, bytes, [&] { host_backend().map(plan, {0, cpu_order}); });
    CHECK((bytes_after(plan.out.data, bytes, [&] { f.gpu->map(plan, {}); }) == expected));
  }
  CHECK(n_emulated == dtype_count);
  CHECK(n_missed == 0);
}

namespace {

/// The shape of a matrix, and operands each of which begins so many elements behind it.
void set_matrix(map_plan& map, const std::byte* a, dtype type, std::int64_t rows, std::int64_t columns,
                std::initializer_list<std::int64_t> offsets) {
  const auto item = static_cast<std::int64_t>(itemsize(type));
  map.ndim = 2;
  map.size = rows * columns;
  map.shape[0] = rows;
  map.shape[1] = columns;
  map.n_inputs = 0;
  for (const std::int64_t offset : offsets) {
    input& in = map.inputs[map.n_inputs++];
    in.kind = input_kind::array;
    in.type = type;
    in.data = a + offset * item;
    fill_strides(2, map.shape, item, in.strides);
  }
}

/// a - roll(a, -1, 1) of rows of three.
jumping_plan rolled_plan(fixture& f) {
  constexpr std::int64_t rows = 432'001, columns = 5, n = rows * columns, item = sizeof(float);
  const std::byte* const a = f.memory()(dtype::float32, n);
  jumping_plan plan;
  map_plan& map = plan.map;
  set_matrix(map, a, dtype::float32, rows, columns, {0, 1});
  map.n_steps = 1;
  map.steps[0] = {ufunc::subtract, dtype::float32, {0, 1}};
  map.out.type = dtype::float32;
  map.out.data = f.allocate(n * item);
  fill_strides(2, map.shape, item, map.out.strides);
  plan.jumps[plan.n_jumps++] = {1, 1, 0, columns - 1, -columns * item};
  return plan;
}

/// Steps of n elements of a dtype: each is the remainder of a quotient of a root, of the step before and
/// operand number step % n_inputs; the second one is stored, too.
map_plan long_plan(fixture& f, dtype type, int n_inputs, int n_steps) {
  constexpr std::int64_t n = 1003;
  const auto item = static_cast<std::int64_t>(itemsize(type)), bytes = (n + 1) * item;
  map_plan plan;
  plan.ndim = 1;
  plan.size = plan.shape[0] = n;
  plan.n_inputs = n_inputs;
  for (int i = 0; i < n_inputs; ++i) {
    plan.inputs[i].kind = input_kind::array;
    plan.inputs[i].type = type;
    plan.inputs[i].data = f.memory()(type, n);
    plan.inputs[i].strides[0] = item;
  }
  plan.n_steps = 0;
  static constexpr ufunc functions[] = {ufunc::sqrt, ufunc::divide, ufunc::remainder};
  for (int s = 0; s < n_steps; ++s) {
    const int before = s == 0 ? 0 : n_inputs + s - 1;
    plan.steps[plan.n_steps++] = {
        functions[s % 3],
        type,
        {static_cast<std::uint16_t>(before), static_cast<std::uint16_t>(s % n_inputs), 0}};
  }
  plan.out.type = type;
  plan.out.data = f.allocate(static_cast<std::size_t>(bytes)) + item;
  plan.out.strides[0] = item;
  plan.n_stores = 1;
  plan.stores[0] = {n_inputs + 1, f.allocate(static_cast<std::size_t>(bytes)) + item};
  return plan;
}

}  // namespace

TEST_CASE("a thread has several elements of operands that jump, and of long functions of double") {
  using enum cuda::expression_copies;
  fixture f;
  const jumping_plan rolled = rolled_plan(f);
  const map_plan plan = long_plan(f, dtype::float64, 3, 9);
  cuda::fused_plan jumping, side_by_side_plan, other;
  REQUIRE(cuda::plan_map(rolled, 0, jumping));
  CHECK((jumping.key.form == cuda::kernel_form::jumping));
  REQUIRE(cuda::plan_map(plan, 0, side_by_side_plan));
  CHECK((side_by_side_plan.key.copies == side_by_side && side_by_side_plan.key.lanes == 4));
  // Not those whose constants are part of an instruction, nor of more values than there is room for.
  REQUIRE(cuda::plan_map(long_plan(f, dtype::float32, 3, 9), 0, other));
  CHECK((other.key.copies == called));
  REQUIRE(cuda::plan_map(long_plan(f, dtype::float64, 7, 9), 0, other));
  CHECK((other.key.copies == called));
  for (const cuda::fused_plan* fused : {&jumping, &side_by_side_plan}) f.program.add(fused->key);
  f.program.build();
  f.bind(jumping.key, f.program.kernel(0));
  f.bind(side_by_side_plan.key, f.program.kernel(1));
  unsigned blocks = 0;
  static unsigned* launched_blocks;
  launched_blocks = &blocks;
  fake_cuda::model.on_launch = [](const fake_cuda::launch_record& r) {
    *launched_blocks = r.blocks;
    emulate(r);
  };
  const auto check = [&](const auto& work, dtype type, void* data) {
    const std::size_t item = itemsize(type), bytes = static_cast<std::size_t>(map_of(work).size) * item;
    auto* const at = static_cast<std::byte*>(data);
    const auto expected = bytes_after(at, bytes, [&] { run(host_backend(), work, {0, cpu_order}); });
    const auto actual = bytes_after(at, bytes, [&] { run(*f.gpu, work, {}); });
    CHECK(same(type, static_cast<std::int64_t>(item), expected, actual));
  };
  check(rolled, dtype::float32, rolled.map.out.data);
  CHECK(blocks == (rolled.map.size + 4 * 256 - 1) / (4 * 256));
  for (void* data : {static_cast<void*>(plan.out.data), static_cast<void*>(plan.stores[0].data)})
    check(plan, dtype::float64, data);
  CHECK(n_missed == 0);
}

TEST_CASE("the form of a map follows how most of its operands are aligned") {
  // Sums of float32 operands that begin so many elements behind an aligned one.
  const auto form_of = [](std::initializer_list<int> begins) {
    alignas(16) static float memory[64];
    map_plan plan;
    plan.ndim = 1;
    plan.size = plan.shape[0] = 40;
    plan.n_inputs = plan.n_steps = 0;
    for (const int begin : begins) {
      input& in = plan.inputs[plan.n_inputs++];
      in.kind = input_kind::array;
      in.type = dtype::float32;
      in.data = memory + begin;
      in.strides[0] = sizeof(float);
    }
    for (int i = 1; i < plan.n_inputs; ++i) {
      const int last = i == 1 ? 0 : plan.n_inputs + i - 2;
      plan.steps[plan.n_steps++] = {
          ufunc::add, dtype::float32, {static_cast<std::uint8_t>(last), static_cast<std::uint8_t>(i), 0}};
    }
    plan.out.type = dtype::float32;
    plan.out.data = memory;
    plan.out.strides[0] = sizeof(float);
    cuda::fused_plan fused;
    REQUIRE(cuda::plan_map(plan, 0, fused));
    return fused.key.form;
  };
  using enum cuda::kernel_form;
  CHECK((form_of({0, 4, 8}) == rows));
  CHECK((form_of({0, 4, 8, 1, 3}) == rows));  // a step of the wave equation
  CHECK((form_of({0, 1, 2}) == interleaved));
  CHECK((form_of({1, 2, 3}) == interleaved));
}

TEST_CASE("a wide operand that all rows share leaves the packs as wide") {
  alignas(16) static std::byte memory[4096];
  const auto lanes_of = [](dtype type, std::int64_t row_stride) {
    map_plan plan;
    plan.ndim = 2;
    plan.size = 4 * 40;
    plan.shape[0] = 4;
    plan.shape[1] = 40;
    plan.n_inputs = plan.n_steps = 1;
    plan.inputs[0].kind = input_kind::array;
    plan.inputs[0].type = type;
    plan.inputs[0].data = memory;
    plan.inputs[0].strides[0] = row_stride;
    plan.inputs[0].strides[1] = static_cast<std::int64_t>(itemsize(type));
    plan.steps[0] = {ufunc::cast, dtype::float32, {0}};
    plan.out.type = dtype::float32;
    plan.out.data = memory;
    fill_strides(2, plan.shape, 4, plan.out.strides);
    cuda::fused_plan fused;
    REQUIRE(cuda::plan_map(plan, 0, fused));
    return static_cast<int>(fused.key.lanes);
  };
  CHECK(lanes_of(dtype::int64, 0) == 4);
  CHECK(lanes_of(dtype::int64, 40 * 8) == 2);
  CHECK(lanes_of(dtype::complex128, 0) == 1);
  CHECK(lanes_of(dtype::uint8, 0) == 4);
}

namespace {

/// Of rolled(a, 1, 1) * rolled(a, -1, 1) - rolled(a, 8, 1) + rolled(a, 2, 0), the third of which begins with
/// whole packs that jump.
std::unique_ptr<reduce_plan> rolled_reduction(fixture& f, reduction op, dtype type) {
  constexpr std::int64_t rows = 40, columns = 48, n = rows * columns;
  const auto item = static_cast<std::int64_t>(itemsize(type));
  const std::byte* const a = f.memory()(type, n);
  auto plan = std::make_unique<reduce_plan>();
  map_plan& map = plan->map;
  set_matrix(map, a, type, rows, columns, {-1, 1, -8, -2 * columns});
  map.n_steps = 3;
  jump_list& all = plan->jumping;
  all.n_jumps = 4;
  all.jumps[0] = {0, 1, 1, columns, columns * item};
  all.jumps[1] = {1, 1, 0, columns - 1, -columns * item};
  all.jumps[2] = {2, 1, 8, columns, columns * item};
  all.jumps[3] = {3, 0, 2, rows, n * item};
  map.steps[0] = {ufunc::multiply, type, {0, 1}};
  map.steps[1] = {ufunc::subtract, type, {4, 2}};
  map.steps[2] = {ufunc::add, type, {5, 3}};
  map.out.type = plan->element = type;
  fill_strides(2, map.shape, item, map.out.strides);
  plan->op = op;
  plan->n_kept = 0;
  plan->n_out = 1;
  plan->n_reduced = n;
  plan->ddof = 0;
  plan->out.type = result_dtype(op, type);
  plan->out.data = f.allocate(result_bytes(op, type));
  return plan;
}

/// The first ones of those that jump are as above.
void check_reductions(fixture& f, bool jumps, std::initializer_list<cuda::kernel_form> forms) {
  constexpr std::pair<reduction, dtype> first[] = {{reduction::sum, dtype::int32},
                                                   {reduction::argmax, dtype::int16},
                                                   {reduction::min, dtype::int8},
                                                   {reduction::sum, dtype::int8},
                                                   {reduction::sum, dtype::float32}};
  struct sample {
    std::unique_ptr<reduce_plan> plan, stored;
    std::unique_ptr<jumping_plan> ordered;
    cuda::fused_plan fused;
    std::byte* values;
    std::size_t number, plain, dense;
  };
  std::vector<sample> samples(n_reductions);
  bool has_form[cuda::n_kernel_forms] = {};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    sample& s = samples[i];
    s.plan = jumps && i < std::size(first)
                 ? rolled_reduction(f, first[i].first, first[i].second)
                 : plan_maker(f.random, f.memory(), is_reproducible).make_reduction(jumps);
    s.plan->ddof = 1;
    s.ordered = std::make_unique<jumping_plan>();
    const cuda::reduce_source source = cuda::make_source(*s.plan, *s.ordered);
    REQUIRE(source.computed);
    const reduce_plan* const plans[] = {s.plan.get()};
    REQUIRE(cuda::plan_fused(plans, source, false, 0, s.fused));
    const bool columns = s.fused.key.form == cuda::kernel_form::columns;
    has_form[static_cast<int>(s.fused.key.form)] = true;
    CHECK(s.fused.key.reduces_jumping() == jumps);
    s.values = f.allocate(static_cast<std::size_t>(s.ordered->map.size) * itemsize(s.plan->element));
    s.stored = of_stored_values(*s.plan, source, s.values);
    s.number = f.program.add(s.fused.key);
    const auto add = [&](const char* kernel, const char* params) {
      const std::string space = "gparray::core::cuda::";
      return f.program.add(space + kernel + "<gparray::kernel::" + std::string(name(s.plan->op)) +
                               "_reduction<" + type_name(s.plan->element) + ">, " + space + params + ">",
                           false);
    };
    s.plain = columns ? add("reduce_columns", "column_params") : add("reduce_inner", "inner_params");
    s.dense = columns ? s.plain : add("reduce_inner", "dense_params");
  }
  for (const cuda::kernel_form form : forms) CHECK(has_form[static_cast<int>(form)]);
  f.program.build();
  for (const sample& s : samples) {
    f.bind(s.fused.key, f.program.kernel(s.number));
    const cuda::reduce_kernels& kernels = cuda::find_reduce_kernels(s.plan->op, s.plan->element);
    const bool columns = s.fused.key.form == cuda::kernel_form::columns;
    launched[columns ? kernels.columns : kernels.inner] = f.program.kernel(s.plain);
    if (!columns) launched[kernels.dense] = f.program.kernel(s.dense);
  }
  for (const sample& s : samples) {
    const reduce_plan& plan = *s.plan;
    CAPTURE(name(plan.op));
    CAPTURE(name(plan.element));
    CAPTURE(cuda::kernel_source(s.fused.key));
    map_plan& map = s.ordered->map;
    map.out.data = s.values;
    map.out.type = plan.element;
    fill_strides(map.ndim, map.shape, static_cast<std::int64_t>(itemsize(plan.element)), map.out.strides);
    host_backend().map_jumping(*s.ordered, {0, cpu_order});
    const auto bytes = static_cast<std::size_t>(plan.n_out) * result_bytes(plan.op, plan.element);
    const auto after = [&](auto work) { return bytes_after(plan.out.data, bytes, work); };
    const auto fused = after([&] { f.gpu->reduce(plan, {}); });
    const auto plain = after([&] { f.gpu->reduce(*s.stored, {}); });
    const auto item = static_cast<std::int64_t>(itemsize(plan.out.type));
    CHECK(same(plan.out.type, item, plain, fused));
    if (!is_exact(plan)) continue;
    const auto expected = after([&] { host_backend().reduce(*s.stored, {0, cpu_order}); });
    CHECK(same(plan.out.type, item, expected, fused));
  }
  CHECK(n_emulated == 2 * n_reductions);
  CHECK(n_missed == 0);
}

}  // namespace

TEST_CASE("generated reductions have the bits of the kernels that read the same values from memory") {
  using enum cuda::kernel_form;
  SUBCASE("of operands that are evenly spaced") {
    fixture f;
    check_reductions(f, false, {inner, neighbours, columns});
  }
  SUBCASE("of operands that jump") {
    fixture f;
    check_reductions(f, true, {inner});
  }
}
