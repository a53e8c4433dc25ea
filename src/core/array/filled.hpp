// Pending arrays all of whose elements are one number.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// An array in C order of a number of its dtype, in the default space of a device. It stays pending: what is
/// made of it has the number, and reads nothing.
any_array filled_later(const dims& shape, dtype type, device on_device, const scalar_bits& number);

/// Whether a pending array will lie in C order, as far as that is known without computing it.
inline bool will_be_c_order(const array_rep* rep) {
  return !rep->computed_by && !rep->roll && !rep->view && !rep->of_unknown_shape && rep->operation.c_order;
}

}  // namespace core
GPARRAY_END_NAMESPACE
