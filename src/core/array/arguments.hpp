// Functions of the library written as expressions: ufuncs by their numbers.
#pragma once
#include <cstring>

#include <core/array/plan_builder.hpp>
#include <core/array/temporary.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The number as an element of the dtype.
inline detail::argument number(double value, dtype type) {
  scalar_bits bits{};
  std::memcpy(&bits, &value, sizeof value);
  bits = convert_scalar(bits, dtype::float64, type);
  detail::argument x;
  x.type = type;
  std::memcpy(x.value, &bits, sizeof bits);
  return x;
}

inline any_array apply(ufunc f, dtype loop, std::initializer_list<detail::argument> arguments) {
  return detail::make_expression(f, loop, {arguments.begin(), arguments.size()});
}

}  // namespace core
GPARRAY_END_NAMESPACE
