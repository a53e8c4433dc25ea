// A stable radix sort of keys in device memory.
#pragma once
#include <core/backend.hpp>

#include "order_params.hpp"
#include "runtime.hpp"
#include "scratch.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Elements that are sorted at once.
inline constexpr std::int64_t largest_sort = std::int64_t{1} << 31;
/// Throws value_error for more.
void check_sort_size(std::int64_t size);

/// Keys, and perhaps the numbers of the elements they belong to, in two buffers each. `operation` names it in
/// errors.
class radix_sorter {
 public:
  radix_sorter(const char* operation, std::uint32_t size, bool wide, bool with_numbers, queue q,
               memory_pool& pool);

  void* keys() const { return keys_[current_].data(); }
  std::uint32_t* numbers() const { return static_cast<std::uint32_t*>(numbers_[current_].data()); }

  /// By the lowest `bits` bits; stable. `count`: the elements are numbered as they lie now.
  void sort(int bits, bool count) { sort(find_radix_kernels(wide_), keys_, bits, count); }
  /// The numbers, by 32-bit keys of their own.
  void sort_numbers_by(scratch (&keys)[2], int bits) { sort(find_radix_kernels(false), keys, bits, false); }
  /// Which of the two buffers of keys holds them.
  int current() const { return current_; }

 private:
  void sort(const radix_kernels& kernels, scratch (&keys)[2], int bits, bool count);

  const char* operation_;
  scratch keys_[2], numbers_[2], counts_;
  std::uint32_t size_, n_tiles_;
  bool wide_, with_numbers_;
  int current_ = 0;
  queue q_;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
