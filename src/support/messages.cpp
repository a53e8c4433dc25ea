// Exceptions that the typed headers throw, out of line.
#include <gparray/array/axis_option.hpp>
#include <gparray/ndarray.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using core::fail;

void throw_out_of_bounds(std::int64_t value, dtype type) {
  fail<overflow_error>("integer {} out of bounds for {}", value, name(type));
}
void throw_out_of_bounds(std::uint64_t value, dtype type) {
  fail<overflow_error>("integer {} out of bounds for {}", value, name(type));
}

void throw_ragged() {
  throw value_error(
      "setting an array element with a sequence: the nested lists are not all of one length or depth");
}

void throw_dtype_mismatch(dtype have, dtype want) {
  fail<type_error>("the array holds {}, not {}; convert it with astype", name(have), name(want));
}

void axis_value::throw_not_one_axis() { throw type_error("this function takes one axis"); }

const dims* chosen_axes(const dims* by_position, const axis_value& by_name) {
  if (by_position && by_name.written()) throw type_error("got multiple values for argument 'axis'");
  return by_position ? by_position : by_name.get();
}

}  // namespace detail
GPARRAY_END_NAMESPACE
