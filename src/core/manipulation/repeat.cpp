// tile, repeat and resize: copies from views that repeat elements with stride 0, or a gather; and trim_zeros.
#include <cstring>
#include <memory>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/indexing/indexing.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/reduction/reduction.hpp>
#include <plan/convert_scalar.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr const char* axis_is_too_long = "array is too big: the elements along one axis";

/// target, whose axis is `count` times that of source, becomes source with each element repeated along that
/// axis.
void copy_repeated(const any_array& target, const any_array& source, int axis, std::int64_t count) {
  const auto d = static_cast<std::size_t>(axis);
  const array_rep *to = target.rep(), *from = computed(source);
  if (to->size == 0) return;
  dims shape = from->shape, to_strides = to->strides, from_strides = from->strides;
  shape.insert(d + 1, count);
  to_strides.insert(d + 1, to_strides[d]);
  to_strides[d] *= count;
  from_strides.insert(d + 1, 0);
  copy_elements(make_view(to, to->type, shape, to_strides, 0).rep(),
                make_view(from, from->type, shape, from_strides, 0).rep());
}

/// Each word as often as its count says. Four copies are written at once, of which those that are too many
/// are written over.
template<class Word>
void repeat_words(char* to, const char* from, std::span<const std::int64_t> counts, const char* end) {
  constexpr std::int64_t at_once = 4, size = sizeof(Word);
  for (const std::int64_t count : counts) {
    Word words[at_once];
    std::memcpy(words, from, sizeof(Word));
    for (Word& word : words) word = words[0];
    from += size;
    if (end - to >= (count + at_once) * size) {
      for (std::int64_t i = 0; i < count; i += at_once) std::memcpy(to + i * size, words, sizeof words);
    } else {
      for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * size, words, sizeof(Word));
    }
    to += count * size;
  }
}

/// In host memory: pieces of so many bytes, side by side.
void repeat_pieces(char* to, const char* from, std::int64_t bytes, std::span<const std::int64_t> counts,
                   const char* end) {
  switch (bytes) {
    case 1:
      return repeat_words<std::uint8_t>(to, from, counts, end);
    case 2:
      return repeat_words<std::uint16_t>(to, from, counts, end);
    case 4:
      return repeat_words<std::uint32_t>(to, from, counts, end);
    case 8:
      return repeat_words<std::uint64_t>(to, from, counts, end);
    default:
      for (const std::int64_t count : counts) {
        for (std::int64_t i = 0; i < count; ++i, to += bytes)
          std::memcpy(to, from, static_cast<std::size_t>(bytes));
        from += bytes;
      }
  }
}

/// The array to repeat and the axis: flattened if none is given; a scalar is a vector of one.
std::pair<any_array, int> along_axis(const any_array& a, const detail::slice_end& axis) {
  const any_array source = axis.given ? detail::at_least(a, 1) : detail::ravel(a, order::C);
  return {source, axis.given ? normalize_axis(axis.value, source.ndim()) : 0};
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array tile(const any_array& a, const dims& repetitions) {
  any_array source = a;
  dims counts = repetitions, missing;
  for (std::int64_t n : counts)
    if (n < 0) throw value_error("negative dimensions are not allowed");
  while (counts.size() < a.shape().size()) counts.insert(0, 1);
  for (std::size_t i = a.shape().size(); i < counts.size(); ++i)
    missing.push_back(static_cast<std::int64_t>(missing.size()));
  source = expand_dims(source, missing);
  const array_rep* from = source.rep();
  dims shape = from->shape;
  for (std::size_t d = 0; d < shape.size(); ++d)
    shape[d] = checked_product(shape[d], counts[d], axis_is_too_long);
  const any_array result = allocate_beside(from, shape);
  const array_rep* to = result.rep();
  if (to->size == 0) return result;
  // An axis that is repeated becomes two: the outer one is the repetition, with stride 0 in the source.
  dims split, to_strides, from_strides;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (counts[d] != 1) {
      split.push_back(counts[d]);
      to_strides.push_back(to->strides[d] * from->shape[d]);
      from_strides.push_back(0);
    }
    split.push_back(from->shape[d]);
    to_strides.push_back(to->strides[d]);
    from_strides.push_back(from->strides[d]);
  }
  copy_elements(make_view(to, to->type, split, to_strides, 0).rep(),
                make_view(from, from->type, split, from_strides, 0).rep());
  return result;
}

any_array repeat(const any_array& a, std::int64_t repeats, slice_end axis_argument) {
  const auto [source, axis] = along_axis(a, axis_argument);
  if (repeats < 0) throw value_error("negative dimensions are not allowed");
  dims shape = source.shape();
  shape[static_cast<std::size_t>(axis)] =
      checked_product(shape[static_cast<std::size_t>(axis)], repeats, axis_is_too_long);
  const any_array result = allocate_beside(computed(source), shape);
  copy_repeated(result, source, axis, repeats);
  return result;
}

any_array repeat(const any_array& a, std::span<const std::int64_t> repeats, slice_end axis_argument) {
  if (repeats.size() == 1) return repeat(a, repeats[0], axis_argument);
  const auto [source, axis] = along_axis(a, axis_argument);
  dims shape = source.shape();
  std::int64_t& length = shape[static_cast<std::size_t>(axis)];
  if (static_cast<std::size_t>(length) != repeats.size())
    fail<value_error>("operands could not be broadcast together with shape {} {}", text(dims(length)),
                      text(dims(repeats.size())));
  length = 0;
  for (std::int64_t n : repeats) {
    if (n < 0) throw value_error("repeats may not contain negative values.");
    length = checked_sum(length, n, "array is too big: the sum of repeats");
  }
  if (const array_rep* const rep = computed(source); rep->device_.is_cpu()) {
    const any_array made = allocate_beside(rep, shape);
    if (made.size() == 0) return made;
    const any_array flat = ravel(source, order::C);
    const auto* const elements = reinterpret_cast<const char*>(computed(flat)->data);
    auto* const to = reinterpret_cast<char*>(made.rep()->data);
    std::int64_t lines = 1, piece = static_cast<std::int64_t>(itemsize(rep->type));
    for (int d = 0; d < axis; ++d) lines *= shape[static_cast<std::size_t>(d)];
    for (std::size_t d = static_cast<std::size_t>(axis) + 1; d < shape.size(); ++d) piece *= shape[d];
    const std::int64_t line = length * piece, taken = static_cast<std::int64_t>(repeats.size()) * piece;
    for (std::int64_t i = 0; i < lines; ++i)
      repeat_pieces(to + i * line, elements + i * taken, piece, repeats, to + (i + 1) * line);
    return made;
  }
  // The element that each place of the result comes from; `length` of them, on the host as the counts are.
  const any_array from = allocate(gparray::dtype::int64, length, device::cpu());
  auto* next = reinterpret_cast<std::int64_t*>(from.rep()->data);
  for (std::size_t i = 0; i < repeats.size(); ++i)
    next = std::fill_n(next, repeats[i], static_cast<std::int64_t>(i));
  const device on_device = computed(source)->device_;
  const any_array indices =
      on_device.is_cpu() ? from : from_host(from.rep()->data, length, gparray::dtype::int64, on_device);
  return take(source, indices, axis, index_mode::wrap);
}

any_array repeat_by(const any_array& a, const any_array& repeats, slice_end axis) {
  if (repeats.ndim() > 1) throw value_error("object too deep for desired array");
  const any_array counts = ravel(detail::astype(named(repeats), gparray::dtype::int64, false), order::C);
  const auto size = static_cast<std::size_t>(counts.size());
  const array_rep* const rep = computed(counts);
  if (rep->device_.is_cpu() && reinterpret_cast<std::uintptr_t>(rep->data) % alignof(std::int64_t) == 0)
    return repeat(a, std::span(reinterpret_cast<const std::int64_t*>(rep->data), size), axis);
  std::vector<std::int64_t> values(size);
  copy_to_host(counts, values.data());
  return repeat(a, values, axis);
}

any_array resized_with_zeros(const any_array& a, const dims& shape) {
  for (std::int64_t n : shape)
    if (n < 0) throw value_error("negative dimensions not allowed");
  const any_array flat = ravel(a, order::C);
  const any_array result = allocate_beside(computed(flat), shape);
  const std::int64_t kept = std::min(flat.size(), result.size());
  const any_array line = reshape(result, result.size(), order::C);
  copy_elements(slice_along(line, 0, 0, kept).rep(), computed(slice_along(flat, 0, 0, kept)));
  const any_array rest = slice_along(line, 0, kept, result.size() - kept);
  fill(rest.rep(), rest.dtype(), scalar_bits{});
  return result;
}

any_array resize(const any_array& a, const dims& shape) {
  for (std::int64_t n : shape)
    if (n < 0) throw value_error("all elements of `new_shape` must be non-negative");
  const any_array flat = ravel(a, order::C);
  const array_rep* from = computed(flat);
  const any_array result = allocate_beside(from, shape);
  const array_rep* to = result.rep();
  if (from->size == 0) {
    fill(to, to->type, scalar_bits{});
    return result;
  }
  const std::int64_t whole = to->size / from->size, rest = to->size % from->size;
  const any_array line = reshape(result, to->size, order::C);
  if (whole > 0)
    copy_elements(reshape(slice_along(line, 0, 0, whole * from->size), {whole, from->size}, order::C).rep(),
                  from);
  if (rest > 0)
    copy_elements(slice_along(line, 0, whole * from->size, rest).rep(), slice_along(flat, 0, 0, rest).rep());
  return result;
}

any_array trim_zeros(const any_array& a, std::string_view trim, slice_end axis_argument) {
  const bool front = trim == "f" || trim == "fb" || trim == "bf",
             back = trim == "b" || trim == "fb" || trim == "bf";
  if (!front && !back) fail<value_error>("unexpected character(s) in `trim`: '{}'", trim);
  int first = 0, last = a.ndim() - 1;
  if (axis_argument.given) first = last = normalize_axis(axis_argument.value, a.ndim());
  if (a.ndim() == 1 && a.device().is_cpu() && a.size() > 0) {
    const array_rep* const rep = computed(a);
    const auto is_set = [&](std::int64_t i) {
      scalar_bits bits{};
      std::memcpy(&bits, rep->data + i * rep->strides[0], itemsize(rep->type));
      bool set = false;
      bits = convert_scalar(bits, rep->type, gparray::dtype::bool_);
      std::memcpy(&set, &bits, sizeof set);
      return set;
    };
    if ((!front || is_set(0)) && (!back || is_set(a.size() - 1))) return a;
  }
  any_array result = a;
  for (int axis = first; axis <= last; ++axis) {
    const std::int64_t n = a.shape(axis);
    dims others;
    for (int i = 0; i < a.ndim(); ++i)
      if (i != axis) others.push_back(i);
    const any_array used = others.empty() ? astype(named(a), gparray::dtype::bool_, true)
                                          : reduce(reduction::any, named(a), a.dtype(), &others, {});
    const auto flags = std::make_unique<bool[]>(static_cast<std::size_t>(n));
    copy_to_host(used, flags.get());
    std::int64_t start = 0, stop = n;
    while (stop > 0 && !flags[static_cast<std::size_t>(stop - 1)]) --stop;
    while (start < stop && !flags[static_cast<std::size_t>(start)]) ++start;
    const bool empty = start == stop;
    if (!front && !empty) start = 0;
    if (!back && !empty) stop = n;
    result = slice_along(result, axis, empty ? 0 : start, stop - start);
  }
  return result;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
