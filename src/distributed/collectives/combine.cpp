// What a reduction over ranks computes, in an order of its own: with the core's functions, so of any dtype.
#include <distributed/collectives/moved.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

ufunc function_of(op how) {
  switch (how) {
    case op::prod:
      return ufunc::multiply;
    case op::min:
      return ufunc::minimum;
    case op::max:
      return ufunc::maximum;
    case op::any:
      return ufunc::logical_or;
    case op::all:
      return ufunc::logical_and;
    default:
      return ufunc::add;
  }
}

constexpr std::string_view name_of(op how) {
  constexpr std::string_view names[] = {"sum", "prod", "min", "max", "mean", "any", "all"};
  return names[static_cast<int>(how)];
}

/// Halves have too few digits to be added one by one.
dtype computed_in(dtype type, op how) {
  const bool half = type == dtype::float16 || type == dtype::bfloat16;
  return half && (how == op::sum || how == op::prod || how == op::mean) ? dtype::float32 : type;
}

}  // namespace

void check_combination(const char* operation, op how, dtype type) {
  const bool logical = how == op::any || how == op::all;
  if (type == dtype::bool_ && !logical)
    core::fail<type_error>("{}: {} of bool: use op::any or op::all, or convert with astype", operation,
                           name_of(how));
  if (type != dtype::bool_ && logical)
    core::fail<type_error>("{}: {} of {}: it is for bool; compare or convert first", operation, name_of(how),
                           name(type));
  if (how == op::mean && !is_inexact(type))
    core::fail<type_error>("{}: the mean of {} is none of its values: convert with astype<double>()",
                           operation, name(type));
}

any_array divided(const any_array& sum, int by) {
  const any_array zero_dim =
      gd::create_full({}, sum.dtype(), {.device = sum.device()}, gd::constant(static_cast<double>(by)));
  const gd::argument pair[] = {operand(sum), operand(zero_dim)};
  return gd::make_expression(ufunc::divide, sum.dtype(), pair);
}

any_array combined(std::vector<any_array> parts, op how) {
  const dtype type = parts[0].dtype(), wide = computed_in(type, how);
  const ufunc function = function_of(how);
  const dtype loop = gd::resolve_loop(function, wide).loop;
  const int count = static_cast<int>(parts.size());
  if (wide != type)
    for (any_array& part : parts) part = gd::astype(operand(part), wide, true);
  while (parts.size() > 1) {
    std::vector<any_array> merged;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      const gd::argument pair[] = {operand(parts[i]), operand(parts[i + 1])};
      merged.push_back(gd::make_expression(function, loop, pair));
    }
    if (parts.size() % 2) merged.push_back(std::move(parts.back()));
    parts = std::move(merged);
  }
  if (how == op::mean) parts[0] = divided(parts[0], count);
  return wide == type ? parts[0] : gd::astype(operand(parts[0]), type, true);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
