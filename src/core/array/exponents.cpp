#include <cstring>

#include <core/array/exponents.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/reduction_plan.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The smallest element of a computed array, which is not empty, in a dtype.
scalar_bits smallest_of(const array_rep* rep, dtype type) {
  const any_array result = allocate(type, {}, rep->device_);
  const dims all_axes = reduced_axes(reduction::min, nullptr, static_cast<int>(rep->shape.size()));
  reduce_plan plan;
  make_reduce_plan(plan, reduction::min, rep, type, reduction_axes(rep->shape, all_axes, false), 0,
                   result.rep()->data);
  const queue q = current_queue(rep->device_);
  backend_of(rep->device_).reduce(plan, q);
  record_use(rep->memory, q);
  scalar_bits smallest{};
  detail::item(result, &smallest);
  return smallest;
}

}  // namespace

void check_exponents(const detail::argument& exponents) {
  scalar_bits smallest{};
  if (exponents.array) {
    if (exponents.array->size() == 0 || !exponents.array->device().is_cpu() || kind(exponents.type) != 'i')
      return;
    smallest = smallest_of(computed(*exponents.array), exponents.type);
  } else {
    std::memcpy(&smallest, exponents.value, sizeof smallest);
  }
  std::int64_t value;
  const scalar_bits as_int64 = convert_scalar(smallest, exponents.type, dtype::int64);
  std::memcpy(&value, &as_int64, sizeof value);
  if (value < 0)
    throw value_error(
        "Integers to negative integer powers are not allowed; make the base floating, for example with "
        "astype<double>()");
}

}  // namespace core
GPARRAY_END_NAMESPACE
