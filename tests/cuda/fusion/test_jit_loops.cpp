// Maps of more steps than a kernel has, on a fake device that runs generated kernels: loops are one kernel,
// other plans pieces of them.
#include <vector>

#include <plan/compiler.hpp>

#include "core/support/looping_plans.hpp"
#include "cuda/support/emulated_fusion.hpp"

using namespace twin;

namespace {

std::vector<kernel_key> wanted;

/// Of the first run, which goes step by step.
cuda::loaded_kernel noted_kernel(const kernel_key& key) {
  wanted.push_back(key);
  throw device_error("not compiled yet");
}

/// A plan on float64 arrays of so many elements, with its memory.
std::unique_ptr<map_plan> plan_of(fixture& f, std::int64_t size, bool is_strided) {
  auto plan = std::make_unique<map_plan>();
  plan->ndim = 1;
  plan->size = plan->shape[0] = size;
  plan->n_inputs = 3;
  plan->n_steps = 0;
  const operand_source memory = f.memory();
  for (int i = 0; i < plan->n_inputs; ++i) {
    input& in = plan->inputs[i];
    in.kind = input_kind::array;
    in.type = dtype::float64;
    in.data = memory(in.type, size * (is_strided ? 3 : 1));
    in.strides[0] = is_strided ? 24 : 8;
  }
  return plan;
}

void finish(fixture& f, map_plan& plan, std::vector<int> stored) {
  const int last = plan.last_value();
  plan.out.type = plan.value_type(last);
  plan.out.strides[0] = static_cast<std::int64_t>(itemsize(plan.out.type));
  plan.out.data = f.allocate(static_cast<std::size_t>(plan.size) * itemsize(plan.out.type));
  for (int v : stored)
    plan.stores[plan.n_stores++] = {
        v, f.allocate(static_cast<std::size_t>(plan.size) * itemsize(plan.value_type(v)))};
}

/// What the plan leaves in its output and in what it stores.
struct result {
  dtype type;
  std::vector<std::byte> bytes;
};
std::vector<result> results_of(backend& on, const map_plan& plan, queue q) {
  std::vector<result> all;
  const auto add = [&](void* data, dtype type) {
    auto* const bytes = static_cast<std::byte*>(data);
    const std::size_t n = static_cast<std::size_t>(plan.size) * itemsize(type);
    all.push_back({type, {bytes, bytes + n}});
    std::memset(data, 0x5a, n);
  };
  on.map(plan, q);
  add(plan.out.data, plan.out.type);
  for (int k = 0; k < plan.n_stores; ++k) add(plan.stores[k].data, plan.value_type(plan.stores[k].value));
  return all;
}

/// Runs the plans, whose kernels are compiled together, and compares them with the CPU. Returns the keys.
std::vector<kernel_key> check(fixture& f, std::vector<std::unique_ptr<map_plan>>& plans) {
  wanted.clear();
  cuda::kernel_table first(1024, noted_kernel);
  cuda::exchange_fused_kernels(&first);
  for (const auto& plan : plans) f.gpu->map(*plan, {});
  cuda::exchange_fused_kernels(&f.table);
  for (const kernel_key& key : wanted) f.program.add(key);
  f.program.build();
  for (std::size_t k = 0; k < wanted.size(); ++k) f.bind(wanted[k], f.program.kernel(k));
  n_emulated = n_missed = 0;
  for (const auto& plan : plans) {
    const std::vector<result> expected = results_of(host_backend(), *plan, {0, cpu_order}),
                              actual = results_of(*f.gpu, *plan, {});
    for (std::size_t k = 0; k < expected.size(); ++k)
      CHECK(same(expected[k].type, static_cast<std::int64_t>(itemsize(expected[k].type)), expected[k].bytes,
                 actual[k].bytes));
  }
  CHECK(n_missed == 0);
  return wanted;
}

}  // namespace

TEST_CASE("loops: one generated kernel computes what the CPU backend computes") {
  fixture f;
  std::vector<std::unique_ptr<map_plan>> plans;
  for (int n = 0; plans.size() < 6; ++n) {
    auto plan = plan_of(f, 300 + n, n % 4 == 3);
    looping::add_loop(*plan, [&](int k) { return static_cast<int>(f.random() * k); }, 40 + n, 1 + n % 2);
    const int v = plan->last_value();
    finish(f, *plan, n % 3 == 0 ? std::vector<int>{} : std::vector<int>{v - 1, v - 4 - n});
    const auto repeated = find_repetition(*plan, 0, plan->n_steps);
    looped_plan loop;
    if (plan->n_steps > max_kernel_steps && repeated && write_once(*plan, *repeated, loop))
      plans.push_back(std::move(plan));
  }
  const std::vector<kernel_key> keys = check(f, plans);
  CHECK(n_emulated == static_cast<int>(plans.size()));
  for (const kernel_key& key : keys) CHECK(key.loop.period > 0);
#ifdef GPARRAY_TEST_NVRTC
  CHECK(compile(cuda::kernel_request(keys.front(), "sm_75")).lowered_names.size() == 1);
#endif
}

TEST_CASE("loops: how often one goes round is no part of its kernel") {
  kernel_key keys[2];
  for (const int more : {0, 7}) {
    fixture f;
    auto plan = plan_of(f, 100, false);
    looping::add_loop(*plan, [&](int k) { return static_cast<int>(f.random() * k); }, 60 + more, 1);
    finish(f, *plan, {});
    const auto repeated = find_repetition(*plan, 0, plan->n_steps);
    looped_plan loop;
    REQUIRE(repeated);
    REQUIRE(write_once(*plan, *repeated, loop));
    cuda::fused_plan fused;
    REQUIRE(cuda::plan_map(loop, 0, fused));
    CHECK(fused.key.loop.period > 0);
    keys[more != 0] = fused.key;
  }
  CHECK(keys[0] == keys[1]);
}

TEST_CASE("loops: what is longer than a kernel and no loop is cut") {
  fixture f;
  const auto below = [&](int k) { return static_cast<int>(f.random() * k); };
  std::vector<std::unique_ptr<map_plan>> plans;
  for (int n = 0; n < 3; ++n) {
    auto plan = plan_of(f, 500 + n, n == 1);
    // Two loops one behind the other, or none at all.
    for (int loops = 0; loops < 2 && n < 2; ++loops) looping::add_loop(*plan, below, 50, 1);
    for (int k = 0; n == 2 && k < 300; ++k) {
      constexpr ufunc simple[] = {ufunc::add, ufunc::subtract, ufunc::minimum, ufunc::maximum};
      const int v = plan->n_inputs + plan->n_steps;
      const auto before = static_cast<std::uint16_t>(k == 0 ? 0 : v - 1);
      plan->steps[plan->n_steps++] = {simple[below(4)],
                                      dtype::float64,
                                      {before, static_cast<std::uint16_t>(std::max(0, v - 1 - below(3)))}};
    }
    finish(f, *plan, {plan->n_inputs + 10, plan->n_inputs + 140});
    plans.push_back(std::move(plan));
  }
  const std::vector<kernel_key> keys = check(f, plans);
  CHECK(n_emulated > static_cast<int>(plans.size()) + 2);
  CHECK(std::ranges::count_if(keys, [](const kernel_key& key) { return key.loop.period > 0; }) >= 2);
}

TEST_CASE("loops: rows that a plan of many steps reads one after the other are read within their ends") {
  fixture f;
  constexpr std::int64_t rows = 90, columns = 37;
  std::vector<std::unique_ptr<map_plan>> plans;
  for (const int more : {0, 1, 7}) {  // turns of one kind, and of kinds that no loop has
    auto plan = plan_of(f, columns, false);
    plan->loads_within_rows = true;
    const std::int64_t distance = columns * static_cast<std::int64_t>(sizeof(double));
    const std::byte* const table = f.memory()(dtype::float64, rows * columns);
    input& first = plan->inputs[1];
    first.kind = input_kind::iota;
    first.type = dtype::int64;
    first.first = reinterpret_cast<std::int64_t>(table) - distance;
    input& constant = plan->inputs[2];
    constant.kind = input_kind::constant;
    constant.type = dtype::int64;
    std::memcpy(constant.value.bytes, &distance, sizeof distance);
    constant.strides[0] = 0;
    const auto add = [&plan](ufunc op, dtype loop, int a, int b) {
      plan->steps[plan->n_steps++] = {
          op, loop, {static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)}};
      return plan->last_value();
    };
    for (std::int64_t row = 0, address = 1, value = 0; row < rows; ++row) {
      address = add(ufunc::add, dtype::int64, static_cast<int>(address), 2);
      const int element = add(ufunc::load, dtype::float64, static_cast<int>(address), 0);
      constexpr ufunc simple[] = {ufunc::add, ufunc::subtract, ufunc::minimum, ufunc::maximum};
      const auto kind = static_cast<std::size_t>(f.random() * 4);
      value = add(more == 0 ? ufunc::add : simple[kind], dtype::float64, static_cast<int>(value), element);
      if (more > 1 && kind == 0) value = add(ufunc::negative, dtype::float64, static_cast<int>(value), 0);
    }
    finish(f, *plan, {});
    plans.push_back(std::move(plan));
  }
  for (const kernel_key& key : check(f, plans)) CHECK(key.lanes == 1);
  CHECK(n_emulated > static_cast<int>(plans.size()));
}
