// ndarray<V>, expr<V> and selection<V>: the typed skin over any_array.
#pragma once
#include <array>
#include <initializer_list>
#include <iterator>
#include <ranges>
#include <vector>

#include <gparray/array/host_iterator.hpp>
#include <gparray/array/host_view.hpp>
#include <gparray/array/nested_list.hpp>
#include <gparray/array/operand.hpp>
#include <gparray/indexing/index.hpp>
#include <gparray/indexing/selection.hpp>
#include <gparray/reduction/options.hpp>

GPARRAY_BEGIN_NAMESPACE

struct sort_options;

namespace detail {

struct adopt_t {};

using braces = std::initializer_list<std::int64_t>;

/// What a(items...) of no arrays returns.
template<element V, class... I>
using indexed_by = std::conditional_t<(std::integral<I> && ...), indexed_number<V>, indexed<V>>;
/// The elements of a range as a 1-D array on a device.
template<element_range R>
ndarray<std::ranges::range_value_t<R>> from_range(const R& values, device where);

}  // namespace detail

/// An n-dimensional array of V. Copying an ndarray shares its elements, as copying a name does in Python;
/// copy() copies them. Assigning to a named array rebinds it; assigning to an indexed one, a(...) = x, writes
/// through, and to other temporaries nothing can be assigned.
template<element V>
class ndarray : public any_array {
 public:
  using value_type = V;

  /// An empty array of shape (0,).
  ndarray() : ndarray(std::initializer_list<detail::nested_list<V>>{}) {}
  /// Shares the elements of the other array.
  ndarray(const ndarray&) noexcept = default;
  /// Takes the elements of the other array, which is then no array.
  ndarray(ndarray&&) noexcept = default;
  /// A name for the expression, which may stay pending: it is computed together with what is made of it, at
  /// the latest when its elements are looked at, or before anything changes that it depends on.
  ndarray(const expr<V>& e) : any_array(e) { detail::name_expression(*this); }
  /// A name for the expression, which may stay pending: it is computed together with what is made of it, at
  /// the latest when its elements are looked at, or before anything changes that it depends on.
  ndarray(expr<V>&& e) : any_array(std::move(e)) { detail::name_expression(*this); }
  /// The same elements under the other C++ name of the dtype: long and long long are both int64.
  template<element W>
    requires(!std::same_as<W, V> && dtype_of<W> == dtype_of<V>)
  ndarray(const ndarray<W>& a) : any_array(a) {
    detail::name_expression(*this);
  }
  /// An array with these elements on the default device: {1, 2, 3}, {{1, 2}, {3, 4}}.
  ndarray(std::initializer_list<detail::nested_list<V>> items) {
    dims shape;
    std::vector<V> values;
    detail::flatten<V>(items, 0, shape, false, values);
    assign_values(values, shape);
  }
  /// A copy of a range of numbers, 1-D, on the default device.
  template<std::ranges::input_range R>
    requires(!array_like<R> && std::constructible_from<V, std::ranges::range_value_t<R>>)
  explicit ndarray(const R& values) : ndarray(std::ranges::begin(values), std::ranges::end(values)) {}
  /// A copy of the numbers between two iterators, 1-D, on the default device.
  template<std::input_iterator I, std::sentinel_for<I> S>
  ndarray(I first, S last) {
    std::vector<V> values;
    for (; first != last; ++first) values.push_back(static_cast<V>(*first));
    assign_values(values, dims{static_cast<std::int64_t>(values.size())});
  }
  /// The array of an any_array. Throws type_error if its dtype is another.
  explicit ndarray(const any_array& a) : any_array(a) { check_dtype(); }
  // Remedies stay on the line of the name, here and below.
  // clang-format off
  template<array_like A>
  requires(dtype_of<detail::element_t<A>> != dtype_of<V>)
  explicit(number_like<A>) ndarray(const A& a) = delete;  // another dtype: a.astype<V>()
  // clang-format on
  /// For the library: the array of a result whose dtype is known to be V.
  ndarray(any_array&& a, detail::adopt_t) noexcept : any_array(std::move(a)) {}

  ndarray& operator=(const ndarray&) & noexcept = default;
  ndarray& operator=(ndarray&&) & noexcept = default;
  /// Computes the expression, as the constructor does.
  ndarray& operator=(const expr<V>& e) & { return *this = ndarray(e); }
  ndarray& operator=(expr<V>&& e) & { return *this = ndarray(std::move(e)); }
  template<scalar_like S>
  ndarray& operator=(S number) & = delete;     // all elements: a(gp::ellipsis) = number, or a.fill(number)
  void operator=(const ndarray&) && = delete;  // not a view made by indexing: write view(gp::all) = x
  void operator=(ndarray&&) && = delete;       // not a view made by indexing: write view(gp::all) = x
  template<operand_like X>
  void operator=(X&&) && = delete;  // not a view made by indexing: write view(gp::all) = x

  /// The bytes of one element.
  static constexpr std::int64_t itemsize() { return sizeof(V); }
  /// The address of the first element, on device(), valid as long as an array of these elements. What is
  /// pending is computed; and since the elements may change through the address without a call of the
  /// library, an expression that reads them is from now on computed at its line, operator by operator,
  /// instead of together with what is made of it. view_host() gives addresses for its own lifetime.
  V* data() const { return static_cast<V*>(raw_data()); }
  /// The value of the only element; waits for it. Throws value_error unless size() == 1.
  V item() const {
    V value;
    detail::item(*this, &value);
    return value;
  }
  /// The element at an index, a.item(i, j); waits for it. Throws index_error.
  V item(std::convertible_to<std::int64_t> auto... i) const { return (*this)(i...).item(); }
  /// The element at an index with one number for each axis; waits for it. Throws index_error.
  template<std::same_as<dims> D>
  V item(const D& index) const {
    return (*this)(index).item();
  }
  /// Converts an array of one element to this number; waits for it. Throws value_error unless size() == 1.
  explicit operator V() const
    requires(!std::is_same_v<V, bool>)
  {
    return item();
  }
  explicit operator bool() const = delete;  // a condition: gp::all(a), gp::any(a), or a.item() of one element
  /// All elements in C order; waits for them.
  [[nodiscard]] std::vector<V> to_vector() const
    requires(!std::is_same_v<V, bool>)
  {
    std::vector<V> values(static_cast<std::size_t>(size()));
    detail::copy_to_host(*this, values.data());
    return values;
  }
  /// All elements in C order; waits for them.
  [[nodiscard]] std::vector<bool> to_vector() const
    requires std::is_same_v<V, bool>
  {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(size()));
    detail::copy_to_host(*this, bytes.data());
    return {bytes.begin(), bytes.end()};
  }

  /// Iterators over the elements in C order, through any strides; of a const array, or by cbegin(), for
  /// reading only. They compute what is pending and wait for it, and are valid as long as the array. Those
  /// that write give its address out, see data(). The elements of an array in a GPU's memory, and of one that
  /// is read-only, are copied to the host once, by begin(), and cannot be written: device_error, value_error.
  host_iterator<V> begin() { return host_iterator<V>(*this); }
  /// Behind the last element.
  host_iterator<V> end() { return {*this, this->size()}; }
  /// An iterator that reads the elements in C order.
  host_iterator<const V> begin() const { return host_iterator<const V>(*this); }
  /// Behind the last element.
  host_iterator<const V> end() const { return {*this, this->size()}; }
  /// An iterator that reads the elements in C order.
  [[nodiscard]] host_iterator<const V> cbegin() const { return begin(); }
  /// Behind the last element.
  [[nodiscard]] host_iterator<const V> cend() const { return end(); }
  /// auto v = a.view_host<2>(): v(i, j) is an element, as quick as through a pointer. Of a const array, or by
  /// cview_host(), for reading only. Computes what is pending and waits for it; elements in a GPU's memory
  /// are copied to the host for reading, and cannot be written: device_error. Throws value_error unless N is
  /// ndim() and the elements lie at multiples of their size.
  template<int N>
  host_view<V, N> view_host() {
    return host_view<V, N>(*this);
  }
  /// The elements by index, for reading only.
  template<int N>
  [[nodiscard]] host_view<const V, N> view_host() const {
    return host_view<const V, N>(*this);
  }
  /// The elements by index, for reading only.
  template<int N>
  [[nodiscard]] host_view<const V, N> cview_host() const {
    return host_view<const V, N>(*this);
  }

  /// Computes a pending expression now: enqueues it on the current stream. Returns *this.
  const ndarray& eval() const {
    any_array::eval();
    return *this;
  }
  /// A new array with the same elements; K keeps the memory layout of this one.
  [[nodiscard]] ndarray copy(order layout = order::K) const;
  /// The elements converted by NumPy's rules, an expression: floats truncate, anything but zero is true.
  template<element W>
  [[nodiscard]] expr<W> astype() const&;
  /// The elements of a temporary converted, which fuses with what they are computed from.
  template<element W>
  [[nodiscard]] expr<W> astype() &&;
  // clang-format off
  void astype(gparray::dtype) const = delete;  // the type is part of the array's: a.astype<float>()
  // clang-format on
  /// Sets every element.
  void fill(V value) const { detail::assign(*this, detail::constant(value)); }

  /// A view: a(1, gp::slice(1, -1, 2), gp::newaxis, gp::ellipsis, gp::all). Each may be NumPy's text: a(0,
  /// "1:"). With integers alone it converts to the number that it then is: double x = a(i, j).
  template<class... I>
    requires(sizeof...(I) > 0 && (std::convertible_to<I, detail::index_item> && ...) &&
             !detail::is_text_index<I...>)
  detail::indexed_by<V, I...> operator()(const I&... items) const {
    const std::array<detail::index_item, sizeof...(I)> list{detail::index_item(items)...};
    return {detail::basic_index(*this, list), detail::adopt_t{}};
  }
  /// A view by NumPy's text: a("1:-1, ::2, ..., None").
  indexed<V> operator()(std::string_view text) const {
    return {detail::basic_index(*this, text), detail::adopt_t{}};
  }
  /// One integer for each of the first axes, Python's tuple: a(i) of an i from ndindex is one element.
  template<std::same_as<dims> D>
  indexed_number<V> operator()(const D& index) const {
    return {detail::tuple_index(*this, index), detail::adopt_t{}};
  }
  /// A view by NumPy's text with a number or none for every "{}": a("{}, ::{}", row, step); without a "{}"
  /// the numbers are items behind the text, a(":", 0). Throws value_error unless they are as many.
  template<detail::index_text T, std::convertible_to<detail::slice_end>... N>
    requires(sizeof...(N) > 0)
  indexed<V> operator()(const T& text, const N&... numbers) const {
    const detail::slice_end list[] = {detail::slice_end(numbers)...};
    return {detail::basic_index(*this, text, list), detail::adopt_t{}};
  }
  /// A view by one index, a[1], a["1:"]: what a(index) is. Several are written in parentheses.
  template<class I>
    requires std::convertible_to<I, detail::index_item>
  detail::indexed_by<V, I> operator[](const I& item) const {
    return (*this)(item);
  }
  template<std::same_as<dims> D>
  indexed_number<V> operator[](const D& index) const {
    return (*this)(index);
  }

  /// The elements that arrays pick, by NumPy's rules: a(mask), a(indices), a(rows, columns), mixed with
  /// integers, slices and the like. Indices are arrays or ranges of integers, masks of bool. Reading gives a
  /// new array; assigning, a(mask) = x, writes to a. If an index occurs twice, its last value is kept, on
  /// every device. Throws index_error. Index arrays are checked at once, which waits for the device; a mask's
  /// count of elements is waited for when the result is first looked at, and not at all by a(mask) = number.
  template<class... I>
    requires((detail::picking<I> && ...) && !(detail::basic_item<I> && ...))
  selection<V> operator()(const I&... items) const {
    return detail::select(*this, std::array{detail::pick_item(items)...});
  }
  /// The elements at the indices of a braced list, along the first axis: a({0, 2}).
  template<int = 0>  // gives way to the next for {{0}, {2}}
  selection<V> operator()(std::initializer_list<std::int64_t> indices) const;
  /// The elements at the indices of nested lists, whose shape replaces the first axis: a({{0, 2}, {1, 3}}).
  selection<V> operator()(std::initializer_list<std::initializer_list<std::int64_t>> indices) const;
  /// With braced lists of indices among the items: a(gp::all, {0, -1}), a({0, 1}, {1, 2}).
  selection<V> operator()(const detail::pick_item& first, const detail::pick_item& second) const;
  selection<V> operator()(const detail::pick_item& first, const detail::pick_item& second,
                          const detail::pick_item& third) const;
  selection<V> operator()(const detail::pick_item& first, const detail::pick_item& second,
                          const detail::pick_item& third, const detail::pick_item& fourth) const;
  /// One index array for each axis: a(nonzero(m)), a(ix_(rows, columns)), a(tril_indices(n)).
  template<detail::index_tuple Tuple>
  selection<V> operator()(const Tuple& indices) const;
  /// The elements that one array picks, a[mask]: what a(mask) is.
  template<class I>
    requires((detail::picking<I> && !detail::basic_item<I> && !std::same_as<I, dims>) ||
             detail::index_tuple<I>)
  selection<V> operator[](const I& item) const {
    return (*this)(item);
  }

  /// Views of the two parts of complex numbers, which can be assigned to as indexed ones can: z.real() = x.
  /// real() of real numbers is the array itself, and imag() zeros that cannot be assigned to.
  [[nodiscard]] indexed<dtype_t<real_dtype(dtype_of<V>)>> real() const;
  /// A view of the imaginary parts; of real numbers zeros that cannot be assigned to.
  [[nodiscard]] indexed<dtype_t<real_dtype(dtype_of<V>)>> imag() const;
  /// The same bytes seen as elements of another type, by which the last axis shrinks or grows. Throws
  /// value_error if its elements are not side by side, do not make whole new ones or would not be aligned.
  /// Bytes are no bool: astype<bool>() converts.
  template<element W>
    requires(!std::is_same_v<W, bool> || std::is_same_v<V, bool>)
  [[nodiscard]] ndarray<W> view() const;

  /// A view with the axes in reverse order.
  [[nodiscard]] ndarray T() const;
  /// A view with the last two axes exchanged. Throws value_error for fewer than two.
  [[nodiscard]] ndarray mT() const;
  /// The elements in another shape: a view where possible, else a copy. Throws value_error.
  [[nodiscard]] ndarray reshape(const dims& shape, order layout = order::C) const;
  /// The same with the sizes one by one: a.reshape(2, -1).
  template<std::integral... N>
    requires(sizeof...(N) > 1)
  [[nodiscard]] ndarray reshape(N... sizes) const {
    return reshape(dims{static_cast<std::int64_t>(sizes)...});
  }
  /// The elements in one dimension: a view where possible, else a copy.
  [[nodiscard]] ndarray ravel(order layout = order::C) const;
  /// A copy of the elements in one dimension.
  [[nodiscard]] ndarray flatten(order layout = order::C) const;
  /// A view with the axes in reverse order.
  [[nodiscard]] ndarray transpose() const;
  /// A view whose axis i is axis axes[i] of this array. Throws value_error, axis_error.
  [[nodiscard]] ndarray transpose(const dims& axes) const;
  /// The same with the axes one by one: a.transpose(1, 0).
  template<std::integral... N>
    requires(sizeof...(N) > 1)
  [[nodiscard]] ndarray transpose(N... axes) const {
    return transpose(dims{static_cast<std::int64_t>(axes)...});
  }
  /// A view with two axes exchanged. Throws axis_error.
  [[nodiscard]] ndarray swapaxes(int axis1, int axis2) const;
  /// A view without the axes of size 1.
  [[nodiscard]] ndarray squeeze() const;
  /// A view without these axes. Throws value_error if the size of one is not 1, axis_error.
  template<detail::axes_like D>
  [[nodiscard]] ndarray squeeze(const D& axes) const;
  /// A view without the axes of a braced list. Throws value_error, axis_error.
  [[nodiscard]] ndarray squeeze(const detail::axis_list& axes) const;
  /// A view without the axes .axis. Throws value_error, axis_error.
  [[nodiscard]] ndarray squeeze(const axis_option& options) const;

  // The functions of the same names, with this array as the first argument (methods.hpp): a.sum(),
  // a.mean(0), a.max({0, -1}, {.keepdims = true}), a.sum<double>(). A temporary fuses: (a * b).sum().
#define GPARRAY_METHOD_FOR(name, qualifier)                                  \
  template<class Element = void>                                             \
  auto name(const reduction_options& options = {}) qualifier;                \
  template<class Element = void, detail::axes_like D>                        \
  auto name(const D& axis, const reduction_options& options = {}) qualifier; \
  template<class Element = void>                                             \
  auto name(const detail::axis_list& axis, const reduction_options& options = {}) qualifier;
#define GPARRAY_METHOD(name)       \
  GPARRAY_METHOD_FOR(name, const&) \
  GPARRAY_METHOD_FOR(name, &&)
  GPARRAY_METHOD(sum)
  GPARRAY_METHOD(prod)
  GPARRAY_METHOD(mean)
  GPARRAY_METHOD(var)
  GPARRAY_METHOD(std)
  GPARRAY_METHOD(min)
  GPARRAY_METHOD(max)
  GPARRAY_METHOD(ptp)
  GPARRAY_METHOD(any)
  GPARRAY_METHOD(all)
  GPARRAY_METHOD(argmin)
  GPARRAY_METHOD(argmax)
#undef GPARRAY_METHOD
#undef GPARRAY_METHOD_FOR

  /// The sums of the elements up to each one, along an axis or flattened: gp::cumsum.
  template<class Element = void>
  [[nodiscard]] auto cumsum(detail::slice_end axis = none) const;
  /// The products of the elements up to each one, along an axis or flattened: gp::cumprod.
  template<class Element = void>
  [[nodiscard]] auto cumprod(detail::slice_end axis = none) const;
  /// gp::cumsum(a, {.axis = 1}).
  template<class Element = void>
  [[nodiscard]] auto cumsum(const axis_option& options) const;
  /// gp::cumprod(a, {.axis = 1}).
  template<class Element = void>
  [[nodiscard]] auto cumprod(const axis_option& options) const;
  /// The elements rounded to a number of decimals: gp::round.
  [[nodiscard]] auto round(int decimals = 0) const;
  /// The elements limited to an interval: gp::clip.
  template<class Low, class High>
  [[nodiscard]] auto clip(const Low& low, const High& high) const;
  /// The complex conjugates of the elements: gp::conjugate.
  [[nodiscard]] auto conj() const;
  /// The complex conjugates of the elements: gp::conjugate.
  [[nodiscard]] auto conjugate() const;
  /// The product of vectors or matrices: gp::dot.
  template<class B>
  [[nodiscard]] auto dot(const B& b) const;
  template<scalar_like S>
  [[nodiscard]] auto dot(std::initializer_list<S> b) const;
  /// The sum of a diagonal: gp::trace.
  [[nodiscard]] auto trace(std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) const;
  /// A view of a diagonal: gp::diagonal.
  [[nodiscard]] auto diagonal(std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) const;

  /// The elements at these indices: gp::take.
  template<class I>
  [[nodiscard]] auto take(const I& indices, detail::slice_end axis = none,
                          std::string_view mode = "raise") const;
  /// The elements at the indices of a braced list: gp::take.
  [[nodiscard]] auto take(std::initializer_list<std::int64_t> indices, detail::slice_end axis = none,
                          std::string_view mode = "raise") const;
  /// Writes values at positions of the flattened array: gp::put.
  template<class I, class X>
  void put(const I& indices, const X& values, std::string_view mode = "raise") const;
  /// Writes values at the positions of a braced list: gp::put.
  template<class X>
  void put(std::initializer_list<std::int64_t> indices, const X& values,
           std::string_view mode = "raise") const;
  /// The slices where a condition is true: gp::compress.
  template<class C>
  [[nodiscard]] auto compress(const C& condition, detail::slice_end axis = none) const;
  /// For each element the choice of that number: gp::choose.
  template<class Choices>
  [[nodiscard]] auto choose(const Choices& choices, std::string_view mode = "raise") const;
  template<element W>
  [[nodiscard]] auto choose(std::initializer_list<ndarray<W>> choices, std::string_view mode = "raise") const;
  /// gp::take(a, indices, {.axis = 1}).
  template<class I>
  [[nodiscard]] auto take(const I& indices, const axis_option& options) const;
  /// gp::compress(condition, a, {.axis = 1}).
  template<class C>
  [[nodiscard]] auto compress(const C& condition, const axis_option& options) const;
  /// gp::repeat(a, repeats, {.axis = 1}).
  template<class R>
  [[nodiscard]] auto repeat(const R& repeats, const axis_option& options) const;
  /// The indices of the elements that are not zero: gp::nonzero.
  [[nodiscard]] auto nonzero() const;
  /// Each element repeated, by a number, an array or a range of counts: gp::repeat.
  template<class R>
  [[nodiscard]] auto repeat(const R& repeats, detail::slice_end axis = none) const;
  /// Each element repeated by the counts of a braced list: gp::repeat.
  [[nodiscard]] auto repeat(std::initializer_list<std::int64_t> repeats, detail::slice_end axis = none) const;

  /// In place, as in NumPy; gp::sort(a) returns a new array. Throws value_error for a view that repeats
  /// elements.
  void sort(detail::slice_end axis = -1) const;
  /// Sorts in place along an axis, perhaps in descending order.
  void sort(detail::slice_end axis, const sort_options& options) const;
  /// Sorts in place along .axis.
  void sort(const sort_options& options) const;
  /// Puts elements kth in place where a sort would: gp::partition, in place.
  void partition(const dims& kth, detail::slice_end axis = -1) const;
  /// The indices that sort the elements along an axis: gp::argsort.
  [[nodiscard]] auto argsort(detail::slice_end axis = -1) const;
  /// The indices that sort the elements along an axis, perhaps in descending order.
  [[nodiscard]] auto argsort(detail::slice_end axis, const sort_options& options) const;
  /// The indices that sort the elements along .axis.
  [[nodiscard]] auto argsort(const sort_options& options) const;
  /// The indices that partition the elements: gp::argpartition.
  [[nodiscard]] auto argpartition(const dims& kth, detail::slice_end axis = -1) const;
  /// Where values belong in this sorted vector: gp::searchsorted.
  template<class X>
  [[nodiscard]] auto searchsorted(const X& values, std::string_view side = "left") const;
  template<scalar_like S>
  [[nodiscard]] auto searchsorted(std::initializer_list<S> values, std::string_view side = "left") const;

  /// This handle on a new array of another shape with the same elements in C order: those too many are left
  /// out, those too few are zeros (gp::resize repeats). Views and other handles keep the old one.
  void resize(const dims& shape) &;
  /// The bytes of every number in the opposite order: a new array; byteswap(true) writes them here.
  [[nodiscard]] ndarray byteswap(bool inplace = false) const;
  /// The elements one by one in C order, see flatiter.
  [[nodiscard]] auto flat() const;
  /// The bytes of all elements in C or Fortran order; waits for them.
  [[nodiscard]] std::vector<std::uint8_t> tobytes(order layout = order::C) const;
  /// Writes the elements to a file, as bytes or, with a separator, as text: gp::tofile.
  void tofile(const std::string& file, const std::string& sep = "") const;

 private:
  void assign_values(const std::vector<V>& values, const dims& shape) {
    if constexpr (std::is_same_v<V, bool>) {
      const std::vector<unsigned char> bytes(values.begin(), values.end());
      static_cast<any_array&>(*this) = detail::from_host(bytes.data(), shape, dtype::bool_, default_device());
    } else {
      static_cast<any_array&>(*this) = detail::from_host(values.data(), shape, dtype_of<V>, default_device());
    }
  }
  void check_dtype() const;
};

namespace detail {

/// A typed handle on a new type-erased result.
template<element V>
ndarray<V> typed(any_array&& a) {
  return {std::move(a), adopt_t{}};
}

[[noreturn]] GPARRAY_API void throw_dtype_mismatch(dtype have, dtype want);

}  // namespace detail

template<element V>
void ndarray<V>::check_dtype() const {
  if (this->dtype() != dtype_of<V>) detail::throw_dtype_mismatch(this->dtype(), dtype_of<V>);
}

GPARRAY_END_NAMESPACE

#include <gparray/array/expr.hpp>
#include <gparray/array/read_operand.hpp>
#include <gparray/array/remedies.hpp>
#include <gparray/array/scalar.hpp>    // what a(i) and a.sum() return
#include <gparray/array/selected.hpp>  // what a(mask) returns
