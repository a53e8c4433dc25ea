// How values of one place are put together, and which place a number names.
#pragma once
#include <kernel/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// As sum_core, but with the zero that leaves -0.0 as it is.
template<class E>
struct added_core {
  using element = E;
  using value = kernel::widened_t<E>;
  __device__ __forceinline__ static value identity() {
    if constexpr (kernel::is_complex<value>) return {-0.0f, -0.0f};
    else if constexpr (kernel::is_integer<value>) return 0;
    else return -0.0f;
  }
  __device__ __forceinline__ static value include(value a, E x) {
    return kernel::add(a, kernel::to_accumulator<value>(x));
  }
  __device__ __forceinline__ static value merge(value a, value b) { return kernel::add(a, b); }
};

__device__ __forceinline__ std::int64_t counted_from_end(std::int64_t number, std::int64_t n) {
  return number < 0 ? number + n : number;
}

/// Each lane's term put onto values[key] of shared memory, those of one key in the lanes' order. Lanes
/// without a term have keys that nobody else has.
template<class Core>
__device__ __forceinline__ void include_in_turn(typename Core::value* values, unsigned key, bool has_term,
                                                typename Core::element term) {
  const unsigned same = __match_any_sync(0xffffffffu, key);
  const auto rank = static_cast<unsigned>(__popc(same & ((1u << threadIdx.x % 32) - 1u)));
  for (unsigned turn = 0;; ++turn) {
    if (rank == turn && has_term) values[key] = Core::include(values[key], term);
    __syncwarp();
    if (__ballot_sync(0xffffffffu, rank > turn) == 0) break;
  }
}

/// Puts what was found for a place onto it.
template<class Core>
__device__ __forceinline__ void put_onto(typename Core::element& place, typename Core::value found) {
  using value = typename Core::value;
  place = kernel::narrow<typename Core::element>(Core::merge(kernel::to_accumulator<value>(place), found));
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
