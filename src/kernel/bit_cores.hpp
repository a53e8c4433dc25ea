// Cores, as in reduce_states.hpp, of operations on bits.
#pragma once
#include "traits.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// Of unsigned integers.
template<class E>
struct bit_and_core {
  using element = E;
  using value = E;
  GPARRAY_KERNEL_FN static E identity() { return static_cast<E>(~E(0)); }
  GPARRAY_KERNEL_FN static E include(E a, E x) { return static_cast<E>(a & x); }
  GPARRAY_KERNEL_FN static E merge(E a, E b) { return static_cast<E>(a & b); }
};

template<class E>
struct bit_or_core {
  using element = E;
  using value = E;
  GPARRAY_KERNEL_FN static E identity() { return 0; }
  GPARRAY_KERNEL_FN static E include(E a, E x) { return static_cast<E>(a | x); }
  GPARRAY_KERNEL_FN static E merge(E a, E b) { return static_cast<E>(a | b); }
};

template<class E>
struct bit_xor_core {
  using element = E;
  using value = E;
  GPARRAY_KERNEL_FN static E identity() { return 0; }
  GPARRAY_KERNEL_FN static E include(E a, E x) { return static_cast<E>(a ^ x); }
  GPARRAY_KERNEL_FN static E merge(E a, E b) { return static_cast<E>(a ^ b); }
};

}  // namespace kernel
GPARRAY_END_NAMESPACE
