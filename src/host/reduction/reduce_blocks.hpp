// Makes the reduce_kernel of each row of reductions.def for one dtype: how a block's elements become states,
// for every kind of state. Included by the sources that cmake/parts.cmake writes, so that they compile in
// parallel.
#pragma once
#include <string_view>

#include <host/reduction/reduce_lanes.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// What the states of one kind are made with: block() and columns() of a reduce_kernel, and rows() where it
/// is quicker.
template<class State>
struct block_loops;

template<class Core>
struct block_loops<kernel::single_state<Core>> {
  using state = typename kernel::single_state<Core>::state;
  using loops = shared_loops<Core>;
  using value = typename Core::value;
  static constexpr bool running = false;

  static void block(void* s, const void* x, std::int64_t n, std::int64_t) { rows(s, x, 0, 1, n); }
  static void rows(void* s, const void* x, std::int64_t step, std::int64_t count, std::int64_t n) {
    loops::rows(x, step, count, n, [&](std::int64_t row, auto value_of_row) {
      static_cast<state*>(s)[row].value = static_cast<value>(value_of_row);
    });
  }
  static void columns(void* s, const void* const* rows, std::int64_t n, std::int64_t columns, std::int64_t) {
    loops::columns(rows, n, columns, [&](const auto* values) {
      for (std::int64_t c = 0; c < columns; ++c)
        static_cast<state*>(s)[c].value = static_cast<value>(values[c]);
    });
  }
};

template<class First, class Second>
struct block_loops<kernel::pair_state<First, Second>> {
  using state = typename kernel::pair_state<First, Second>::state;
  static constexpr bool running = false;

  static void block(void* s, const void* x, std::int64_t n, std::int64_t) {
    auto& result = *static_cast<state*>(s);
    result.first = shared_loops<First>::block(x, n);
    result.second = shared_loops<Second>::block(x, n);
  }
  static void columns(void* s, const void* const* rows, std::int64_t n, std::int64_t columns, std::int64_t) {
    auto* const states = static_cast<state*>(s);
    shared_loops<First>::columns(rows, n, columns, [&](const auto* values) {
      for (std::int64_t c = 0; c < columns; ++c)
        states[c].first = static_cast<typename First::value>(values[c]);
    });
    shared_loops<Second>::columns(rows, n, columns, [&](const auto* values) {
      for (std::int64_t c = 0; c < columns; ++c)
        states[c].second = static_cast<typename Second::value>(values[c]);
    });
  }
};

/// Two passes over a block, which stays in the cache: the mean, then the squares of the deviations from it.
template<class E, bool SkipNan>
struct block_loops<kernel::moment_state<E, SkipNan>> {
  using base = kernel::moment_state<E, SkipNan>;
  using state = typename base::state;
  using value = typename base::value;
  using real = typename base::real;
  // Types without a NaN share the loops that look for none.
  static constexpr bool skips = SkipNan && kernel::has_nan<E>;
  using loops = block_loops<kernel::moment_state<E, skips>>;
  using sums = shared_loops<kernel::sum_core<E, value, skips>>;
  using counts = shared_loops<kernel::valid_count_core<E>>;
  static constexpr bool running = false;

  GPARRAY_KERNEL_FN static real include(real a, E x, value mean) {
    const value term = kernel::to_accumulator<value>(x);
    const real square = kernel::abs2(term - mean);
    return SkipNan && kernel::is_nan(term) ? a : a + square;
  }

  static real squares(const E* x, std::int64_t n, value mean) {
    if constexpr (is_unfused<E>) return squares_unfused(x, n, mean);
    else return squares_clones(x, n, mean);
  }
  static void lane_squares(real* acc, const void* const* rows, std::int64_t n, std::int64_t columns,
                           std::int64_t lane, const value* means) {
    if constexpr (is_unfused<E>) lane_squares_unfused(acc, rows, n, columns, lane, means);
    else lane_squares_clones(acc, rows, n, columns, lane, means);
  }
  GPARRAY_CLONES static real squares_clones(const E* x, std::int64_t n, value mean) {
    return squares_body(x, n, mean);
  }
  GPARRAY_CLONES static void lane_squares_clones(real* acc, const void* const* rows, std::int64_t n,
                                                 std::int64_t columns, std::int64_t lane,
                                                 const value* means) {
    lane_squares_body(acc, rows, n, columns, lane, means);
  }
  GPARRAY_UNFUSED_CLONES static real squares_unfused(const E* x, std::int64_t n, value mean) {
    return squares_body(x, n, mean);
  }
  GPARRAY_UNFUSED_CLONES static void lane_squares_unfused(real* acc, const void* const* rows, std::int64_t n,
                                                          std::int64_t columns, std::int64_t lane,
                                                          const value* means) {
    lane_squares_body(acc, rows, n, columns, lane, means);
  }
  GPARRAY_INLINE static inline real squares_body(const E* x, std::int64_t n, value mean) {
    return fold_block(
        x, n, real(0), [mean](real a, E e) GPARRAY_INLINE { return include(a, e, mean); },
        [](real a, real b) GPARRAY_INLINE { return a + b; });
  }
  GPARRAY_INLINE static inline void lane_squares_body(real* acc, const void* const* rows, std::int64_t n,
                                                      std::int64_t columns, std::int64_t lane,
                                                      const value* means) {
    fold_lane<real, E, true>(acc, rows, n, columns, lane, real(0),
                             [means](real a, E e, std::int64_t c)
                                 GPARRAY_INLINE { return include(a, e, means[c]); });
  }

  template<class Sum>
  static state partial(long count, Sum sum) {
    // Where it is a number of elements, it is one that any floating-point type has.
    using dividend = std::conditional_t<std::is_integral_v<Sum>, value, Sum>;
    return {count,
            count ? static_cast<value>(kernel::divide_by_count<dividend>(static_cast<dividend>(sum), count))
                  : kernel::zero_of<value>(),
            0};
  }

  static void block(void* s, const void* x, std::int64_t n, std::int64_t) {
    auto& result = *static_cast<state*>(s);
    const auto* const elements = static_cast<const E*>(x);
    result = partial(skips ? counts::block(elements, n) : n, sums::raw_block(elements, n));
    result.squares = loops::squares(elements, n, result.mean);
  }

  static void columns(void* s, const void* const* rows, std::int64_t n, std::int64_t columns, std::int64_t) {
    auto* const states = static_cast<state*>(s);
    struct means_purpose;
    struct squares_purpose;
    value* const means = column_values<means_purpose, value>(columns);
    for (std::int64_t c = 0; c < columns; ++c) states[c].count = n;
    if constexpr (skips)
      counts::columns(rows, n, columns, [&](const auto* values) {
        for (std::int64_t c = 0; c < columns; ++c) states[c].count = values[c];
      });
    sums::columns(rows, n, columns, [&](const auto* values) {
      for (std::int64_t c = 0; c < columns; ++c) {
        states[c] = partial(states[c].count, values[c]);
        means[c] = states[c].mean;
      }
    });
    real* const values = column_values<squares_purpose, real>(columns, fold_depth<real>);
    fold_columns(
        values, n, columns,
        [&](real* acc, std::int64_t lane) { loops::lane_squares(acc, rows, n, columns, lane, means); },
        [&](real* a, const real* b) {
          for (std::int64_t c = 0; c < columns; ++c) a[c] = a[c] + b[c];
        });
    for (std::int64_t c = 0; c < columns; ++c) states[c].squares = values[c];
  }
};

/// The loops of both, one after the other: a block stays in the cache.
template<class First, class Second>
struct block_loops<kernel::both_states<First, Second>> {
  using state = typename kernel::both_states<First, Second>::state;
  using first_loops = block_loops<typename First::base_state>;
  using second_loops = block_loops<typename Second::base_state>;
  static constexpr bool running = false;
  static_assert(!first_loops::running && !second_loops::running);

  static void block(void* s, const void* x, std::int64_t n, std::int64_t first) {
    auto& result = *static_cast<state*>(s);
    first_loops::block(&result.first, x, n, first);
    second_loops::block(&result.second, x, n, first);
  }
  static void columns(void* s, const void* const* rows, std::int64_t n, std::int64_t columns,
                      std::int64_t first) {
    auto* const states = static_cast<state*>(s);
    struct first_purpose;
    struct second_purpose;
    auto* const of_first = column_values<first_purpose, typename First::state>(columns);
    first_loops::columns(of_first, rows, n, columns, first);
    for (std::int64_t c = 0; c < columns; ++c) states[c].first = of_first[c];
    auto* const of_second = column_values<second_purpose, typename Second::state>(columns);
    second_loops::columns(of_second, rows, n, columns, first);
    for (std::int64_t c = 0; c < columns; ++c) states[c].second = of_second[c];
  }
};

/// The least value of a block at vector speed; its index is looked for only if it beats the best so far.
template<class E, bool Greatest, bool SkipNan>
struct block_loops<kernel::arg_state<E, Greatest, SkipNan>> {
  using base = kernel::arg_state<E, Greatest, SkipNan>;
  using state = typename base::state;
  using value = typename base::value;
  using core = std::conditional_t<Greatest, kernel::max_core<E, SkipNan>, kernel::min_core<E, SkipNan>>;
  static constexpr bool running = true;

  GPARRAY_KERNEL_FN static bool same(E x, value best) {
    const value v = kernel::to_accumulator<value>(x);
    return kernel::is_nan(best) ? kernel::is_nan(v) : v == best;
  }
  static constexpr int searched_at_once = 256;
  GPARRAY_CLONES static bool contains(const E* x, value best) {
    int found = 0;
    for (int j = 0; j < searched_at_once; ++j) found |= same(x[j], best);
    return found != 0;
  }
  static std::int64_t find(const E* x, value best) {
    std::int64_t i = 0;
    // Ends, for `best` is one of the block's elements.
    while (!same(x[i], best)) ++i;
    return i;
  }

  static void block(void* s, const void* x, std::int64_t n, std::int64_t first) {
    auto& running_state = *static_cast<state*>(s);
    const auto* elements = static_cast<const E*>(x);
    const value best = shared_loops<core>::block(elements, n);
    if (SkipNan && kernel::is_nan(best)) return;
    if (running_state.index >= 0 && !base::better(best, running_state.best)) return;
    std::int64_t at = 0;
    while (at + searched_at_once <= n && !contains(elements + at, best)) at += searched_at_once;
    running_state = {best, first + at + find(elements + at, best)};
  }

  GPARRAY_CLONES static void compare_row(value* best, int* index, const E* row, std::int64_t columns,
                                         int number) {
#pragma omp simd
    for (std::int64_t c = 0; c < columns; ++c) {
      const value v = kernel::to_accumulator<value>(row[c]);
      const bool take =
          (index[c] < 0 && !(SkipNan && kernel::is_nan(v))) || (index[c] >= 0 && beats(v, best[c]));
      best[c] = take ? v : best[c];
      index[c] = take ? number : index[c];
    }
  }
  GPARRAY_KERNEL_FN static bool beats(value a, value b) {
    if constexpr (SkipNan) return Greatest ? kernel::less(b, a) : kernel::less(a, b);
    else return base::better(a, b);
  }

  static void columns(void* s, const void* const* rows, std::int64_t n, std::int64_t columns,
                      std::int64_t first) {
    struct best_purpose;
    struct index_purpose;
    auto* const best = column_values<best_purpose, value>(columns);
    auto* const index = column_values<index_purpose, int>(columns);
    std::fill_n(best, columns, kernel::zero_of<value>());
    std::fill_n(index, columns, -1);
    for (std::int64_t r = 0; r < n; ++r) {
      compare_row(best, index, static_cast<const E*>(rows[r]), columns, static_cast<int>(r));
      // Of two values nothing is better than the one.
      if constexpr (kernel::is_bool<E>)
        if (r % 8 == 7 && std::all_of(best, best + columns, [](bool v) { return v == Greatest; })) break;
    }
    auto* const states = static_cast<state*>(s);
    for (std::int64_t c = 0; c < columns; ++c) states[c] = {best[c], index[c] < 0 ? -1 : first + index[c]};
  }
};

template<class State>
void identity_states(void* states, std::int64_t count) {
  std::fill_n(static_cast<typename State::state*>(states), count, State::identity());
}

template<class State>
void merge_states(void* into, const void* from, std::int64_t count) {
  auto* const a = static_cast<typename State::state*>(into);
  const auto* const b = static_cast<const typename State::state*>(from);
  for (std::int64_t i = 0; i < count; ++i) State::merge(a[i], b[i]);
}

template<class Reduction>
void finish_states(const void* states, std::int64_t count, std::int64_t n, double ddof, void* out,
                   std::int64_t stride) {
  const auto* const s = static_cast<const typename Reduction::state*>(states);
  for (std::int64_t i = 0; i < count; ++i) {
    const typename Reduction::result r = Reduction::finish(s[i], n, ddof);
    __builtin_memcpy(static_cast<char*>(out) + i * stride, &r, sizeof r);
  }
}

/// A reduce_kernel's decided().
template<class State>
struct decision {
  static constexpr bool (*value)(const void*) = nullptr;
};
/// Of states that begin with a bool: that it is Last, past which there is nothing.
template<bool Last>
struct decision_of_bool {
  static constexpr bool (*value)(const void*) = [](const void* s) {
    return *static_cast<const bool*>(s) == Last;
  };
};
template<class E>
struct decision<kernel::single_state<kernel::any_core<E>>> : decision_of_bool<true> {};
template<class E>
struct decision<kernel::single_state<kernel::all_core<E>>> : decision_of_bool<false> {};
template<>
struct decision<kernel::single_state<kernel::max_core<bool, false>>> : decision_of_bool<true> {};
template<>
struct decision<kernel::single_state<kernel::min_core<bool, false>>> : decision_of_bool<false> {};
template<bool Greatest>
struct decision<kernel::arg_state<bool, Greatest, false>> {
  using state = typename kernel::arg_state<bool, Greatest, false>::state;
  static constexpr bool (*value)(const void*) = [](const void* s) {
    const auto& found = *static_cast<const state*>(s);
    return found.index >= 0 && found.best == Greatest;
  };
};

template<class Loops>
constexpr auto rows_of_loops() -> void (*)(void*, const void*, std::int64_t, std::int64_t, std::int64_t) {
  if constexpr (requires { Loops::rows; }) return Loops::rows;
  else return nullptr;
}

template<class Reduction>
constexpr reduce_kernel make_reduction() {
  using base = typename Reduction::base_state;
  using loops = block_loops<base>;
  using state = typename Reduction::state;
  static_assert(sizeof(state) <= max_state_size);
  return {sizeof(state),      loops::running,           identity_states<base>,
          loops::block,       rows_of_loops<loops>(),   loops::columns,
          merge_states<base>, finish_states<Reduction>, decision<base>::value};
}

template<class T, dtype D, bool Exists, template<class> class Reduction>
constexpr reduce_kernel choose_reduction() {
  if constexpr (Exists) return make_reduction<Reduction<T>>();
  else return {};
}

constexpr bool has_reduction(std::string_view domain, dtype type) {
  return gparray::detail::has(domain, kind(type) == 'u' ? 'i' : kind(type));
}

template<class T, dtype D>
struct reduction_rows {
  static const reduce_kernel rows[reduction_count];
};

template<class T, dtype D>
const reduce_kernel reduction_rows<T, D>::rows[] = {
#define GPARRAY_REDUCTION(name, domain, accumulator, result, empty, masked, fold, runs, doc) \
  choose_reduction<T, D, has_reduction(domain, D), kernel::name##_reduction>(),
#include <gparray/tables/reductions.def>
};

}  // namespace host
GPARRAY_END_NAMESPACE

#define GPARRAY_DEFINE_REDUCTIONS(name, kernel_type)                                             \
  GPARRAY_BEGIN_NAMESPACE                                                                        \
  namespace host {                                                                               \
  extern const reduce_kernel* const reductions_##name;                                           \
  const reduce_kernel* const reductions_##name = reduction_rows<kernel_type, dtype::name>::rows; \
  }                                                                                              \
  GPARRAY_END_NAMESPACE
