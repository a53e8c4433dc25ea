// For examples that run on many ranks: processes that a launcher has started, or threads of one.
#pragma once
#include <atomic>

#include <gparray/distributed.hpp>

#include "on_device.hpp"

/// Runs f(world) on every rank: with --threads on so many threads of this process, else on those that mpirun,
/// srun or the environment name. Returns the first exit status that is not 0.
template<class F>
int on_ranks(command_line& options, const F& f) {
  const int threads = options.value("--threads", 0, "ranks as threads of this process; 0: as it was started");
  device_of(options);
  if (threads == 0) return f(gparray::distributed::init());
  std::atomic<int> status = EXIT_SUCCESS;
  gparray::distributed::spawn(threads, [&](const gparray::distributed::communicator& world) {
    if (const int mine = f(world); mine != EXIT_SUCCESS) status = mine;
  });
  return status;
}
