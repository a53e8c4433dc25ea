// What may stand between the parentheses of a(...) when arrays pick elements: arrays of integers and masks.
#pragma once
#include <memory>
#include <vector>

#include <gparray/array/nested_list.hpp>
#include <gparray/array/operand.hpp>
#include <gparray/indexing/index.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace core {
struct selection;
}

namespace detail {

template<class I>
concept basic_item = std::convertible_to<const I&, index_item>;

/// Arrays that pick: of integers, or of bool. NumPy's IndexError for floats is a compile-time error here.
template<class A>
concept picking_array = array_like<A> && std::is_integral_v<typename std::remove_cvref_t<A>::value_type>;

/// Integers or flags in host memory: std::vector<int>, std::span, std::vector<bool>. Text is an index of its
/// own.
template<class R>
concept picking_range = size_list<R> && !std::convertible_to<const R&, std::string_view>;

/// One item of an index with arrays in it.
struct pick_item {
  enum class kind_type : unsigned char { basic, array, integers, flags };

  template<basic_item I>
  pick_item(const I& item) : kind(kind_type::basic), basic(item) {}
  template<picking_array A>
  pick_item(const A& a) : kind(kind_type::array), array(a) {}
  template<picking_range R>
  pick_item(const R& range)
      : kind(std::same_as<std::ranges::range_value_t<R>, bool> ? kind_type::flags : kind_type::integers),
        shape{static_cast<std::int64_t>(std::ranges::size(range))},
        values(std::ranges::begin(range), std::ranges::end(range)) {}
  /// {0, -1}: the elements of these numbers. A template gives way to the one below, which {{0}, {2}} means.
  template<int = 0>
  pick_item(std::initializer_list<std::int64_t> numbers)
      : kind(kind_type::integers), shape{static_cast<std::int64_t>(numbers.size())}, values(numbers) {}
  /// {{0, 1}, {2, 0}}: the elements of these numbers, in rows. Throws value_error for rows of another length.
  pick_item(std::initializer_list<std::initializer_list<std::int64_t>> rows)
      : kind(kind_type::integers),
        shape{static_cast<std::int64_t>(rows.size()),
              static_cast<std::int64_t>(rows.size() == 0 ? 0 : rows.begin()->size())} {
    for (const auto& row : rows) {
      if (row.size() != rows.begin()->size()) throw_ragged();
      for (const std::int64_t number : row) values.push_back(number);
    }
  }
  pick_item(std::same_as<bool> auto flag) : kind(kind_type::flags), values{flag} {}

  kind_type kind;
  index_item basic{ellipsis};
  any_array array;
  dims shape;  // of integers and flags
  std::vector<std::int64_t> values;
};

template<class I>
concept picking = std::convertible_to<const I&, pick_item>;

/// Index arrays of several axes in one: what nonzero, ix_ or tril_indices returned.
template<class T>
concept index_tuple = requires(const T& t) {
  requires picking_array<typename T::value_type>;
  t.front();
} || requires(const T& t) {
  requires picking_array<decltype(t.first)>;
  requires picking_array<decltype(t.second)>;
};
template<index_tuple T>
std::vector<pick_item> pick_items(const T& tuple) {
  if constexpr (requires { tuple.first; }) return {pick_item(tuple.first), pick_item(tuple.second)};
  else return {tuple.begin(), tuple.end()};
}

using selection_handle = std::shared_ptr<const core::selection>;

/// Throws index_error: too many indices, a mask of another shape, index arrays that do not broadcast, an
/// index out of range. Reading index arrays waits for the device; masks are not looked at before they are
/// needed.
GPARRAY_API selection_handle select(const any_array& a, std::span<const pick_item> items);
/// The selected elements: an array that is made when it is first looked at, or before anything that it
/// depends on changes.
GPARRAY_API any_array read(const selection_handle& what);
/// Writes source, broadcast and converted, to the selected elements. Throws value_error if it does not fit.
GPARRAY_API void write(const selection_handle& what, const argument& source);

}  // namespace detail

GPARRAY_END_NAMESPACE
