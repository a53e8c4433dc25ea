// Generated kernels that compute four bytes at once, as g++ compiles them: what the CPU backend computes byte
// by byte.
#include <cuda/fusion/word_source.hpp>

#include "cuda/support/emulated_fusion.hpp"

using namespace twin;

namespace {

constexpr dtype byte_types[] = {dtype::bool_, dtype::int8, dtype::uint8};
bool is_byte(dtype d) { return itemsize(d) == 1; }

constexpr ufunc functions_of_words[] = {
    ufunc::add,         ufunc::subtract,      ufunc::multiply,    ufunc::square,     ufunc::negative,
    ufunc::positive,    ufunc::absolute,      ufunc::bitwise_and, ufunc::bitwise_or, ufunc::bitwise_xor,
    ufunc::invert,      ufunc::equal,         ufunc::not_equal,   ufunc::less,       ufunc::less_equal,
    ufunc::greater,     ufunc::greater_equal, ufunc::logical_and, ufunc::logical_or, ufunc::logical_xor,
    ufunc::logical_not, ufunc::maximum,       ufunc::minimum,     ufunc::fmax,       ufunc::fmin,
    ufunc::where,       ufunc::clip};

void set_input(map_plan& map, int i, dtype type, const std::byte* data, std::int64_t row,
               std::int64_t element) {
  input& in = map.inputs[i];
  in.kind = input_kind::array;
  in.type = type;
  in.data = data;
  in.strides[0] = row;
  in.strides[1] = element;
}

/// Each pair of bytes once, in rows of 256, mixed so that neighbours in a word have nothing in common.
struct all_pairs {
  std::byte *a, *b, *column;

  explicit all_pairs(fixture& f) : a(f.allocate(65536)), b(f.allocate(65536)), column(f.allocate(256)) {
    for (unsigned i = 0; i < 65536; ++i) {
      const unsigned pair = i * 40503u & 0xffff;
      a[i] = static_cast<std::byte>(pair >> 8);
      b[i] = static_cast<std::byte>(pair);
    }
    for (unsigned i = 0; i < 256; ++i) column[i] = static_cast<std::byte>(i);
  }
};

enum class second { word, number, elements };

/// function(a, b, a ^ b), stored, and a step that keeps it what it is.
map_plan plan_of(fixture& f, const all_pairs& pairs, const std::byte* bools, ufunc function, dtype loop,
                 second how) {
  map_plan map;
  map.ndim = 2;
  map.size = 65536;
  map.shape[0] = map.shape[1] = 256;
  map.n_inputs = 3;
  const bool is_bool = loop == dtype::bool_;
  set_input(map, 0, loop, is_bool ? bools : pairs.a, 256, 1);
  if (how == second::number && !is_bool) set_input(map, 0, loop, pairs.column, 0, 1);
  if (how == second::number) set_input(map, 1, loop, is_bool ? bools : pairs.column, 1, 0);
  else if (how == second::elements) set_input(map, 1, loop, is_bool ? bools : pairs.b, 1, 256);
  else set_input(map, 1, loop, is_bool ? bools + 1 : pairs.b, 256, 1);
  set_input(map, 2, dtype::bool_, bools + 3, 256, 1);
  map.n_steps = 0;
  const auto add = [&](ufunc op, dtype type, int x, int y = 0, int z = 0) {
    map.steps[map.n_steps++] = {
        op,
        type,
        {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), static_cast<std::uint16_t>(z)}};
    return map.n_inputs + map.n_steps - 1;
  };
  int value;
  if (function == ufunc::where) value = add(function, loop, 2, 0, 1);
  else if (function == ufunc::clip) value = add(function, loop, 0, 1, add(ufunc::bitwise_xor, loop, 0, 1));
  else value = add(function, loop, 0, 1);
  map.n_stores = 1;
  map.stores[0].value = value;
  map.stores[0].data = f.allocate(65536);
  const dtype type = map.value_type(value);
  // What is made of a mask, too, and a conversion from each type.
  add(ufunc::cast, type == dtype::int8 ? dtype::uint8 : dtype::int8, value);
  map.out.type = map.value_type(map.last_value());
  map.out.data = f.allocate(65536);
  fill_strides(2, map.shape, 1, map.out.strides);
  return map;
}

std::byte* alternating(fixture& f) {
  std::byte* const bools = f.allocate(65536 + 4);
  for (unsigned i = 0; i < 65536 + 4; ++i) bools[i] = static_cast<std::byte>(i * 0x9e3779b1u >> 31);
  return bools;
}

}  // namespace

TEST_CASE("words of bytes have the bits of each byte, for all pairs of them") {
  fixture f;
  const all_pairs pairs(f);
  const std::byte* const bools = alternating(f);
  std::vector<map_plan> plans;
  std::vector<cuda::fused_plan> fused(256);
  for (const ufunc function : functions_of_words)
    for (const dtype loop : byte_types)
      for (const second how : {second::word, second::number, second::elements}) {
        if (!has_loop(function, loop) || (how != second::word && arity(function) == 1)) continue;
        plans.push_back(plan_of(f, pairs, bools, function, loop, how));
        CAPTURE(name(function));
        cuda::fused_plan& made = fused.at(plans.size() - 1);
        REQUIRE(cuda::plan_map(plans.back(), 0, made));
        REQUIRE((made.key.form == cuda::kernel_form::rows));
        CHECK(cuda::has_words(made.key));
        f.program.add(made.key);
      }
  f.program.build();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const map_plan& map = plans[i];
    CAPTURE(cuda::kernel_source(fused[i].key));
    f.bind(fused[i].key, f.program.kernel(i));
    const auto both_after = [&](auto work) {
      std::vector<std::byte> stored;
      auto result =
          bytes_after(map.out.data, 65536, [&] { stored = bytes_after(map.stores[0].data, 65536, work); });
      result.insert(result.end(), stored.begin(), stored.end());
      return result;
    };
    const auto expected = both_after([&] { host_backend().map(map, {0, cpu_order}); });
    CHECK((both_after([&] { f.gpu->map(map, {}); }) == expected));
  }
  CHECK(n_emulated == static_cast<int>(plans.size()));
  CHECK(n_missed == 0);
}

namespace {

/// All that words have, and what takes them apart, or joins what was computed one by one.
bool is_byte_step(ufunc f, dtype loop) {
  static constexpr ufunc wide[] = {ufunc::add, ufunc::less, ufunc::where, ufunc::maximum};
  if (is_byte(loop))
    return f == ufunc::right_shift ||
           std::ranges::find(functions_of_words, f) != std::end(functions_of_words);
  return (loop == dtype::float32 || loop == dtype::int16) && std::ranges::find(wide, f) != std::end(wide);
}

bool is_read(dtype type) { return is_byte(type) || type == dtype::float32; }

/// Bytes of any value.
operand_source any_bytes(fixture& f) {
  return [&f, fill = f.memory()](dtype type, std::int64_t n) mutable {
    std::byte* const to = fill(type, n);
    if (type == dtype::bool_ || !is_byte(type)) return to;
    for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<std::byte>(static_cast<int>(256 * f.random()));
    return to;
  };
}

constexpr std::size_t n_plans = 48;

const map_plan& map_of(const map_plan& plan) { return plan; }
const map_plan& map_of(const jumping_plan& plan) { return plan.map; }
void run(backend& on, const map_plan& plan, queue q) { on.map(plan, q); }
void run(backend& on, const jumping_plan& plan, queue q) { on.map_jumping(plan, q); }

template<class Make>
void check_maps(Make make) {
  fixture f;
  std::vector<decltype(make(std::declval<plan_maker>()))> plans;
  std::vector<cuda::fused_plan> fused(n_plans);
  int of_words = 0;
  for (std::size_t i = 0; i < n_plans; ++i) {
    plans.push_back(make(plan_maker(f.random, any_bytes(f), is_byte_step, is_read).use_rows()));
    REQUIRE(cuda::plan_map(plans.back(), 0, fused[i]));
    of_words += cuda::has_words(fused[i].key);
    f.program.add(fused[i].key);
  }
  CHECK(of_words >= 10);
  f.program.build();
  for (std::size_t i = 0; i < n_plans; ++i) f.bind(fused[i].key, f.program.kernel(i));
  for (std::size_t i = 0; i < n_plans; ++i) {
    const map_plan& map = map_of(plans[i]);
    CAPTURE(cuda::kernel_source(fused[i].key));
    const auto bytes = static_cast<std::size_t>(map.out.strides[0] * map.shape[0]);
    const auto expected =
        bytes_after(map.out.data, bytes, [&] { run(host_backend(), plans[i], {0, cpu_order}); });
    const auto actual = bytes_after(map.out.data, bytes, [&] { run(*f.gpu, plans[i], {}); });
    CHECK(same(map.out.type, map.out.strides[map.ndim - 1], expected, actual));
  }
  CHECK(n_missed == 0);
}

}  // namespace

TEST_CASE("random expressions of bytes are what the CPU backend computes") {
  SUBCASE("evenly spaced") {
    check_maps([](plan_maker maker) { return maker.make(); });
  }
  SUBCASE("rolled") {
    check_maps([](plan_maker maker) { return maker.make_jumping(); });
  }
}

namespace {

/// The reduction of what the CPU has stored of the plan's map.
std::unique_ptr<reduce_plan> of_stored_values(fixture& f, const reduce_plan& plan) {
  auto jumping = std::make_unique<jumping_plan>();
  map_plan& values = jumping->map;
  values = plan.map;
  values.out.type = plan.element;
  values.out.data = f.allocate(static_cast<std::size_t>(values.size));
  static_cast<jump_list&>(*jumping) = plan.jumping;
  host_backend().map_jumping(*jumping, {0, cpu_order});
  auto stored = std::make_unique<reduce_plan>(plan);
  stored->jumping.n_jumps = 0;
  stored->map.n_inputs = 1;
  stored->map.n_steps = 0;
  input& in = stored->map.inputs[0];
  in.kind = input_kind::array;
  in.type = plan.element;
  in.data = values.out.data;
  std::copy_n(values.out.strides, values.ndim, in.strides);
  std::copy_n(values.out.strides, values.ndim, stored->map.out.strides);
  return stored;
}

/// Of a * (roll(a, 1, 0) + roll(a, -1, 2)) of rows x kept x columns along the first and the last axis; a
/// begins so far behind an aligned address.
std::unique_ptr<reduce_plan> pairs_of_rolled(fixture& f, std::int64_t rows, std::int64_t kept,
                                             std::int64_t columns, int begin, reduction op) {
  auto plan = std::make_unique<reduce_plan>();
  map_plan& map = plan->map;
  const std::int64_t row = kept * columns;
  map.ndim = 3;
  map.shape[0] = kept;
  map.shape[1] = rows;
  map.shape[2] = columns;
  map.size = rows * row;
  map.n_inputs = 3;
  const std::byte* const a = any_bytes(f)(dtype::int8, map.size + begin) + begin;
  const std::int64_t from[] = {0, -row, 1};
  for (int i = 0; i < 3; ++i) {
    set_input(map, i, dtype::int8, a + from[i], columns, row);
    map.inputs[i].strides[2] = 1;
  }
  plan->jumping.n_jumps = 2;
  plan->jumping.jumps[0] = {1, 1, 1, rows, rows * row};
  plan->jumping.jumps[1] = {2, 2, 0, columns - 1, -columns};
  map.n_steps = 2;
  map.steps[0] = {ufunc::add, dtype::int8, {1, 2}};
  map.steps[1] = {ufunc::multiply, dtype::int8, {0, 3}};
  map.out.type = plan->element = dtype::int8;
  std::copy_n(map.inputs[0].strides, 3, map.out.strides);
  plan->op = op;
  plan->n_kept = 1;
  plan->n_out = kept;
  plan->n_reduced = map.size / kept;
  plan->ddof = 0;
  plan->out.type = result_dtype(op, dtype::int8);
  const std::size_t bytes = result_bytes(op, dtype::int8);
  plan->out.data = f.allocate(static_cast<std::size_t>(plan->n_out) * bytes);
  fill_strides(1, map.shape, static_cast<std::int64_t>(bytes), plan->out.strides);
  return plan;
}

}  // namespace

TEST_CASE("sums of rolled bytes are those of the stored ones") {
  struct sample {
    std::int64_t rows, kept, columns;
    int begin;
    reduction op;
  };
  // By runs of a row, aligned and not; rows that have none, and others between them.
  constexpr sample samples[] = {{40, 1, 96, 0, reduction::sum},    {7, 1, 32, 0, reduction::mean},
                                {2, 1, 4096, 0, reduction::sum},   {999, 1, 64, 1, reduction::mean},
                                {300, 1, 1056, 8, reduction::sum}, {50, 1, 40, 0, reduction::sum},
                                {50, 1, 72, 3, reduction::mean},   {60, 1, 64, 0, reduction::max},
                                {40, 5, 64, 0, reduction::sum},    {3000, 2, 64, 2, reduction::mean}};
  fixture f;
  std::vector<std::unique_ptr<reduce_plan>> plans;
  std::vector<cuda::fused_plan> fused(std::size(samples));
  for (std::size_t i = 0; i < std::size(samples); ++i) {
    const sample& s = samples[i];
    plans.push_back(pairs_of_rolled(f, s.rows, s.kept, s.columns, s.begin, s.op));
    jumping_plan ordered;
    const cuda::reduce_source source = cuda::make_source(*plans[i], ordered);
    const reduce_plan* const one[] = {plans[i].get()};
    REQUIRE(cuda::plan_fused(one, source, false, 0, fused[i]));
    REQUIRE(fused[i].key.reduces_jumping());
    CHECK(cuda::has_words(fused[i].key));
    f.program.add(fused[i].key);
  }
  f.program.build();
  for (std::size_t i = 0; i < std::size(samples); ++i) {
    CAPTURE(i);
    f.bind(fused[i].key, f.program.kernel(i));
    const reduce_plan& plan = *plans[i];
    const std::unique_ptr<reduce_plan> stored = of_stored_values(f, plan);
    const auto bytes = static_cast<std::size_t>(plan.n_out) * result_bytes(plan.op, plan.element);
    const auto expected =
        bytes_after(plan.out.data, bytes, [&] { host_backend().reduce(*stored, {0, cpu_order}); });
    CHECK((bytes_after(plan.out.data, bytes, [&] { f.gpu->reduce(plan, {}); }) == expected));
  }
  CHECK(n_emulated == static_cast<int>(plans.size()));
  CHECK(n_missed == 0);
}

TEST_CASE("reductions of expressions of bytes are what the CPU backend computes") {
  constexpr reduction exact[] = {reduction::sum, reduction::mean, reduction::min,          reduction::max,
                                 reduction::any, reduction::all,  reduction::count_nonzero};
  for (const bool jumps : {false, true}) {
    CAPTURE(jumps);
    fixture f;
    std::vector<std::unique_ptr<reduce_plan>> plans;
    std::vector<cuda::fused_plan> fused(n_plans);
    std::vector<std::unique_ptr<jumping_plan>> ordered(n_plans);
    int of_words = 0;
    for (std::size_t i = 0; i < n_plans; ++i) {
      do {
        plans.resize(i);
        plans.push_back(
            plan_maker(f.random, any_bytes(f), is_byte_step, is_byte).use_rows().make_reduction(jumps));
      } while (!is_byte(plans[i]->element) || std::ranges::find(exact, plans[i]->op) == std::end(exact));
      ordered[i] = std::make_unique<jumping_plan>();
      const cuda::reduce_source source = cuda::make_source(*plans[i], *ordered[i]);
      REQUIRE(source.computed);
      const reduce_plan* const one[] = {plans[i].get()};
      REQUIRE(cuda::plan_fused(one, source, false, 0, fused[i]));
      of_words += cuda::has_words(fused[i].key);
      f.program.add(fused[i].key);
    }
    CHECK(of_words >= 10);
    f.program.build();
    for (std::size_t i = 0; i < n_plans; ++i) f.bind(fused[i].key, f.program.kernel(i));
    for (std::size_t i = 0; i < n_plans; ++i) {
      const reduce_plan& plan = *plans[i];
      CAPTURE(name(plan.op));
      CAPTURE(cuda::kernel_source(fused[i].key));
      const std::unique_ptr<reduce_plan> stored = of_stored_values(f, plan);
      const auto bytes = static_cast<std::size_t>(plan.n_out) * result_bytes(plan.op, plan.element);
      const auto expected =
          bytes_after(plan.out.data, bytes, [&] { host_backend().reduce(*stored, {0, cpu_order}); });
      CHECK((bytes_after(plan.out.data, bytes, [&] { f.gpu->reduce(plan, {}); }) == expected));
    }
    CHECK(n_missed == 0);
  }
}
