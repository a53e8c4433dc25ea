#include <vector>

#include <core/array/filled.hpp>
#include <core/array/loads.hpp>
#include <core/array/plain_step.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/step_log.hpp>
#include <core/array/turns.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// A pending array whose step has a number as its argument; `part` tells it from others of the dtype.
any_array of_number(const dims& shape, dtype type, device on_device, const node_argument& number,
                    std::uint64_t part, std::shared_ptr<const row_places> places = {}) {
  array_rep* const rep = new_rep(type, on_device, shape);
  any_array owner = any_array::adopt(rep);
  pending_list* const own = rep->home = own_pending_list();
  rep->birth = ++own->births;
  begin_count(own);
  node& n = rep->operation;
  n.op = ufunc::cast;
  n.loop = type;
  n.user = nullptr;
  n.statement = mixed(statement_of(ufunc::cast, type, nullptr), part);
  n.inputs = places ? 1 : 0;
  n.numbers = n.steps = n.count = 1;
  n.arguments[0] = number;
  rep->places = std::move(places);
  count_constant(own->all, number);
  own->all.inputs += n.inputs;
  ++own->all.steps;
  rep->pending.store(true, std::memory_order_relaxed);
  enlist(rep);
  return owner;
}

}  // namespace

any_array filled_later(const dims& shape, dtype type, device on_device, const scalar_bits& number) {
  any_array filled =
      of_number(shape, type, on_device, {nullptr, type, number}, static_cast<std::uint64_t>(type) + 1);
  detail::name_expression(filled);
  return filled;
}

any_array range_later(std::int64_t length, dtype type, device on_device, std::int64_t first,
                      std::int64_t step) {
  auto places = std::make_shared<row_places>();
  places->strides = {step};
  places->first = first;
  const std::uint64_t part = mixed(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(step));
  // Whatever asks what a step converts finds a number of another dtype than its own.
  const dtype other = type == dtype::bool_ ? dtype::int8 : dtype::bool_;
  return of_number(dims{length}, type, on_device, {nullptr, other, {}}, part, std::move(places));
}

bool may_have_ranges(device on_device) {
  return on_device.is_cuda() && may_load_later(on_device) && !is_in_log(*own_pending_list());
}

void compute_ranges(pending_list& own) {
  std::vector<any_array> ranges;
  {
    const list_lock lock(own);
    for (array_rep* const rep : pending_with_uses(own))
      if (is_range(rep) && retain_unless_dropped(rep)) ranges.push_back(any_array::adopt(rep));
  }
  for (const any_array& range : ranges) evaluate(range.rep());
}

}  // namespace core
GPARRAY_END_NAMESPACE
