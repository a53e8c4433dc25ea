// Comparisons of integers, exact where no dtype holds both sides.
#pragma once
#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// An expression of one row of ufuncs.def, its operands promoted and converted (ufuncs.hpp).
template<ufunc F, class... X>
auto call_row(X&&... x);

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

constexpr bool is_comparison(ufunc f) { return ufunc::equal <= f && f <= ufunc::greater_equal; }

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
      return outcome(F, std::cmp_less(number, 0) ? 1 : -1) ? call_row<ufunc::equal>(x, x)
                                                           : call_row<ufunc::not_equal>(x, x);
    }
  }
  return call_row<F>(std::forward<A>(a), number);
}

template<ufunc F, class A, class B>
expr<bool> compare(A&& a, B&& b) {
  if constexpr (mixed_sign_64<A, B>) {
    if constexpr (kind(dtype_of<element_t<A>>) == 'u') {
      return compare<mirrored(F)>(std::forward<B>(b), std::forward<A>(a));
    } else {
      // A negative left side is below everything unsigned; the others compare as uint64.
      const ndarray<element_t<A>> x = std::forward<A>(a);
      auto as_unsigned = call_row<F>(x.template astype<std::uint64_t>(), std::forward<B>(b));
      if constexpr (outcome(F, -1))
        return call_row<ufunc::logical_or>(call_row<ufunc::less>(x, 0), std::move(as_unsigned));
      else return call_row<ufunc::logical_and>(call_row<ufunc::greater_equal>(x, 0), std::move(as_unsigned));
    }
  } else if constexpr (scalar_like<B>) {
    return compare_with_number<F>(std::forward<A>(a), b);
  } else if constexpr (scalar_like<A>) {
    return compare_with_number<mirrored(F)>(std::forward<B>(b), a);
  } else {
    return call_row<F>(std::forward<A>(a), std::forward<B>(b));
  }
}

}  // namespace detail

GPARRAY_END_NAMESPACE
