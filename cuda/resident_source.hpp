// The text of the kernel of a resident loop.
#pragma once
#include "resident_phases.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Teams of a block: as many threads as a block may have. Each then has 64 registers, which is enough for the
/// kernels, and their loads hide each other's latency.
inline constexpr int resident_teams = 4;

inline constexpr const char* resident_kernel = "gparray::core::cuda::resident_loop";
std::string resident_source(const std::vector<resident_step>& steps, const resident_schedule& order);

/// The kernel's one parameter: a resident_params, then the parameters of the steps.
std::vector<char> resident_parameters(const std::vector<resident_step>& steps, const resident_schedule& order,
                                      const bool* condition, std::int64_t* count, std::int64_t most);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
