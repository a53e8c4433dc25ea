// Conversion of the constants of a plan, on the host.
#include <cstring>
#include <kernel/cast.hpp>

#include "elementwise.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class From>
scalar_bits convert_from(From value, dtype to) {
  scalar_bits bits{};
  switch (to) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind)          \
  case dtype::name: {                                               \
    const kernel_type converted = kernel::cast<kernel_type>(value); \
    std::memcpy(bits.bytes, &converted, sizeof converted);          \
    break;                                                          \
  }
#include <gparray/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return bits;
}

}  // namespace

scalar_bits convert_scalar(const scalar_bits& value, dtype from, dtype to) {
  switch (from) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind)       \
  case dtype::name: {                                            \
    kernel_type read;                                            \
    std::memcpy(static_cast<void*>(&read), value.bytes, sizeof read); \
    return convert_from(read, to);                               \
  }
#include <gparray/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return value;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
