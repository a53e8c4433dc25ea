// Philox4x32-10: a counter and a key make four random words, on every processor the same.
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
#pragma once
#include "traits.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

struct philox_key {
  unsigned low, high;
};

struct philox_words {
  unsigned w[4];
};

inline constexpr int philox_rounds = 10;

/// One round, with that round's key.
GPARRAY_KERNEL_FN void philox_round(unsigned& a, unsigned& b, unsigned& c, unsigned& d, unsigned key_low,
                                    unsigned key_high) {
  const unsigned long first = 0xD2511F53ul * a, second = 0xCD9E8D57ul * c;
  a = static_cast<unsigned>(second >> 32) ^ b ^ key_low;
  c = static_cast<unsigned>(first >> 32) ^ d ^ key_high;
  b = static_cast<unsigned>(second);
  d = static_cast<unsigned>(first);
}

GPARRAY_KERNEL_FN philox_key round_key(philox_key key, unsigned round) {
  return {key.low + round * 0x9E3779B9u, key.high + round * 0xBB67AE85u};
}

/// The keys of all rounds, for kernels that get them made.
struct philox_schedule {
  philox_key keys[philox_rounds];
};

GPARRAY_KERNEL_FN const philox_key& round_key(const philox_schedule& schedule, unsigned round) {
  return schedule.keys[round];
}

/// Key: a philox_key or a philox_schedule.
template<class Key>
GPARRAY_KERNEL_FN philox_words philox(unsigned a, unsigned b, unsigned c, unsigned d, const Key& key) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#elif !defined(__CUDACC__)
#pragma GCC unroll 10
#endif
  for (unsigned round = 0; round < philox_rounds; ++round) {
    const philox_key of_round = round_key(key, round);
    philox_round(a, b, c, d, of_round.low, of_round.high);
  }
  return {{a, b, c, d}};
}

/// What the fourth word of the counter says about the first two: so no two numbers of a stream are made from
/// the same counter, whatever their kinds.
enum class counter_kind : unsigned {
  words32,  ///< block: element number / 4; one word for each element
  words64,  ///< block: element number / 2; two words for each element
  element,  ///< block: the element's number; as many words as it takes, by the third word of the counter
  retry,    ///< the same for integers whose first word was rejected
  child     ///< block: the number of a spawned generator, whose key this makes
};

template<class Key>
GPARRAY_KERNEL_FN philox_words philox_block(unsigned long block, unsigned draw, counter_kind kind,
                                            const Key& key) {
  return philox(static_cast<unsigned>(block), static_cast<unsigned>(block >> 32), draw,
                static_cast<unsigned>(kind), key);
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
