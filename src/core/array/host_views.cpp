// What arrays in host memory need to be seen as the matrices and spans of other libraries.
#include <algorithm>

#include <core/array/array_rep.hpp>
#include <core/array/layout.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/span.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

void* host_address(const any_array& a, bool writes) {
  const array_rep* rep = computed(a);
  if (writes) check_writeable(rep);
  if (rep->memory->space == memory_space::device)
    fail<device_error>("an array on {} is not in memory of the CPU; asnumpy(array) copies it there",
                       rep->device_.str());
  void* const address = a.raw_data();
  if (rep->device_.is_cuda()) backend_of(rep->device_).synchronize_stream(current_queue(rep->device_));
  return address;
}

void check_span(const any_array& a) {
  if (!a.is_c_contiguous())
    fail<value_error>(
        "as_span: the elements of shape {} do not lie one after the other; ascontiguousarray copies them so",
        text(a.shape()));
}

dims element_strides(const char* function, const any_array& a) {
  const array_rep* rep = computed(a);
  const auto item = static_cast<std::int64_t>(itemsize(rep->type));
  dims strides = c_strides(rep->shape, 1);
  if (rep->size == 0) return strides;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    if (rep->shape[d] == 1) continue;  // never stepped along
    if (rep->strides[d] < 0 || rep->strides[d] % item != 0)
      fail<value_error>(
          "{}: axis {} goes by {} bytes, and must go forwards by whole elements of {}; copy() "
          "lies so",
          function, d, rep->strides[d], item);
    strides[d] = rep->strides[d] / item;
  }
  return strides;
}

dims unique_strides(const char* function, const any_array& a) {
  dims strides = element_strides(function, a);
  if (a.size() == 0) return strides;
  const dims& shape = a.shape();
  dims axes;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) strides[d] = 1;
    else axes.push_back(static_cast<std::int64_t>(d));
  }
  const auto at = [](std::int64_t axis) { return static_cast<std::size_t>(axis); };
  std::ranges::sort(axes, {}, [&](std::int64_t axis) { return strides[at(axis)]; });
  std::int64_t least = 1;  // one step on an axis is over all of the axes within
  for (const std::int64_t axis : axes) {
    if (strides[at(axis)] < least)
      fail<value_error>("{}: elements of shape {} with strides {} share addresses; copy() them first",
                        function, text(shape), text(a.strides()));
    least = strides[at(axis)] * shape[at(axis)];
  }
  return strides;
}

void check_view_rank(const char* function, const any_array& a, std::size_t rank) {
  if (a.shape().size() != rank)
    fail<value_error>("{}: an array of shape {} has {} axes, not {}", function, text(a.shape()), a.ndim(),
                      rank);
}

void check_view_size(const char* function, const any_array& a, std::size_t axis, std::int64_t size) {
  if (a.shape()[axis] != size)
    fail<value_error>("{}: axis {} of shape {} has not {} elements", function, axis, text(a.shape()), size);
}

void throw_view_layout(const char* function, const any_array& a, std::string_view wanted) {
  fail<value_error>("{}: shape {} with strides {} does not lie as {}; copy() it so, or ask for strides",
                    function, text(a.shape()), text(a.strides()), wanted);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
