// Views with other strides: broadcast, flipped, rotated, windows, parts of complex numbers.
#include <core/array/alignment.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/manipulation/manipulation.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

any_array broadcast_to(const any_array& a, const dims& shape) {
  const array_rep* rep = computed(a);
  for (std::int64_t n : shape)
    if (n < 0) throw value_error("all elements of broadcast shape must be non-negative");
  if (rep->shape.size() > shape.size())
    throw value_error("input operand has more dimensions than allowed by the axis remapping");
  if (!broadcasts_to(rep->shape, shape))
    fail<value_error>(
        "operands could not be broadcast together with remapped shapes [original->remapped]: {}  and "
        "requested shape {}",
        text(rep->shape), text(shape));
  return read_only(make_view(rep, rep->type, shape, broadcast_strides(rep->shape, rep->strides, shape), 0));
}

dims broadcast_shapes(std::span<const dims> shapes) {
  dims result;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const dims& shape = shapes[i];
    while (result.size() < shape.size()) result.insert(0, 1);
    const std::size_t shift = result.size() - shape.size();
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::int64_t& common = result[d + shift];
      if (shape[d] == 1 || shape[d] == common) continue;
      if (common == 1) {
        common = shape[d];
        continue;
      }
      // The earlier shape to blame is the first one that is not 1 here.
      std::size_t other = 0;
      const std::size_t from_end = shape.size() - d;
      while (shapes[other].size() < from_end || shapes[other][shapes[other].size() - from_end] == 1) ++other;
      fail<value_error>(
          "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg {} with "
          "shape {} and "
          "arg {} with shape {}.",
          other, python_text(shapes[other]), i, python_text(shape));
    }
  }
  return result;
}

any_array flip(const any_array& a) {
  dims axes;
  for (int i = 0; i < a.ndim(); ++i) axes.push_back(i);
  return flip(a, axes);
}

any_array flip(const any_array& a, const dims& axes) {
  const array_rep* rep = computed(a);
  dims strides = rep->strides;
  std::int64_t offset = 0;
  for (std::int64_t axis : normalize_axis_list(axes, a.ndim())) {
    const auto d = static_cast<std::size_t>(axis);
    if (rep->shape[d] > 0) offset += (rep->shape[d] - 1) * strides[d];
    strides[d] = -strides[d];
  }
  return make_view(rep, rep->type, rep->shape, strides, rep->size > 0 ? offset : 0);
}

any_array flip_matrix(const any_array& a, int axis) {
  if (a.ndim() <= axis) fail<value_error>("Input must be >= {}-d.", axis + 1);
  return flip(a, axis);
}

any_array rot90(const any_array& a, std::int64_t k, const dims& axes) {
  if (axes.size() != 2) throw value_error("len(axes) must be 2.");
  const std::int64_t ndim = a.ndim(), from = axes[0], to = axes[1];
  if (from == to || from - to == ndim || to - from == ndim) throw value_error("Axes must be different.");
  if (from < -ndim || from >= ndim || to < -ndim || to >= ndim)
    fail<value_error>("Axes=({}, {}) out of range for array of ndim={}.", from, to, ndim);
  const std::int64_t turns = ((k % 4) + 4) % 4;
  if (turns == 0) return flip(a, dims{});
  if (turns == 2) return flip(a, axes);
  const int first = static_cast<int>(from), second = static_cast<int>(to);
  return turns == 1 ? swapaxes(flip(a, to), first, second) : flip(swapaxes(a, first, second), to);
}

any_array as_strided(const any_array& a, const dims& shape, const dims& strides) {
  const array_rep* rep = computed(a);
  if (strides.size() != shape.size())
    fail<value_error>("strides {} do not match the number of dimensions of shape {}", text(strides),
                      text(shape));
  checked_size(shape, itemsize(rep->type));
  const extent e = checked_extent(shape, strides, itemsize(rep->type));
  const storage* memory = rep->memory;
  const extent whole = {
      static_cast<std::byte*>(memory->data) - rep->data,
      static_cast<std::byte*>(memory->data) - rep->data + static_cast<std::int64_t>(memory->bytes)};
  if (e.begin != e.end && (e.begin < whole.begin || e.end > whole.end))
    fail<value_error>("as_strided: shape {} with strides {} reaches outside of the array's memory",
                      text(shape), text(strides));
  check_alignment("as_strided", rep->device_, rep->type, rep->data, shape, strides);
  return make_view(rep, rep->type, shape, kept_strides(shape, strides), 0);
}

any_array sliding_window_view(const any_array& a, const dims& window, const dims* axes) {
  const array_rep* rep = computed(a);
  for (std::int64_t n : window)
    if (n < 0) throw value_error("`window_shape` cannot contain negative values");
  dims along;
  if (axes) {
    for (std::int64_t axis : *axes) along.push_back(normalize_axis(axis, a.ndim()));
    if (along.size() != window.size())
      fail<value_error>(
          "Must provide matching length window_shape and axis; got {} window_shape elements and {} axes "
          "elements.",
          window.size(), along.size());
  } else {
    for (int i = 0; i < a.ndim(); ++i) along.push_back(i);
    if (along.size() != window.size())
      fail<value_error>(
          "Since axis is `None`, must provide window_shape for all dimensions of `x`; got {} window_shape "
          "elements and "
          "`x.ndim` is {}.",
          window.size(), a.ndim());
  }
  dims shape = rep->shape, strides = rep->strides;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const auto d = static_cast<std::size_t>(along[i]);
    if (shape[d] < window[i]) throw value_error("window shape cannot be larger than input array shape");
    shape[d] -= window[i] - 1;
    shape.push_back(window[i]);
    strides.push_back(rep->strides[d]);
  }
  return read_only(make_view(rep, rep->type, shape, strides, 0));
}

any_array complex_parts(const any_array& a) {
  const array_rep* rep = computed(a);
  dims shape = rep->shape, strides = rep->strides;
  shape.push_back(2);
  strides.push_back(static_cast<std::int64_t>(itemsize(rep->type) / 2));
  return make_view(rep, real_dtype(rep->type), shape, strides, 0);
}

any_array complex_part(const any_array& a, int part) {
  const array_rep* rep = computed(a);
  const gparray::dtype type = real_dtype(rep->type);
  if (is_complex(rep->type))
    return make_view(rep, type, rep->shape, rep->strides, part * static_cast<std::int64_t>(itemsize(type)));
  if (part == 0) return a;
  // One zero seen everywhere, which a broadcast view is read-only for.
  const any_array zero = allocate_beside(rep, {});
  fill(zero.rep(), type, scalar_bits{});
  return broadcast_to(zero, rep->shape);
}

any_array view_as(const any_array& a, gparray::dtype type) {
  const array_rep* rep = computed(a);
  const auto before = static_cast<std::int64_t>(itemsize(rep->type)),
             after = static_cast<std::int64_t>(itemsize(type));
  dims shape = rep->shape, strides = rep->strides;
  if (before == after) {
    check_alignment("view", rep->device_, type, rep->data, shape, strides);
    return make_view(rep, type, shape, strides, 0);
  }
  if (shape.empty())
    throw value_error("Changing the dtype of a 0d array is only supported if the itemsize is unchanged");
  std::int64_t& length = shape[shape.size() - 1];
  if (length != 1 && rep->size != 0 && strides.back() != before)
    throw value_error("To change to a dtype of a different size, the last axis must be contiguous");
  if (length * before % after != 0)
    throw value_error(
        "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last "
        "axis of the array.");
  length = length * before / after;
  strides[strides.size() - 1] = after;
  check_alignment("view", rep->device_, type, rep->data, shape, strides);
  return make_view(rep, type, shape, strides, 0);
}

any_array byteswap(const any_array& a) {
  const any_array own = copy(a, order::C);
  const auto width = static_cast<std::int64_t>(itemsize(real_dtype(a.dtype())));
  if (width == 1 || own.size() == 0) return own;
  const any_array bytes = reshape(view_as(reshape(own, own.size(), order::C), gparray::dtype::uint8),
                                  {own.nbytes() / width, width}, order::C);
  const any_array swapped = copy(flip(bytes, 1), order::C);
  return reshape(view_as(reshape(swapped, own.nbytes(), order::C), a.dtype()), a.shape(), order::C);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
