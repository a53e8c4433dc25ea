// A plan as one generated kernel sees it.
#pragma once
#include <cuda/device/loop_nest.hpp>
#include <cuda/device/scan_params.hpp>
#include <cuda/fusion/jit_key.hpp>
#include <plan/jumping_plan.hpp>
#include <plan/repetition.hpp>
#include <plan/row_chain.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct fused_plan {
  kernel_key key;
  /// Operand 0 is the output, operand 1 + i input i; behind them are the values that are stored too.
  loop_nest nest;
};

/// `fused` is new. False if the parameters would not fit a kernel: more than 8 inputs in more than 8
/// dimensions, or more steps than one has. With `is_launch`, not a part of a larger kernel, operands
/// of which most are not aligned as the output is have a form of their own, and so have long functions of
/// double.
bool plan_map(const map_plan& plan, int device, fused_plan& fused, bool is_launch = true);
/// The same of a loop.
bool plan_map(const looped_plan& plan, int device, fused_plan& fused);
/// The same of inputs that jump. False, too, if they jump in more than 4 dimensions or the map is more than
/// one launch.
bool plan_map(const jumping_plan& plan, int device, fused_plan& fused);

/// The same of the map in front of a reduction, whose value would be C-contiguous in the plan's dimensions;
/// it is read by a kernel of the given form; `inner` in place of `whole` if the operands do not lie so. False
/// if there are too many dimensions, or more than 2^31 elements in more than one; and, of inputs that jump,
/// if the kernel does not walk along whole packs of the last dimension.
bool plan_source(const jumping_plan& plan, std::span<const reduction> reductions, dtype element,
                 kernel_form form, int device, fused_plan& fused);

/// Of a reduction along rows of what a map computes.
struct row_reduction {
  const reduce_plan& plan;
  std::span<const reduction> reductions;
  int log_group;                                           // 2^log_group threads work on one result
  std::size_t state_bytes;                                 // of all reductions
  std::int64_t wanted_threads = 2 * 132 * reduce_threads;  // with fewer on a large GPU, each has one row
};

/// For the form `neighbours`: the last dimension of the nest is that of a row, the first one that of
/// neighbouring results. False if the elements of a row are in more than one dimension, or there are too many
/// dimensions.
bool plan_neighbours(const row_reduction& work, int device, fused_plan& fused);

/// The parameters of such a kernel but the operands, and how many blocks it has. Strides are counted in
/// result_unit bytes.
struct neighbour_launch {
  neighbour_params params;
  std::int64_t n_blocks;
};
neighbour_launch launch_of(const row_reduction& work, const fused_plan& fused, std::int64_t result_unit);

/// The map in front of a scan, which has its dimensions: the nest's are those of the rows, joined as those of
/// the output, and then the scanned one. False if there are too many dimensions or elements.
bool plan_scan(const scan_plan& plan, const map_plan& elements, int device, fused_plan& fused);
/// By which of its kernels.
void set_scan_kernel(const map_plan& elements, scan_kernel kernel, fused_plan& fused);

/// The lines of backend::reduce_scanned as those of a scan of as many elements, with its results in the place
/// of the scan's.
scan_plan lines_of(const reduce_plan& plan);
/// The same as plan_scan() of these. False, too, if there are too many instructions.
bool plan_scanned(const reduce_plan& plan, int scanned, int device, fused_plan& fused);

/// What a kernel does with its operands, in a key that is new.
void set_structure(const map_plan& plan, int device, kernel_key& key);
void set_modes_along_rows(const map_plan& plan, const loop_nest& nest, kernel_key& key);
/// Whether packs of so many elements along the last dimension, which has no gaps, are aligned wherever the
/// dimensions from `first_dimension` on, and the jumps along these, lead. `operand`: its number in the nest.
bool has_aligned_packs(const void* data, dtype type, const loop_nest& nest, int operand, int lanes,
                       int first_dimension = 0, std::span<const jump> jumps = {});

/// The same, with all dimensions, of whatever a map stores.
bool stores_aligned_packs(const map_plan& plan, const fused_plan& fused);
/// Whether an operand is the same in all rows of a nest, of which there are several.
bool is_same_in_rows(const loop_nest& nest, int operand);

/// A stage of a chain over rows, of the reduction or of none: what it does with a row.
kernel_key key_of_stage(const row_stage& stage, int device);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
