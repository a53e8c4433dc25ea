// How sorting, searching and the reductions of runs are carried out on a GPU.
#pragma once
#include <plan/backend.hpp>
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Radix sort of all rows at once. Throws value_error for a row of more than 2^31 elements.
void run_sort(const sort_plan& plan, queue q, memory_pool& pool);
/// Rows of complex numbers, of which none is empty; largest_sort of them at most.
void run_complex_sort(const sort_plan& plan, queue q, memory_pool& pool);
/// Two runs.
void run_merge(const sort_plan& plan, queue q, memory_pool& pool);
/// Radix selection. They throw as run_sort does.
void run_select(const selection_plan& plan, queue q, memory_pool& pool);
void run_top(const top_plan& plan, queue q, memory_pool& pool);
void run_search(const search_plan& plan, queue q);
void run_reduce_runs(const run_plan& plan, queue q);
void run_count_bins(const bin_plan& plan, queue q);
/// Additions of most dtypes. False for those that are left to sorting all numbers.
bool run_combine(const combine_plan& plan, queue q, memory_pool& pool);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
