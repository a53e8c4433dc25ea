#include <charconv>
#include <cstring>
#include <optional>

#include <distributed/start/launch.hpp>

#include <support/environment.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {
namespace {

/// What a launcher tells the processes that it starts.
struct launcher {
  const char* name;
  std::optional<core::variable> marker;  // without which the others are not this launcher's
  core::variable rank, size, local_rank;
  bool mpi;
};

/// The first whose variables are there counts. torchrun comes first, since what started torchrun leaves its
/// own variables behind, and PMIx before SLURM, whose srun serves both. SLURM_NTASKS is that of the whole
/// job, and set in its script too, which no srun has started; so the size is that of the step.
constexpr launcher launchers[] = {
    {"torchrun", core::variable("TORCHELASTIC_RUN_ID"), "RANK", "WORLD_SIZE", "LOCAL_RANK", false},
    {"Open MPI's mpirun", std::nullopt, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK", true},
    {"mpiexec", std::nullopt, "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", true},
    {"srun --mpi=pmix", std::nullopt, "PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", true},
    {"srun", std::nullopt, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", false},
    {"what sets RANK and WORLD_SIZE", std::nullopt, "RANK", "WORLD_SIZE", "LOCAL_RANK", false},
};

int number_in(core::variable variable) {
  const char* const text = core::environment(variable);
  int value = -1;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
  if (error != std::errc() || *end != '\0' || value < 0)
    core::fail<value_error>("the environment variable {} must be a number from 0 on, it is '{}'",
                            variable.name(), text);
  return value;
}

}  // namespace

launch find_launch() {
  for (const launcher& each : launchers) {
    if (each.marker && !core::environment(*each.marker)) continue;
    const bool has_rank = core::environment(each.rank), has_size = core::environment(each.size);
    if (!has_rank || !has_size) continue;
    launch found{.rank = number_in(each.rank),
                 .size = number_in(each.size),
                 .by_mpi = each.mpi,
                 .launcher = each.name};
    if (found.rank >= found.size)
      core::fail<value_error>("{} is {}, which is no rank of the {} that {} says", each.rank.name(),
                              found.rank, found.size, each.size.name());
    if (core::environment(each.local_rank)) found.local_rank = number_in(each.local_rank);
    return found;
  }
  if (!core::environment("RANK") != !core::environment("WORLD_SIZE"))
    throw value_error(
        "of the environment variables RANK and WORLD_SIZE only one is set: a program of several ranks needs "
        "both, a program of one process neither");
  return {};
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
