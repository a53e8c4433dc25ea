// The loops of short_rows.hpp, which files for the dtypes are made of.
#pragma once
#include <bit>

#include <host/reduction/reduce_blocks.hpp>
#include <host/reduction/short_rows.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

inline constexpr std::int64_t longest_short_row = 32;

/// As which elements are read: g++ does not vectorise loops over bool.
template<class E>
using read_as = std::conditional_t<kernel::is_bool<E>, unsigned char, E>;

/// The core of a short row's loop, whose values have no more digits than a block's: counts are as wide as the
/// elements, so that vectors need no narrowing.
template<class Core>
struct short_core_of : block_core_of<Core> {};
template<class E>
  requires(!kernel::is_complex<E>)
struct short_core_of<kernel::nonzero_count_core<E, long>> {
  using type = kernel::nonzero_count_core<E, kernel::unsigned_t<E>>;
};
template<class E>
  requires(!kernel::is_complex<E>)
struct short_core_of<kernel::valid_count_core<E, long>> {
  using type = kernel::valid_count_core<E, kernel::unsigned_t<E>>;
};

/// fold_block of at most P elements, a power of two and of more than half of them: lanes beyond have no part
/// in it.
template<int P, class Value, class E, class Include, class Merge>
GPARRAY_INLINE inline Value fold_short(const E* x, int n, Value identity, Include include, Merge merge) {
  static_assert(P <= lane_count<Value>);
  Value lane[P];
  if (n == P) {
    constexpr bool merges_at_once = std::is_integral_v<Value>;
    if constexpr (merges_at_once) {
      // g++ would copy the elements, and load them again in another width, for which the processor waits. Its
      // code for floats is the better one with lanes.
#pragma omp simd
      for (int j = 0; j < P / 2; ++j)
        lane[j] = merge(include(identity, x[j]), include(identity, x[j + P / 2]));
    } else {
#pragma omp simd
      for (int j = 0; j < P; ++j) lane[j] = include(identity, x[j]);
    }
#pragma GCC unroll 8
    for (int half = merges_at_once ? P / 4 : P / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) lane[j] = merge(lane[j], lane[j + half]);
    return lane[0];
  }
  for (int j = 0; j < P; ++j) lane[j] = identity;
  for (int j = 0; j < n; ++j) lane[j] = include(lane[j], x[j]);
  for (int j = 0; j + P / 2 < n; ++j) lane[j] = merge(lane[j], lane[j + P / 2]);
#pragma GCC unroll 8
  for (int half = P / 4; half > 0; half /= 2)
    for (int j = 0; j < half; ++j) lane[j] = merge(lane[j], lane[j + half]);
  return lane[0];
}
template<int P, class Core, class E>
GPARRAY_INLINE inline typename Core::value fold_short(const E* x, int n) {
  using value = typename Core::value;
  using element = typename Core::element;
  return fold_short<P>(
      x, n, Core::identity(),
      [](value a, E e) GPARRAY_INLINE { return Core::include(a, static_cast<element>(e)); },
      [](value a, value b) GPARRAY_INLINE { return Core::merge(a, b); });
}

template<class E>
GPARRAY_INLINE inline const read_as<E>* row_at(const void* x, std::int64_t step, std::int64_t row) {
  return reinterpret_cast<const read_as<E>*>(static_cast<const char*>(x) + row * step);
}

/// The value of a row, as the loops of the core give it.
template<int P, class Core>
GPARRAY_INLINE inline auto raw_value(const void* x, std::int64_t step, std::int64_t row, int n) {
  using shared = typename shared_core_of<Core>::type;
  return fold_short<P, typename short_core_of<shared>::type>(row_at<typename shared::element>(x, step, row),
                                                             n);
}

template<class Core, int P>
GPARRAY_CLONES void fold_rows(void* s, const void* x, std::int64_t step, std::int64_t count, std::int64_t n) {
  auto* const states = static_cast<typename kernel::single_state<Core>::state*>(s);
  for (std::int64_t row = 0; row < count; ++row)
    states[row].value =
        static_cast<typename Core::value>(raw_value<P, Core>(x, step, row, static_cast<int>(n)));
}

template<class First, class Second, int P>
GPARRAY_CLONES void pair_rows(void* s, const void* x, std::int64_t step, std::int64_t count, std::int64_t n) {
  auto* const states = static_cast<typename kernel::pair_state<First, Second>::state*>(s);
  for (std::int64_t row = 0; row < count; ++row)
    states[row] = {
        static_cast<typename First::value>(raw_value<P, First>(x, step, row, static_cast<int>(n))),
        static_cast<typename Second::value>(raw_value<P, Second>(x, step, row, static_cast<int>(n)))};
}

template<class E, bool SkipNan, int P>
GPARRAY_CLONES void moment_rows(void* s, const void* x, std::int64_t step, std::int64_t count,
                                std::int64_t n) {
  using moments = block_loops<kernel::moment_state<E, SkipNan>>;
  using value = typename moments::value;
  using real = typename moments::real;
  auto* const states = static_cast<typename moments::state*>(s);
  for (std::int64_t row = 0; row < count; ++row) {
    const int length = static_cast<int>(n);
    long valid = length;
    if constexpr (moments::skips)
      valid = static_cast<long>(raw_value<P, kernel::valid_count_core<E>>(x, step, row, length));
    auto state = moments::partial(
        valid, raw_value<P, kernel::sum_core<E, value, moments::skips>>(x, step, row, length));
    state.squares = fold_short<P>(
        row_at<E>(x, step, row), length, real(0),
        [mean = state.mean](real a, read_as<E> e)
            GPARRAY_INLINE { return moments::include(a, static_cast<E>(e), mean); },
        [](real a, real b) GPARRAY_INLINE { return a + b; });
    states[row] = state;
  }
}

/// The first of n elements that equals `best`, or is NaN like it; there is one. In P elements, if P is not 0,
/// and else in blocks.
template<int P, class E>
GPARRAY_INLINE inline std::int64_t find_in_row(const E* x, std::int64_t n, E best) {
  // As wide as an element, so that vectors need no narrowing.
  using flag = std::conditional_t<sizeof(E) == 8, std::uint64_t, std::uint32_t>;
  std::int64_t i = 0;
  if (kernel::is_nan(best)) {
    while (!kernel::is_nan(x[i])) ++i;
    return i;
  }
  if constexpr (P > 0) {
    if (std::is_integral_v<E> && n == P) {
      flag found = 0;
#pragma omp simd reduction(| : found)
      for (int j = 0; j < P; ++j) found |= x[j] == best ? flag(1) << j : flag(0);
      return std::countr_zero(found);
    }
  } else {
    // A branch that depends on where it is takes longer than to look at all of so many.
    constexpr std::int64_t longest_looked_through = 256;
    constexpr int at_once = longest_short_row;
    if (n <= longest_looked_through) {
      using index = std::conditional_t<sizeof(E) == 8, std::int64_t, std::int32_t>;
      index first[at_once];
      for (index& f : first) f = longest_looked_through;
      // The last ones overlap those before them.
      for (; i < n; i += at_once) {
        const auto begin = static_cast<index>(std::min<std::int64_t>(i, n - at_once));
#pragma omp simd
        for (int j = 0; j < at_once; ++j) {
          const index here = x[begin + j] == best ? begin + j : index(longest_looked_through);
          first[j] = here < first[j] ? here : first[j];
        }
      }
#pragma GCC unroll 8
      for (int half = at_once / 2; half > 0; half /= 2)
        for (int j = 0; j < half; ++j) first[j] = first[j + half] < first[j] ? first[j + half] : first[j];
      return first[0];
    }
    for (;; i = std::min<std::int64_t>(i + at_once, n - at_once)) {
      flag found = 0;
#pragma omp simd reduction(| : found)
      for (int j = 0; j < at_once; ++j) found |= x[i + j] == best ? flag(1) << j : flag(0);
      if (found != 0) return i + std::countr_zero(found);
    }
  }
  while (!(x[i] == best)) ++i;
  return i;
}

/// The extreme of more than longest_short_row elements. In any order, and of some twice, which changes
/// nothing but which of two zeros it is. Whether there is a NaN is asked once for all, as every comparison
/// would have to ask it again.
template<bool Greatest, bool SkipNan, class E>
GPARRAY_INLINE inline E extreme_of_row(const E* x, std::int64_t n) {
  using flag = std::conditional_t<sizeof(E) == 8, std::uint64_t, std::uint32_t>;
  constexpr bool skips = SkipNan && kernel::has_nan<E>;
  constexpr int lanes = std::min<int>(128 / sizeof(E), longest_short_row);
  const auto extreme = [](E a, E b) GPARRAY_INLINE { return (Greatest ? a < b : b < a) ? b : a; };
  E lane[lanes];
  for (int j = 0; j < lanes; ++j) {
    if constexpr (skips) lane[j] = Greatest ? kernel::lower_bound<E>() : kernel::upper_bound<E>();
    else lane[j] = x[j];
  }
  flag seen[lanes] = {};  // a number where NaN is skipped, else a NaN
  for (std::int64_t i = 0; i < n; i += lanes) {
    const E* const from = x + std::min(i, n - lanes);
#pragma omp simd
    for (int j = 0; j < lanes; ++j) {
      lane[j] = extreme(lane[j], from[j]);  // no NaN takes its place
      seen[j] |= (from[j] == from[j]) == skips ? flag(1) : flag(0);
    }
  }
  if constexpr (kernel::has_nan<E>) {
    flag any_seen = 0;
    for (int j = 0; j < lanes; ++j) any_seen |= seen[j];
    if ((any_seen != 0) != skips) return kernel::missing_value<E>();
  }
#pragma GCC unroll 8
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int j = 0; j < half; ++j) lane[j] = extreme(lane[j], lane[j + half]);
  return lane[0];
}

/// P of 0: rows of more than longest_short_row elements.
template<class E, bool Greatest, bool SkipNan, int P>
GPARRAY_CLONES void arg_rows(void* s, const void* x, std::int64_t step, std::int64_t count, std::int64_t n) {
  using core = std::conditional_t<Greatest, kernel::max_core<E, SkipNan>, kernel::min_core<E, SkipNan>>;
  using base = kernel::arg_state<E, Greatest, SkipNan>;
  auto* const states = static_cast<typename base::state*>(s);
  for (std::int64_t row = 0; row < count; ++row) {
    const E* const elements = row_at<E>(x, step, row);
    E best;
    if constexpr (P > 0) best = fold_short<P, core>(elements, static_cast<int>(n));
    else best = extreme_of_row<Greatest, SkipNan>(elements, n);
    if (SkipNan && kernel::is_nan(best)) states[row] = base::identity();
    else states[row] = {best, find_in_row<P>(elements, n, best)};
  }
}

/// The first true or the first false of n; n if there is none.
template<bool Which>
inline std::int64_t find_bool(const unsigned char* x, std::int64_t n) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    std::uint64_t word;
    __builtin_memcpy(&word, x + i, sizeof word);
    if (!Which) word ^= ones;
    if (word != 0)
      return i +
             (std::endian::native == std::endian::little ? std::countr_zero(word) : std::countl_zero(word)) /
                 8;
  }
  while (i < n && (x[i] != 0) != Which) ++i;
  return i;
}
template<bool Greatest>
void bool_arg_rows(void* s, const void* x, std::int64_t step, std::int64_t count, std::int64_t n) {
  auto* const states = static_cast<typename kernel::arg_state<bool, Greatest, false>::state*>(s);
  for (std::int64_t row = 0; row < count; ++row) {
    const std::int64_t at = find_bool<Greatest>(row_at<bool>(x, step, row), n);
    states[row] = {at < n ? Greatest : !Greatest, at < n ? at : 0};
  }
}

template<template<int> class Loop>
rows_loop of_length(std::int64_t n) {
  switch (std::bit_ceil(static_cast<std::uint64_t>(n))) {
    case 2:
      return Loop<2>::run;
    case 4:
      return Loop<4>::run;
    case 8:
      return Loop<8>::run;
    case 16:
      return Loop<16>::run;
    case 32:
      return Loop<32>::run;
    default:
      return nullptr;
  }
}

/// The loops of a state.
template<class State>
struct short_loops;
template<class Core>
struct short_loops<kernel::single_state<Core>> {
  template<int P>
  struct loop {
    static constexpr rows_loop run = &fold_rows<Core, P>;
  };
};
template<class First, class Second>
struct short_loops<kernel::pair_state<First, Second>> {
  template<int P>
  struct loop {
    static constexpr rows_loop run = &pair_rows<First, Second, P>;
  };
};
template<class E, bool SkipNan>
struct short_loops<kernel::moment_state<E, SkipNan>> {
  template<int P>
  struct loop {
    static constexpr rows_loop run = &moment_rows < E, SkipNan &&kernel::has_nan<E>, P > ;
  };
};
template<class E, bool Greatest, bool SkipNan>
struct short_loops<kernel::arg_state<E, Greatest, SkipNan>> {
  static constexpr rows_loop any_length = &arg_rows<E, Greatest, SkipNan, 0>;
  template<int P>
  struct loop {
    static constexpr rows_loop run = &arg_rows<E, Greatest, SkipNan, P>;
  };
};

template<bool Greatest>
struct short_loops<kernel::arg_state<bool, Greatest, false>> {
  static constexpr rows_loop any_length = &bool_arg_rows<Greatest>;
  template<int P>
  struct loop {
    static constexpr rows_loop run = any_length;
  };
};

template<class Reduction>
rows_loop find_short_loop(std::int64_t n) {
  using loops = short_loops<typename Reduction::base_state>;
  if constexpr (requires { loops::any_length; })
    if (n > longest_short_row) return loops::any_length;
  return of_length<loops::template loop>(n);
}

template<class E>
rows_loop find_short_rows_of(reduction op, std::int64_t n) {
  switch (op) {
#define GPARRAY_SHORT_ROWS(name) \
  case reduction::name:          \
    return find_short_loop<kernel::name##_reduction<E>>(n);
    GPARRAY_SHORT_ROWS(sum)
    GPARRAY_SHORT_ROWS(prod)
    GPARRAY_SHORT_ROWS(min)
    GPARRAY_SHORT_ROWS(max)
    GPARRAY_SHORT_ROWS(any)
    GPARRAY_SHORT_ROWS(all)
    GPARRAY_SHORT_ROWS(argmin)
    GPARRAY_SHORT_ROWS(argmax)
    GPARRAY_SHORT_ROWS(count_nonzero)
    GPARRAY_SHORT_ROWS(mean)
    GPARRAY_SHORT_ROWS(var)
    GPARRAY_SHORT_ROWS(std)
    GPARRAY_SHORT_ROWS(norm)
    GPARRAY_SHORT_ROWS(nansum)
    GPARRAY_SHORT_ROWS(nanprod)
    GPARRAY_SHORT_ROWS(nanmin)
    GPARRAY_SHORT_ROWS(nanmax)
    GPARRAY_SHORT_ROWS(nanargmin)
    GPARRAY_SHORT_ROWS(nanargmax)
    GPARRAY_SHORT_ROWS(nanmean)
    GPARRAY_SHORT_ROWS(nanvar)
    GPARRAY_SHORT_ROWS(nanstd)
#undef GPARRAY_SHORT_ROWS
    case reduction::ptp:
      if constexpr (!kernel::is_bool<E>) return find_short_loop<kernel::ptp_reduction<E>>(n);
      else return nullptr;
    default:
      return nullptr;
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE

#define GPARRAY_DEFINE_SHORT_ROWS(name, kernel_type)                  \
  GPARRAY_BEGIN_NAMESPACE                                             \
  namespace host {                                                    \
  rows_loop find_short_rows_of_##name(reduction op, std::int64_t n) { \
    return find_short_rows_of<kernel_type>(op, n);                    \
  }                                                                   \
  }                                                                   \
  GPARRAY_END_NAMESPACE
