// Quotients and remainders of the same numbers in generated kernels: fmod is computed once for all of them.
#include <string>

#include "cuda/support/emulated_fusion.hpp"

using namespace twin;

namespace {

constexpr std::int64_t n = 1003;

/// Numbers of which each meets each, and then random ones.
template<class T>
void fill_numbers(void* to, bool is_divisor) {
  using limits = std::numeric_limits<T>;
  const T special[] = {T(0),
                       -T(0),
                       T(1),
                       T(-1),
                       T(0.1),
                       T(-3),
                       T(7.5),
                       T(1e30),
                       limits::max(),
                       limits::infinity(),
                       -limits::infinity(),
                       limits::quiet_NaN(),
                       limits::denorm_min(),
                       limits::min()};
  constexpr std::int64_t count = std::size(special);
  for (std::int64_t i = 0; i < count * count; ++i)
    static_cast<T*>(to)[i] = special[is_divisor ? i % count : i / count];
}

/// Quotient, C's remainder and Python's of two operands, the first two stored beside the last; then more
/// steps of the last one.
map_plan plan_of(fixture& f, dtype type, int more) {
  const auto item = static_cast<std::int64_t>(itemsize(type));
  const auto memory = [&] { return f.memory()(type, n); };
  map_plan plan;
  plan.ndim = 1;
  plan.size = plan.shape[0] = n;
  plan.n_inputs = 2;
  for (int i = 0; i < 2; ++i) {
    std::byte* const data = memory();
    if (type == dtype::float64) fill_numbers<double>(data, i == 1);
    if (type == dtype::float32) fill_numbers<float>(data, i == 1);
    plan.inputs[i].kind = input_kind::array;
    plan.inputs[i].type = type;
    plan.inputs[i].data = data;
    plan.inputs[i].strides[0] = item;
  }
  plan.n_steps = 0;
  for (const ufunc op : {ufunc::floor_divide, ufunc::fmod, ufunc::remainder})
    plan.steps[plan.n_steps++] = {op, type, {0, 1, 0}};
  for (int k = 0; k < more; ++k) {
    const auto before = static_cast<std::uint16_t>(plan.n_inputs + plan.n_steps - 1);
    plan.steps[plan.n_steps++] = {k % 2 ? ufunc::sqrt : ufunc::divide, type, {before, 1, 0}};
  }
  plan.n_stores = 2;
  for (int k = 0; k < 2; ++k) plan.stores[k] = {plan.n_inputs + k, memory()};
  plan.out.type = type;
  plan.out.data = memory();
  plan.out.strides[0] = item;
  return plan;
}

}  // namespace

TEST_CASE("quotients and remainders of the same numbers have one fmod, and the bits of single steps") {
  using enum cuda::expression_copies;
  fixture f;
  std::vector<map_plan> plans;
  std::vector<cuda::fused_plan> fused(5);
  plans.push_back(plan_of(f, dtype::float32, 0));
  plans.push_back(plan_of(f, dtype::float64, 0));
  plans.push_back(plan_of(f, dtype::float64, 6));  // side by side
  plans.push_back(plan_of(f, dtype::int64, 0));
  plans.push_back(plan_of(f, dtype::float16, 0));
  for (std::size_t k = 0; k < plans.size(); ++k) {
    REQUIRE(cuda::plan_map(plans[k], 0, fused[k]));
    f.program.add(fused[k].key);
    const std::string source = cuda::kernel_source(fused[k].key);
    const auto count = [&](std::string_view what) {
      int found = 0;
      for (std::size_t at = source.find(what); at != source.npos; at = source.find(what, at + 1)) ++found;
      return found;
    };
    CAPTURE(source);
    CHECK((fused[k].key.copies == side_by_side) == (k == 2));
    CHECK(count("quick_rest(") == (k > 2 ? 0 : 1));
  }
  f.program.build();
  for (std::size_t k = 0; k < plans.size(); ++k) f.bind(fused[k].key, f.program.kernel(k));
  for (const map_plan& plan : plans) {
    CAPTURE(std::string(name(plan.out.type)));
    const std::size_t item = itemsize(plan.out.type), bytes = static_cast<std::size_t>(n) * item;
    for (void* data :
         {plan.out.data, static_cast<void*>(plan.stores[0].data), static_cast<void*>(plan.stores[1].data)}) {
      const auto expected = bytes_after(data, bytes, [&] { host_backend().map(plan, {0, cpu_order}); });
      const auto actual = bytes_after(data, bytes, [&] { f.gpu->map(plan, {}); });
      CHECK(same(plan.out.type, static_cast<std::int64_t>(item), expected, actual));
    }
  }
  CHECK(n_missed == 0);
}
