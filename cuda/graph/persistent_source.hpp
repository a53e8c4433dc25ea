// The text of the kernel of a persistent loop.
#pragma once
#include <cuda/fusion/persistent_params.hpp>
#include <cuda/graph/persistent_phases.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Teams of a block at most. The more there are the fewer registers each thread has: with four, 64, a stencil
/// and a norm in one kernel spill 550 bytes; that cost an H100 1.9 us, a second block for each team 1.4.
inline constexpr unsigned persistent_teams = 3, min_persistent_teams = 2;

enum class persistent_barrier : std::uint8_t { cluster, grid };

inline constexpr const char* persistent_kernel = "gparray::core::cuda::persistent_loop";
std::string persistent_source(const std::vector<persistent_step>& steps, const persistent_schedule& order,
                              persistent_barrier barrier, unsigned n_teams);

/// Shared memory of one team at most.
std::size_t team_bytes(const std::vector<persistent_step>& steps);

/// The kernel's one parameter: `loop`, the parameters of the steps, and the parts of maps. share_out
/// completes it when the number of blocks is known, and returns the number of teams of a block, at most
/// max_teams.
std::vector<char> persistent_parameters(const std::vector<persistent_step>& steps,
                                        const persistent_schedule& order, const persistent_params& loop);
unsigned share_out(const persistent_schedule& order, unsigned n_blocks, unsigned max_teams,
                   std::vector<char>& parameters);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
