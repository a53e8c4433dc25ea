// Writing through masks and into out= arguments.
#include <core/array/array_rep.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <gparray/ufuncs.hpp>
#include <support/errors.hpp>

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
  const argument arguments[] = {named(mask), source, named(target)};
  const any_array merged = make_expression(ufunc::where, target.dtype(), arguments);
  assign(target, temporary(merged));
}

any_array store_in(const any_array& value, const ufunc_options& options) {
  if (!options.out.rep() && !options.where.rep()) return value.eval();
  any_array out = options.out;
  if (!out.rep()) {
    // What the mask leaves out is undefined in NumPy; here it is zero.
    const dims* const shapes[] = {&value.shape(), &options.where.shape()};
    const device where = value.device();
    out = empty(core::broadcast_shapes(shapes), value.dtype(), order::C, default_space(where), where);
    fill_zero(out.rep());
  } else if (!can_cast(value.dtype(), out.dtype(), casting::same_kind)) {
    fail<type_error>("Cannot cast ufunc output from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
                     name(value.dtype()), name(out.dtype()));
  }
  const argument source = temporary(value);
  if (options.where.rep()) {
    assign_where(out, source, options.where);
  } else {
    check_output(out, value);
    assign(out, source);
  }
  return out.dtype() == value.dtype() ? out : value;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
