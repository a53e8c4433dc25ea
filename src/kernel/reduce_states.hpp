// The partial result of every family of reductions: state, identity, add(state, element, index), merge(state,
// state). Merging is associative up to rounding; states of disjoint parts merge in any order (indices decide
// ties).
#pragma once
#include "reduce_cores.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

template<class Core>
struct single_state {
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
  using first_core = First;
  using second_core = Second;
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
    if (other.count == 0) return;
    if (s.count == 0) {
      s = other;
      return;
    }
    const long count = s.count + other.count;
    const real share = static_cast<real>(other.count) / static_cast<real>(count);
    const value difference = other.mean - s.mean;
    s.squares += other.squares + inner(difference, difference) * (static_cast<real>(s.count) * share);
    s.mean = s.mean + scale(difference, share);
    s.count = count;
  }
};

/// Two reductions of the same elements at once, each with the state, and so the bits, that it has alone.
template<class First, class Second>
struct both_states {
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
