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

/// A new array whose elements are not initialised. Throws value_error for negative sizes, overflow_error for
/// 2^63 bytes or more, out_of_memory.
template<element V = double>
[[nodiscard]] ndarray<V> empty(const dims& shape, const array_options& options = {}) {
  return detail::typed<V>(detail::create(shape, dtype_of<V>, options));
}
/// A new array of zeros. Throws value_error for negative sizes, overflow_error for 2^63 bytes or more,
/// out_of_memory.
template<element V = double>
[[nodiscard]] ndarray<V> zeros(const dims& shape, const array_options& options = {}) {
  return detail::typed<V>(detail::create_zeros(shape, dtype_of<V>, options));
}
/// A new array of ones. Throws value_error for negative sizes, overflow_error for 2^63 bytes or more,
/// out_of_memory.
template<element V = double>
[[nodiscard]] ndarray<V> ones(const dims& shape, const array_options& options = {}) {
  return detail::typed<V>(
      detail::create_full(shape, dtype_of<V>, options, detail::constant(detail::scalar_cast<V>(1))));
}
/// A new array whose elements are `value`: a number, whose type is then the array's (an int makes int64), or
/// an array that broadcasts to the shape. Throws value_error if it does not, and for negative sizes.
template<class V = void, operand_like X>
[[nodiscard]] ndarray<detail::value_or<V, X>> full(const dims& shape, X&& value,
                                                   const array_options& options = {}) {
  using W = detail::value_or<V, X>;
  return detail::typed<W>(
      detail::create_full(shape, dtype_of<W>, options, detail::make_argument<W>(std::forward<X>(value))));
}

// Arrays of the shape, memory order, space and device of another; f<V>(a) for another element type.

/// A new array of the shape, dtype and device of `a` whose elements are not initialised; empty_like<V>(a) has
/// dtype V.
template<class V = void, array_like A>
[[nodiscard]] ndarray<detail::value_or<V, A>> empty_like(const A& a, const like_options& options = {}) {
  using W = detail::value_or<V, A>;
  return detail::typed<W>(detail::create_like(a, dtype_of<W>, options));
}
/// A new array of the shape, dtype and device of `a` whose elements are `value`, a number or an array that
/// broadcasts; full_like<V>(a, value) has dtype V. Throws value_error if it does not broadcast.
template<class V = void, array_like A, operand_like X>
[[nodiscard]] ndarray<detail::value_or<V, A>> full_like(const A& a, X&& value,
                                                        const like_options& options = {}) {
  using W = detail::value_or<V, A>;
  return detail::typed<W>(
      detail::create_like(a, dtype_of<W>, options, detail::make_argument<W>(std::forward<X>(value))));
}
/// A new array of zeros of the shape, dtype and device of `a`; zeros_like<V>(a) has dtype V.
template<class V = void, array_like A>
[[nodiscard]] ndarray<detail::value_or<V, A>> zeros_like(const A& a, const like_options& options = {}) {
  return full_like<V>(a, 0, options);
}
/// A new array of ones of the shape, dtype and device of `a`; ones_like<V>(a) has dtype V.
template<class V = void, array_like A>
[[nodiscard]] ndarray<detail::value_or<V, A>> ones_like(const A& a, const like_options& options = {}) {
  return full_like<V>(a, 1, options);
}

// array(...) always copies.

/// A new array of no dimensions that holds one number.
template<class V = void, scalar_like S>
[[nodiscard]] ndarray<detail::value_or<V, S>> array(S value, const array_options& options = {}) {
  return full<V>(dims{}, value, options);
}
/// A copy of an array; array<V>(a) converts it.
template<class V = void, array_like A>
[[nodiscard]] ndarray<detail::value_or<V, A>> array(const A& a,
                                                    const array_options& options = {.order = order::K}) {
  using W = detail::value_or<V, A>;
  return detail::typed<W>(detail::create_copy(a, dtype_of<W>, options));
}
/// A copy of the elements at an address in host memory, in C order. Returns when they have been read.
template<element V>
[[nodiscard]] ndarray<V> array(const V* from, const dims& shape, const array_options& options = {}) {
  return detail::typed<V>(detail::create_from_host(from, shape, dtype_of<V>, options));
}
namespace detail {

/// A copy of the `count` elements of a range, converted, in an array of a shape that has as many.
template<class W, std::ranges::input_range R>
ndarray<W> array_of_range(const R& values, std::size_t count, const dims& shape,
                          const array_options& options) {
  using E = std::ranges::range_value_t<R>;
  if constexpr (std::ranges::contiguous_range<const R> && std::is_same_v<W, E>) {
    return array<E>(std::ranges::data(values), shape, options);
  } else {
    const std::unique_ptr<W[]> packed(new W[count]);  // not std::vector: its bool has no address
    std::size_t i = 0;
    for (const auto& value : values) packed[i++] = scalar_cast<W>(static_cast<E>(value));
    return array<W>(packed.get(), shape, options);
  }
}

/// The same of rows of numbers that lie one after the other.
template<class V>
ndarray<V> array_of_rows(const std::vector<V>& values, std::size_t n_rows, const array_options& options) {
  const std::size_t n_columns = n_rows == 0 ? 0 : values.size() / n_rows;
  return array_of_range<V>(values, values.size(),
                           dims{static_cast<std::int64_t>(n_rows), static_cast<std::int64_t>(n_columns)},
                           options);
}

}  // namespace detail

/// A vector of the elements of a range: std::vector, std::span, a view, a list. array<V>(range) converts
/// them.
template<class V = void, std::ranges::input_range R>
  requires(!array_like<R> && element<std::ranges::range_value_t<R>>)
[[nodiscard]] auto array(const R& values, const array_options& options = {}) {
  using W = std::conditional_t<std::is_void_v<V>, std::ranges::range_value_t<R>, V>;
  const auto count = static_cast<std::size_t>(std::ranges::distance(values));
  return detail::array_of_range<W>(values, count, dims(count), options);
}
/// An array of nested ranges of any depth, such as std::vector<std::vector<double>>. Throws value_error for
/// rows of different lengths.
template<class V = void, detail::nested_range R>
[[nodiscard]] auto array(const R& rows, const array_options& options = {}) {
  using E = detail::innermost_t<R>;
  using W = std::conditional_t<std::is_void_v<V>, E, V>;
  dims shape;
  std::vector<W> values;
  detail::flatten_range(rows, 0, shape, values);
  return detail::array_of_range<W>(values, values.size(), shape, options);
}
/// An array of nested lists of any depth: array<float>({{1, 2}, {3, 4}}). Numbers may be arrays that are one,
/// which are waited for: array<double>({a.sum(), 1}). Throws value_error for rows of different lengths.
template<element V>
[[nodiscard]] ndarray<V> array(std::initializer_list<detail::nested_list<V, true>> items,
                               const array_options& options = {}) {
  dims shape;
  std::vector<V> values;
  detail::flatten<V>(items, 0, shape, false, values);
  return detail::array_of_range<V>(values, values.size(), shape, options);
}
/// An array of a list of numbers or of rows of numbers, whose dtype is theirs; int makes int64: array({1,
/// 2}), array({{1.0, 2.0}, {3.0, 4.0}}). Throws value_error for rows of different lengths.
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
  return detail::array_of_rows(values, items.size(), options);
}

/// An array of a list, or of rows, of arrays that are one number, of their dtype: array({a.min(), a.max()}).
/// Waits for them. Throws value_error for rows of different lengths, and for an array of several numbers.
template<int = 0, number_like N>
[[nodiscard]] auto array(std::initializer_list<N> items, const array_options& options = {}) {
  using V = detail::element_t<N>;
  std::vector<V> values;
  for (const N& item : items) values.push_back(static_cast<V>(item));
  return array(values, options);
}
template<int = 0, number_like N>
[[nodiscard]] auto array(std::initializer_list<std::initializer_list<N>> items,
                         const array_options& options = {}) {
  using V = detail::element_t<N>;
  std::vector<V> values;
  for (const std::initializer_list<N>& row : items) {
    if (row.size() != items.begin()->size()) detail::throw_ragged();
    for (const N& item : row) values.push_back(static_cast<V>(item));
  }
  return detail::array_of_rows(values, items.size(), options);
}

namespace detail {

/// The array itself if it has the element type already, else a converted copy, on its device.
template<class V = void, array_like A>
ndarray<value_or<V, A>> as_elements(A&& a) {
  using W = value_or<V, A>;
  return typed<W>(any_array(astype(make_argument<W>(std::forward<A>(a)), dtype_of<W>, false).eval()));
}

}  // namespace detail

/// A new array of a number, a range or a list, as array() makes it.
template<class V = void, class X, class... Rest>
  requires(!array_like<X>)
[[nodiscard]] auto asarray(const X& x, const Rest&... rest) {
  if constexpr (std::is_void_v<V>) return array(x, rest...);
  else return array<V>(x, rest...);
}

template<element V>
[[nodiscard]] ndarray<V> asarray(std::initializer_list<detail::nested_list<V, true>> items,
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

template<int = 0, number_like N>
[[nodiscard]] auto asarray(std::initializer_list<N> items, const array_options& options = {}) {
  return array(items, options);
}

/// An array of elements in memory that is owned elsewhere, without a copy: the memory must stay valid until
/// the last view is gone. Throws value_error for a null pointer or elements that are not aligned,
/// overflow_error for strides beyond the address space; then `release` is not called.
template<element V>
[[nodiscard]] ndarray<V> frombuffer(V* data, const dims& shape, buffer_options options = {}) {
  return detail::typed<V>(detail::create_borrowed(data, shape, dtype_of<V>, std::move(options)));
}
/// A read-only array of elements in constant memory that is owned elsewhere.
template<element V>
[[nodiscard]] ndarray<V> frombuffer(const V* data, const dims& shape, buffer_options options = {}) {
  options.read_only = true;
  return frombuffer(const_cast<V*>(data), shape, std::move(options));
}
/// An array of elements in memory that is owned elsewhere, of a dtype that is known at run time; see
/// frombuffer. Throws value_error for a null pointer or elements that are not aligned, overflow_error for
/// strides beyond the address space.
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

/// The numbers start, start + step, ... below `stop` (above it for a negative step), ceil((stop - start) /
/// step) of them. Throws value_error if `step` is 0 or the length is not finite.
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
/// The numbers 0, 1, ... below `stop`.
template<class V = void, scalar_like S>
[[nodiscard]] auto arange(S stop, const array_options& options = {}) {
  return arange<V>(S(0), stop, 1, options);
}
namespace detail {
/// A number as it is, and of an array that is one its number, which is waited for.
template<class X>
auto number_of(const X& x) {
  if constexpr (number_like<X>) return static_cast<element_t<X>>(x);
  else return x;
}
}  // namespace detail
/// The same of arrays that are one number, which are waited for: arange(labels.max() + 1).
template<class V = void, class A, class B, class C = int>
  requires((number_like<A> || number_like<B> || number_like<C>) && (scalar_like<A> || number_like<A>) &&
           (scalar_like<B> || number_like<B>) && (scalar_like<C> || number_like<C>))
[[nodiscard]] auto arange(const A& start, const B& stop, const C& step = 1,
                          const array_options& options = {}) {
  return arange<V>(detail::number_of(start), detail::number_of(stop), detail::number_of(step), options);
}
template<class V = void, number_like S>
[[nodiscard]] auto arange(const S& stop, const array_options& options = {}) {
  return arange<V>(detail::number_of(stop), options);
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

/// `num` evenly spaced samples from `start` to `stop`, both included unless `.endpoint` is false. The ends
/// are numbers or arrays, which broadcast; the samples then lie along an axis of their own. Throws
/// value_error if `num` is negative.
template<class V = void, operand_like A, operand_like B>
[[nodiscard]] auto linspace(A&& start, B&& stop, std::int64_t num = 50,
                            const linspace_options& options = {}) {
  constexpr dtype compute = detail::linspace_dtype<V, A, B>();
  using W = std::conditional_t<std::is_void_v<V>, dtype_t<compute>, V>;
  return detail::typed<W>(detail::linspace(detail::make_argument<dtype_t<compute>>(std::forward<A>(start)),
                                           detail::make_argument<dtype_t<compute>>(std::forward<B>(stop)),
                                           num, compute, dtype_of<W>, options));
}
/// The samples and the distance between them as a std::pair: auto [samples, step] = linspace(0, 1, 5,
/// gp::retstep). The step is an array of no dimensions, or of the shape that array ends have together; it is
/// NaN for fewer than two samples.
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
/// `num` samples that are evenly spaced on a logarithmic scale: `.base` to the powers linspace(start, stop,
/// num). The ends are numbers or arrays. Throws value_error if `num` is negative.
template<class V = void, operand_like A, operand_like B>
[[nodiscard]] auto logspace(A&& start, B&& stop, std::int64_t num = 50,
                            const logspace_options& options = {}) {
  using W = detail::samples_t<V, A, B>;
  return detail::typed<W>(detail::linspace(
      detail::make_argument<double>(std::forward<A>(start)),
      detail::make_argument<double>(std::forward<B>(stop)), num, dtype::float64, dtype_of<W>,
      {.endpoint = options.endpoint, .axis = options.axis, .device = options.device}, &options.base));
}
/// `num` samples of a geometric sequence from `start` to `stop`, both exact. The ends are numbers or arrays.
/// Throws value_error if an end is zero or `num` is negative.
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

/// A matrix with ones on diagonal `k` and zeros elsewhere. Throws value_error for negative sizes.
template<element V = double>
[[nodiscard]] ndarray<V> eye(std::int64_t rows, detail::slice_end columns = none, std::int64_t k = 0,
                             const array_options& options = {}) {
  return detail::typed<V>(detail::eye(rows, columns, k, dtype_of<V>, options));
}
/// The identity matrix of n rows and columns. Throws value_error for a negative n.
template<element V = double>
[[nodiscard]] ndarray<V> identity(std::int64_t n, const array_options& options = {}) {
  return eye<V>(n, none, 0, options);
}
/// A matrix with ones at and below diagonal `k` and zeros above it. Throws value_error for negative sizes.
template<element V = double>
[[nodiscard]] ndarray<V> tri(std::int64_t rows, detail::slice_end columns = none, std::int64_t k = 0,
                             const array_options& options = {}) {
  return detail::typed<V>(detail::tri(rows, columns, k, dtype_of<V>, options));
}
/// A copy of a matrix, or of each matrix in the last two axes, with zeros above diagonal `k`. Throws
/// value_error for an array of no dimensions.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> tril(const A& a, std::int64_t k = 0) {
  return detail::typed<detail::element_t<A>>(detail::triangle(a, k, true));
}
/// A copy of a matrix, or of each matrix in the last two axes, with zeros below diagonal `k`. Throws
/// value_error for an array of no dimensions.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> triu(const A& a, std::int64_t k = 0) {
  return detail::typed<detail::element_t<A>>(detail::triangle(a, k, false));
}
/// Of a vector a new matrix with its elements on diagonal `k`, of a matrix a read-only view of its diagonal
/// `k`. Throws value_error for other numbers of dimensions.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> diag(const A& v, std::int64_t k = 0) {
  return detail::typed<detail::element_t<A>>(detail::diag(v, k));
}
/// A new matrix with the elements of `v`, in C order, on diagonal `k`.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> diagflat(const A& v, std::int64_t k = 0) {
  return detail::typed<detail::element_t<A>>(detail::diagflat(v, k));
}
/// The Vandermonde matrix of a vector: its powers as columns, the highest first unless `increasing`. Throws
/// value_error unless `x` is a vector.
template<array_like A>
[[nodiscard]] auto vander(const A& x, detail::slice_end columns = none, bool increasing = false) {
  using W = result_type_t<detail::element_t<A>, std::int64_t>;
  return detail::typed<W>(detail::vander(x, columns, increasing, dtype_of<W>));
}

// Grids.

/// The coordinates of the points of a grid that two or three vectors span, one array for each vector, as a
/// std::tuple: auto [X, Y] = meshgrid(x, y). Throws value_error for another `.indexing`.
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
/// The coordinates of the points of a grid that any number of vectors of one dtype span, one array for each.
template<element V>
[[nodiscard]] std::vector<ndarray<V>> meshgrid(const std::vector<ndarray<V>>& axes,
                                               const meshgrid_options& options = {}) {
  std::vector<ndarray<V>> result;
  for (any_array& grid : detail::meshgrid(std::vector<any_array>(axes.begin(), axes.end()), options))
    result.push_back(detail::typed<V>(std::move(grid)));
  return result;
}
/// The indices of the elements of a shape: an array of shape (number of axes, sizes...) whose row k is the
/// index along axis k.
template<element V = std::int64_t>
[[nodiscard]] ndarray<V> indices(const dims& shape, const array_options& options = {}) {
  return detail::typed<V>(detail::indices(shape, dtype_of<V>, options));
}

GPARRAY_END_NAMESPACE
