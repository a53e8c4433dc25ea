#include <cstring>

#include <core/array/exponents.hpp>
#include <core/array/plan_builder.hpp>
#include <gparray/reductions.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

void check_exponents(const detail::argument& exponents) {
  scalar_bits smallest{};
  if (exponents.array) {
    if (exponents.array->size() == 0 || !exponents.array->device().is_cpu() || kind(exponents.type) != 'i')
      return;
    exponents.array->eval();
    detail::item(detail::reduce(reduction::min, exponents, exponents.type, nullptr, {}), &smallest);
  } else {
    std::memcpy(&smallest, exponents.value, sizeof smallest);
  }
  std::int64_t value;
  const scalar_bits as_int64 = convert_scalar(smallest, exponents.type, dtype::int64);
  std::memcpy(&value, &as_int64, sizeof value);
  if (value < 0)
    throw value_error(
        "Integers to negative integer powers are not allowed; make the base floating, for example with "
        "astype<double>()");
}

}  // namespace core
GPARRAY_END_NAMESPACE
