// What may stand in an expression: arrays, expressions and scalars, and the dtype they promote to.
#pragma once
#include <gparray/any_array.hpp>
#include <gparray/error.hpp>

#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>

GPARRAY_BEGIN_NAMESPACE

template<element V>
class ndarray;
template<element V>
class expr;
template<element V>
class selection;

namespace detail {

template<class A>
std::true_type is_ndarray_test(const ndarray<A>*);
std::false_type is_ndarray_test(...);
template<class A>
std::true_type is_expr_test(const expr<A>*);
std::false_type is_expr_test(...);

template<class S>
struct is_complex_scalar : std::false_type {};
template<class S>
struct is_complex_scalar<std::complex<S>> : std::true_type {};

}  // namespace detail

/// ndarray<V> or expr<V>.
template<class A>
concept array_like = decltype(detail::is_ndarray_test(static_cast<std::remove_cvref_t<A>*>(nullptr)))::value;

/// A C++ number. In an expression with arrays it is weak, as Python's numbers are in NumPy 2.
template<class S>
concept scalar_like = std::is_arithmetic_v<std::remove_cvref_t<S>> || element<std::remove_cvref_t<S>>;

template<class X>
concept operand_like = array_like<X> || scalar_like<X>;

namespace detail {

template<array_like A>
using element_t = typename std::remove_cvref_t<A>::value_type;

template<class A>
inline constexpr bool is_expr_rvalue =
    !std::is_lvalue_reference_v<A> &&
    decltype(is_expr_test(static_cast<std::remove_cvref_t<A>*>(nullptr)))::value;

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

/// The promoted dtype of a list of operands: arrays by the table first, then weak scalars.
template<class... X>
constexpr dtype common_dtype() {
  dtype result = dtype::bool_;
  ((result = promote_array<X>(result)), ...);
  ((result = promote_scalar<X>(result)), ...);
  return result;
}

GPARRAY_API [[noreturn]] void throw_out_of_bounds(std::int64_t value, dtype type);
GPARRAY_API [[noreturn]] void throw_out_of_bounds(std::uint64_t value, dtype type);

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
    argument a;
    a.array = &x;
    a.fuse = is_expr_rvalue<X>;
    a.type = dtype_of<element_t<X>>;
    return a;
  } else {
    const std::remove_cvref_t<X> value = x;
    if constexpr (Saturate && !std::is_same_v<std::remove_cvref_t<X>, bool>)
      return constant(scalar_cast<To>(saturate<To>(value)));
    else return constant(scalar_cast<To>(value));
  }
}

/// A scalar of the dtype that it has by itself: bool, int64, uint64, float64 or complex128; elements stay
/// what they are.
template<class S>
auto own_type(S value) {
  if constexpr (element<S>) return value;
  else if constexpr (std::is_floating_point_v<S>) return static_cast<double>(value);
  else if constexpr (std::is_signed_v<S>) return static_cast<std::int64_t>(value);
  else return static_cast<std::uint64_t>(value);
}

}  // namespace detail

/// One number of any dtype, for arguments such as initial=.
class scalar {
 public:
  template<scalar_like S>
  scalar(S value) : argument_(detail::constant(detail::own_type(value))) {}
  const detail::argument& as_argument() const noexcept { return argument_; }

 private:
  detail::argument argument_;
};

GPARRAY_END_NAMESPACE
