// Few keys sorted in registers. Keys stand in rows of one vector each, and are first sorted down the columns,
// then columns are merged two by two (bitonic merges, K. E. Batcher: Sorting networks and their applications,
// 1968). As a run goes down its columns first, most steps compare whole rows.
#pragma once
#include <host/sorting/avx512_lanes.hpp>

#if defined(GPARRAY_HAS_AVX512)
#include <bit>
#include <utility>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// A vector of f(0), f(1), ...
template<class Keys, class F>
constexpr auto lane_table(F f) {
  std::array<typename Keys::key, Keys::lanes> table{};
  for (unsigned lane = 0; lane < Keys::lanes; ++lane) table[lane] = f(lane);
  return table;
}
template<class Keys, unsigned Bits>
alignas(64) inline constexpr auto flipped_lanes = lane_table<Keys>([](unsigned lane) { return lane ^ Bits; });
/// Lanes of two vectors in turns: of their lower or upper halves.
template<class Keys, unsigned Upper>
alignas(64) inline constexpr auto zipped_lanes = lane_table<Keys>([](unsigned lane) {
  return lane % 2 * Keys::lanes + lane / 2 + Upper * Keys::lanes / 2;
});

template<class Keys>
GPARRAY_AVX512_INLINE avx512_vector table_vector(const std::array<typename Keys::key, Keys::lanes>& table) {
  return _mm512_load_si512(table.data());
}
template<class Keys, unsigned Bits>
GPARRAY_AVX512_INLINE avx512_vector flipped(avx512_vector v) {
  return Keys::permute(table_vector<Keys>(flipped_lanes<Keys, Bits>), v);
}

template<class Keys>
GPARRAY_AVX512_INLINE void order_rows(avx512_vector& a, avx512_vector& b) {
  const avx512_vector least = Keys::min(a, b);
  b = larger_of(a, b, least);
  a = least;
}

/// Of v and the keys opposite to it, those in the lanes that differ in Bits: the lanes whose highest bit of
/// these is set get the larger.
template<class Keys, unsigned Bits>
GPARRAY_AVX512_INLINE avx512_vector ordered_with(avx512_vector v, avx512_vector opposite) {
  constexpr auto upper = [] {
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < Keys::lanes; ++lane)
      if ((lane & std::bit_floor(Bits)) != 0) lanes |= 1u << lane;
    return static_cast<typename Keys::mask>(lanes);
  }();
  return Keys::larger_at(upper, Keys::min(v, opposite), v, opposite);
}

struct row_pair {
  std::size_t a, b;
};
/// Batcher's odd-even merge sort: visit(a, b) for the pairs to put in order.
template<class Visit>
constexpr void visit_pairs(std::size_t rows, Visit visit) {
  for (std::size_t p = 1; p < rows; p *= 2)
    for (std::size_t k = p; k >= 1; k /= 2)
      for (std::size_t j = k % p; j + k < rows; j += 2 * k)
        for (std::size_t i = j; i < j + k && i + k < rows; ++i)
          if (i / (2 * p) == (i + k) / (2 * p)) visit(i, i + k);
}
template<std::size_t Rows>
inline constexpr std::size_t pair_count = [] {
  std::size_t count = 0;
  visit_pairs(Rows, [&](std::size_t, std::size_t) { ++count; });
  return count;
}();
template<std::size_t Rows>
inline constexpr auto pairs = [] {
  std::array<row_pair, pair_count<Rows>> all{};
  std::size_t count = 0;
  visit_pairs(Rows, [&](std::size_t a, std::size_t b) { all[count++] = {a, b}; });
  return all;
}();

template<class Keys, std::size_t Rows, std::size_t... I>
GPARRAY_AVX512_INLINE void sort_columns([[maybe_unused]] avx512_vector* v, std::index_sequence<I...>) {
  (order_rows<Keys>(v[pairs<Rows>[I].a], v[pairs<Rows>[I].b]), ...);
}

/// The steps of a bitonic merge between rows, I counting pairs of them.
template<class Keys, std::size_t Distance, std::size_t... I>
GPARRAY_AVX512_INLINE void merge_rows(avx512_vector* v, std::index_sequence<I...> half) {
  if constexpr (Distance > 0) {
    (order_rows<Keys>(v[I + I / Distance * Distance], v[I + I / Distance * Distance + Distance]), ...);
    merge_rows<Keys, Distance / 2>(v, half);
  }
}
/// Those within rows.
template<class Keys, unsigned Distance, std::size_t... I>
GPARRAY_AVX512_INLINE void merge_lanes(avx512_vector* v, std::index_sequence<I...> rows) {
  if constexpr (Distance > 0) {
    ((v[I] = ordered_with<Keys, Distance>(v[I], flipped<Keys, Distance>(v[I]))), ...);
    merge_lanes<Keys, Distance / 2>(v, rows);
  }
}

template<class Keys, unsigned Bits>
GPARRAY_AVX512_INLINE void order_flipped(avx512_vector& a, avx512_vector& b) {
  const avx512_vector flipped_a = flipped<Keys, Bits>(a);
  a = ordered_with<Keys, Bits>(a, flipped<Keys, Bits>(b));
  b = ordered_with<Keys, Bits>(b, flipped_a);
}

/// Merges runs of Width / 2 columns.
template<class Keys, std::size_t Rows, unsigned Width, std::size_t... I>
GPARRAY_AVX512_INLINE void merge_columns(avx512_vector* v, std::index_sequence<I...> half) {
  if constexpr (Width <= Keys::lanes) {
    // Each key with the one as far from the end of the other run as it is from the start of its own.
    if constexpr (Rows == 1) v[0] = ordered_with<Keys, Width - 1>(v[0], flipped<Keys, Width - 1>(v[0]));
    else (order_flipped<Keys, Width - 1>(v[I], v[Rows - 1 - I]), ...);
    merge_lanes<Keys, Width / 4>(v, std::make_index_sequence<Rows>());
    merge_rows<Keys, Rows / 2>(v, half);
    merge_columns<Keys, Rows, 2 * Width>(v, half);
  }
}

/// Columns become rows: in each round the first half of all keys and the second take turns.
template<class Keys, std::size_t Rows, std::size_t Round, std::size_t... I>
GPARRAY_AVX512_INLINE void lay_columns_down(avx512_vector* v, std::index_sequence<I...> half) {
  if constexpr (Round < Rows) {
    const avx512_vector low = table_vector<Keys>(zipped_lanes<Keys, 0>),
                        high = table_vector<Keys>(zipped_lanes<Keys, 1>);
    const avx512_vector lower[] = {Keys::permute(v[I], low, v[I + Rows / 2])...},
                        upper[] = {Keys::permute(v[I], high, v[I + Rows / 2])...};
    ((v[2 * I] = lower[I], v[2 * I + 1] = upper[I]), ...);
    lay_columns_down<Keys, Rows, 2 * Round>(v, half);
  }
}

template<class Keys, std::size_t Rows>
GPARRAY_AVX512_INLINE void sort_rows_of_keys(avx512_vector* v) {
  using half = std::make_index_sequence<Rows / 2>;
  sort_columns<Keys, Rows>(v, std::make_index_sequence<pair_count<Rows>>());
  merge_columns<Keys, Rows, 2>(v, half());
  lay_columns_down<Keys, Rows, 1>(v, half());
}

/// Sorts up to Rows vectors of n elements; in.key_of makes keys of them, out.element_of elements again.
template<class Keys, class In, class Out, std::size_t... I>
GPARRAY_AVX512_INLINE void sort_block(const typename Keys::key* from, typename Keys::key* to, std::int64_t n,
                                      const In& in, const Out& out, std::index_sequence<I...>) {
  constexpr std::int64_t lanes = Keys::lanes;
  const avx512_vector largest = Keys::every(static_cast<typename Keys::key>(-1));
  const typename Keys::mask used[] = {lanes_left<Keys>(n, I)...};
  avx512_vector v[] = {
      Keys::pick(used[I], largest, in.key_of(Keys::load(from + I * lanes, largest, used[I])))...};
  sort_rows_of_keys<Keys, sizeof...(I)>(v);
  (Keys::store(to + I * lanes, out.element_of(v[I]), used[I]), ...);
}

template<class Keys, std::size_t Rows, class In, class Out>
GPARRAY_AVX512 __attribute__((noinline)) void sort_up_to(const typename Keys::key* from,
                                                         typename Keys::key* to, std::int64_t n, const In& in,
                                                         const Out& out) {
  sort_block<Keys>(from, to, n, in, out, std::make_index_sequence<Rows>());
}

}  // namespace host
GPARRAY_END_NAMESPACE
#endif
