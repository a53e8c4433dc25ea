// The text of the kernel of a resident loop.
#pragma once
#include "resident_params.hpp"
#include "resident_phases.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Teams of a block at most: as many threads as a block may have. Each then has 64 registers, which is enough
/// for the kernels, and their loads hide each other's latency.
inline constexpr unsigned resident_teams = 4;

enum class resident_barrier : std::uint8_t { cluster, grid };

inline constexpr const char* resident_kernel = "gparray::core::cuda::resident_loop";
std::string resident_source(const std::vector<resident_step>& steps, const resident_schedule& order,
                            resident_barrier barrier);

/// The kernel's one parameter: `loop`, then the parameters of the steps. share_out completes it when the
/// number of blocks is known, and returns the number of teams of a block.
std::vector<char> resident_parameters(const std::vector<resident_step>& steps, const resident_params& loop);
unsigned share_out(const resident_schedule& order, unsigned n_blocks, std::vector<char>& parameters);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
