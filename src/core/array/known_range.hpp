// What is known of numbers without looking at them.
#pragma once
#include <optional>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// What is known of integers without looking at them, by their dtype, by what they are made of, or since they
/// were looked at before: none is outside, but there may be fewer.
std::optional<number_range> known_range(const array_rep* index);
/// The same of what a GPU's threads compute of a pending array beyond its ends, too, where each array that is
/// read has zeros, and a range goes on.
std::optional<number_range> known_range_with_ends(const array_rep* index);
/// Of the numbers of a range (is_range()) that has some, before they are converted.
number_range ends_of_range(const array_rep* range);

}  // namespace core
GPARRAY_END_NAMESPACE
