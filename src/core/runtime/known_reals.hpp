// Between what the floating-point numbers of a storage are, as known_numbers() says it of integers.
#pragma once
#include <core/runtime/storage.hpp>
#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Integers that all numbers of a storage, float32 or float64, are between, none of which is a NaN; to be
/// asked before it is read, as known_numbers().
std::optional<number_range> known_reals(const storage* s, dtype type) noexcept;
/// Of a storage that this thread has filled with such numbers.
void remember_reals(storage* s, dtype type, const number_range& range) noexcept;

}  // namespace core
GPARRAY_END_NAMESPACE
