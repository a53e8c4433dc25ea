// Unbiased integers of a range, and positions in a table.
// D. Lemire: Fast random integer generation in an interval, ACM Trans. Model. Comput. Simul. 29 (2019).
#pragma once
#include "random_sources.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// What all elements of a draw share, and which one this is.
struct draw_context {
  philox_key key;
  unsigned long position;
  const double* table;
  long count;
};

GPARRAY_KERNEL_FN unsigned long high_product(unsigned long a, unsigned long b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  return static_cast<unsigned long>(static_cast<unsigned __int128>(a) * b >> 64);
#endif
}

/// An integer below `range` (not 0) from a word; further words come from the element's own stream. Of the
/// products word * range with one upper half, all but as many as of any other are rejected.
GPARRAY_KERNEL_FN unsigned below32(unsigned word, unsigned range, philox_key key, unsigned long position) {
  unsigned long product = static_cast<unsigned long>(word) * range;
  if (static_cast<unsigned>(product) < range) {
    const unsigned threshold = (0u - range) % range;
    element_draws more(key, position, counter_kind::retry);
    while (static_cast<unsigned>(product) < threshold)
      product = static_cast<unsigned long>(static_cast<unsigned>(more.word())) * range;
  }
  return static_cast<unsigned>(product >> 32);
}

GPARRAY_KERNEL_FN unsigned long below64(unsigned long word, unsigned long range, philox_key key,
                                        unsigned long position) {
  if (word * range < range) {
    const unsigned long threshold = (0ul - range) % range;
    element_draws more(key, position, counter_kind::retry);
    while (word * range < threshold) word = more.word();
  }
  return high_product(word, range);
}

/// low + an integer in [0, largest], where p is low and largest, below 2^32.
GPARRAY_KERNEL_FN unsigned long bounded32(unsigned word, const unsigned long* p, const draw_context& x) {
  const unsigned largest = static_cast<unsigned>(p[1]);
  return p[0] + (largest == ~0u ? word : below32(word, largest + 1, x.key, x.position));
}

GPARRAY_KERNEL_FN unsigned long bounded64(unsigned long word, const unsigned long* p, const draw_context& x) {
  return p[0] + (p[1] == ~0ul ? word : below64(word, p[1] + 1, x.key, x.position));
}

/// The first place of an ascending table whose number is above z; the last one if there is none.
GPARRAY_KERNEL_FN long first_above(const double* table, long count, double z) {
  long begin = 0, end = count - 1;
  while (begin < end) {
    const long middle = begin + (end - begin) / 2;
    if (table[middle] > z) end = middle;
    else begin = middle + 1;
  }
  return begin;
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
