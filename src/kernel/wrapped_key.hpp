// Floating-point numbers as keys by as few operations as there can be, for a sort that makes keys in every
// pass.
#pragma once
#include "sort_key.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// U are the bits of a number of which Infinity are those of infinity. Keys are ordered as sort_key's are,
/// but every NaN keeps its bits, those without a sign before those with one: keys below that of -infinity,
/// NaN all, go round the end to the top, by one subtraction where a comparison would take a tenth of a whole
/// sort's time.
template<class U, U Infinity>
struct wrapped_key {
  static constexpr U sign = static_cast<U>(U(1) << (8 * sizeof(U) - 1)), all = static_cast<U>(~U(0)),
                     below_numbers = static_cast<U>(all ^ (sign | Infinity));

  static GPARRAY_KERNEL_FN constexpr U of_bits(U bits) {
    return static_cast<U>(static_cast<U>(bits ^ ((bits & sign) != 0 ? all : sign)) - below_numbers);
  }
  static GPARRAY_KERNEL_FN constexpr U to_bits(U key) {
    const U unwrapped = static_cast<U>(key + below_numbers);
    return static_cast<U>(unwrapped ^ ((unwrapped & sign) != 0 ? sign : all));
  }
};

}  // namespace kernel
GPARRAY_END_NAMESPACE
