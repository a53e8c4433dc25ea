// The arithmetic of reductions that need one value: an identity, how to include an element, how to merge two
// partials. Host loops keep many such values in vector registers; states for the GPU wrap them
// (reduce_states.hpp).
#pragma once
#include "arithmetic.hpp"
#include "compare.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// What sums accumulate in: integers widen to 64 bits, halves to float ('W' in reductions.def).
template<class E>
using widened_t = conditional_t<is_bool<E> || is_signed_integer<E>, long,
                                conditional_t<is_integer<E>, unsigned long, compute_t<E>>>;
/// What means accumulate in: integers become double, halves float ('F' in reductions.def).
template<class E>
using floating_t = conditional_t<is_bool<E> || is_integer<E>, double, compute_t<E>>;
/// What is stored for 'W' and 'F': a half goes back to its type.
template<class E, class A>
using stored_t = conditional_t<is_half<E>, E, A>;
/// What is stored for 'R'.
template<class E>
using stored_real_t = conditional_t<is_half<E>, E, real_t<floating_t<E>>>;

/// The element in the accumulator's type; exact, except that 64-bit integers round to double.
template<class A, class E>
GPARRAY_KERNEL_FN A to_accumulator(E x) {
  if constexpr (is_complex<E>) return x;
  else return static_cast<A>(x);
}

template<class T, class A>
GPARRAY_KERNEL_FN T narrow(A x) {
  if constexpr (is_complex<A>) return x;
  else return static_cast<T>(x);
}

/// Above and below every number of the type.
template<class T>
GPARRAY_KERNEL_FN T upper_bound() {
  if constexpr (is_complex<T>) return {infinity<real_t<T>>(), infinity<real_t<T>>()};
  else if constexpr (is_real<T>) return infinity<T>();
  else if constexpr (is_bool<T>) return true;
  else return static_cast<T>(~integer_min<T>);
}

template<class T>
GPARRAY_KERNEL_FN T lower_bound() {
  if constexpr (is_complex<T>) return {-infinity<real_t<T>>(), -infinity<real_t<T>>()};
  else if constexpr (is_real<T>) return -infinity<T>();
  else if constexpr (is_bool<T>) return false;
  else return integer_min<T>;
}

template<class T>
GPARRAY_KERNEL_FN T missing_value() {
  if constexpr (is_complex<T>) return {quiet_nan<real_t<T>>(), quiet_nan<real_t<T>>()};
  else return quiet_nan<T>();
}

template<class A>
GPARRAY_KERNEL_FN A zero_of() {
  if constexpr (is_complex<A>) return {0, 0};
  else return A(0);
}

template<class A>
GPARRAY_KERNEL_FN A one_of() {
  if constexpr (is_complex<A>) return {1, 0};
  else return A(1);
}

template<class E, class A, bool SkipNan>
struct sum_core {
  using element = E;
  using value = A;
  GPARRAY_KERNEL_FN static A identity() { return zero_of<A>(); }
  GPARRAY_KERNEL_FN static A include(A a, E x) {
    const A term = to_accumulator<A>(x);
    return add(a, SkipNan && is_nan(term) ? identity() : term);
  }
  GPARRAY_KERNEL_FN static A merge(A a, A b) { return add(a, b); }
};

template<class E, class A, bool SkipNan>
struct prod_core {
  using element = E;
  using value = A;
  GPARRAY_KERNEL_FN static A identity() { return one_of<A>(); }
  GPARRAY_KERNEL_FN static A include(A a, E x) {
    const A factor = to_accumulator<A>(x);
    if constexpr (SkipNan) return is_nan(factor) ? a : multiply(a, factor);
    else return multiply(a, factor);
  }
  GPARRAY_KERNEL_FN static A merge(A a, A b) { return multiply(a, b); }
};

template<class E>
struct square_core {
  using element = E;
  using value = real_t<floating_t<E>>;
  GPARRAY_KERNEL_FN static value identity() { return 0; }
  GPARRAY_KERNEL_FN static value include(value a, E x) { return a + abs2(to_accumulator<floating_t<E>>(x)); }
  GPARRAY_KERNEL_FN static value merge(value a, value b) { return a + b; }
};

// The rules of minimum, maximum, fmin and fmax, in a form without branches that loops of any shape vectorise.
template<class E, bool SkipNan>
struct min_core {
  using element = E;
  using value = compute_t<E>;
  GPARRAY_KERNEL_FN static value identity() {
    if constexpr (SkipNan && (is_real<value> || is_complex<value>)) return missing_value<value>();
    else return upper_bound<value>();
  }
  GPARRAY_KERNEL_FN static value include(value a, E x) { return merge(a, to_accumulator<value>(x)); }
  GPARRAY_KERNEL_FN static value merge(value a, value b) {
    return (less_equal(a, b) | is_nan(SkipNan ? b : a)) ? a : b;
  }
};

template<class E, bool SkipNan>
struct max_core {
  using element = E;
  using value = compute_t<E>;
  GPARRAY_KERNEL_FN static value identity() {
    if constexpr (SkipNan && (is_real<value> || is_complex<value>)) return missing_value<value>();
    else return lower_bound<value>();
  }
  GPARRAY_KERNEL_FN static value include(value a, E x) { return merge(a, to_accumulator<value>(x)); }
  GPARRAY_KERNEL_FN static value merge(value a, value b) {
    return (less_equal(b, a) | is_nan(SkipNan ? b : a)) ? a : b;
  }
};

template<class E, class Value = bool>
struct any_core {
  using element = E;
  using value = Value;
  GPARRAY_KERNEL_FN static Value identity() { return false; }
  GPARRAY_KERNEL_FN static Value include(Value a, E x) {
    return static_cast<Value>(a | static_cast<Value>(nonzero(x)));
  }
  GPARRAY_KERNEL_FN static Value merge(Value a, Value b) { return static_cast<Value>(a | b); }
};

template<class E, class Value = bool>
struct all_core {
  using element = E;
  using value = Value;
  GPARRAY_KERNEL_FN static Value identity() { return true; }
  GPARRAY_KERNEL_FN static Value include(Value a, E x) {
    return static_cast<Value>(a & static_cast<Value>(nonzero(x)));
  }
  GPARRAY_KERNEL_FN static Value merge(Value a, Value b) { return static_cast<Value>(a & b); }
};

template<class E, class Count = long>
struct nonzero_count_core {
  using element = E;
  using value = Count;
  GPARRAY_KERNEL_FN static Count identity() { return 0; }
  GPARRAY_KERNEL_FN static Count include(Count a, E x) { return static_cast<Count>(a + nonzero(x)); }
  GPARRAY_KERNEL_FN static Count merge(Count a, Count b) { return static_cast<Count>(a + b); }
};

/// Counts what is not NaN.
template<class E, class Count = long>
struct valid_count_core {
  using element = E;
  using value = Count;
  GPARRAY_KERNEL_FN static Count identity() { return 0; }
  GPARRAY_KERNEL_FN static Count include(Count a, E x) { return static_cast<Count>(a + !is_nan(x)); }
  GPARRAY_KERNEL_FN static Count merge(Count a, Count b) { return static_cast<Count>(a + b); }
};

}  // namespace kernel
GPARRAY_END_NAMESPACE
