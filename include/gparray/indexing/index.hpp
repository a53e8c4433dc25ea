// Basic indexing: integers, slices, newaxis, ellipsis, and NumPy's slice text.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include <gparray/array/any_array.hpp>
#include <gparray/array/tag.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The type of gp::none.
struct none_t {
  explicit constexpr none_t(detail::tag) {}
};
/// NumPy's None: an open end of a slice, slice(none, 3), or as an axis all of them or the flattened array.
inline constexpr none_t none{detail::tag::constant};

/// The type of gp::_.
struct blank_t {
  explicit constexpr blank_t(detail::tag) {}
};
/// NumPy's `:`, a whole axis, and an open end of a slice: a(gp::_, 0), a(gp::slice(gp::_, 3)).
inline constexpr blank_t _{detail::tag::constant};

namespace detail {

/// One end of a slice: a number or none.
struct slice_end {
  constexpr slice_end(none_t) : given(false), value(0) {}
  constexpr slice_end(blank_t) : given(false), value(0) {}
  constexpr slice_end(std::integral auto v) : given(true), value(static_cast<std::int64_t>(v)) {}
  template<whole_number N>
  slice_end(const N& v) : slice_end(static_cast<typename N::value_type>(v)) {}
  bool given;
  std::int64_t value;
};

/// Text, but no 0, which as a null pointer converts to text too.
template<class T>
concept index_text = std::convertible_to<const T&, std::string_view>;

struct parsed_slice {
  slice_end start, stop, step;
};
/// One slice of NumPy's text, as basic_index reads it.
GPARRAY_API parsed_slice parse_slice(std::string_view text, std::span<const slice_end> numbers);

}  // namespace detail

/// NumPy's start:stop:step, an item of an index: negative ends count from the back, and ends out of range are
/// clamped.
struct slice {
  /// The first index, or none.
  detail::slice_end start;
  /// The index behind the last one, or none.
  detail::slice_end stop;
  /// The distance between two indices, which may be negative, or none for 1.
  detail::slice_end step;

  /// A whole axis, `:`.
  constexpr slice() : start(none), stop(none), step(none) {}
  /// The first elements, `:stop`.
  explicit constexpr slice(detail::slice_end stop_at) : start(none), stop(stop_at), step(none) {}
  /// The elements from `from` until before `to`, one every `by`; each may be none.
  constexpr slice(detail::slice_end from, detail::slice_end to, detail::slice_end by = none)
      : start(from), stop(to), step(by) {}
  /// From NumPy's text, with a number or none for every "{}" in it: slice("::{}", n). Throws value_error.
  template<detail::index_text T, std::convertible_to<detail::slice_end>... N>
  explicit slice(const T& text, const N&... numbers) : slice(read(text, {detail::slice_end(numbers)...})) {}

 private:
  constexpr slice(const detail::parsed_slice& s) : start(s.start), stop(s.stop), step(s.step) {}
  static detail::parsed_slice read(std::string_view text, std::initializer_list<detail::slice_end> numbers) {
    return detail::parse_slice(text, {numbers.begin(), numbers.size()});
  }
};

/// The type of gp::newaxis.
struct newaxis_t {
  explicit constexpr newaxis_t(detail::tag) {}
};
/// A new axis of size 1 as an item of an index, NumPy's None: a(gp::all, gp::newaxis).
inline constexpr newaxis_t newaxis{detail::tag::constant};

/// The type of gp::ellipsis.
struct ellipsis_t {
  explicit constexpr ellipsis_t(detail::tag) {}
};
/// As many whole axes as an index leaves over, NumPy's `...`: a(gp::ellipsis, 0).
inline constexpr ellipsis_t ellipsis{detail::tag::constant};

struct all_t;  // a whole axis; defined with the reduction of the same name

namespace detail {

struct resolved_slice {
  std::int64_t start, step, count;
};
/// Python's slice.indices(), for an axis of n elements: ends out of range are clamped. Throws value_error for
/// a step of 0.
GPARRAY_API resolved_slice resolve_slice(const slice& s, std::int64_t n);

struct index_item;
/// The only item of NumPy's text. Throws value_error for text that is none, or several.
GPARRAY_API index_item parse_item(std::string_view text);

/// One item between the parentheses of a(...).
struct index_item {
  enum class kind_type : unsigned char { integer, slice, newaxis, ellipsis };

  template<std::integral I>
    requires(!std::same_as<I, bool>)  // true and false are masks
  constexpr index_item(I i) : kind(kind_type::integer), number(static_cast<std::int64_t>(i)) {}
  constexpr index_item(const gparray::slice& s) : kind(kind_type::slice), range(s) {}
  constexpr index_item(newaxis_t) : kind(kind_type::newaxis) {}
  constexpr index_item(ellipsis_t) : kind(kind_type::ellipsis) {}
  constexpr index_item(const all_t&) : kind(kind_type::slice) {}
  constexpr index_item(blank_t) : kind(kind_type::slice) {}
  /// NumPy's text of one item: a(":", 0), a(mask, "1:").
  template<index_text T>
  index_item(const T& text) : index_item(parse_item(text)) {}

  kind_type kind;
  std::int64_t number = 0;
  gparray::slice range;
};

/// Whether arguments are a text and numbers, those of its "{}" or items behind it: which, the text says when
/// it is read.
template<class... I>
inline constexpr bool is_text_index = false;
template<index_text T, class... N>
inline constexpr bool is_text_index<T, N...> = (std::convertible_to<N, slice_end> && ...);

/// A view of the selected elements. Throws index_error (integer out of range, too many indices).
GPARRAY_API any_array basic_index(const any_array& a, std::span<const index_item> items);
/// The same of integers alone, as many as `index` holds.
GPARRAY_API any_array tuple_index(const any_array& a, const dims& index);
/// The items of NumPy's text: "1:-1, ::2, ..., None, 3", with a number or none for every "{}"; numbers behind
/// a text without any are items. Throws value_error for text that is no index, and for more or fewer numbers
/// than it asks for.
GPARRAY_API std::vector<index_item> parse_index(std::string_view text,
                                                std::span<const slice_end> numbers = {});
/// A view by such a text.
GPARRAY_API any_array basic_index(const any_array& a, std::string_view text,
                                  std::span<const slice_end> numbers = {});

}  // namespace detail

GPARRAY_END_NAMESPACE
