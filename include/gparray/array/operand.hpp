// What may stand in an expression: arrays, expressions and scalars, and the dtype they promote to.
#pragma once
#include <concepts>
#include <cstring>
#include <limits>
#include <ranges>
#include <type_traits>

#include <gparray/array/any_array.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE

template<element V>
class ndarray;
template<element V>
class indexed;
template<element V>
class expr;
template<element V>
class selection;
template<element V>
class scalar_expr;
template<element V>
class scalar_array;
template<element V>
class indexed_number;

namespace detail {

template<class A>
std::true_type is_ndarray_test(const ndarray<A>*);
std::false_type is_ndarray_test(...);
template<class A>
std::true_type is_expr_test(const expr<A>*);
std::false_type is_expr_test(...);
template<class A>
std::true_type is_number_test(const scalar_expr<A>*);
template<class A>
std::true_type is_number_test(const scalar_array<A>*);
template<class A>
std::true_type is_number_test(const indexed_number<A>*);
std::false_type is_number_test(...);

template<class S>
struct is_complex_scalar : std::false_type {};
template<class S>
struct is_complex_scalar<std::complex<S>> : std::true_type {};

}  // namespace detail

/// An array type: ndarray<V>, expr<V> and what derives from them.
template<class A>
concept array_like = decltype(detail::is_ndarray_test(static_cast<std::remove_cvref_t<A>*>(nullptr)))::value;

/// An array type that converts to a number: what a.sum(), a(0) and their like return.
template<class A>
concept number_like = decltype(detail::is_number_test(static_cast<std::remove_cvref_t<A>*>(nullptr)))::value;

/// A C++ number. In an expression with arrays it is weak, as Python's numbers are in NumPy 2.
template<class S>
concept scalar_like = std::is_arithmetic_v<std::remove_cvref_t<S>> || element<std::remove_cvref_t<S>>;

/// What may stand in an expression: an array or a number.
template<class X>
concept operand_like = array_like<X> || scalar_like<X>;

namespace detail {

template<array_like A>
using element_t = typename std::remove_cvref_t<A>::value_type;

template<class A>
inline constexpr bool is_expr_rvalue =
    !std::is_lvalue_reference_v<A> &&
    decltype(is_expr_test(static_cast<std::remove_cvref_t<A>*>(nullptr)))::value;

/// What an element-wise function of these operands returns: of numbers alone a number, else an expression.
template<element R, class... X>
using expr_of =
    std::conditional_t<((scalar_like<X> || number_like<X>) && ...), scalar_expr<R>, gparray::expr<R>>;

template<class S>
constexpr char scalar_kind() {
  using V = std::remove_cvref_t<S>;
  if constexpr (std::is_same_v<V, bool>) return 'b';
  else if constexpr (std::is_integral_v<V>) return 'i';
  else if constexpr (is_complex_scalar<V>::value) return 'c';
  else return 'f';
}

/// The dtype of an expression of arrays that promote to `arrays`, and a weak scalar (NEP 50).
constexpr dtype promote_weak(dtype arrays, char scalar) {
  switch (scalar) {
    case 'i':
      return kind(arrays) == 'b' ? dtype::int64 : arrays;
    case 'f':
      return is_inexact(arrays) ? arrays : dtype::float64;
    case 'c':
      return is_floating(arrays) || is_complex(arrays) ? complex_dtype(arrays) : dtype::complex128;
    default:
      return arrays;
  }
}

/// The dtype of a number where no array decides (docs/guide/dtypes.md): that of its C++ type. An int has
/// none, as every 1 is one, and makes NumPy's default, int64; so do types that no array holds, whole ones.
template<scalar_like S>
constexpr dtype number_dtype() {
  using V = std::remove_cvref_t<S>;
  if constexpr (element<V> && !std::is_same_v<V, int>) return dtype_of<V>;
  else if constexpr (std::is_floating_point_v<V>) return dtype::float64;
  else return std::is_unsigned_v<V> && sizeof(V) == 8 ? dtype::uint64 : dtype::int64;
}

template<class X>
constexpr bool inexact_number() {
  if constexpr (scalar_like<X>) return is_inexact(number_dtype<X>());
  else return false;
}

/// Numbers among themselves: each adds its dtype but int, and integers beside floating numbers, which are
/// weak.
template<class X>
constexpr dtype promote_number(dtype so_far, bool inexact) {
  if constexpr (scalar_like<X> && !std::is_same_v<std::remove_cvref_t<X>, int>)
    return inexact && !inexact_number<X>() ? so_far : promote_types(so_far, number_dtype<X>());
  else return so_far;
}

template<class X>
constexpr dtype promote_array(dtype so_far) {
  if constexpr (array_like<X>) return promote_types(so_far, dtype_of<element_t<X>>);
  else return so_far;
}

template<class X>
constexpr dtype promote_scalar(dtype so_far) {
  if constexpr (scalar_like<X>) return promote_weak(so_far, scalar_kind<X>());
  else return so_far;
}

/// The promoted dtype of a list of operands: arrays by the table first, then weak scalars; or that of
/// numbers.
template<class... X>
constexpr dtype common_dtype() {
  dtype result = dtype::bool_;
  ((result = promote_array<X>(result)), ...);
  if constexpr (!(array_like<X> || ...))
    ((result = promote_number<X>(result, (inexact_number<X>() || ...))), ...);
  ((result = promote_scalar<X>(result)), ...);
  return result;
}

[[noreturn]] GPARRAY_API void throw_out_of_bounds(std::int64_t value, dtype type);
[[noreturn]] GPARRAY_API void throw_out_of_bounds(std::uint64_t value, dtype type);

template<class To, class S>
constexpr bool in_range(S value) {
  if constexpr (std::is_integral_v<To> && std::is_integral_v<S> && !std::is_same_v<To, bool> &&
                !std::is_same_v<S, bool>)
    return std::in_range<To>(value);
  else return true;
}

/// value as an element of type To, the way NumPy converts a Python number.
template<element To, class S>
To scalar_cast(S value) {
  if constexpr (is_complex_scalar<To>::value) {
    using R = typename To::value_type;
    if constexpr (is_complex_scalar<S>::value)
      return To(static_cast<R>(value.real()), static_cast<R>(value.imag()));
    else return To(static_cast<R>(value), R(0));
  } else {
    if constexpr (std::is_integral_v<To> && std::is_integral_v<S>) {
      if (!in_range<To>(value)) {
        if constexpr (std::is_signed_v<S>)
          throw_out_of_bounds(static_cast<std::int64_t>(value), dtype_of<To>);
        else throw_out_of_bounds(static_cast<std::uint64_t>(value), dtype_of<To>);
      }
    }
    return static_cast<To>(value);
  }
}

template<element V>
argument constant(V value) {
  argument a;
  a.type = dtype_of<V>;
  std::memcpy(a.value, &value, sizeof value);
  return a;
}

/// The nearest value that To holds: bounds of a clip beyond the dtype bound nothing.
template<class To, class S>
S saturate(S value) {
  if constexpr (std::is_integral_v<To> && std::is_integral_v<S>) {
    if (std::cmp_less(value, std::numeric_limits<To>::min()))
      return static_cast<S>(std::numeric_limits<To>::min());
    if (std::cmp_greater(value, std::numeric_limits<To>::max()))
      return static_cast<S>(std::numeric_limits<To>::max());
  }
  return value;
}

/// An operand as the library takes it: arrays as they are, scalars converted to To.
template<element To, bool Saturate = false, operand_like X>
argument make_argument(X&& x) {
  if constexpr (array_like<X>) {
    return {.array = &x, .fuse = is_expr_rvalue<X>, .type = dtype_of<element_t<X>>};
  } else {
    const std::remove_cvref_t<X> value = x;
    if constexpr (Saturate && !std::is_same_v<std::remove_cvref_t<X>, bool>)
      return constant(scalar_cast<To>(saturate<To>(value)));
    else return constant(scalar_cast<To>(value));
  }
}

/// Numbers in host memory that an array is made of where one is read: std::vector, std::span, std::array, a
/// view, a C array.
template<class R>
concept element_range =
    std::ranges::input_range<R> && !std::derived_from<std::remove_cvref_t<R>, any_array> &&
    element<std::ranges::range_value_t<R>>;
template<class X>
concept readable = operand_like<X> || element_range<X>;
/// What has an overload for ranges: at least one is there.
template<class... X>
concept with_range = (readable<X> && ...) && (element_range<X> || ...);

/// A scalar of the dtype that it has by itself: bool, int64, uint64, float64 or complex128; elements stay
/// what they are.
template<class S>
auto own_type(S value) {
  if constexpr (element<S>) return static_cast<dtype_t<dtype_of<S>>>(value);
  else if constexpr (std::is_floating_point_v<S>) return static_cast<double>(value);
  else if constexpr (std::is_signed_v<S>) return static_cast<std::int64_t>(value);
  else return static_cast<std::uint64_t>(value);
}

}  // namespace detail

/// One number of any dtype, for arguments such as initial=.
class scalar {
 public:
  /// A number; an int is int64, as in NumPy.
  template<scalar_like S>
  scalar(S value) : argument_(detail::constant(detail::own_type(value))) {}
  /// For the library: the number and its dtype.
  const detail::argument& as_argument() const noexcept { return argument_; }

 private:
  detail::argument argument_;
};

GPARRAY_END_NAMESPACE
