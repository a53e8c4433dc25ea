// ndarray<V>, expr<V> and selection<V>: the typed skin over any_array.
#pragma once
#include <gparray/host_iterator.hpp>
#include <gparray/index.hpp>
#include <gparray/operand.hpp>
#include <gparray/reduction_options.hpp>
#include <gparray/selection.hpp>

#include <array>
#include <initializer_list>
#include <iterator>
#include <ranges>
#include <vector>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// A braced list of any depth: a number or a list of these. Rows of different lengths throw value_error.
template<element V>
struct nested_list {
  template<class S>
  requires(scalar_like<S> && (std::convertible_to<S, V> || std::constructible_from<V, S>))
      nested_list(S number)
      : value(static_cast<V>(number)) {}
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
  for (const nested_list<V>& item : items) {
    if (item.is_list) {
      flatten<V>(item.list, depth + 1, shape, known, out);
    } else {
      if (known && depth + 1 != shape.size()) throw_ragged();
      out.push_back(item.value);
    }
    known = true;
  }
}

struct adopt_t {};

}  // namespace detail

/// An n-dimensional array of V. Copying an ndarray shares its elements, as copying a name does in Python;
/// copy() copies them. Assigning to a named array rebinds it; assigning to an indexed one, a(...) = x, writes
/// through.
template<element V>
class ndarray : public any_array {
 public:
  using value_type = V;

  /// An empty array of shape (0,).
  ndarray() : ndarray(std::initializer_list<detail::nested_list<V>>{}) {}
  ndarray(const ndarray&) noexcept = default;
  ndarray(ndarray&&) noexcept = default;
  /// Computes the expression: its work is enqueued on the current stream now.
  ndarray(const expr<V>& e) : any_array(e) { eval(); }
  ndarray(expr<V>&& e) : any_array(std::move(e)) { eval(); }
  /// An array with these elements on the default device: {1, 2, 3}, {{1, 2}, {3, 4}}.
  ndarray(std::initializer_list<detail::nested_list<V>> items) {
    dims shape;
    std::vector<V> values;
    detail::flatten<V>(items, 0, shape, false, values);
    assign_values(values, shape);
  }
  /// A copy of a range of numbers, 1-D, on the default device.
  template<std::ranges::input_range R>
  requires(!array_like<R> &&
           std::constructible_from<V, std::ranges::range_value_t<R>>) explicit ndarray(const R& values)
      : ndarray(std::ranges::begin(values), std::ranges::end(values)) {}
  template<std::input_iterator I, std::sentinel_for<I> S>
  ndarray(I first, S last) {
    std::vector<V> values;
    for (; first != last; ++first) values.push_back(static_cast<V>(*first));
    assign_values(values, dims{static_cast<std::int64_t>(values.size())});
  }
  /// The array of an any_array. Throws type_error if its dtype is another.
  explicit ndarray(const any_array& a) : any_array(a) { check_dtype(); }
  template<element W>
  explicit ndarray(const ndarray<W>&) = delete;  // astype<V>() converts
  ndarray(any_array&& a, detail::adopt_t) noexcept : any_array(std::move(a)) {}

  ndarray& operator=(const ndarray&) & noexcept = default;
  ndarray& operator=(ndarray&&) & noexcept = default;
  /// Computes the expression, as the constructor does.
  ndarray& operator=(const expr<V>& e) & { return *this = ndarray(e); }
  ndarray& operator=(expr<V>&& e) & { return *this = ndarray(std::move(e)); }
  /// a(...) = x: writes x, broadcast and converted, into the elements of this view. Throws value_error if the
  /// shapes do not fit, device_error if x is elsewhere.
  ndarray&& operator=(const ndarray& x) && {
    detail::assign(*this, detail::make_argument<V>(x));
    return std::move(*this);
  }
  ndarray&& operator=(ndarray&& x) && {
    detail::assign(*this, detail::make_argument<V>(x));
    return std::move(*this);
  }
  template<operand_like X>
  ndarray&& operator=(X&& x) && {
    detail::assign(*this, detail::make_argument<V>(std::forward<X>(x)));
    return std::move(*this);
  }

  /// The bytes of one element.
  static constexpr std::int64_t itemsize() { return sizeof(V); }
  /// The address of the first element, on device(). See any_array::raw_data().
  V* data() const { return static_cast<V*>(raw_data()); }
  /// The value of the only element; waits for it. Throws value_error unless size() == 1.
  V item() const {
    V value;
    detail::item(*this, &value);
    return value;
  }
  /// The element at an index; waits for it.
  V item(std::convertible_to<std::int64_t> auto... i) const { return (*this)(i...).item(); }
  explicit operator V() const { return item(); }
  /// All elements in C order; waits for them.
  std::vector<V> to_vector() const requires(!std::is_same_v<V, bool>) {
    std::vector<V> values(static_cast<std::size_t>(size()));
    detail::copy_to_host(*this, values.data());
    return values;
  }
  std::vector<bool> to_vector() const requires std::is_same_v<V, bool> {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(size()));
    detail::copy_to_host(*this, bytes.data());
    return {bytes.begin(), bytes.end()};
  }

  /// Iterators over the elements in C order, through any strides. Compute what is pending; the array must be
  /// in memory that the CPU reaches, else device_error. They are valid as long as the array, and write
  /// through to it.
  host_iterator<V> begin() const { return host_iterator<V>(*this); }
  host_iterator<V> end() const { return begin() + this->size(); }

  const ndarray& eval() const {
    any_array::eval();
    return *this;
  }
  /// A new array with the same elements; K keeps the memory layout of this one.
  ndarray copy(order layout = order::K) const;
  /// The elements converted by NumPy's rules (floats truncate, anything non-zero is true).
  template<element W>
  expr<W> astype() const&;
  template<element W>
  expr<W> astype() &&;
  /// Sets every element.
  void fill(V value) { detail::assign(*this, detail::constant(value)); }

  /// A view: a(1, gp::slice(1, -1, 2), gp::newaxis, gp::ellipsis, gp::all).
  template<class... I>
  requires(sizeof...(I) > 0 && (std::convertible_to<I, detail::index_item> && ...)) ndarray operator()(
      const I&... items) const {
    const std::array<detail::index_item, sizeof...(I)> list{detail::index_item(items)...};
    return {detail::basic_index(*this, list), detail::adopt_t{}};
  }
  /// A view by NumPy's text: a("1:-1, ::2, ..., None").
  ndarray operator()(std::string_view text) const {
    return {detail::basic_index(*this, text), detail::adopt_t{}};
  }
  template<class I>
  requires std::convertible_to<I, detail::index_item> ndarray operator[](const I& item) const {
    return (*this)(item);
  }
  ndarray operator[](std::string_view text) const { return (*this)(text); }

  /// The elements that arrays pick, by NumPy's rules: a(mask), a(indices), a(rows, columns), mixed with
  /// integers, slices and the like. Indices are arrays or ranges of integers, masks of bool. Reading gives a
  /// new array; assigning, a(mask) = x, writes to a. If an index occurs twice, its last value is kept, on
  /// every device. Throws index_error. Index arrays are checked at once, which waits for the device; a mask's
  /// count of elements is waited for when the result is first looked at, and not at all by a(mask) = number.
  template<class... I>
  requires((detail::picking<I> && ...) && !(detail::basic_item<I> && ...)) selection<V>
  operator()(const I&... items) const;
  selection<V> operator()(std::initializer_list<std::int64_t> indices) const;
  /// One index array for each axis: a(nonzero(m)), a(ix_(rows, columns)), a(tril_indices(n)).
  template<detail::index_tuple Tuple>
  selection<V> operator()(const Tuple& indices) const;
  template<class I>
  requires((detail::picking<I> && !detail::basic_item<I>) || detail::index_tuple<I>) selection<V>
  operator[](const I& item) const;

  /// Views of the two parts of complex numbers. real() of real numbers is the array itself, and imag() zeros
  /// that cannot be assigned to.
  ndarray<dtype_t<real_dtype(dtype_of<V>)>> real() const;
  ndarray<dtype_t<real_dtype(dtype_of<V>)>> imag() const;
  /// The same bytes seen as elements of another type, by which the last axis shrinks or grows. Throws
  /// value_error if its elements are not side by side, do not make whole new ones or would not be aligned.
  /// Bytes are no bool: astype<bool>() converts.
  template<element W>
  requires(!std::is_same_v<W, bool> || std::is_same_v<V, bool>) ndarray<W> view()
  const;

  ndarray T() const;
  ndarray mT() const;
  ndarray reshape(const dims& shape, order layout = order::C) const;
  ndarray ravel(order layout = order::C) const;
  ndarray flatten(order layout = order::C) const;
  ndarray transpose() const;
  ndarray transpose(const dims& axes) const;
  ndarray swapaxes(int axis1, int axis2) const;
  ndarray squeeze() const;
  ndarray squeeze(const dims& axes) const;

  // The functions of the same names, with this array as the first argument (methods.hpp): a.sum(),
  // a.mean(0), a.max({0, -1}, {.keepdims = true}), a.sum<double>(). A temporary fuses: (a * b).sum().
#define GPARRAY_METHOD_FOR(name, qualifier)                                  \
  template<class Element = void>                                             \
  auto name(const reduction_options& options = {}) qualifier;                \
  template<class Element = void, detail::axes_like D>                        \
  auto name(const D& axis, const reduction_options& options = {}) qualifier; \
  template<class Element = void>                                             \
  auto name(std::initializer_list<std::int64_t> axis, const reduction_options& options = {}) qualifier;
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

  template<class Element = void>
  auto cumsum(detail::slice_end axis = none) const;
  template<class Element = void>
  auto cumprod(detail::slice_end axis = none) const;
  auto round(int decimals = 0) const;
  template<class Low, class High>
  auto clip(const Low& low, const High& high) const;
  auto conj() const;
  auto conjugate() const;
  template<class B>
  auto dot(const B& b) const;
  auto trace(std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) const;
  auto diagonal(std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) const;

  template<class I>
  auto take(const I& indices, detail::slice_end axis = none, std::string_view mode = "raise") const;
  auto take(std::initializer_list<std::int64_t> indices, detail::slice_end axis = none,
            std::string_view mode = "raise") const;
  template<class I, class X>
  void put(const I& indices, const X& values, std::string_view mode = "raise") const;
  template<class X>
  void put(std::initializer_list<std::int64_t> indices, const X& values,
           std::string_view mode = "raise") const;
  template<class C>
  auto compress(const C& condition, detail::slice_end axis = none) const;
  template<class Choices>
  auto choose(const Choices& choices, std::string_view mode = "raise") const;
  auto nonzero() const;
  template<class R>
  auto repeat(const R& repeats, detail::slice_end axis = none) const;
  auto repeat(std::initializer_list<std::int64_t> repeats, detail::slice_end axis = none) const;

  /// In place, as in NumPy; gp::sort(a) returns a new array. Throws value_error for a view that repeats
  /// elements.
  void sort(detail::slice_end axis = -1) const;
  void partition(const dims& kth, detail::slice_end axis = -1) const;
  auto argsort(detail::slice_end axis = -1) const;
  auto argpartition(const dims& kth, detail::slice_end axis = -1) const;
  template<class X>
  auto searchsorted(const X& values, std::string_view side = "left") const;

  /// This handle on a new array of another shape with the same elements in C order: those too many are left
  /// out, those too few are zeros (gp::resize repeats). Views and other handles keep the old one.
  void resize(const dims& shape) &;
  /// The bytes of every number in the opposite order: a new array; byteswap(true) writes them here.
  ndarray byteswap(bool inplace = false) const;
  /// The elements one by one in C order, see flatiter.
  auto flat() const;
  std::vector<std::uint8_t> tobytes(order layout = order::C) const;
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

/// An ndarray that need not have been computed yet. As a temporary it fuses into the expression around it;
/// bound to a name it is computed when first used, at the latest before anything it depends on changes.
template<element V>
class expr : public ndarray<V> {
 public:
  expr(any_array&& a, detail::adopt_t) noexcept : ndarray<V>(std::move(a), detail::adopt_t{}) {}
};

/// What a(mask) or a(indices) returns: an array of the selected elements, not made before it is looked at;
/// and assigning to it while it has no name writes to the elements of a.
template<element V>
class selection : public expr<V> {
 public:
  selection(const detail::selection_handle& what)
      : expr<V>(detail::read(what), detail::adopt_t{}), what_(what) {}
  selection(const selection&) = default;
  selection(selection&&) noexcept = default;

  selection& operator=(const selection&) & = default;
  selection& operator=(selection&&) & noexcept = default;
  template<operand_like X>
  void operator=(X&& x) && {
    forget();
    detail::write(what_, detail::make_argument<V>(std::forward<X>(x)));
  }
  void operator=(const selection& x) && {
    forget();
    detail::write(what_, detail::make_argument<V>(x));
  }
  void operator=(selection&& x) && {
    forget();
    detail::write(what_, detail::make_argument<V>(x));
  }
  /// Writes what this array now holds to the elements it was selected from: the end of a(mask) += x.
  void write_back() const { detail::write(what_, detail::make_argument<V>(*this)); }

 private:
  /// What is about to be overwritten need not be read.
  void forget() { static_cast<any_array&>(*this) = any_array(); }

  detail::selection_handle what_;
};

template<element V>
template<class... I>
requires((detail::picking<I> && ...) &&
         !(detail::basic_item<I> && ...)) selection<V> ndarray<V>::operator()(const I&... items) const {
  const std::array<detail::pick_item, sizeof...(I)> list{detail::pick_item(items)...};
  return detail::select(*this, list);
}
template<element V>
selection<V> ndarray<V>::operator()(std::initializer_list<std::int64_t> indices) const {
  return (*this)(std::span<const std::int64_t>(indices.begin(), indices.size()));
}
template<element V>
template<detail::index_tuple Tuple>
selection<V> ndarray<V>::operator()(const Tuple& indices) const {
  return detail::select(*this, detail::pick_items(indices));
}
template<element V>
template<class I>
requires((detail::picking<I> && !detail::basic_item<I>) ||
         detail::index_tuple<I>) selection<V> ndarray<V>::operator[](const I& item) const {
  return (*this)(item);
}

template<element V>
template<element W>
expr<W> ndarray<V>::astype() const& {
  return {detail::astype(detail::make_argument<V>(*this), dtype_of<W>, true), detail::adopt_t{}};
}

template<element V>
template<element W>
expr<W> ndarray<V>::astype() && {
  detail::argument a = detail::make_argument<V>(*this);
  a.fuse = true;
  return {detail::astype(a, dtype_of<W>, true), detail::adopt_t{}};
}

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
