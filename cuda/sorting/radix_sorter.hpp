// A stable radix sort of keys in device memory.
#pragma once
#include <cuda/sorting/radix_params.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Elements that are sorted at once.
inline constexpr std::int64_t largest_sort = std::int64_t{1} << 31;
/// Throws value_error for more.
void check_sort_size(std::int64_t size);
/// How elements of a dtype become keys; not for complex numbers.
kernel::sort_rule rule_of(dtype type);

/// Keys in the order of their lowest `bits` bits, and perhaps the numbers of the elements they belong to.
struct radix_task {
  const char* operation;  // as errors name it
  std::uint32_t size;
  int bits;
  bool keys_are_64_bit;  // 64-bit keys
  key_source source;
  key_result result;
  bool with_numbers;
  const std::uint32_t* numbers = nullptr;  // that travel with the keys; null: as the keys lie
};
constexpr int n_passes(int bits) { return bits <= digit_bits ? 1 : (bits + digit_bits - 1) / digit_bits; }

/// The result may lie where the source is if there is more than one pass.
void radix_sort(const radix_task& task, queue q, memory_pool& pool);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
