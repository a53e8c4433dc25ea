#include <bit>
#include <optional>

#include <cuda/fusion/pack_loads.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// What is known of a value that is a number of int64 along a row.
struct numbers_along_row {
  std::optional<std::int64_t> step;  // from one element to the next
  std::uint64_t factor = 1;          // a power of two of which that of a thread's first element is a multiple
};

std::uint64_t factor_of(std::uint64_t number) {
  constexpr std::uint64_t most = 256;
  return number == 0 ? most : std::min(most, number & (~number + 1));
}

class addresses {
 public:
  addresses(const map_plan& plan, const loop_nest& nest, int lanes)
      : plan_(plan), values_(plan.last_value() + 1) {
    for (int i = 0; i < plan.n_inputs; ++i) values_[at(i)] = of_input(plan.inputs[i], nest, 1 + i, lanes);
    for (int s = 0; s < plan.n_steps; ++s) values_[at(plan.n_inputs + s)] = of_step(plan.steps[s]);
  }
  const numbers_along_row& of(int value) const { return values_[at(value)]; }

 private:
  static std::size_t at(int value) { return static_cast<std::size_t>(value); }

  static numbers_along_row of_input(const input& in, const loop_nest& nest, int operand, int lanes) {
    if (in.kind == input_kind::constant) return {0, in.type == dtype::int64 ? factor_of(number_of(in)) : 1};
    const std::int64_t along = nest.inner_stride(operand);
    if (in.kind == input_kind::array) return {along == 0 ? std::optional<std::int64_t>(0) : std::nullopt, 1};
    std::uint64_t bits = static_cast<std::uint64_t>(in.first) | static_cast<std::uint64_t>(along * lanes);
    for (int d = 0; d + 1 < nest.ndim; ++d) bits |= static_cast<std::uint64_t>(nest.strides[operand][d]);
    return {along, factor_of(bits)};
  }
  static std::uint64_t number_of(const input& in) {
    std::uint64_t number;
    std::memcpy(&number, &in.value, sizeof number);
    return number;
  }

  numbers_along_row of_step(const step& s) const {
    const auto& first = of(s.args[0]);
    if (s.loop == dtype::int64 && s.op == ufunc::add) {
      const auto& second = of(s.args[1]);
      if (!first.step || !second.step) return {};
      return {*first.step + *second.step, std::min(first.factor, second.factor)};
    }
    // Every address that is meant is between the bounds.
    if (s.loop == dtype::int64 && is_bounded_address(s)) return first;
    bool is_one_number = true;
    for (int i = 0; i < arity(s); ++i)
      is_one_number = is_one_number && of(s.args[static_cast<std::size_t>(i)]).step == 0;
    if (!is_one_number) return {};
    const bool is_product = s.loop == dtype::int64 && s.op == ufunc::multiply;
    return {0, is_product ? std::min<std::uint64_t>(first.factor * of(s.args[1]).factor, 256) : 1};
  }
  /// Whether it is clipped for nothing but a load.
  bool is_bounded_address(const step& s) const {
    if (s.op != ufunc::clip) return false;
    const int v = plan_.n_inputs + static_cast<int>(&s - plan_.steps);
    for (int later = 0; later < plan_.n_steps; ++later)
      for (int i = 0; i < arity(plan_.steps[later]); ++i)
        if (plan_.steps[later].args[static_cast<std::size_t>(i)] == v && plan_.steps[later].op != ufunc::load)
          return false;
    return true;
  }

  const map_plan& plan_;
  std::vector<numbers_along_row> values_;
};

}  // namespace

void set_pack_loads(const map_plan& plan, fused_plan& fused) {
  kernel_key& key = fused.key;
  const loop_nest& nest = fused.nest;
  const auto is_load = [](const step& s) { return s.op == ufunc::load; };
  if (key.lanes == 1 || std::none_of(plan.steps, plan.steps + plan.n_steps, is_load) ||
      nest.inner_size() % key.lanes != 0 || !has_aligned_packs(plan.out.data, key.out, nest, 0, key.lanes))
    return;
  const addresses all(plan, nest, key.lanes);
  for (int s = 0; s < plan.n_steps; ++s) {
    if (!is_load(plan.steps[s])) continue;
    int address = plan.steps[s].args[0];
    const auto item = static_cast<std::int64_t>(itemsize(plan.steps[s].loop));
    if (all.of(address).step != item ||
        all.of(address).factor % (static_cast<std::uint64_t>(item) * key.lanes) != 0)
      continue;
    // Within the row there is nothing to clip.
    if (address >= plan.n_inputs && plan.steps[address - plan.n_inputs].op == ufunc::clip)
      address = plan.steps[address - plan.n_inputs].args[0];
    key.steps[s].args[0] = static_cast<std::uint8_t>(address);
    key.steps[s].args[1] = 1;
    key.copies = expression_copies::side_by_side;
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
