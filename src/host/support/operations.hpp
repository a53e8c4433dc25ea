// What the host backend consists of: one function per kind of plan.
#pragma once
#include <cstdint>
#include <span>

#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
struct bin_plan;
struct combine_plan;
struct random_plan;
struct run_plan;
struct search_plan;
struct interpolation_plan;
struct correlation_plan;
struct row_chain;
enum class row_use : std::uint8_t;
struct sort_plan;
}  // namespace core
namespace host {

/// All return when the work is done.
void map(const core::map_plan& plan);
/// A plan without steps: out[index] = inputs[0][index], of the same dtype.
void copy(const core::map_plan& plan);
/// Of the same elements (same_elements in core/array/reduction_plan.hpp).
void reduce(std::span<const core::reduce_plan* const> plans);
core::row_use takes_rows(const core::row_chain& chain);
void compute_rows(const core::row_chain& chain);
void scan(const core::scan_plan& plan);
void matmul(const core::matmul_plan& plan);
void gather(const core::index_plan& plan);
void scatter(const core::index_plan& plan);
void compact(const core::compact_plan& plan);
void sort(const core::sort_plan& plan);
void search(const core::search_plan& plan);
void interpolate(const core::interpolation_plan& plan);
void reduce_runs(const core::run_plan& plan);
void count_bins(const core::bin_plan& plan);
/// False if the operation is not defined for the dtype.
bool combine(const core::combine_plan& plan);
void random(const core::random_plan& plan);
void correlate(const core::correlation_plan& plan);

/// Contiguous bytes, on all threads.
void copy_bytes(void* to, const void* from, std::size_t bytes);
void fill_zero(void* to, std::size_t bytes);

}  // namespace host
GPARRAY_END_NAMESPACE
