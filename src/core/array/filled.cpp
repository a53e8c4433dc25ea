#include <core/array/filled.hpp>
#include <core/array/plain_step.hpp>
#include <core/array/plan_size.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

any_array filled_later(const dims& shape, dtype type, device on_device, const scalar_bits& number) {
  array_rep* const rep = new_rep(type, on_device, shape);
  any_array owner = any_array::adopt(rep);
  pending_list* const own = rep->home = own_pending_list();
  rep->birth = ++own->births;
  begin_count(own);
  node& n = rep->operation;
  n.op = ufunc::cast;
  n.loop = type;
  n.user = nullptr;
  n.statement = mixed(statement_of(ufunc::cast, type, nullptr), static_cast<std::uint64_t>(type) + 1);
  n.inputs = 0;
  n.numbers = n.steps = n.count = 1;
  n.arguments[0] = {nullptr, type, number};
  count_constant(own->all, n.arguments[0]);
  ++own->all.steps;
  rep->pending.store(true, std::memory_order_relaxed);
  enlist(rep);
  detail::name_expression(owner);
  return owner;
}

}  // namespace core
GPARRAY_END_NAMESPACE
