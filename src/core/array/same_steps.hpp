// The steps of a pending array once more, of other operands.
#pragma once
#include <cstring>

#include <core/array/array_rep.hpp>
#include <core/array/temporary.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Whether a pending array is a step that can be taken of other operands; all else below is computed.
inline bool is_plain_step(const array_rep* rep) {
  const node& n = rep->operation;
  return !rep->computed_by && !rep->roll && !rep->view && !rep->places && !rep->loads_from.rep() && !n.user &&
         n.count > 0;
}

/// The same steps with operand(a) in place of each computed array a that they are made of.
template<class Operand>
any_array same_steps(const array_rep* rep, const Operand& operand) {
  const node& n = rep->operation;
  any_array arrays[max_arity];
  detail::argument arguments[max_arity];
  for (int i = 0; i < n.count; ++i) {
    const node_argument& from = n.arguments[i];
    if (!from.array) {
      arguments[i].type = from.type;
      std::memcpy(arguments[i].value, &from.value, sizeof from.value);
      continue;
    }
    retain(from.array);
    const any_array own = any_array::adopt(from.array);
    arrays[i] = is_pending(from.array) ? same_steps(from.array, operand) : operand(own);
    arguments[i] = temporary(arrays[i]);
  }
  return detail::make_expression(n.op, n.loop, {arguments, static_cast<std::size_t>(n.count)});
}

}  // namespace core
GPARRAY_END_NAMESPACE
