// The part of a plan's vocabulary that kernels share: read by g++, nvcc and NVRTC.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

inline constexpr int max_ndim = 32;

/// The bits of one element of any dtype.
struct alignas(16) scalar_bits {
  unsigned char bytes[16];
};

enum class input_kind : std::uint8_t {
  array,     ///< elements at data + sum(index[d] * strides[d])
  constant,  ///< one value, in `value`
  iota  ///< the int64 number `first` + sum(index[d] * strides[d]): ranges, identity matrices, coordinates
};

}  // namespace core
GPARRAY_END_NAMESPACE
