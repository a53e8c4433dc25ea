// Pending arrays that are made of no others: of one number, or of numbers that follow from where they stand.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// An array in C order of a number of its dtype, in the default space of a device. It stays pending: what is
/// made of it has the number, and reads nothing.
any_array filled_later(const dims& shape, dtype type, device on_device, const scalar_bits& number);

/// The same of the int64 numbers first, first + step, first + 2 * step, ..., converted to the dtype.
any_array range_later(std::int64_t length, dtype type, device on_device, std::int64_t first,
                      std::int64_t step);
/// Whether ranges of a device may stay pending: on a GPU, where each would be a kernel. Steps of a log read
/// arrays.
bool may_have_ranges(device on_device);
/// Computes the ranges among the steps of this thread's list, which are held.
void compute_ranges(pending_list& own);

/// Whether a pending array will lie in C order, as far as that is known without computing it.
inline bool will_be_c_order(const array_rep* rep) {
  return !rep->computed_by && !rep->roll && !rep->view && !rep->of_unknown_shape && rep->operation.c_order;
}

}  // namespace core
GPARRAY_END_NAMESPACE
