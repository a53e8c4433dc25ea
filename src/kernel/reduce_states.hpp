// What a reduction carries from element to element: cores, which are the arithmetic of one value, and states,
// made of them or of their own.
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

// Cores: identity(), include(value, element), merge(value, value). The host's loops keep many such values in
// vector registers.

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

// States: identity(), add(state, element, index), merge(state, state), which is associative up to rounding;
// states of disjoint parts merge in any order (indices decide ties). base_state tells, of a reduction, which
// of them it derives from.

template<class Core>
struct single_state {
  using base_state = single_state;
  using core = Core;
  using element = typename Core::element;
  struct state {
    typename Core::value value;
  };
  GPARRAY_KERNEL_FN static state identity() { return {Core::identity()}; }
  GPARRAY_KERNEL_FN static void add(state& s, element x, long) { s.value = Core::include(s.value, x); }
  GPARRAY_KERNEL_FN static void merge(state& s, const state& other) {
    s.value = Core::merge(s.value, other.value);
  }
};

/// Two values at once: least and greatest, sum and count.
template<class First, class Second>
struct pair_state {
  using base_state = pair_state;
  using element = typename First::element;
  struct state {
    typename First::value first;
    typename Second::value second;
  };
  GPARRAY_KERNEL_FN static state identity() { return {First::identity(), Second::identity()}; }
  GPARRAY_KERNEL_FN static void add(state& s, element x, long) {
    s.first = First::include(s.first, x);
    s.second = Second::include(s.second, x);
  }
  GPARRAY_KERNEL_FN static void merge(state& s, const state& other) {
    s.first = First::merge(s.first, other.first);
    s.second = Second::merge(s.second, other.second);
  }
};

/// The first best element and its index, -1 for none. A NaN is better than any number, or is no candidate.
template<class E, bool Greatest, bool SkipNan>
struct arg_state {
  using base_state = arg_state;
  using element = E;
  using value = compute_t<E>;
  static constexpr bool greatest = Greatest, skip_nan = SkipNan;
  struct state {
    value best;
    long index;
  };
  GPARRAY_KERNEL_FN static state identity() { return {zero_of<value>(), -1}; }
  GPARRAY_KERNEL_FN static bool better(value a, value b) {
    if (is_nan(b)) return false;
    return is_nan(a) || (Greatest ? less(b, a) : less(a, b));
  }
  GPARRAY_KERNEL_FN static void add(state& s, element x, long index) {
    const value candidate = to_accumulator<value>(x);
    if (!SkipNan || !is_nan(candidate)) merge(s, {candidate, index});
  }
  GPARRAY_KERNEL_FN static void merge(state& s, const state& other) {
    if (other.index < 0) return;
    const bool equal = !better(other.best, s.best) && !better(s.best, other.best);
    if (s.index < 0 || better(other.best, s.best) || (equal && other.index < s.index)) s = other;
  }
};

/// Number, mean and sum of |x - mean|^2: Welford's update (Technometrics 4, 1962, 419), and the merge of
/// Chan, Golub and LeVeque (1979). Unlike sum(x^2) - sum(x)^2 / n it keeps its digits when the mean is large.
template<class E, bool SkipNan>
struct moment_state {
  using base_state = moment_state;
  using element = E;
  using value = floating_t<E>;
  using real = real_t<value>;
  static constexpr bool skip_nan = SkipNan;
  struct state {
    long count;
    value mean;
    real squares;
  };
  GPARRAY_KERNEL_FN static state identity() { return {0, zero_of<value>(), 0}; }
  GPARRAY_KERNEL_FN static value scale(value x, real factor) {
    if constexpr (is_complex<value>) return {x.re * factor, x.im * factor};
    else return x * factor;
  }
  /// The real part of a * conj(b).
  GPARRAY_KERNEL_FN static real inner(value a, value b) {
    if constexpr (is_complex<value>) return a.re * b.re + a.im * b.im;
    else return a * b;
  }
  GPARRAY_KERNEL_FN static void add(state& s, element x, long) {
    const value term = to_accumulator<value>(x);
    if (SkipNan && is_nan(term)) return;
    s.count += 1;
    const value before = term - s.mean;
    s.mean = s.mean + scale(before, real(1) / static_cast<real>(s.count));
    s.squares += inner(before, term - s.mean);
  }
  GPARRAY_KERNEL_FN static void merge(state& s, const state& other) {
    // The share that the quotient below would be, without one: threads of a GPU that have as many elements
    // each merge a dozen times.
    if (s.count == other.count) return join(s, other, real(0.5));
    if (other.count == 0) return;
    if (s.count == 0) s = other;
    else join(s, other, static_cast<real>(other.count) / static_cast<real>(s.count + other.count));
  }

 private:
  GPARRAY_KERNEL_FN static void join(state& s, const state& other, real share) {
    const value difference = other.mean - s.mean;
    s.squares += other.squares + inner(difference, difference) * (static_cast<real>(s.count) * share);
    s.mean = s.mean + scale(difference, share);
    s.count += other.count;
  }
};

/// Two reductions of the same elements at once, each with the state, and so the bits, that it has alone.
template<class First, class Second>
struct both_states {
  using base_state = both_states;
  using first_reduction = First;
  using second_reduction = Second;
  using element = typename First::element;
  struct state {
    typename First::state first;
    typename Second::state second;
  };
  GPARRAY_KERNEL_FN static state identity() { return {First::identity(), Second::identity()}; }
  GPARRAY_KERNEL_FN static void add(state& s, element x, long index) {
    First::add(s.first, x, index);
    Second::add(s.second, x, index);
  }
  GPARRAY_KERNEL_FN static void merge(state& s, const state& other) {
    First::merge(s.first, other.first);
    Second::merge(s.second, other.second);
  }
};

}  // namespace kernel
GPARRAY_END_NAMESPACE
