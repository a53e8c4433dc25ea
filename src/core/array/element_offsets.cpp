// The offsets of an array's elements, with as few axes as there can be.
#include <gparray/array/element_offsets.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

element_offsets::element_offsets(const any_array& a) : shape_{}, strides_{} {
  const auto bytes = static_cast<std::int64_t>(itemsize(a.dtype()));
  const dims &shape = a.shape(), &strides = a.strides();
  if (a.size() == 0) return;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    if (strides[d] % bytes != 0)
      core::fail<value_error>(
          "elements of {} bytes that are {} bytes apart have no iterators; make a copy(): its elements are "
          "side by side",
          bytes, strides[d]);
    const std::int64_t stride = strides[d] / bytes;
    if (n_axes_ > 0 && strides_[n_axes_ - 1] == stride * shape[d]) {
      shape_[n_axes_ - 1] *= shape[d];
      strides_[n_axes_ - 1] = stride;
      continue;
    }
    if (n_axes_ == max_axes)
      core::fail<value_error>(
          "iterators go through at most {} axes that do not lie behind each other; make a copy()", max_axes);
    shape_[n_axes_] = shape[d];
    strides_[n_axes_++] = stride;
  }
}

}  // namespace detail
GPARRAY_END_NAMESPACE
