// How this process was started: which rank of how many it is.
#pragma once
#include <string>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

struct launch {
  int rank = 0, size = 1;
  int local_rank = -1;   // among the ranks of this machine; -1: not known
  bool by_mpi = false;   // by a launcher that MPI_Init knows
  std::string launcher;  // for messages; empty: none
};

/// What the variables say that mpirun, srun, torchrun or a shell script has set; a world of one without them.
/// Throws value_error for variables that contradict each other.
launch find_launch();

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
