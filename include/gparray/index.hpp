// Basic indexing: integers, slices, newaxis, ellipsis, and NumPy's slice text.
#pragma once
#include <gparray/any_array.hpp>

#include <optional>
#include <string_view>

GPARRAY_BEGIN_NAMESPACE

/// An open end of a slice, NumPy's None.
struct none_t {
  explicit constexpr none_t(int) {}
};
inline constexpr none_t none{0};

namespace detail {

/// One end of a slice: a number or none.
struct slice_end {
  constexpr slice_end(none_t) : given(false), value(0) {}
  constexpr slice_end(std::integral auto v) : given(true), value(static_cast<std::int64_t>(v)) {}
  bool given;
  std::int64_t value;
};

}  // namespace detail

/// start:stop:step with NumPy's rules: negative ends count from the back, ends out of range are clamped.
/// slice(n) is :n, as in Python.
struct slice {
  detail::slice_end start, stop, step;

  constexpr slice() : start(none), stop(none), step(none) {}
  explicit constexpr slice(detail::slice_end stop_at) : start(none), stop(stop_at), step(none) {}
  constexpr slice(detail::slice_end from, detail::slice_end to, detail::slice_end by = none)
      : start(from), stop(to), step(by) {}
};

/// A new axis of size 1, NumPy's None.
struct newaxis_t {};
inline constexpr newaxis_t newaxis{};

/// As many whole axes as are left over, NumPy's `...`.
struct ellipsis_t {};
inline constexpr ellipsis_t ellipsis{};

struct all_t;  // a whole axis; defined with the reduction of the same name

namespace detail {

/// One item between the parentheses of a(...).
struct index_item {
  enum class kind_type : unsigned char { integer, slice, newaxis, ellipsis };

  template<std::integral I>
  requires(!std::same_as<I, bool>)  // true and false are masks
      constexpr index_item(I i)
      : kind(kind_type::integer), number(static_cast<std::int64_t>(i)) {}
  constexpr index_item(const gparray::slice& s) : kind(kind_type::slice), range(s) {}
  constexpr index_item(newaxis_t) : kind(kind_type::newaxis) {}
  constexpr index_item(ellipsis_t) : kind(kind_type::ellipsis) {}
  constexpr index_item(const all_t&) : kind(kind_type::slice) {}

  kind_type kind;
  std::int64_t number = 0;
  gparray::slice range;
};

/// A view of the selected elements. Throws index_error (integer out of range, too many indices).
GPARRAY_API any_array basic_index(const any_array& a, std::span<const index_item> items);
/// The same from text: "1:-1, ::2, ..., None, 3". Throws value_error for text that is no index.
GPARRAY_API any_array basic_index(const any_array& a, std::string_view text);

}  // namespace detail

GPARRAY_END_NAMESPACE
