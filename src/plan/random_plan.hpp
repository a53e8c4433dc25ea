// A draw of random numbers: what crosses the boundary between the core and a backend.
#pragma once
#include <cstdint>

#include <gparray/dtype.hpp>
#include <gparray/tables/random_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using detail::distribution;

/// Three parameters at most; each is float64, or 64-bit integers, for every element or one for all.
inline constexpr int max_random_parameters = 3;
struct random_parameter {
  const std::uint64_t* data = nullptr;  // one for each element; null: `bits` for all
  std::uint64_t bits = 0;
};

/// out[i], for 0 <= i < size, is the number that element position + i of the stream of `key` gives. Of a
/// distribution of vectors, out is `size` rows of `count` numbers.
struct random_plan {
  distribution op{};
  dtype type{};  // float32 or float64 of real results, int64 of counts, any integer or bool for integers
  std::uint64_t key = 0, position = 0;
  std::int64_t size = 0;
  void* out = nullptr;
  random_parameter parameters[max_random_parameters];
  const double* table = nullptr;  // what choice and the distributions of vectors need
  std::int64_t count = 0;
  std::int64_t table_step = 0;  // from one vector's table to the next one's; 0: one for all
};

}  // namespace core
GPARRAY_END_NAMESPACE
