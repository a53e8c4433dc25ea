// Few keys sorted in registers. Keys stand in rows of one vector each, and are first sorted down the columns,
// then columns are merged two by two (bitonic merges, K. E. Batcher: Sorting networks and their applications,
// 1968). As a run goes down its columns first, most steps compare whole rows.
#pragma once
#include <host/sorting/avx512_lanes.hpp>

#if defined(GPARRAY_HAS_WIDE)
#include <bit>
#include <utility>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// A vector of f(0), f(1), ...
template<class Wide, class F>
constexpr auto lane_table(F f) {
  std::array<typename Wide::key, Wide::lanes> table{};
  for (unsigned lane = 0; lane < Wide::lanes; ++lane) table[lane] = f(lane);
  return table;
}
template<class Wide, unsigned Bits>
alignas(64) inline constexpr auto flipped_lanes = lane_table<Wide>([](unsigned lane) { return lane ^ Bits; });
/// Lanes of two vectors in turns: of their lower or upper halves.
template<class Wide, unsigned Upper>
alignas(64) inline constexpr auto zipped_lanes = lane_table<Wide>([](unsigned lane) {
  return lane % 2 * Wide::lanes + lane / 2 + Upper * Wide::lanes / 2;
});

template<class Wide>
GPARRAY_WIDE_INLINE wide_vector table_vector(const std::array<typename Wide::key, Wide::lanes>& table) {
  return _mm512_load_si512(table.data());
}
template<class Wide, unsigned Bits>
GPARRAY_WIDE_INLINE wide_vector flipped(wide_vector v) {
  return Wide::permute(table_vector<Wide>(flipped_lanes<Wide, Bits>), v);
}

template<class Wide>
GPARRAY_WIDE_INLINE void order_rows(wide_vector& a, wide_vector& b) {
  const wide_vector least = Wide::min(a, b);
  b = larger_of(a, b, least);
  a = least;
}

/// Of v and the keys opposite to it, those in the lanes that differ in Bits: the lanes whose highest bit of
/// these is set get the larger.
template<class Wide, unsigned Bits>
GPARRAY_WIDE_INLINE wide_vector ordered_with(wide_vector v, wide_vector opposite) {
  constexpr auto upper = [] {
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < Wide::lanes; ++lane)
      if ((lane & std::bit_floor(Bits)) != 0) lanes |= 1u << lane;
    return static_cast<typename Wide::mask>(lanes);
  }();
  return Wide::larger_at(upper, Wide::min(v, opposite), v, opposite);
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

template<class Wide, std::size_t Rows, std::size_t... I>
GPARRAY_WIDE_INLINE void sort_columns([[maybe_unused]] wide_vector* v, std::index_sequence<I...>) {
  (order_rows<Wide>(v[pairs<Rows>[I].a], v[pairs<Rows>[I].b]), ...);
}

/// The steps of a bitonic merge between rows, I counting pairs of them.
template<class Wide, std::size_t Distance, std::size_t... I>
GPARRAY_WIDE_INLINE void merge_rows(wide_vector* v, std::index_sequence<I...> half) {
  if constexpr (Distance > 0) {
    (order_rows<Wide>(v[I + I / Distance * Distance], v[I + I / Distance * Distance + Distance]), ...);
    merge_rows<Wide, Distance / 2>(v, half);
  }
}
/// Those within rows.
template<class Wide, unsigned Distance, std::size_t... I>
GPARRAY_WIDE_INLINE void merge_lanes(wide_vector* v, std::index_sequence<I...> rows) {
  if constexpr (Distance > 0) {
    ((v[I] = ordered_with<Wide, Distance>(v[I], flipped<Wide, Distance>(v[I]))), ...);
    merge_lanes<Wide, Distance / 2>(v, rows);
  }
}

template<class Wide, unsigned Bits>
GPARRAY_WIDE_INLINE void order_flipped(wide_vector& a, wide_vector& b) {
  const wide_vector flipped_a = flipped<Wide, Bits>(a);
  a = ordered_with<Wide, Bits>(a, flipped<Wide, Bits>(b));
  b = ordered_with<Wide, Bits>(b, flipped_a);
}

/// Merges runs of Width / 2 columns.
template<class Wide, std::size_t Rows, unsigned Width, std::size_t... I>
GPARRAY_WIDE_INLINE void merge_columns(wide_vector* v, std::index_sequence<I...> half) {
  if constexpr (Width <= Wide::lanes) {
    // Each key with the one as far from the end of the other run as it is from the start of its own.
    if constexpr (Rows == 1) v[0] = ordered_with<Wide, Width - 1>(v[0], flipped<Wide, Width - 1>(v[0]));
    else (order_flipped<Wide, Width - 1>(v[I], v[Rows - 1 - I]), ...);
    merge_lanes<Wide, Width / 4>(v, std::make_index_sequence<Rows>());
    merge_rows<Wide, Rows / 2>(v, half);
    merge_columns<Wide, Rows, 2 * Width>(v, half);
  }
}

/// Columns become rows: in each round the first half of all keys and the second take turns.
template<class Wide, std::size_t Rows, std::size_t Round, std::size_t... I>
GPARRAY_WIDE_INLINE void lay_columns_down(wide_vector* v, std::index_sequence<I...> half) {
  if constexpr (Round < Rows) {
    const wide_vector low = table_vector<Wide>(zipped_lanes<Wide, 0>),
                      high = table_vector<Wide>(zipped_lanes<Wide, 1>);
    const wide_vector lower[] = {Wide::permute(v[I], low, v[I + Rows / 2])...},
                      upper[] = {Wide::permute(v[I], high, v[I + Rows / 2])...};
    ((v[2 * I] = lower[I], v[2 * I + 1] = upper[I]), ...);
    lay_columns_down<Wide, Rows, 2 * Round>(v, half);
  }
}

template<class Wide, std::size_t Rows>
GPARRAY_WIDE_INLINE void sort_rows_of_keys(wide_vector* v) {
  using half = std::make_index_sequence<Rows / 2>;
  sort_columns<Wide, Rows>(v, std::make_index_sequence<pair_count<Rows>>());
  merge_columns<Wide, Rows, 2>(v, half());
  lay_columns_down<Wide, Rows, 1>(v, half());
}

/// Sorts up to Rows vectors of n elements; in.key_of makes keys of them, out.element_of elements again.
template<class Wide, class In, class Out, std::size_t... I>
GPARRAY_WIDE_INLINE void sort_block(const typename Wide::key* from, typename Wide::key* to, std::int64_t n,
                                    const In& in, const Out& out, std::index_sequence<I...>) {
  constexpr std::int64_t lanes = Wide::lanes;
  const wide_vector largest = Wide::every(static_cast<typename Wide::key>(-1));
  const typename Wide::mask used[] = {lanes_left<Wide>(n, I)...};
  wide_vector v[] = {
      Wide::pick(used[I], largest, in.key_of(Wide::load(from + I * lanes, largest, used[I])))...};
  sort_rows_of_keys<Wide, sizeof...(I)>(v);
  (Wide::store(to + I * lanes, out.element_of(v[I]), used[I]), ...);
}

template<class Wide, std::size_t Rows, class In, class Out>
GPARRAY_WIDE __attribute__((noinline)) void sort_up_to(const typename Wide::key* from, typename Wide::key* to,
                                                       std::int64_t n, const In& in, const Out& out) {
  sort_block<Wide>(from, to, n, in, out, std::make_index_sequence<Rows>());
}

}  // namespace host
GPARRAY_END_NAMESPACE
#endif
