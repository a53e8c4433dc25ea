#include <algorithm>

#include <plan/jumping_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

plan_boxes::plan_boxes(const jumping_plan& plan) : plan_(plan) {
  for (int d = 0; d < plan.map.ndim; ++d) cuts_[d] = {0, plan.map.shape[d]};
  for (const jump& j : plan.all_jumps()) {
    cuts_[j.dim].push_back(j.begin);
    cuts_[j.dim].push_back(j.end);
  }
  for (auto& cuts : cuts_) {
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  }
}

std::int64_t plan_boxes::count() const {
  std::int64_t n = 1;
  for (int d = 0; d < plan_.map.ndim; ++d) n *= static_cast<std::int64_t>(cuts_[d].size()) - 1;
  return n;
}

bool plan_boxes::next(std::array<std::size_t, max_ndim>& at) const {
  for (int d = plan_.map.ndim - 1; d >= 0; --d) {
    if (++at[static_cast<std::size_t>(d)] + 1 < cuts_[d].size()) return true;
    at[static_cast<std::size_t>(d)] = 0;
  }
  return false;
}

map_plan plan_boxes::box(const std::array<std::size_t, max_ndim>& at) const {
  map_plan box = plan_.map;
  std::int64_t begin[max_ndim];
  const auto move = [&](const void* data, const std::int64_t* strides) {
    auto* to = static_cast<std::byte*>(const_cast<void*>(data));
    for (int d = 0; d < box.ndim; ++d) to += begin[d] * strides[d];
    return to;
  };
  box.size = 1;
  for (int d = 0; d < box.ndim; ++d) {
    const std::size_t k = at[static_cast<std::size_t>(d)];
    begin[d] = cuts_[d][k];
    box.shape[d] = cuts_[d][k + 1] - begin[d];
    box.size *= box.shape[d];
  }
  for (int k = 0; k < box.n_stores; ++k) {
    std::int64_t strides[max_ndim];
    for (int d = 0; d < box.ndim; ++d) strides[d] = box.store_stride(k, d);
    box.stores[k].data = move(box.stores[k].data, strides);
  }
  box.out.data = move(box.out.data, box.out.strides);
  for (int i = 0; i < box.n_inputs; ++i) {
    input& in = box.inputs[i];
    if (in.kind == input_kind::array) in.data = move(in.data, in.strides);
    for (int d = 0; in.kind == input_kind::iota && d < box.ndim; ++d) in.first += begin[d] * in.strides[d];
  }
  for (const jump& jump : plan_.all_jumps()) {
    const std::int64_t first = begin[jump.dim];
    if (first >= jump.begin && first < jump.end) continue;
    input& in = box.inputs[jump.input];
    in.data = static_cast<const std::byte*>(in.data) + jump.bytes;
  }
  collapse(box);
  return box;
}

void put_numbers_last(map_plan& plan, std::span<jump> jumps) {
  if (plan.n_inputs + plan.n_stores < max_operands) return;
  std::uint8_t place[max_inputs], from[max_inputs];
  int count = 0;
  for (const bool are_numbers : {false, true})
    for (int i = 0; i < plan.n_inputs; ++i)
      if ((plan.inputs[i].kind == input_kind::constant) == are_numbers) {
        place[i] = static_cast<std::uint8_t>(count);
        from[count++] = static_cast<std::uint8_t>(i);
      }
  if (std::is_sorted(from, from + count)) return;
  const std::vector<input> before(plan.inputs, plan.inputs + plan.n_inputs);
  for (int i = 0; i < count; ++i) plan.inputs[i] = before[from[i]];
  for (int s = 0; s < plan.n_steps; ++s)
    for (int i = 0; i < arity(plan.steps[s]); ++i)
      if (std::uint16_t& v = plan.steps[s].args[static_cast<std::size_t>(i)]; v < plan.n_inputs) v = place[v];
  for (jump& j : jumps) j.input = place[j.input];
}

void collapse(map_plan& plan) {
  int ndim = 0;
  for (int d = 0; d < plan.ndim; ++d) {
    if (plan.shape[d] == 1) continue;
    const auto continues = [&](const std::int64_t* s) { return s[ndim - 1] == s[d] * plan.shape[d]; };
    bool merges = ndim > 0 && continues(plan.out.strides);
    for (int i = 0; merges && i < plan.n_inputs; ++i) merges = continues(plan.inputs[i].strides);
    if (!merges) plan.shape[ndim++] = plan.shape[d];
    else plan.shape[ndim - 1] *= plan.shape[d];
    plan.out.strides[ndim - 1] = plan.out.strides[d];
    for (int i = 0; i < plan.n_inputs; ++i) plan.inputs[i].strides[ndim - 1] = plan.inputs[i].strides[d];
  }
  plan.ndim = ndim;
}

}  // namespace core
GPARRAY_END_NAMESPACE
