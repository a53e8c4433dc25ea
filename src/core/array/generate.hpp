// What the creation functions share: where a new array goes, and generating its elements by a plan.
#pragma once
#include <cstring>

#include <core/array/array_rep.hpp>
#include <core/array/plan_builder.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/array/operand.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

inline scalar_bits bits_of(const detail::argument& a) {
  scalar_bits bits;
  std::memcpy(&bits, a.value, sizeof bits);
  return bits;
}

/// `value` as an element of dtype `type`.
template<element V>
scalar_bits constant_bits(V value, dtype type) {
  return convert_scalar(bits_of(detail::constant(value)), dtype_of<V>, type);
}

/// Stores build(plan_builder), the number of a value, in every element of `target`.
template<class Build>
void generate(const any_array& target, Build build) {
  const array_rep* out = target.rep();
  if (out->size == 0) return;
  map_plan plan;
  plan_builder builder(plan, out->shape);
  builder.store_to(out->data, out->type, out->strides);
  builder.finish(build(builder));
  const queue q = current_queue(out->device_);
  backend_of(out->device_).map(plan, q);
  record_use(out->memory, q);
}

}  // namespace core
GPARRAY_END_NAMESPACE
