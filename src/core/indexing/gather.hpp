// From computed arrays to the plans that pick elements by number or by mask.
#pragma once
#include <core/array/array_rep.hpp>
#include <core/runtime/result_slot.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// What an index plan needs to know of its index array beside where it is: the fields of the same names.
struct index_range {
  std::int64_t wrap, stride, first, count;
  bool unique = false;  // or what meets in one place is equal
};

/// Whether all indices of a gather are in range: enqueue(any_outside) enqueues it with a flag that it sets
/// for others, and this waits for it. False also if the device has no such flag, and then nothing is
/// enqueued.
template<class Enqueue>
bool finds_none_outside(device where, Enqueue&& enqueue) {
  std::int32_t any_outside = 1;
  result_slot slot(where, sizeof any_outside);
  if (!slot) return false;
  enqueue(reinterpret_cast<std::int32_t*>(slot.data()));
  slot.take(&any_outside);
  return !any_outside;
}

/// to[i] = from[i] over `shape`; the side that is picked from steps by the index in addition. All strides are
/// for `shape`, in bytes. `any_outside` as in index_plan; written only if there are elements.
void gather_elements(const array_rep* to, const dims& to_strides, const array_rep* from,
                     std::int64_t from_offset, const dims& from_strides, const dims& shape,
                     const array_rep* index, const dims& index_strides, const index_range& numbers,
                     std::int32_t* any_outside = nullptr);
void scatter_elements(const array_rep* to, std::int64_t to_offset, const dims& to_strides,
                      const array_rep* from, const dims& from_strides, const dims& shape,
                      const array_rep* index, const dims& index_strides, const index_range& numbers);

/// The number of true elements of a bool array; waits for the device.
std::int64_t count_true(const array_rep* mask);
/// The elements of `from`, read with `offset` and `strides` in the mask's shape, where the mask is true: 1-D.
any_array compact_elements(const array_rep* mask, std::int64_t count, const array_rep* from,
                           std::int64_t offset, const dims& strides);
/// The int64 numbers first + sum(index[d] * units[d]) of the positions where the mask is true: 1-D.
any_array compact_indices(const array_rep* mask, std::int64_t count, const dims& units);

}  // namespace core
GPARRAY_END_NAMESPACE
