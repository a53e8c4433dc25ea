#include <core/array/pending_list.hpp>
#include <core/array/replaced.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

any_array replaced_later(const any_array& elements, const any_array& values, const computation* by,
                         const std::shared_ptr<const selection>& where) {
  const array_rep* const base = elements.rep();
  array_rep* const rep = new_rep(base->type, base->device_, base->shape);
  const any_array owner = any_array::adopt(rep);
  pending_list* const own = own_pending_list();
  rep->home = own;
  rep->birth = ++own->births;
  rep->operation.statement = 2;  // no address, as others have
  become_replaced(rep, elements, values, by, where);
  rep->pending.store(true, std::memory_order_relaxed);
  array_rep* const parts[] = {elements.rep(), values.rep()};
  enlist(rep, parts);
  return owner;
}

void become_replaced(array_rep* rep, const any_array& elements, const any_array& values,
                     const computation* by, const std::shared_ptr<const selection>& where) {
  node& n = rep->operation;
  n.op = ufunc::cast;
  n.loop = rep->type;
  n.user = nullptr;
  n.count = 0;
  n.inputs = n.steps = 1;
  n.numbers = 0;
  n.reductions = 0;
  n.rolls = false;
  n.c_order = true;
  for (const any_array* part : {&elements, &values}) {
    retain(part->rep());
    n.arguments[n.count++] = {part->rep(), part->dtype(), {}};
  }
  rep->selected = where;
  rep->computed_by = by;
}

}  // namespace core
GPARRAY_END_NAMESPACE
