// The order of random words, which the CPU finds for every device.
#pragma once
#include <cstddef>
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// For each of `rows` rows of n words the numbers 0 to n - 1 so that the words ascend; those of equal words
/// ascend. The words should be spread evenly over all 64 bits: then it takes time in proportion to n.
void order_words(const std::uint64_t* words, std::int64_t rows, std::int64_t n, std::int64_t* order);
/// The first `count` of them, which is faster where that is a small part.
void order_first_words(const std::uint64_t* words, std::int64_t n, std::int64_t count, std::int64_t* order);

/// n elements of 1, 2, 4, 8 or 16 bytes, so many bytes apart.
struct element_line {
  void* data;
  std::int64_t step;
};
/// Moves elements as order_words says: to.data[i] = from.data[order[i]]. `to` may be `from`.
void move_by_words(const std::uint64_t* words, std::int64_t n, const element_line& from,
                   const element_line& to, std::size_t item_bytes);

}  // namespace core
GPARRAY_END_NAMESPACE
