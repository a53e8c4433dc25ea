// How a reduce plan is carried out on a GPU.
#pragma once
#include <optional>

#include <cuda/fusion/jit_plan.hpp>
#include <cuda/fusion/reduce_source.hpp>
#include <cuda/runtime/counters.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Enqueues one kernel; before it the steps of the map, if there are any. The order in which elements are
/// combined depends on the sizes and the order of the dimensions in memory alone, joined where they continue
/// each other: results are the same on every device, in every run, at any address, with gaps between elements
/// or without. If the plan asks for another element_order it depends on the number of elements of a result
/// alone, so that a result is the same among any number of them: blocks of a sharded array are reduced so.
void run_reduce(const reduce_plan& plan, queue q, memory_pool& pool, counter_store& counters);

/// Several reductions of the same elements: by one kernel, if it is there now (they are generated), else one
/// after the other.
void run_reduce_together(std::span<const reduce_plan* const> plans, queue q, memory_pool& pool,
                         counter_store& counters);

/// The threads, as a power of two, that work on one result of a reduction of (rows, columns) along the
/// columns; none if the elements are not walked along like that, or several blocks share a result.
std::optional<int> log_threads_of_row(const reduce_plan& plan);

/// The form of a kernel that reads what it reduces from memory: inner, whole or columns.
kernel_form form_of(const reduce_plan& plan, const reduce_source& source);
/// The kernel that computes what it reduces, of one reduction or of several of the same elements; `fused` is
/// new. in_loop: with a form that kernels of persistent loops have. False if there are too many dimensions or
/// elements: then they are computed into memory.
bool plan_fused(std::span<const reduce_plan* const> plans, const reduce_source& source, bool in_loop,
                int device, fused_plan& fused);
/// The threads, as a power of two, of a column kernel's block that stand along the columns: of few columns
/// few, so that all of them load whole packs. By the number of results alone, or by nothing if the order of
/// additions depends on the length of a row alone: where columns lie in memory must not decide how their rows
/// are added.
int log_lanes_of_columns(const reduce_plan& plan, std::int64_t n_out);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
