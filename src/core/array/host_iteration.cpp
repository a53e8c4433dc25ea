// How the host iterators go through strides.
#include <core/array/array_rep.hpp>
#include <gparray/array/host_iterator.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

element_run find_run(const array_rep* rep, std::int64_t index) {
  std::byte* data = rep->data;
  const auto item = static_cast<std::int64_t>(itemsize(rep->type));
  // Trailing axes that continue one another are one run.
  std::int64_t length = 1, step = item;
  std::size_t axis = rep->shape.size();
  while (axis > 0) {
    const std::int64_t n = rep->shape[axis - 1], stride = rep->strides[axis - 1];
    if (n != 1) {
      if (length == 1) step = stride;
      else if (stride != length * step) break;
      length *= n;
    }
    --axis;
  }
  if (length == 0 || index >= rep->size) index = std::max<std::int64_t>(rep->size - 1, 0);
  std::int64_t run = length > 0 ? index / length : 0;
  const std::int64_t begin = run * length;
  while (axis-- > 0) {
    const std::int64_t n = rep->shape[axis];
    if (n == 0) break;
    data += run % n * rep->strides[axis];
    run /= n;
  }
  return {data, begin, begin + length, step};
}

}  // namespace detail
GPARRAY_END_NAMESPACE
