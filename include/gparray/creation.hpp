// Making arrays: filled, from host memory, ranges, grids and structured matrices. All elements are made on
// the device.
#pragma once
#include <memory>
#include <tuple>

#include <gparray/creation/detail.hpp>
#include <gparray/manipulation.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

template<class X>
constexpr dtype own_dtype() {
  if constexpr (array_like<X>) return dtype_of<element_t<X>>;
  else return number_dtype<X>();
}

template<class V, class X>
struct value_or_type {
  using type = V;
};
// Nothing for other types: overloads whose constraints fail may have their return type formed first.
template<class X>
  requires(array_like<X> || scalar_like<X>)
struct value_or_type<void, X> {
  using type = dtype_t<own_dtype<X>()>;
};
/// V if it is given, else the element type of the array or number X.
template<class V, class X>
using value_or = typename value_or_type<V, X>::type;

}  // namespace detail

// The fillers. The element type is given, `zeros<float>({2, 3});`, and is NumPy's default float64 otherwise.
// Throw value_error for negative sizes, overflow_error for a size over 2^63 bytes, out_of_memory.

/// An array whose elements hold whatever was there.
template<element V = double>
[[nodiscard]] ndarray<V> empty(const dims& shape, const array_options& options = {}) {
  return detail::typed<V>(detail::create(shape, dtype_of<V>, options));
}
template<element V = double>
[[nodiscard]] ndarray<V> zeros(const dims& shape, const array_options& options = {}) {
  return detail::typed<V>(detail::create_zeros(shape, dtype_of<V>, options));
}
template<element V = double>
[[nodiscard]] ndarray<V> ones(const dims& shape, const array_options& options = {}) {
  return detail::typed<V>(
      detail::create_full(shape, dtype_of<V>, options, detail::constant(detail::scalar_cast<V>(1))));
}
/// Every element is `value`: a number, whose type is the array's (an int makes int64), or an array that
/// broadcasts to the shape.
template<class V = void, operand_like X>
[[nodiscard]] ndarray<detail::value_or<V, X>> full(const dims& shape, X&& value,
                                                   const array_options& options = {}) {
  using W = detail::value_or<V, X>;
  return detail::typed<W>(
      detail::create_full(shape, dtype_of<W>, options, detail::make_argument<W>(std::forward<X>(value))));
}

// Arrays of the shape, memory order, space and device of another; f<V>(a) for another element type.
template<class V = void, array_like A>
[[nodiscard]] ndarray<detail::value_or<V, A>> empty_like(const A& a, const like_options& options = {}) {
  using W = detail::value_or<V, A>;
  return detail::typed<W>(detail::create_like(a, dtype_of<W>, options));
}
template<class V = void, array_like A, operand_like X>
[[nodiscard]] ndarray<detail::value_or<V, A>> full_like(const A& a, X&& value,
                                                        const like_options& options = {}) {
  using W = detail::value_or<V, A>;
  return detail::typed<W>(
      detail::create_like(a, dtype_of<W>, options, detail::make_argument<W>(std::forward<X>(value))));
}
template<class V = void, array_like A>
[[nodiscard]] ndarray<detail::value_or<V, A>> zeros_like(const A& a, const like_options& options = {}) {
  return full_like<V>(a, 0, options);
}
template<class V = void, array_like A>
[[nodiscard]] ndarray<detail::value_or<V, A>> ones_like(const A& a, const like_options& options = {}) {
  return full_like<V>(a, 1, options);
}

// array(...) always copies.

/// A 0-d array of one number.
template<class V = void, scalar_like S>
[[nodiscard]] ndarray<detail::value_or<V, S>> array(S value, const array_options& options = {}) {
  return full<V>(dims{}, value, options);
}
/// A copy; order K keeps the memory order of a.
template<class V = void, array_like A>
[[nodiscard]] ndarray<detail::value_or<V, A>> array(const A& a,
                                                    const array_options& options = {.order = order::K}) {
  using W = detail::value_or<V, A>;
  return detail::typed<W>(detail::create_copy(a, dtype_of<W>, options));
}
/// The elements at `from` in host memory, in C order. Returns when they have been read.
template<element V>
[[nodiscard]] ndarray<V> array(const V* from, const dims& shape, const array_options& options = {}) {
  return detail::typed<V>(detail::create_from_host(from, shape, dtype_of<V>, options));
}
/// A 1-D array of the elements of a range: std::vector, std::span, a view, a list.
template<class V = void, std::ranges::input_range R>
  requires(!array_like<R> && element<std::ranges::range_value_t<R>>)
[[nodiscard]] auto array(const R& values, const array_options& options = {}) {
  using E = std::ranges::range_value_t<R>;
  using W = std::conditional_t<std::is_void_v<V>, E, V>;
  if constexpr (std::ranges::contiguous_range<const R> && std::is_same_v<W, E>) {
    return array<E>(std::ranges::data(values), dims(std::ranges::size(values)), options);
  } else {
    const auto count = static_cast<std::size_t>(std::ranges::distance(values));
    const std::unique_ptr<W[]> packed(new W[count]);  // not std::vector: its bool has no address
    std::size_t i = 0;
    for (const auto& value : values) packed[i++] = detail::scalar_cast<W>(static_cast<E>(value));
    return array<W>(packed.get(), dims(count), options);
  }
}
/// Nested lists of any depth: `array<float>({{1, 2}, {3, 4}});` Rows of different lengths throw value_error.
template<element V>
[[nodiscard]] ndarray<V> array(std::initializer_list<detail::nested_list<V>> items,
                               const array_options& options = {}) {
  dims shape;
  std::vector<V> values;
  detail::flatten<V>(items, 0, shape, false, values);
  if constexpr (std::is_same_v<V, bool>) return array(values, options).reshape(shape);
  else return array<V>(values.data(), shape, options);
}
// The element type of lists of numbers is theirs; int makes int64.
template<int = 0, scalar_like S>
[[nodiscard]] auto array(std::initializer_list<S> items, const array_options& options = {}) {
  using V = detail::value_or<void, S>;
  std::vector<V> values;
  for (S item : items) values.push_back(detail::scalar_cast<V>(item));
  return array(values, options);
}
template<int = 0, scalar_like S>
[[nodiscard]] auto array(std::initializer_list<std::initializer_list<S>> items,
                         const array_options& options = {}) {
  using V = detail::value_or<void, S>;
  std::vector<V> values;
  for (const std::initializer_list<S>& row : items) {
    if (row.size() != items.begin()->size()) detail::throw_ragged();
    for (S item : row) values.push_back(detail::scalar_cast<V>(item));
  }
  return array(values, options).reshape({static_cast<std::int64_t>(items.size()), -1});
}

namespace detail {

/// The array itself if it has the element type already, else a converted copy, on its device.
template<class V = void, array_like A>
ndarray<value_or<V, A>> as_elements(A&& a) {
  using W = value_or<V, A>;
  return typed<W>(any_array(astype(make_argument<W>(std::forward<A>(a)), dtype_of<W>, false).eval()));
}

}  // namespace detail

/// A new array of what is not one yet, as array() makes it. For arrays and for streams see transfer.hpp.
template<class V = void, class X, class... Rest>
  requires(!array_like<X>)
[[nodiscard]] auto asarray(const X& x, const Rest&... rest) {
  if constexpr (std::is_void_v<V>) return array(x, rest...);
  else return array<V>(x, rest...);
}

template<element V>
[[nodiscard]] ndarray<V> asarray(std::initializer_list<detail::nested_list<V>> items,
                                 const array_options& options = {}) {
  return array<V>(items, options);
}
template<int = 0, scalar_like S>
[[nodiscard]] auto asarray(std::initializer_list<S> items, const array_options& options = {}) {
  return array(items, options);
}
template<int = 0, scalar_like S>
[[nodiscard]] auto asarray(std::initializer_list<std::initializer_list<S>> items,
                           const array_options& options = {}) {
  return array(items, options);
}

/// Wraps memory owned elsewhere, without a copy; it must stay valid until the last view is gone. The elements
/// lie in C order unless strides (bytes) are given. Throws value_error for a null pointer or elements that
/// are not aligned, overflow_error for strides beyond the address space; then `release` is not called.
template<element V>
[[nodiscard]] ndarray<V> frombuffer(V* data, const dims& shape, buffer_options options = {}) {
  return detail::typed<V>(detail::create_borrowed(data, shape, dtype_of<V>, std::move(options)));
}
/// Constant memory makes a read-only array.
template<element V>
[[nodiscard]] ndarray<V> frombuffer(const V* data, const dims& shape, buffer_options options = {}) {
  options.read_only = true;
  return frombuffer(const_cast<V*>(data), shape, std::move(options));
}
/// frombuffer for a dtype that is known at run time.
[[nodiscard]] inline any_array borrow(void* data, const dims& shape, dtype type,
                                      buffer_options options = {}) {
  return detail::create_borrowed(data, shape, type, std::move(options));
}
[[nodiscard]] inline any_array borrow(const void* data, const dims& shape, dtype type,
                                      buffer_options options = {}) {
  options.read_only = true;
  return borrow(const_cast<void*>(data), shape, type, std::move(options));
}

// Ranges.

/// start, start + step, ... below stop (above it for a negative step): ceil((stop - start) / step) elements,
/// computed as first + i * (second - first). int64 for integers of any type, for they count; float32 for
/// float; V in arange<V>(...). Throws value_error if step is 0 or the length is not finite.
template<class V = void, scalar_like A, scalar_like B, scalar_like C = int>
  requires(!is_complex(detail::number_dtype<A>()) && !is_complex(detail::number_dtype<B>()) &&
           !is_complex(detail::number_dtype<C>()))
[[nodiscard]] auto arange(A start, B stop, C step = 1, const array_options& options = {}) {
  constexpr bool floating =
      detail::scalar_kind<A>() == 'f' || detail::scalar_kind<B>() == 'f' || detail::scalar_kind<C>() == 'f';
  using N = std::conditional_t<floating, double, std::int64_t>;
  using W = std::conditional_t<std::is_void_v<V>,
                               std::conditional_t<floating, dtype_t<detail::common_dtype<A, B, C>()>, N>, V>;
  // Floats step in their own precision, the half types in float; integers in 64 bits, which wraps like
  // narrower ones.
  using K = dtype_t<is_inexact(dtype_of<W>)
                        ? (itemsize(real_dtype(dtype_of<W>)) == 8 ? dtype::float64 : dtype::float32)
                        : dtype::int64>;
  using E = dtype_t<real_dtype(dtype_of<W>)>;
  const N from = static_cast<N>(start), by = static_cast<N>(step);
  const std::int64_t length = detail::arange_length(from, static_cast<N>(stop), by);
  K first = 0, delta = 0;
  if (length > 0) first = static_cast<K>(detail::scalar_cast<E>(from));
  if (length > 1) delta = static_cast<K>(detail::scalar_cast<E>(static_cast<N>(from + by))) - first;
  return detail::typed<W>(
      detail::arange(length, dtype_of<W>, detail::constant(first), detail::constant(delta), options));
}
template<class V = void, scalar_like S>
[[nodiscard]] auto arange(S stop, const array_options& options = {}) {
  return arange<V>(S(0), stop, 1, options);
}

namespace detail {

/// What linspace computes in: as NumPy, in the dtype that the ends have together; in float64 if they are
/// numbers and the result's dtype is given.
template<class V, class A, class B>
constexpr dtype linspace_dtype() {
  constexpr dtype ends = promote_weak(common_dtype<A, B>(), 'f');
  if (std::is_void_v<V> || array_like<A> || array_like<B>) return ends;
  return promote_types(ends, dtype::float64);
}

/// The element type of logspace and geomspace: V, else that of floating numbers, else NumPy's float64.
template<class V, class A, class B>
using samples_t = dtype_t<!std::is_void_v<V> ? dtype_of<std::conditional_t<std::is_void_v<V>, double, V>>
                          : array_like<A> || array_like<B> ? dtype::float64
                                                           : promote_weak(common_dtype<A, B>(), 'f')>;

}  // namespace detail

/// num samples from start to stop, start + i * ((stop - start) / (num - 1)), the last exactly stop; without
/// the end point the interval is divided by num. The ends are numbers or arrays, which broadcast; the samples
/// then lie along the first axis. Integer V rounds down. Throws value_error if num is negative.
template<class V = void, operand_like A, operand_like B>
[[nodiscard]] auto linspace(A&& start, B&& stop, std::int64_t num = 50,
                            const linspace_options& options = {}) {
  constexpr dtype compute = detail::linspace_dtype<V, A, B>();
  using W = std::conditional_t<std::is_void_v<V>, dtype_t<compute>, V>;
  return detail::typed<W>(detail::linspace(detail::make_argument<dtype_t<compute>>(std::forward<A>(start)),
                                           detail::make_argument<dtype_t<compute>>(std::forward<B>(stop)),
                                           num, compute, dtype_of<W>, options));
}
/// auto [samples, step] = linspace(0, 1, 5, retstep): the step is NaN for fewer than two samples; it is 0-d,
/// or of the shape that array ends have together.
template<class V = void, operand_like A, operand_like B>
[[nodiscard]] auto linspace(const A& start, const B& stop, std::int64_t num, retstep_t,
                            const linspace_options& options = {}) {
  constexpr dtype compute = detail::linspace_dtype<V, A, B>();
  using W = dtype_t<compute>;
  const ndarray<W> step = detail::typed<W>(detail::linspace_step(
      detail::make_argument<W>(start), detail::make_argument<W>(stop), num, compute, options.endpoint));
  auto samples = linspace<V>(start, stop, num, options);
  return std::pair(std::move(samples), step);
}
/// base to the powers of linspace(start, stop); the ends are numbers or arrays.
template<class V = void, operand_like A, operand_like B>
[[nodiscard]] auto logspace(A&& start, B&& stop, std::int64_t num = 50,
                            const logspace_options& options = {}) {
  using W = detail::samples_t<V, A, B>;
  return detail::typed<W>(detail::linspace(
      detail::make_argument<double>(std::forward<A>(start)),
      detail::make_argument<double>(std::forward<B>(stop)), num, dtype::float64, dtype_of<W>,
      {.endpoint = options.endpoint, .axis = options.axis, .device = options.device}, &options.base));
}
/// num samples of a geometric sequence, both ends exact, of numbers or arrays. Throws value_error if an end
/// is zero, for which it waits for the device if the ends are arrays.
template<class V = void, operand_like A, operand_like B>
  requires(!is_complex(detail::common_dtype<A, B>()))
[[nodiscard]] auto geomspace(A&& start, B&& stop, std::int64_t num = 50,
                             const linspace_options& options = {}) {
  using W = detail::samples_t<V, A, B>;
  return detail::typed<W>(detail::geomspace(detail::make_argument<double>(std::forward<A>(start)),
                                            detail::make_argument<double>(std::forward<B>(stop)), num,
                                            dtype::float64, dtype_of<W>, options));
}

// Matrices. Columns left out or none are as many as there are rows.

/// Ones on diagonal k, zeros elsewhere.
template<element V = double>
[[nodiscard]] ndarray<V> eye(std::int64_t rows, detail::slice_end columns = none, std::int64_t k = 0,
                             const array_options& options = {}) {
  return detail::typed<V>(detail::eye(rows, columns, k, dtype_of<V>, options));
}
template<element V = double>
[[nodiscard]] ndarray<V> identity(std::int64_t n, const array_options& options = {}) {
  return eye<V>(n, none, 0, options);
}
/// Ones at and below diagonal k, zeros above.
template<element V = double>
[[nodiscard]] ndarray<V> tri(std::int64_t rows, detail::slice_end columns = none, std::int64_t k = 0,
                             const array_options& options = {}) {
  return detail::typed<V>(detail::tri(rows, columns, k, dtype_of<V>, options));
}
/// A copy with zeros above diagonal k of the last two axes.
template<array_like A>
[[nodiscard]] auto tril(const A& a, std::int64_t k = 0) {
  return detail::typed<detail::element_t<A>>(detail::triangle(a, k, true));
}
/// A copy with zeros below diagonal k of the last two axes.
template<array_like A>
[[nodiscard]] auto triu(const A& a, std::int64_t k = 0) {
  return detail::typed<detail::element_t<A>>(detail::triangle(a, k, false));
}
/// 1-D: a matrix with v on diagonal k. 2-D: a read-only view of diagonal k. Throws value_error for other
/// ranks.
template<array_like A>
[[nodiscard]] auto diag(const A& v, std::int64_t k = 0) {
  return detail::typed<detail::element_t<A>>(detail::diag(v, k));
}
/// A matrix with the elements of v, in C order, on diagonal k.
template<array_like A>
[[nodiscard]] auto diagflat(const A& v, std::int64_t k = 0) {
  return detail::typed<detail::element_t<A>>(detail::diagflat(v, k));
}
/// The powers of x (1-D) as columns, highest first unless increasing. At least int64 or float64.
template<array_like A>
[[nodiscard]] auto vander(const A& x, detail::slice_end columns = none, bool increasing = false) {
  using W = result_type_t<detail::element_t<A>, std::int64_t>;
  return detail::typed<W>(detail::vander(x, columns, increasing, dtype_of<W>));
}

// Grids.

/// Coordinate arrays of a grid: "xy" indexing swaps the first two axes, sparse leaves them to be broadcast,
/// and without copy they are views of the arguments.
template<array_like A, array_like B>
[[nodiscard]] auto meshgrid(const A& x, const B& y, const meshgrid_options& options = {}) {
  using namespace detail;
  const any_array axes[] = {x, y};
  std::vector<any_array> grids = meshgrid(std::span<const any_array>(axes), options);
  return std::tuple(typed<element_t<A>>(std::move(grids[0])), typed<element_t<B>>(std::move(grids[1])));
}
template<array_like A, array_like B, array_like C>
[[nodiscard]] auto meshgrid(const A& x, const B& y, const C& z, const meshgrid_options& options = {}) {
  using namespace detail;
  const any_array axes[] = {x, y, z};
  std::vector<any_array> grids = meshgrid(std::span<const any_array>(axes), options);
  return std::tuple(typed<element_t<A>>(std::move(grids[0])), typed<element_t<B>>(std::move(grids[1])),
                    typed<element_t<C>>(std::move(grids[2])));
}
template<element V>
[[nodiscard]] std::vector<ndarray<V>> meshgrid(const std::vector<ndarray<V>>& axes,
                                               const meshgrid_options& options = {}) {
  std::vector<ndarray<V>> result;
  for (any_array& grid : detail::meshgrid(std::vector<any_array>(axes.begin(), axes.end()), options))
    result.push_back(detail::typed<V>(std::move(grid)));
  return result;
}
/// result(k, ...) is the index along axis k: shape (ndim, *shape).
template<element V = std::int64_t>
[[nodiscard]] ndarray<V> indices(const dims& shape, const array_options& options = {}) {
  return detail::typed<V>(detail::indices(shape, dtype_of<V>, options));
}

GPARRAY_END_NAMESPACE
