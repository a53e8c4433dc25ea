#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

std::string text(const dims& shape) {
  if (shape.size() == 1) return fmt::format("({},)", shape[0]);
  return fmt::format("({})", fmt::join(shape, ","));
}

void throw_not_broadcastable(std::span<const dims* const> shapes) {
  std::string message = "operands could not be broadcast together with shapes";
  for (const dims* shape : shapes) (message += ' ') += text(*shape);
  throw value_error(message);
}

void throw_axis(std::int64_t axis, int ndim) {
  fail<axis_error>("axis {} is out of bounds for array of dimension {}", axis, ndim);
}

void throw_device_mismatch(std::string_view operation, device a, device b) {
  fail<device_error>(
      "{}: operands are on different devices, {} and {}; move one with to_device(array, device(\"{}\")) "
      "first, "
      "nothing moves by itself",
      operation, a.str(), b.str(), a.str());
}

}  // namespace core

namespace detail {
void throw_too_many_dims(std::size_t count) {
  throw value_error(fmt::format("maximum supported dimension for an ndarray is currently {}, found {}",
                                gparray::max_ndim, count));
}
}  // namespace detail
GPARRAY_END_NAMESPACE
