// Questions about arrays and numbers; and walking over indices.
#pragma once
#include <string>
#include <variant>

#include <gparray/manipulation/joining.hpp>
#include <gparray/numeric.hpp>
#include <gparray/runtime/show_config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The number of axes of an array; 0 for a number.
template<operand_like X>
[[nodiscard]] int ndim(const X& x) {
  if constexpr (array_like<X>) return x.ndim();
  else return 0;
}
/// The shape of an array; that of no dimensions for a number.
template<operand_like X>
[[nodiscard]] dims shape(const X& x) {
  if constexpr (array_like<X>) return x.shape();
  else return {};
}
/// The number of elements of an array; 1 for a number.
template<operand_like X>
[[nodiscard]] std::int64_t size(const X& x) {
  if constexpr (array_like<X>) return x.size();
  else return 1;
}
/// The size of one axis, counted from the end if negative. Throws axis_error.
template<array_like A>
[[nodiscard]] std::int64_t size(const A& a, int axis) {
  return a.shape(axis);
}

/// Whether some byte belongs to both arrays: exact, where may_share_memory compares address ranges only. The
/// search is that of a bounded integer equation and may take long for strange strides.
[[nodiscard]] GPARRAY_API bool shares_memory(const any_array& a, const any_array& b);
/// The addresses of the first byte of an array and of the byte behind its last one.
[[nodiscard]] GPARRAY_API std::pair<const std::byte*, const std::byte*> byte_bounds(const any_array& a);

/// The smallest dtype that holds a number: uint8 for 10, int8 for -1, float16 for 1.5. Of an array it is its
/// own dtype.
template<operand_like X>
[[nodiscard]] dtype min_scalar_type(const X& x) {
  if constexpr (array_like<X>) {
    return dtype_of<detail::element_t<X>>;
  } else if constexpr (std::is_same_v<X, bool>) {
    return dtype::bool_;
  } else if constexpr (std::is_integral_v<X>) {
    constexpr dtype unsigned_types[] = {dtype::uint8, dtype::uint16, dtype::uint32, dtype::uint64};
    constexpr dtype signed_types[] = {dtype::int8, dtype::int16, dtype::int32, dtype::int64};
    int i = 0;
    if (std::cmp_less(x, 0)) {
      while (i < 3 && std::cmp_less(x, -(std::int64_t{1} << ((8 << i) - 1)))) ++i;
      return signed_types[i];
    }
    while (i < 3 && std::cmp_greater_equal(x, std::uint64_t{1} << (8 << i))) ++i;
    return unsigned_types[i];
  } else if constexpr (detail::scalar_kind<X>() == 'c') {
    const auto fits = [](double v) { return !(std::abs(v) > 3.4e38) || std::isinf(v); };
    return fits(static_cast<double>(x.real())) && fits(static_cast<double>(x.imag())) ? dtype::complex64
                                                                                      : dtype::complex128;
  } else {
    const double v = std::abs(static_cast<double>(x));
    if (!(v >= 65000) || std::isinf(v)) return dtype::float16;
    return v < 3.4e38 ? dtype::float32 : dtype::float64;
  }
}

/// The inexact dtype that arrays have in common; integers count as float64. Arrays of bool do not compile.
template<array_like... A>
  requires(sizeof...(A) > 0 && (!std::is_same_v<detail::element_t<A>, bool> && ...))
[[nodiscard]] constexpr dtype common_type(const A&...) {
  dtype result = dtype::float16;
  bool only_bfloat16 = true;
  ((only_bfloat16 = only_bfloat16 && dtype_of<detail::element_t<A>> == dtype::bfloat16), ...);
  if (only_bfloat16) return dtype::bfloat16;
  ((result = promote_types(result, is_inexact(dtype_of<detail::element_t<A>>) ? dtype_of<detail::element_t<A>>
                                                                              : dtype::float64)),
   ...);
  return result;
}

/// The real parts of complex numbers if all imaginary parts are nearly zero, else the numbers themselves, as
/// a std::variant of both array types. Of real numbers it is the array.
template<array_like A>
[[nodiscard]] auto real_if_close(const A& a, double tol = 100) {
  using V = detail::element_t<A>;
  if constexpr (is_complex(dtype_of<V>)) {
    using R = dtype_t<real_dtype(dtype_of<V>)>;
    using either = std::variant<ndarray<R>, ndarray<V>>;
    const double limit = tol > 1 ? tol * finfo<R>::eps : tol;
    if (all(absolute(a.imag()) < limit).item()) return either(ndarray<R>(a.real()));
    return either(ndarray<V>(a));
  } else {
    return ndarray<V>(a);
  }
}

/// The array itself, or a new array of a number or a range: asarray, as there are no subclasses of arrays.
template<class V = void, class X, class... Rest>
[[nodiscard]] auto asanyarray(const X& x, const Rest&... rest) {
  if constexpr (array_like<X>) return detail::as_elements<V>(x);
  else return asarray<V>(x, rest...);
}

namespace detail {
GPARRAY_API any_array require(const any_array& a, std::string_view requirements);
}
/// The array itself if it is as required, else a copy that is; require<V>(a, ...) converts it first. Throws
/// value_error for unknown requirements and for both C and F.
template<class V = void, array_like A>
[[nodiscard]] auto require(const A& a, std::string_view requirements = "") {
  using W = detail::value_or<V, A>;
  return detail::typed<W>(detail::require(detail::as_elements<W>(a), requirements));
}

/// Arrays as they broadcast with one another: gp::broadcast(a, b).shape(). Throws value_error if they do not.
template<array_like... A>
class broadcast {
 public:
  /// Broadcasts arrays with one another. Throws value_error.
  explicit broadcast(const A&... arrays) : arrays_(broadcast_arrays(arrays...)) {}
  /// The common shape.
  const dims& shape() const { return std::get<0>(arrays_).shape(); }
  /// The number of axes of the common shape.
  [[nodiscard]] int ndim() const { return std::get<0>(arrays_).ndim(); }
  /// The number of axes of the common shape, by NumPy's older name.
  [[nodiscard]] int nd() const { return ndim(); }
  /// The number of elements of the common shape.
  [[nodiscard]] std::int64_t size() const { return std::get<0>(arrays_).size(); }
  /// The views in the common shape, as a tuple.
  const auto& values() const { return arrays_; }

 private:
  decltype(broadcast_arrays(std::declval<const A&>()...)) arrays_;
};

/// All indices of a shape in C order: for (const gp::dims& i : gp::ndindex({2, 3})); a(i) is the element.
class ndindex {
 public:
  /// The indices of this shape.
  explicit ndindex(const dims& shape) : shape_(shape) {}

  /// Goes through the indices in C order.
  class iterator {
   public:
    using value_type = dims;
    using difference_type = std::int64_t;
    /// At a number of steps behind the first index.
    iterator(const dims& shape, std::int64_t at)
        : shape_(shape), index_(dims::filled(shape.size(), 0)), at_(at) {}
    /// The index.
    const dims& operator*() const { return index_; }
    /// Moves to the next index.
    iterator& operator++() {
      ++at_;
      for (std::size_t d = shape_.size(); d-- > 0;) {
        if (++index_[d] < shape_[d]) break;
        index_[d] = 0;
      }
      return *this;
    }
    friend bool operator==(const iterator& a, const iterator& b) { return a.at_ == b.at_; }

   private:
    dims shape_, index_;
    std::int64_t at_;
  };

  /// The first index.
  iterator begin() const { return {shape_, 0}; }
  /// Behind the last index.
  iterator end() const {
    std::int64_t size = 1;
    for (const std::int64_t n : shape_) size *= n;
    return {shape_, size};
  }

 private:
  dims shape_;
};

/// The indices and elements of an array in C order, copied to host memory once: for (const auto& [i, x] :
/// gp::ndenumerate(a)).
template<array_like A>
[[nodiscard]] std::vector<std::pair<dims, detail::element_t<A>>> ndenumerate(const A& a) {
  std::vector<std::pair<dims, detail::element_t<A>>> pairs;
  auto index = ndindex(a.shape()).begin();
  for (const auto value : a.to_vector()) {
    pairs.emplace_back(*index, value);
    ++index;
  }
  return pairs;
}

/// The elements of an array in C order, whatever its strides, to be read and written one by one or all at
/// once: what a.flat() returns. a.flat()[5] = 1 writes one, a.flat() = 0 all of them.
template<element V>
class flatiter {
 public:
  /// The elements of an array.
  explicit flatiter(const ndarray<V>& base) : base_(base) {}

  /// The array.
  const ndarray<V>& base() const { return base_; }
  /// The number of elements.
  [[nodiscard]] std::int64_t size() const { return base_.size(); }
  /// The 0-d view of an element. Throws index_error.
  indexed_number<V> operator[](std::int64_t i) const {
    const std::int64_t n = size();
    if (i < -n || i >= n) throw_out_of_range(i, n);
    std::int64_t rest = i < 0 ? i + n : i;
    std::vector<detail::index_item> items(base_.shape().size(), detail::index_item(0));
    for (std::size_t d = items.size(); d-- > 0; rest /= base_.shape()[d])
      items[d] = detail::index_item(rest % base_.shape()[d]);
    return {detail::basic_index(base_, items), detail::adopt_t{}};
  }
  /// A copy in one dimension.
  [[nodiscard]] ndarray<V> copy() const { return base_.flatten(); }
  /// The first element; computes what is pending and waits for it.
  host_iterator<V> begin() const { return host_iterator<V>(base_); }
  /// Behind the last element.
  host_iterator<V> end() const { return {base_, base_.size()}; }
  /// Values in C order, over and over.
  template<operand_like X>
  const flatiter& operator=(X&& values) const {
    if constexpr (array_like<X>) base_(ellipsis) = resize(values, base_.shape());
    else base_(ellipsis) = values;
    return *this;
  }

 private:
  [[noreturn]] static void throw_out_of_range(std::int64_t i, std::int64_t n) {
    throw index_error("index " + std::to_string(i) + " is out of bounds for size " + std::to_string(n));
  }
  ndarray<V> base_;
};

GPARRAY_END_NAMESPACE
