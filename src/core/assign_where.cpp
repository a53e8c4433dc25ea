// Writing through masks and into out= arguments.
#include <core/array_rep.hpp>
#include <core/errors.hpp>
#include <core/evaluate.hpp>
#include <core/layout.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

void check_output(const any_array& out, const any_array& value) {
  const dims* const shapes[] = {&value.shape(), &out.shape()};
  if (value.shape() != out.shape() &&
      !(broadcasts_to(value.shape(), out.shape()) && core::broadcast_shapes(shapes) == out.shape()))
    fail<value_error>("non-broadcastable output operand with shape {} doesn't match the broadcast shape {}",
                      text(out.shape()), text(value.shape()));
}

void assign_where(const any_array& target, const argument& source, const any_array& mask) {
  if (mask.dtype() != gparray::dtype::bool_)
    fail<type_error>("where must be an array of bool, not of {}", name(mask.dtype()));
  check_target(computed(target), source.array ? source.array->shape() : dims{});
  if (!broadcasts_to(mask.shape(), target.shape()))
    fail<value_error>("where of shape {} does not broadcast to the output's shape {}", text(mask.shape()),
                      text(target.shape()));
  argument condition, old;
  condition.array = &mask;
  condition.type = gparray::dtype::bool_;
  old.array = &target;
  old.type = target.dtype();
  const argument arguments[] = {condition, source, old};
  const any_array merged = make_expression(ufunc::where, target.dtype(), arguments);
  argument result;
  result.array = &merged;
  result.fuse = true;
  result.type = target.dtype();
  assign(target, result);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
