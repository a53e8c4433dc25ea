// The text of the kernel of a resident loop.
#pragma once
#include <cuda/fusion/resident_params.hpp>
#include <cuda/graph/resident_phases.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Teams of a block at most. The more there are the fewer registers each thread has: with four, 64, a stencil
/// and a norm in one kernel spill 550 bytes; that cost an H100 1.9 us, a second block for each team 1.4.
inline constexpr unsigned resident_teams = 3, min_resident_teams = 2;

enum class resident_barrier : std::uint8_t { cluster, grid };

inline constexpr const char* resident_kernel = "gparray::core::cuda::resident_loop";
std::string resident_source(const std::vector<resident_step>& steps, const resident_schedule& order,
                            resident_barrier barrier, unsigned n_teams);

/// Shared memory of one team at most.
std::size_t team_bytes(const std::vector<resident_step>& steps);

/// The kernel's one parameter: `loop`, the parameters of the steps, and the parts of maps. share_out
/// completes it when the number of blocks is known, and returns the number of teams of a block, at most
/// max_teams.
std::vector<char> resident_parameters(const std::vector<resident_step>& steps, const resident_schedule& order,
                                      const resident_params& loop);
unsigned share_out(const resident_schedule& order, unsigned n_blocks, unsigned max_teams,
                   std::vector<char>& parameters);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
