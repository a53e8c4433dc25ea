#include "dtype.hpp"

#include <complex>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include <gparray/dtype/float16.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr std::string_view printed_name(std::string_view name) { return name == "bool_" ? "bool" : name; }

constexpr printed_dtype printed_dtypes[] = {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  {code, #kind[0], sizeof(type), printed_name(#name)},
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
};

}  // namespace

const printed_dtype& find_printed_dtype(char code) {
  for (const printed_dtype& dtype : printed_dtypes)
    if (dtype.code == code) return dtype;
  throw type_error(fmt::format("printing: no dtype has the code '{}'", code));
}

const float_type& part_type(char code) {
  switch (code) {
    case 'e':
      return float16_type;
    case 'E':
      return bfloat16_type;
    case 'f':
    case 'F':
      return float32_type;
    case 'd':
    case 'D':
      return float64_type;
    default:
      throw type_error(fmt::format("printing: the dtype with the code '{}' is not floating", code));
  }
}

std::uint64_t read_unsigned(const printed_dtype& dtype, const void* element) {
  std::uint64_t bits = 0;  // little-endian: the low bytes of the element are the low bytes here
  std::memcpy(&bits, element, dtype.item_size);
  return bits;
}

std::int64_t read_signed(const printed_dtype& dtype, const void* element) {
  const int unused_bits = 64 - 8 * static_cast<int>(dtype.item_size);
  return static_cast<std::int64_t>(read_unsigned(dtype, element) << unused_bits) >> unused_bits;
}

}  // namespace core
GPARRAY_END_NAMESPACE
