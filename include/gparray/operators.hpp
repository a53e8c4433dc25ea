// The operators: NumPy's, element by element. / is true division; there is no //, use floor_divide.
#pragma once
#include <gparray/ufuncs.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// Comparisons of int64 with uint64, and with integers outside an array's dtype, are exact as in NumPy 2: no
/// dtype holds both sides, so they are taken apart instead of promoted.
template<class A, class B>
inline constexpr bool mixed_sign_64 = [] {
  if constexpr (array_like<A> && array_like<B>) {
    constexpr dtype a = dtype_of<element_t<A>>, b = dtype_of<element_t<B>>;
    return is_integer(a) && is_integer(b) && common_dtype<A, B>() == dtype::float64;
  } else {
    return false;
  }
}();

constexpr ufunc mirrored(ufunc f) {
  switch (f) {
    case ufunc::less:
      return ufunc::greater;
    case ufunc::less_equal:
      return ufunc::greater_equal;
    case ufunc::greater:
      return ufunc::less;
    case ufunc::greater_equal:
      return ufunc::less_equal;
    default:
      return f;
  }
}

/// The outcome of `x F y` for every x below (sign < 0) or above y.
constexpr bool outcome(ufunc f, int sign) {
  switch (f) {
    case ufunc::equal:
      return false;
    case ufunc::not_equal:
      return true;
    case ufunc::less:
    case ufunc::less_equal:
      return sign < 0;
    default:
      return sign > 0;
  }
}

template<ufunc F, class A, class S>
expr<bool> compare_with_number(A&& a, S number) {
  using V = element_t<A>;
  if constexpr (std::is_integral_v<V> && !std::is_same_v<V, bool> && std::is_integral_v<S> &&
                !std::is_same_v<S, bool>) {
    if (!in_range<V>(number)) {
      const ndarray<V>& x = a;
      return outcome(F, std::cmp_less(number, 0) ? 1 : -1) ? call<ufunc::equal>(x, x)
                                                           : call<ufunc::not_equal>(x, x);
    }
  }
  return call<F>(std::forward<A>(a), number);
}

template<ufunc F, class A, class B>
expr<bool> compare(A&& a, B&& b) {
  if constexpr (mixed_sign_64<A, B>) {
    if constexpr (kind(dtype_of<element_t<A>>) == 'u') {
      return compare<mirrored(F)>(std::forward<B>(b), std::forward<A>(a));
    } else {
      // A negative left side is below everything unsigned; the others compare as uint64.
      const ndarray<element_t<A>> x = std::forward<A>(a);
      auto as_unsigned = call<F>(x.template astype<std::uint64_t>(), std::forward<B>(b));
      if constexpr (outcome(F, -1))
        return call<ufunc::logical_or>(call<ufunc::less>(x, 0), std::move(as_unsigned));
      else return call<ufunc::logical_and>(call<ufunc::greater_equal>(x, 0), std::move(as_unsigned));
    }
  } else if constexpr (scalar_like<B>) {
    return compare_with_number<F>(std::forward<A>(a), b);
  } else if constexpr (scalar_like<A>) {
    return compare_with_number<mirrored(F)>(std::forward<B>(b), a);
  } else {
    return call<F>(std::forward<A>(a), std::forward<B>(b));
  }
}

template<class A, class B>
concept operands = operand_like<A> && operand_like<B> &&(array_like<A> || array_like<B>);

}  // namespace detail

#define GPARRAY_BINARY_OPERATOR(symbol, function)                                                        \
  template<class A, class B>                                                                             \
  requires detail::operands<A, B> &&(detail::callable<ufunc::function, A, B>()) auto operator symbol(    \
      A&& a, B&& b) {                                                                                    \
    return detail::call<ufunc::function>(std::forward<A>(a), std::forward<B>(b));                        \
  }                                                                                                      \
  /* In place, as in NumPy: the result must convert back by the same_kind rule. */                       \
  template<array_like A, class B>                                                                        \
  requires detail::operands<A, B> &&(detail::callable<ufunc::function, std::remove_cvref_t<A>&, B>()) && \
      detail::storable<detail::ufunc_result_t<ufunc::function, std::remove_cvref_t<A>&, B>,              \
                       detail::element_t<A>>                                                             \
          A&& operator symbol##=(A&& a, B&& b) {                                                         \
    return detail::store(std::forward<A>(a), detail::call<ufunc::function>(a, std::forward<B>(b)), {});  \
  }
GPARRAY_BINARY_OPERATOR(+, add)
GPARRAY_BINARY_OPERATOR(-, subtract)
GPARRAY_BINARY_OPERATOR(*, multiply)
GPARRAY_BINARY_OPERATOR(/, divide)
GPARRAY_BINARY_OPERATOR(%, remainder)
GPARRAY_BINARY_OPERATOR(&, bitwise_and)
GPARRAY_BINARY_OPERATOR(|, bitwise_or)
GPARRAY_BINARY_OPERATOR(^, bitwise_xor)
GPARRAY_BINARY_OPERATOR(<<, left_shift)
GPARRAY_BINARY_OPERATOR(>>, right_shift)
#undef GPARRAY_BINARY_OPERATOR

#define GPARRAY_COMPARISON_OPERATOR(symbol, function)                                \
  template<class A, class B>                                                         \
  requires detail::operands<A, B> expr<bool>                                         \
  operator symbol(A&& a, B&& b) {                                                    \
    return detail::compare<ufunc::function>(std::forward<A>(a), std::forward<B>(b)); \
  }
GPARRAY_COMPARISON_OPERATOR(==, equal)
GPARRAY_COMPARISON_OPERATOR(!=, not_equal)
GPARRAY_COMPARISON_OPERATOR(<, less)
GPARRAY_COMPARISON_OPERATOR(<=, less_equal)
GPARRAY_COMPARISON_OPERATOR(>, greater)
GPARRAY_COMPARISON_OPERATOR(>=, greater_equal)
#undef GPARRAY_COMPARISON_OPERATOR

#define GPARRAY_UNARY_OPERATOR(symbol, function)                                 \
  template<array_like A>                                                         \
  requires(detail::callable<ufunc::function, A>()) auto operator symbol(A&& a) { \
    return detail::call<ufunc::function>(std::forward<A>(a));                    \
  }
GPARRAY_UNARY_OPERATOR(-, negative)
GPARRAY_UNARY_OPERATOR(+, positive)
GPARRAY_UNARY_OPERATOR(~, invert)
#undef GPARRAY_UNARY_OPERATOR

GPARRAY_END_NAMESPACE
