// What printing must know of a dtype code.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <gparray/config.hpp>

#include "decimal.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct printed_dtype {
  char code;
  char kind;  // b i u f c, as in dtypes.def
  std::size_t item_size;
  std::string_view name;  // NumPy's
};

/// Throws type_error for a code that dtypes.def does not have.
const printed_dtype& find_printed_dtype(char code);

/// The type of a real floating dtype, or of the parts of a complex one.
const float_type& part_type(char code);

/// The value of an element of kind i, and of kind u or b.
std::int64_t read_signed(const printed_dtype& dtype, const void* element);
std::uint64_t read_unsigned(const printed_dtype& dtype, const void* element);

}  // namespace core
GPARRAY_END_NAMESPACE
