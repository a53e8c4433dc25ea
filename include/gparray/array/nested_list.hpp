// The braced lists and nested ranges that arrays are made of.
#pragma once
#include <initializer_list>
#include <ranges>
#include <vector>

#include <gparray/array/operand.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// A braced list of any depth: a number or a list of these. Rows of different lengths throw value_error.
/// Where an array in braces cannot mean that array, its numbers may be arrays that are one, {a.sum(), 1}.
template<element V, bool Arrays = false>
struct nested_list {
  template<class S>
    requires(scalar_like<S> && (std::convertible_to<S, V> || std::constructible_from<V, S>))
  nested_list(S number) : value(static_cast<V>(number)) {}
  template<number_like N>
    requires(Arrays && std::constructible_from<V, element_t<N>>)
  nested_list(const N& number) : value(static_cast<V>(static_cast<element_t<N>>(number))) {}
  nested_list(std::initializer_list<nested_list> items) : list(items), is_list(true) {}

  V value{};
  std::vector<nested_list> list;
  bool is_list = false;
};

[[noreturn]] GPARRAY_API void throw_ragged();

template<element V, class List>
void flatten(const List& items, std::size_t depth, dims& shape, bool shape_known, std::vector<V>& out) {
  if (!shape_known) shape.push_back(static_cast<std::int64_t>(items.size()));
  else if (depth >= shape.size() || shape[depth] != static_cast<std::int64_t>(items.size())) throw_ragged();
  bool known = shape_known;
  for (const auto& item : items) {
    if (item.is_list) {
      flatten<V>(item.list, depth + 1, shape, known, out);
    } else {
      if (known && depth + 1 != shape.size()) throw_ragged();
      out.push_back(item.value);
    }
    known = true;
  }
}

/// What the elements of ranges of ranges are.
template<class R>
struct innermost {
  using type = R;
};
template<std::ranges::input_range R>
  requires(!array_like<R> && !std::same_as<std::ranges::range_value_t<R>, R>)  // a path is a range of paths
struct innermost<R> : innermost<std::ranges::range_value_t<R>> {};
template<class R>
using innermost_t = typename innermost<R>::type;

/// A range that knows its size, of such ranges or of elements.
template<class R>
concept row_range = std::ranges::input_range<R> && std::ranges::sized_range<R> && !array_like<R>;
template<class R>
concept nested_range = row_range<R> && row_range<std::ranges::range_value_t<R>> && element<innermost_t<R>>;

/// The elements of a nested range behind those that are there, and its shape, of which the sizes that have
/// been seen are known. Rows of different lengths throw value_error.
template<element V, row_range R>
void flatten_range(const R& rows, std::size_t depth, dims& shape, std::vector<V>& out) {
  using item = std::ranges::range_value_t<R>;
  const auto n = static_cast<std::int64_t>(std::ranges::size(rows));
  if (shape.size() == depth) shape.push_back(n);
  else if (shape[depth] != n) throw_ragged();
  for (const auto& each : rows)
    if constexpr (row_range<item>) flatten_range(each, depth + 1, shape, out);
    else out.push_back(scalar_cast<V>(static_cast<item>(each)));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
