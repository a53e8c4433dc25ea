// Grids of indices, arrays from a function of them, and arrays put together from blocks.
#pragma once
#include <gparray/creation.hpp>
#include <gparray/manipulation/joining.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {
GPARRAY_API std::vector<any_array> sparse_indices(const dims& shape, dtype type,
                                                  const array_options& options);
/// start, start + step, ... of a slice whose stop is given. Throws value_error if it is not.
GPARRAY_API any_array grid_axis(const slice& range);
/// The vectors along one axis each, and the grid that they span, stacked; of one vector the vector itself.
GPARRAY_API std::vector<any_array> open_grid(std::span<const any_array> axes);
GPARRAY_API any_array filled_grid(std::span<const any_array> axes);
}  // namespace detail

/// The indices of the elements of a shape as one array for each axis, of size 1 along all other axes: NumPy's
/// indices(shape, sparse=True).
template<element V = std::int64_t>
[[nodiscard]] std::vector<ndarray<V>> sparse_indices(const dims& shape, const array_options& options = {}) {
  return detail::typed<V>(detail::sparse_indices(shape, dtype_of<V>, options));
}

/// The open grid of the numbers of slices, one array for each: ogrid(slice(0, 3), slice(0, 10, 5)) has shapes
/// (3, 1) and (1, 2). Throws value_error for a slice without an end.
template<std::same_as<slice>... S>
[[nodiscard]] std::vector<ndarray<std::int64_t>> ogrid(const S&... ranges) {
  return detail::typed<std::int64_t>(
      detail::open_grid(std::initializer_list<any_array>{detail::grid_axis(ranges)...}));
}
/// The grid of the numbers of slices as one array of shape (number of slices, sizes...); for one slice it is
/// the vector itself. Throws value_error for a slice without an end.
template<std::same_as<slice>... S>
  requires(sizeof...(S) > 0)
[[nodiscard]] ndarray<std::int64_t> mgrid(const S&... ranges) {
  return detail::typed<std::int64_t>(
      detail::filled_grid(std::initializer_list<any_array>{detail::grid_axis(ranges)...}));
}

namespace detail {
// No lambda with template parameters: cudafe++ writes those wrongly.
template<class V, class F, std::size_t... I>
auto call_on_grid(F& f, const ndarray<V>& grid, std::index_sequence<I...>) {
  using result = decltype(f(ndarray<V>(grid(static_cast<std::int64_t>(I)))...));
  if constexpr (array_like<result>)
    return ndarray<element_t<result>>(f(ndarray<V>(grid(static_cast<std::int64_t>(I)))...));
  else return f(ndarray<V>(grid(static_cast<std::int64_t>(I)))...);
}
}  // namespace detail

/// The result of a function that is called once with the index arrays of a shape: fromfunction([](auto i,
/// auto j) { return i * 2 + j; }, {2, 2}). The indices are float64 unless V is given, as in NumPy.
template<element V = double, class F, std::size_t N>
[[nodiscard]] auto fromfunction(F&& f, const std::int64_t (&shape)[N], const array_options& options = {}) {
  const ndarray<V> grid = indices<V>(dims(std::span<const std::int64_t>(shape)), options);
  return detail::call_on_grid<V>(f, grid, std::make_index_sequence<N>{});
}

/// A new array of blocks: block({{a, b}, {c, d}}). The blocks of a row are put side by side along the last
/// axis, and rows one below the other. Throws value_error if sizes do not match or a list is empty.
template<element V>
[[nodiscard]] ndarray<V> block(std::initializer_list<std::initializer_list<ndarray<V>>> rows) {
  std::vector<any_array> arrays;
  std::vector<std::size_t> counts;
  for (const auto& row : rows) {
    arrays.insert(arrays.end(), row.begin(), row.end());
    counts.push_back(row.size());
  }
  return detail::typed<V>(detail::block(arrays, counts, 2, dtype_of<V>));
}
/// A new array of blocks side by side along the last axis.
template<element V>
[[nodiscard]] ndarray<V> block(std::initializer_list<ndarray<V>> row) {
  const std::vector<any_array> arrays(row.begin(), row.end());
  const std::size_t count = arrays.size();
  return detail::typed<V>(detail::block(arrays, std::span(&count, 1), 1, dtype_of<V>));
}
/// A new matrix of blocks: NumPy's older name of block. Throws value_error if sizes do not match or a list is
/// empty.
template<element V>
[[nodiscard]] ndarray<V> bmat(std::initializer_list<std::initializer_list<ndarray<V>>> rows) {
  return block(rows);
}

GPARRAY_END_NAMESPACE
