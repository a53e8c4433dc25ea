// Which of many bins, about equally wide, an element is in.
#pragma once
#include "compare.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// The width of all bins gives a guess; the edges, as they are, decide.
template<class T>
struct bin_number {
  using edge = conditional_t<is_bool<T> || is_integer<T>, double, T>;
  using value = compute_t<edge>;

  template<class X>
  GPARRAY_KERNEL_FN static value wide(X x) {
    return static_cast<value>(x);
  }

  value first, last, scale;
  int n;

  GPARRAY_KERNEL_FN bin_number(const value* edges, int n_bins)
      : first(edges[0]), last(edges[n_bins]), scale(static_cast<value>(n_bins) / (last - first)), n(n_bins) {}

  /// n for what is in no bin.
  GPARRAY_KERNEL_FN int operator()(const value* edges, T element) const {
    const value x = wide(element);
    if (!(x >= first && x <= last)) return n;
    const value guess = (x - first) * scale;
    int k = guess < static_cast<value>(n) ? static_cast<int>(guess) : n - 1;
    while (k > 0 && x < edges[k]) --k;
    while (k + 1 < n && x >= edges[k + 1]) ++k;
    return k;
  }
};

}  // namespace kernel
GPARRAY_END_NAMESPACE
