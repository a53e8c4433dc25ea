// Converting one element between dtypes, with the casts that the kernels use.
#include <cstring>

#include <kernel/cast.hpp>
#include <plan/convert_scalar.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

template<class From, class To>
scalar_bits convert(const scalar_bits& bits) {
  From from;
  std::memcpy(&from, &bits, sizeof from);
  const To to = kernel::cast<To>(from);
  scalar_bits result{};
  std::memcpy(&result, &to, sizeof to);
  return result;
}

template<class From>
scalar_bits convert_from(const scalar_bits& bits, dtype to) {
  switch (to) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return convert<From, kernel_type>(bits);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return bits;
}

}  // namespace

scalar_bits convert_scalar(const scalar_bits& value, dtype from, dtype to) {
  switch (from) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return convert_from<kernel_type>(value, to);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return value;
}

}  // namespace core
GPARRAY_END_NAMESPACE
