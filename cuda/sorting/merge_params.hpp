// Parameter blocks of the kernels that merge two runs.
#pragma once
#include <kernel/sort_key.hpp>
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int merge_threads = 256;
/// Odd, so that threads that go through as many elements each read shared memory from different banks.
template<class T>
inline constexpr int merged_by_thread = sizeof(T) <= 4   ? 15
                                        : sizeof(T) == 8 ? 11
                                                         : 7;
template<class T>
inline constexpr int merge_tile = merge_threads * merged_by_thread<T>;

struct merge_params {
  sorted_run a, b;
  void* out;
  std::int64_t* numbers;
  std::int64_t* cuts;      // [tile]: how many elements of `a` come before the tile, and behind the last one
  kernel::sort_rule rule;  // not of complex elements
};

struct merge_kernels {
  const void *find_cuts, *merge;
  int tile;
};
merge_kernels find_merge_kernels(dtype type, bool with_numbers);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
