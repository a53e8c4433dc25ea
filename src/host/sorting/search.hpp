// Binary search for many values at once.
#pragma once
#include <algorithm>
#include <cstdint>

#include <kernel/sort_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// So many searches go on together, for each waits for memory and for its own comparisons.
inline constexpr int searches_together = 16;

/// The positions of `searches_together` numbers, none of them NaN: every search takes the same steps, so
/// nothing jumps. NaN, at the end of the sorted ones, compares as not before.
template<bool Right, class T>
void search_together(const T* sorted, std::int64_t n, const T* values, std::int64_t* out) {
  const auto before = [](T element, T value) { return Right ? element <= value : element < value; };
  std::int64_t base[searches_together] = {};
  std::int64_t left = n;
  for (; left > 1; left -= left / 2) {
    const std::int64_t half = left / 2;
    for (int k = 0; k < searches_together; ++k)
      base[k] += before(sorted[base[k] + half - 1], values[k]) ? half : 0;
  }
  for (int k = 0; k < searches_together; ++k)
    out[k] = base[k] + (left == 1 && before(sorted[base[k]], values[k]));
}

template<class T>
std::int64_t search_one(const T* sorted, std::int64_t n, bool right, T value) {
  const T* const end = sorted + n;
  const T* const found = right ? std::upper_bound(sorted, end, value, kernel::sorts_before<T>)
                               : std::lower_bound(sorted, end, value, kernel::sorts_before<T>);
  return found - sorted;
}

/// The positions of at most `searches_together` values: how many of the n sorted elements stand before each,
/// or (right) not behind it.
template<class T>
void search_some(const T* sorted, std::int64_t n, bool right, const T* values, std::int64_t* out,
                 std::int64_t count) {
  if constexpr (!kernel::is_complex<T> && !kernel::is_half<T>) {
    bool ordered = count == searches_together;
    for (std::int64_t k = 0; k < count; ++k) ordered &= !kernel::is_nan(values[k]);
    if (ordered)
      return right ? search_together<true>(sorted, n, values, out)
                   : search_together<false>(sorted, n, values, out);
  }
  for (std::int64_t k = 0; k < count; ++k) out[k] = search_one(sorted, n, right, values[k]);
}

}  // namespace host
GPARRAY_END_NAMESPACE
