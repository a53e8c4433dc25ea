// Loops of graphs as one persistent kernel, which stays on the GPU for the whole loop, in place of a
// conditional node: the node, and each node of its body, would take about two microseconds, much longer than
// the work of a small body.
#pragma once
#include <cuda/fusion/jit_kernels.hpp>
#include <cuda/graph/persistent_source.hpp>
#include <plan/graph_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct persistent_loop {
  kernel_handle kernel;
  std::vector<char> parameters;
  persistent_barrier barrier;
  unsigned n_blocks, n_teams;  // of each block
};

/// The loop whose body is `n_nodes` nodes, of which the trace has seen some: as a cluster if that is quicker,
/// else as a cooperative launch. False if it has to be a conditional node, `reason` then says why: something
/// in the body is not a map or a reduction, it is much work, there is no compiler. Compiles in every mode but
/// jit::off: a loop is recorded once and runs often.
bool make_persistent(const persistent_trace& trace, std::size_t n_nodes, const loop_control& control,
                     persistent_loop& result, std::string& reason);
void launch_persistent(const persistent_loop& loop, queue q);

/// Loops recorded since the start of the process, for tests: results do not show which way a loop went.
struct loop_counts {
  std::size_t persistent, conditional;
  std::string reason;  ///< why the last one was conditional
};
loop_counts counted_loops();
void count_loop(bool persistent, const std::string& reason);

using persistent_maker = loaded_kernel (*)(const compile_request&, int device);
/// For tests: from now on `maker` makes the kernels, and earlier ones are forgotten; null restores the
/// default. Returns the previous one.
persistent_maker exchange_persistent_maker(persistent_maker maker);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
