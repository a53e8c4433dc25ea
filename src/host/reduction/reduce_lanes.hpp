// The loops over elements: the value of a core for a block, by lanes of vectors, or for columns, by lanes of
// rows.
#pragma once
#include <algorithm>
#include <type_traits>

#include <host/reduction/reduce_kernels.hpp>
#include <host/support/clones.hpp>
#include <host/support/scratch.hpp>
#include <kernel/reductions.hpp>

#define GPARRAY_INLINE __attribute__((always_inline))

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Whether the loops are GPARRAY_UNFUSED_CLONES.
template<class E>
inline constexpr bool is_unfused = kernel::is_complex<E>;

/// 256 bytes are four of the widest vectors: enough independent additions to hide their latency.
template<class Value>
inline constexpr int lane_count = std::min<int>(256 / sizeof(Value), 128);

/// The core whose loops a reduction uses. Integers of one size share those in which their sign has no part,
/// so both signs of a size are in one file.
template<class Core>
struct shared_core_of {
  using type = Core;
};
template<class E>
inline constexpr bool shares_loops = kernel::is_bool<E> || kernel::is_signed_integer<E>;
template<class E>
  requires shares_loops<E>
struct shared_core_of<kernel::any_core<E>> {
  using type = kernel::any_core<kernel::unsigned_t<E>>;
};
template<class E>
  requires shares_loops<E>
struct shared_core_of<kernel::all_core<E>> {
  using type = kernel::all_core<kernel::unsigned_t<E>>;
};
template<class E>
  requires shares_loops<E>
struct shared_core_of<kernel::nonzero_count_core<E>> {
  using type = kernel::nonzero_count_core<kernel::unsigned_t<E>>;
};
template<>
struct shared_core_of<kernel::sum_core<long, long, false>> {
  using type = kernel::sum_core<unsigned long, unsigned long, false>;
};
template<>
struct shared_core_of<kernel::prod_core<long, long, false>> {
  using type = kernel::prod_core<unsigned long, unsigned long, false>;
};
// Of true and false, a sum and a sum of squares is how many are true, a product and the least whether all
// are.
template<class A>
struct shared_core_of<kernel::sum_core<bool, A, false>> : shared_core_of<kernel::nonzero_count_core<bool>> {};
template<>
struct shared_core_of<kernel::square_core<bool>> : shared_core_of<kernel::nonzero_count_core<bool>> {};
template<class A>
struct shared_core_of<kernel::prod_core<bool, A, false>> : shared_core_of<kernel::all_core<bool>> {};
template<>
struct shared_core_of<kernel::min_core<bool, false>> : shared_core_of<kernel::all_core<bool>> {};
template<>
struct shared_core_of<kernel::max_core<bool, false>> : shared_core_of<kernel::any_core<bool>> {};

/// The core with which a block is computed. Where a block's sum fits in fewer bits, more lanes fit in a
/// vector. Floats add up in double: memory is no faster than that, and sums of equal numbers come out exact.
template<class Core>
struct block_core_of {
  using type = Core;
};
template<class E>
  requires(kernel::is_bool<E> || (kernel::is_integer<E> && sizeof(E) <= 2))
struct block_core_of<kernel::sum_core<E, kernel::widened_t<E>, false>> {
  using type =
      kernel::sum_core<E, std::conditional_t<kernel::is_same<kernel::widened_t<E>, long>, int, unsigned>,
                       false>;
};
template<bool SkipNan>
struct block_core_of<kernel::sum_core<float, float, SkipNan>> {
  using type = kernel::sum_core<float, double, SkipNan>;
};
// Flags and counts as wide as the elements, or as one part of a complex number, need no narrowing of vectors,
// which takes longer than all else. A byte is too narrow to count a block in.
template<std::size_t Bytes>
using count_in =
    std::conditional_t<Bytes <= 2, unsigned short, std::conditional_t<Bytes == 4, unsigned, unsigned long>>;
template<class E>
struct block_core_of<kernel::nonzero_count_core<E, long>> {
  using type = kernel::nonzero_count_core<E, count_in<sizeof(kernel::real_t<E>)>>;
};
template<class E>
struct block_core_of<kernel::valid_count_core<E, long>> {
  using type = kernel::valid_count_core<E, count_in<sizeof(kernel::real_t<E>)>>;
};
template<class E>
  requires(!kernel::is_complex<E>)
struct block_core_of<kernel::any_core<E>> {
  using type = kernel::any_core<E, kernel::unsigned_t<E>>;
};
template<class E>
  requires(!kernel::is_complex<E>)
struct block_core_of<kernel::all_core<E>> {
  using type = kernel::all_core<E, kernel::unsigned_t<E>>;
};
template<class Core>
using block_core = typename block_core_of<Core>::type;

/// How far ahead of a loop its elements are asked for, in bytes of each stream it reads: far enough to hide
/// the memory, near enough to stay in the first-level cache. The hardware does not do it, for it takes lines
/// that unrolled loops read out of order for no stream. What lies behind the end of an array is no fault.
inline constexpr std::int64_t block_ahead = 1024, column_ahead = 2048;

/// The elements of a block, as they lie in memory.
template<class E>
struct stored_elements {
  const E* from;
  GPARRAY_INLINE E operator[](std::int64_t i) const { return from[i]; }
  GPARRAY_INLINE void ask_for(std::int64_t i, std::int64_t count) const {
    const char* const ahead = reinterpret_cast<const char*>(from + i) + block_ahead;
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(E);
    for (std::size_t b = 0; b < bytes; b += 64) __builtin_prefetch(ahead + b);
  }
};
/// The products of two arrays' elements.
template<class E>
struct multiplied_elements {
  const E *a, *b;
  GPARRAY_INLINE E operator[](std::int64_t i) const { return kernel::multiply(a[i], b[i]); }
  GPARRAY_INLINE void ask_for(std::int64_t i, std::int64_t count) const {
    stored_elements<E>{a}.ask_for(i, count);
    stored_elements<E>{b}.ask_for(i, count);
  }
};

/// Lanes over elements side by side; include(value, element).
template<class Value, class Elements, class Include, class Merge>
GPARRAY_INLINE inline Value fold_elements(Elements x, std::int64_t n, Value identity, Include include,
                                          Merge merge) {
  constexpr int lanes = lane_count<Value>;
  Value lane[lanes];
  for (int j = 0; j < lanes; ++j) lane[j] = identity;
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    x.ask_for(i, lanes);
#pragma omp simd
    for (int j = 0; j < lanes; ++j) lane[j] = include(lane[j], x[i + j]);
  }
  // Under a mask, where the processor has them: elements one by one would make the lanes go through memory.
  const int rest = static_cast<int>(n - i);
#pragma omp simd
  for (int j = 0; j < lanes; ++j)
    if (j < rest) lane[j] = include(lane[j], x[i + j]);
  if (n >= lanes) {
#pragma GCC unroll 8
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) lane[j] = merge(lane[j], lane[j + half]);
  } else {
    // Lanes without an element are left out: a product with complex 1 may change the sign of a zero.
#pragma GCC unroll 8
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) lane[j] = j + half < rest ? merge(lane[j], lane[j + half]) : lane[j];
  }
  return lane[0];
}

template<class Value, class E, class Include, class Merge>
GPARRAY_INLINE inline Value fold_block(const E* x, std::int64_t n, Value identity, Include include,
                                       Merge merge) {
  return fold_elements(stored_elements<E>{x}, n, identity, include, merge);
}

/// How many of so many bytes, at most a block of them, are not 0: lanes are bytes, which are widened at the
/// end.
GPARRAY_INLINE inline unsigned short count_bytes(const unsigned char* x, std::int64_t n) {
  constexpr int lanes = 128;
  static_assert(reduce_block / lanes <= 255);
  unsigned char lane[lanes] = {};
  unsigned short count = 0;
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto* const ahead = x + i + block_ahead;
    for (int b = 0; b < lanes; b += 64) __builtin_prefetch(ahead + b);
#pragma omp simd
    for (int j = 0; j < lanes; ++j) lane[j] = static_cast<unsigned char>(lane[j] + (x[i + j] != 0));
  }
  for (; i < n; ++i) count = static_cast<unsigned short>(count + (x[i] != 0));
#pragma omp simd reduction(+ : count)
  for (int j = 0; j < lanes; ++j) count = static_cast<unsigned short>(count + lane[j]);
  return count;
}

// g++ threads jumps through chained selections and then cannot vectorise them, so extremes take one row after
// the other.
template<class Core>
inline constexpr bool chains = true;
template<class E, bool SkipNan>
inline constexpr bool chains<kernel::min_core<E, SkipNan>> = false;
template<class E, bool SkipNan>
inline constexpr bool chains<kernel::max_core<E, SkipNan>> = false;

/// Calls body(begin, end) on all columns of some rows, line by line, and asks for what comes next: the same
/// rows further on, at their ends the rows after them, which lie where the hardware does not look.
template<class E, int Rows, class Body>
GPARRAY_INLINE inline void for_lines(std::int64_t columns, const E* const (&rows)[Rows],
                                     const E* const (&next)[Rows], Body body) {
  constexpr std::int64_t line = 64 / sizeof(E), ahead = column_ahead / sizeof(E);
  std::int64_t c = 0;
  for (; c + line <= columns; c += line) {
    const bool here = c + ahead < columns;
    const std::int64_t at = here ? c + ahead : std::min(c, c + ahead - columns);
    for (int k = 0; k < Rows; ++k) __builtin_prefetch((here ? rows[k] : next[k]) + at);
    body(c, c + line);
  }
  if (c < columns) body(c, columns);
}

/// One lane of columns: rows lane, lane + lanes, ...; include(value, element, column).
template<class Value, class E, bool Chains, class Include>
GPARRAY_INLINE inline void fold_lane(Value* acc, const void* const* rows, std::int64_t n,
                                     std::int64_t columns, std::int64_t lane, Value identity,
                                     Include include) {
  constexpr int lanes = lane_count<Value>;
  const auto row = [&](std::int64_t r) { return static_cast<const E*>(rows[r]); };
  // Past the last row there is nothing to ask for.
  const auto after = [&](std::int64_t r, int count) {
    return row(r + count * lanes < n ? r + count * lanes : r);
  };
  const E* const first[] = {row(lane)};
  for_lines(columns, first, {after(lane, 1)}, [&](std::int64_t begin, std::int64_t end) GPARRAY_INLINE {
#pragma omp simd
    for (std::int64_t c = begin; c < end; ++c) acc[c] = include(identity, first[0][c], c);
  });
  std::int64_t r = lane + lanes;
  // Four rows at a time load and store the partial values once.
  for (; r + 3 * lanes < n; r += 4 * lanes) {
    const E *x0 = row(r), *x1 = row(r + lanes), *x2 = row(r + 2 * lanes), *x3 = row(r + 3 * lanes);
    const E* const x[] = {x0, x1, x2, x3};
    for_lines(
        columns, x, {after(r, 4), after(r + lanes, 4), after(r + 2 * lanes, 4), after(r + 3 * lanes, 4)},
        [&](std::int64_t begin, std::int64_t end) GPARRAY_INLINE {
          if constexpr (Chains) {
#pragma omp simd
            for (std::int64_t c = begin; c < end; ++c)
              acc[c] = include(include(include(include(acc[c], x0[c], c), x1[c], c), x2[c], c), x3[c], c);
          } else {
            for (const E* one : x) {
#pragma omp simd
              for (std::int64_t c = begin; c < end; ++c) acc[c] = include(acc[c], one[c], c);
            }
          }
        });
  }
  for (; r < n; r += lanes) {
    const E* const x[] = {row(r)};
    for_lines(columns, x, {after(r, 1)}, [&](std::int64_t begin, std::int64_t end) GPARRAY_INLINE {
#pragma omp simd
      for (std::int64_t c = begin; c < end; ++c) acc[c] = include(acc[c], x[0][c], c);
    });
  }
}

/// The fold of fold_block for columns: node (lane, step) holds lanes lane, lane + step, lane + 2 step, ...
struct column_fold {
  std::size_t row_size;
  std::int64_t rows;
  int lanes;
  const void* context;
  /// Computes one lane into a row of partial values.
  void (*leaf)(const void* context, void* values, std::int64_t lane);
  /// Merges a row of them into another.
  void (*merge)(const void* context, void* into, const void* from);
};
/// The result is in the first of the rows at `values`.
void fold_columns(const column_fold& fold, char* values, std::int64_t lane = 0, int step = 1);

/// The same with leaf(values, lane) and merge_rows(into, from).
template<class Value, class Leaf, class MergeRows>
void fold_columns(Value* values, std::int64_t n, std::int64_t columns, const Leaf& leaf,
                  const MergeRows& merge_rows) {
  struct both {
    const Leaf& leaf;
    const MergeRows& merge;
  } const context{leaf, merge_rows};
  const column_fold fold{static_cast<std::size_t>(columns) * sizeof(Value),
                         n,
                         lane_count<Value>,
                         &context,
                         [](const void* c, void* into, std::int64_t lane) {
                           static_cast<const both*>(c)->leaf(static_cast<Value*>(into), lane);
                         },
                         [](const void* c, void* into, const void* from) {
                           static_cast<const both*>(c)->merge(static_cast<Value*>(into),
                                                              static_cast<const Value*>(from));
                         }};
  fold_columns(fold, reinterpret_cast<char*>(values));
}

/// Memory of the calling thread for so many values of each column.
template<class Purpose, class Value>
Value* column_values(std::int64_t columns, std::int64_t rows = 1) {
  return reinterpret_cast<Value*>(
      thread_scratch<Purpose>(static_cast<std::size_t>(columns * rows) * sizeof(Value)));
}

/// Rows of partial values that fold_columns needs: one for each level.
template<class Value>
inline constexpr int fold_depth = 9;

/// The loops of one core, compiled for each level of the processor.
template<class Core>
struct lane_loops {
  using block_type = block_core<Core>;
  using value = typename block_type::value;
  using element = typename Core::element;
  // As which elements are read: g++ does not vectorise loops over bool.
  using stored = std::conditional_t<kernel::is_bool<element>, unsigned char, element>;

  /// A value for each of `count` rows, which are `step` bytes apart.
  static void rows(value* values, const element* x, std::int64_t step, std::int64_t count, std::int64_t n) {
    if constexpr (is_unfused<element>) rows_unfused(values, x, step, count, n);
    else rows_clones(values, x, step, count, n);
  }
  static value block(const element* x, std::int64_t n) {
    value result;
    rows(&result, x, 0, 1, n);
    return result;
  }
  static void lane(value* acc, const void* const* rows, std::int64_t n, std::int64_t columns,
                   std::int64_t first) {
    if constexpr (is_unfused<element>) lane_unfused(acc, rows, n, columns, first);
    else lane_clones(acc, rows, n, columns, first);
  }
  static void merge_rows(value* a, const value* b, std::int64_t columns) {
    if constexpr (is_unfused<element>) merge_unfused(a, b, columns);
    else merge_clones(a, b, columns);
  }

  GPARRAY_CLONES static void rows_clones(value* values, const element* x, std::int64_t step,
                                         std::int64_t count, std::int64_t n) {
    rows_body(values, x, step, count, n);
  }
  GPARRAY_CLONES static void lane_clones(value* acc, const void* const* rows, std::int64_t n,
                                         std::int64_t columns, std::int64_t first) {
    lane_body(acc, rows, n, columns, first);
  }
  GPARRAY_CLONES static void merge_clones(value* a, const value* b, std::int64_t columns) {
    merge_body(a, b, columns);
  }

  GPARRAY_UNFUSED_CLONES static void rows_unfused(value* values, const element* x, std::int64_t step,
                                                  std::int64_t count, std::int64_t n) {
    rows_body(values, x, step, count, n);
  }
  GPARRAY_UNFUSED_CLONES static void lane_unfused(value* acc, const void* const* rows, std::int64_t n,
                                                  std::int64_t columns, std::int64_t first) {
    lane_body(acc, rows, n, columns, first);
  }
  GPARRAY_UNFUSED_CLONES static void merge_unfused(value* a, const value* b, std::int64_t columns) {
    merge_body(a, b, columns);
  }

  GPARRAY_INLINE static inline void rows_body(value* values, const element* x, std::int64_t step,
                                              std::int64_t count, std::int64_t n) {
    for (std::int64_t row = 0; row < count; ++row) {
      const auto* const from = reinterpret_cast<const stored*>(reinterpret_cast<const char*>(x) + row * step);
      if constexpr (kernel::is_same<Core, kernel::nonzero_count_core<unsigned char>>)
        values[row] = count_bytes(from, n);
      else
        values[row] = fold_block(
            from, n, block_type::identity(),
            [](value a, stored e) GPARRAY_INLINE { return block_type::include(a, static_cast<element>(e)); },
            [](value a, value b) GPARRAY_INLINE { return block_type::merge(a, b); });
    }
  }

  GPARRAY_INLINE static inline void lane_body(value* acc, const void* const* rows, std::int64_t n,
                                              std::int64_t columns, std::int64_t first) {
    fold_lane<value, stored, chains<Core>>(acc, rows, n, columns, first, block_type::identity(),
                                           [](value a, stored e, std::int64_t) GPARRAY_INLINE {
                                             return block_type::include(a, static_cast<element>(e));
                                           });
  }

  GPARRAY_INLINE static inline void merge_body(value* a, const value* b, std::int64_t columns) {
#pragma omp simd
    for (std::int64_t c = 0; c < columns; ++c) a[c] = block_type::merge(a[c], b[c]);
  }

  /// Calls use(values) with one value for each column.
  template<class Use>
  static void columns(const void* const* rows, std::int64_t n, std::int64_t columns, const Use& use) {
    struct purpose;
    value* const values = column_values<purpose, value>(columns, fold_depth<value>);
    fold_columns(
        values, n, columns, [&](value* acc, std::int64_t first) { lane(acc, rows, n, columns, first); },
        [&](value* a, const value* b) { merge_rows(a, b, columns); });
    use(static_cast<const value*>(values));
  }
};

/// Where no element is NaN there is nothing to count.
template<class E>
  requires(!kernel::has_nan<E>)
struct lane_loops<kernel::valid_count_core<E>> {
  using value = long;
  using element = E;

  static value block(const E*, std::int64_t n) { return n; }
  template<class Use>
  static void columns(const void* const*, std::int64_t n, std::int64_t columns, const Use& use) {
    struct purpose;
    use(static_cast<const value*>(std::fill_n(column_values<purpose, value>(columns), columns, n) - columns));
  }
};

/// The loops of a core, or of the one that it shares them with: their values are to be cast to the core's.
template<class Core>
struct shared_loops : lane_loops<typename shared_core_of<Core>::type> {
  using loops = lane_loops<typename shared_core_of<Core>::type>;

  /// As the loops give it, which may have more digits than the core's value.
  static auto raw_block(const void* x, std::int64_t n) {
    return loops::block(static_cast<const typename loops::element*>(x), n);
  }
  static typename Core::value block(const void* x, std::int64_t n) {
    return static_cast<typename Core::value>(raw_block(x, n));
  }
  /// Calls use(row, value) for each row.
  template<class Use>
  static void rows(const void* x, std::int64_t step, std::int64_t count, std::int64_t n, const Use& use) {
    constexpr std::int64_t at_once = 64;
    typename loops::value values[at_once];
    for (std::int64_t done = 0; done < count; done += at_once) {
      const std::int64_t now = std::min(at_once, count - done);
      loops::rows(values,
                  reinterpret_cast<const typename loops::element*>(static_cast<const char*>(x) + done * step),
                  step, now, n);
      for (std::int64_t row = 0; row < now; ++row) use(done + row, values[row]);
    }
  }
};

}  // namespace host
GPARRAY_END_NAMESPACE
