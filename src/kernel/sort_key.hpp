// The order in which NumPy sorts: numbers, then NaN; and elements as unsigned integers in this order, which
// radix sorts want.
#pragma once
#include "compare.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// Whether a stands before b. Complex numbers with a NaN come in NumPy's order: x + NaN j, NaN + y j, NaN +
/// NaN j.
template<class T>
GPARRAY_KERNEL_FN bool sorts_before(T a, T b) {
  if constexpr (is_complex<T>) {
    const int class_of_a = 2 * (a.re != a.re) + (a.im != a.im),
              class_of_b = 2 * (b.re != b.re) + (b.im != b.im);
    if (class_of_a != class_of_b) return class_of_a < class_of_b;
    return a.re < b.re || (!(b.re < a.re) && a.im < b.im);
  } else if constexpr (is_half<T>) {
    return sorts_before(static_cast<float>(a), static_cast<float>(b));
  } else {
    return a < b || (is_nan(b) && !is_nan(a));
  }
}

template<class T>
inline constexpr bool is_floating = is_half<T> || is_real<T>;

/// Keys are ordered as the elements are; -0.0 comes before 0.0, and every NaN is the same.
template<class T>
GPARRAY_KERNEL_FN unsigned_t<T> sort_key(T x) {
  using U = unsigned_t<T>;
  const U bits = to_bits(x), sign = sign_mask<T>;
  if constexpr (is_floating<T>) {
    const U magnitude = static_cast<U>(bits & static_cast<U>(~sign));
    if (magnitude > traits<T>::infinity_bits) return static_cast<U>(~U(0));
    return static_cast<U>(bits & sign ? ~bits : bits | sign);
  } else {
    return is_signed_integer<T> ? static_cast<U>(bits ^ sign) : bits;
  }
}

/// The same, but zeros of either sign are equal, so that a stable sort leaves them where they are.
template<class T>
GPARRAY_KERNEL_FN unsigned_t<T> tie_key(T x) {
  const unsigned_t<T> key = sort_key(x);
  if constexpr (is_floating<T>) return to_bits(x) == sign_mask<T> ? static_cast<unsigned_t<T>>(key + 1) : key;
  else return key;
}

/// The element of a sort_key.
template<class T>
GPARRAY_KERNEL_FN T from_sort_key(unsigned_t<T> key) {
  using U = unsigned_t<T>;
  const U sign = sign_mask<T>;
  if constexpr (is_floating<T>) return from_bits<T>(static_cast<U>(key & sign ? key ^ sign : ~key));
  else return from_bits<T>(is_signed_integer<T> ? static_cast<U>(key ^ sign) : key);
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
