// What a reduction is: for each row of reductions.def name##_reduction<E>, a state of reduce_states.hpp and
// the result that is made of it by finish(state, n, ddof), where n is the number of elements reduced.
#pragma once
#include "reduce_states.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// The partial value is the result, but for a half that was widened.
template<class Core, class Result>
struct value_reduction : single_state<Core> {
  using typename single_state<Core>::state;
  using result = Result;
  GPARRAY_KERNEL_FN static result finish(const state& s, long, double) { return narrow<result>(s.value); }
};

/// Types without a NaN share the code of the plain reductions.
template<class E>
inline constexpr bool has_nan = !is_bool<E> && !is_integer<E>;

// A GPU thread adds up too many floats in a row for float, and double costs it nothing: it waits for memory.
// The host's loops take double in blocks of their own choosing.
#if defined(__CUDACC__)
template<class A>
using partial_sum_t = conditional_t<is_same<A, float>, double, A>;
/// Of numbers so small that all their sums are exact, as integers as well as in double, to which a GPU
/// converts slowly.
template<class E>
using partial_mean_t =
    conditional_t<(is_bool<E> || is_integer<E>) && sizeof(E) <= 2, long, partial_sum_t<floating_t<E>>>;
#else
template<class A>
using partial_sum_t = A;
template<class E>
using partial_mean_t = floating_t<E>;
#endif

template<class E, bool SkipNan>
using sum_of = value_reduction<sum_core<E, partial_sum_t<widened_t<E>>, SkipNan>, stored_t<E, widened_t<E>>>;
template<class E, bool SkipNan>
using prod_of = value_reduction<prod_core<E, widened_t<E>, SkipNan>, stored_t<E, widened_t<E>>>;

template<class E>
struct sum_reduction : sum_of<E, false> {};
template<class E>
struct nansum_reduction : sum_of<E, has_nan<E>> {};
template<class E>
struct prod_reduction : prod_of<E, false> {};
template<class E>
struct nanprod_reduction : prod_of<E, has_nan<E>> {};
template<class E>
struct min_reduction : value_reduction<min_core<E, false>, E> {};
template<class E>
struct nanmin_reduction : value_reduction<min_core<E, has_nan<E>>, E> {};
template<class E>
struct max_reduction : value_reduction<max_core<E, false>, E> {};
template<class E>
struct nanmax_reduction : value_reduction<max_core<E, has_nan<E>>, E> {};
template<class E>
struct any_reduction : value_reduction<any_core<E>, bool> {};
template<class E>
struct all_reduction : value_reduction<all_core<E>, bool> {};
template<class E>
struct count_nonzero_reduction : value_reduction<nonzero_count_core<E>, long> {};

/// A mean of complex numbers divides its parts, as NumPy's division by a real count does.
template<class Result, class A>
GPARRAY_KERNEL_FN Result divide_by_count(A sum, long count) {
  if constexpr (is_complex<A>)
    return {sum.re / static_cast<real_t<A>>(count), sum.im / static_cast<real_t<A>>(count)};
  else return narrow<Result>(sum / static_cast<A>(count));
}

template<class E>
struct mean_reduction : single_state<sum_core<E, partial_mean_t<E>, false>> {
  using typename single_state<sum_core<E, partial_mean_t<E>, false>>::state;
  using result = stored_t<E, floating_t<E>>;
  GPARRAY_KERNEL_FN static result finish(const state& s, long n, double) {
    if constexpr (is_same<partial_mean_t<E>, long>)
      return divide_by_count<result>(static_cast<double>(s.value), n);
    else return divide_by_count<result>(s.value, n);
  }
};

template<class E>
struct nanmean_reduction
    : pair_state<sum_core<E, partial_sum_t<floating_t<E>>, has_nan<E>>, valid_count_core<E>> {
  using
      typename pair_state<sum_core<E, partial_sum_t<floating_t<E>>, has_nan<E>>, valid_count_core<E>>::state;
  using result = stored_t<E, floating_t<E>>;
  GPARRAY_KERNEL_FN static result finish(const state& s, long, double) {
    return divide_by_count<result>(s.first, s.second);
  }
};

template<class E>
struct norm_reduction : single_state<square_core<E>> {
  using typename single_state<square_core<E>>::state;
  using result = stored_real_t<E>;
  GPARRAY_KERNEL_FN static result finish(const state& s, long, double) {
    return narrow<result>(sqrt(s.value));
  }
};

template<class E>
struct ptp_reduction : pair_state<min_core<E, false>, max_core<E, false>> {
  using typename pair_state<min_core<E, false>, max_core<E, false>>::state;
  using result = E;
  GPARRAY_KERNEL_FN static result finish(const state& s, long, double) {
    return narrow<result>(subtract(s.second, s.first));
  }
};

template<class E, bool Greatest, bool SkipNan>
struct arg_reduction : arg_state<E, Greatest, SkipNan> {
  using typename arg_state<E, Greatest, SkipNan>::state;
  using result = long;
  GPARRAY_KERNEL_FN static result finish(const state& s, long, double) { return s.index; }
};
template<class E>
struct argmin_reduction : arg_reduction<E, false, false> {};
template<class E>
struct argmax_reduction : arg_reduction<E, true, false> {};
template<class E>
struct nanargmin_reduction : arg_reduction<E, false, has_nan<E>> {};
template<class E>
struct nanargmax_reduction : arg_reduction<E, true, has_nan<E>> {};

template<class E, bool SkipNan, bool Root>
struct variance_reduction : moment_state<E, SkipNan> {
  using typename moment_state<E, SkipNan>::state;
  using typename moment_state<E, SkipNan>::real;
  using result = stored_real_t<E>;
  /// Too few elements for ddof divide by 0, as in NumPy: infinite, or NaN if the squares are 0.
  /// nanvar has no value at all then.
  GPARRAY_KERNEL_FN static result finish(const state& s, long, double ddof) {
    const double degrees = static_cast<double>(s.count) - ddof;
    if (SkipNan && !(degrees > 0)) return narrow<result>(quiet_nan<real>());
    const real variance = s.squares / static_cast<real>(degrees > 0 ? degrees : 0);
    return narrow<result>(Root ? sqrt(variance) : variance);
  }
};
template<class E>
struct var_reduction : variance_reduction<E, false, false> {};
template<class E>
struct std_reduction : variance_reduction<E, false, true> {};
template<class E>
struct nanvar_reduction : variance_reduction<E, true, false> {};
template<class E>
struct nanstd_reduction : variance_reduction<E, true, true> {};

/// Results side by side: as in an array of the first type with two positions for each group of elements. The
/// second is as large, or the real part of a complex number.
template<class First, class Second, bool Gap = sizeof(First) != sizeof(Second)>
struct result_pair {
  First first;
  Second second;
};
template<class First, class Second>
struct result_pair<First, Second, true> {
  First first;
  Second second, unused = {};
};

template<class First, class Second>
struct paired_reduction : both_states<First, Second> {
  using typename both_states<First, Second>::state;
  using result = result_pair<typename First::result, typename Second::result>;
  GPARRAY_KERNEL_FN static result finish(const state& s, long n, double ddof) {
    return {First::finish(s.first, n, ddof), Second::finish(s.second, n, ddof)};
  }
};
template<class E>
struct minmax_reduction : paired_reduction<min_reduction<E>, max_reduction<E>> {};
template<class E>
struct moments_reduction : paired_reduction<mean_reduction<E>, var_reduction<E>> {};

}  // namespace kernel
GPARRAY_END_NAMESPACE
