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

/// Whether a value is among n sorted ones: none before this position is one that it does not stand behind.
template<class T>
GPARRAY_KERNEL_FN bool stands_at(const T* sorted, long n, long position, T value) {
  return position < n && !sorts_before(value, sorted[position]) && !is_nan(value);
}

template<class T>
inline constexpr bool is_floating = is_half<T> || is_real<T>;

/// How the bits of an element become its key and back, so that one kernel can do it for every type.
struct sort_rule {
  unsigned long sign, all;           // bits of the element
  unsigned long infinity;            // magnitudes beyond it are NaN; without NaN, none is
  unsigned long negative, positive;  // bits to turn over, by the sign
  bool floating;
};

template<class T>
GPARRAY_KERNEL_FN constexpr sort_rule sort_rule_of() {
  constexpr unsigned long sign = sign_mask<T>, all = static_cast<unsigned_t<T>>(~unsigned_t<T>(0));
  if constexpr (is_floating<T>) return {sign, all, traits<T>::infinity_bits, all, sign, true};
  else if constexpr (is_signed_integer<T>) return {sign, all, all, sign, sign, false};
  else return {sign, all, all, 0, 0, false};
}

/// Keys are ordered as the elements are; -0.0 comes before 0.0, and every NaN is the same. K may be wider
/// than the element.
template<class K>
GPARRAY_KERNEL_FN K key_of_bits(K bits, const sort_rule& rule) {
  const K sign = static_cast<K>(rule.sign), magnitude = static_cast<K>(bits & static_cast<K>(~sign));
  if (magnitude > static_cast<K>(rule.infinity)) return static_cast<K>(rule.all);
  return static_cast<K>(bits ^ static_cast<K>((bits & sign) != 0 ? rule.negative : rule.positive));
}

/// The same, but zeros of either sign are equal, so that a stable sort leaves them where they are.
template<class K>
GPARRAY_KERNEL_FN K tie_key_of_bits(K bits, const sort_rule& rule) {
  const K key = key_of_bits(bits, rule);
  return rule.floating && bits == static_cast<K>(rule.sign) ? static_cast<K>(key + 1) : key;
}

template<class K>
GPARRAY_KERNEL_FN K bits_of_key(K key, const sort_rule& rule) {
  const bool was_positive = (key & static_cast<K>(rule.sign)) != 0;
  return static_cast<K>(key ^ static_cast<K>(was_positive ? rule.positive : rule.negative));
}

template<class T>
GPARRAY_KERNEL_FN unsigned_t<T> sort_key(T x) {
  constexpr sort_rule rule = sort_rule_of<T>();
  return key_of_bits(to_bits(x), rule);
}

template<class T>
GPARRAY_KERNEL_FN unsigned_t<T> tie_key(T x) {
  constexpr sort_rule rule = sort_rule_of<T>();
  return tie_key_of_bits(to_bits(x), rule);
}

/// A complex number as two words that are in the order of sorts_before(), the first of more weight; equal
/// numbers have the same. No word of a number is greater than that of infinity, which leaves room behind.
template<class U>
struct complex_key {
  U high, low;

  friend GPARRAY_KERNEL_FN bool operator<(complex_key a, complex_key b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
  }
};
template<class R>
GPARRAY_KERNEL_FN complex_key<unsigned_t<R>> tie_key(complex<R> x) {
  using U = unsigned_t<R>;
  constexpr U last = static_cast<U>(~U(0));  // the word of NaN
  const U re = tie_key(x.re), im = tie_key(x.im);
  if (re == last) return {im == last ? last : static_cast<U>(last - 1), im};
  if (im == last) return {static_cast<U>(last - 2), re};
  return {re, im};
}
/// The two words of a complex64 as one.
GPARRAY_KERNEL_FN unsigned long joined(complex_key<unsigned> key) {
  return static_cast<unsigned long>(key.high) << 32 | key.low;
}

/// The element of a sort_key.
template<class T>
GPARRAY_KERNEL_FN T from_sort_key(unsigned_t<T> key) {
  constexpr sort_rule rule = sort_rule_of<T>();
  return from_bits<T>(bits_of_key(key, rule));
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
