// How a program becomes a rank.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <unistd.h>
#include <vector>

#include <distributed/mpi/mpi_engine.hpp>
#include <distributed/nccl/nccl_engine.hpp>
#include <distributed/nccl/staged_engine.hpp>
#include <distributed/runtime/communicator_state.hpp>
#include <distributed/start/launch.hpp>
#include <distributed/start/rendezvous.hpp>

#include <support/environment.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {
namespace {

using detail::communicator_state;
using detail::engine;
using detail::launch;

/// How many ranks below this one run on the same machine.
int count_below_here(engine& host) {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  std::vector<std::array<char, 256>> names(static_cast<std::size_t>(host.size()));
  host.all_gather(name.data(), names.data(), name.size(), default_stream(device::cpu()));
  return static_cast<int>(std::count(names.begin(), names.begin() + host.rank(), name));
}

/// The rank's own GPU, if there are GPUs and the program or its user does not want the CPU.
device place_of(int local_rank) {
  if (default_device().is_cpu()) return device::cpu();
  // One alone may be this rank's own: launchers can show each rank its GPU as the only one.
  const int gpus = device_count();
  if (local_rank < gpus) return device::cuda(local_rank);
  if (gpus == 1 && core::environment("CUDA_VISIBLE_DEVICES")) return device::cuda(0);
  core::fail<device_error>(
      "this is rank {} of this machine, which has {} GPU{}: there must be one for each rank. Start fewer "
      "ranks, or set "
      "GPARRAY_DEVICE=cpu",
      local_rank, gpus, gpus == 1 ? "" : "s");
}

/// What a rank tells the others before they connect their GPUs: all fail alike, or none.
struct readiness {
  int gpu = 0, has_nccl = 0;
};

/// The engine of the ranks' GPUs, where MPI connects the ranks; null if they compute on the CPU.
std::shared_ptr<engine> connect_gpus(engine& host, device place, std::chrono::milliseconds timeout) {
  readiness mine{.gpu = place.is_cuda()};
  std::string complaint;
  detail::nccl_id id{};
  if (mine.gpu) {
    try {
      mine.has_nccl = detail::nccl().GetUniqueId(&id) == detail::nccl_success;
      complaint =
          "ncclGetUniqueId failed: NCCL finds no network interface, which NCCL_SOCKET_IFNAME names (lo on a "
          "machine that has no other)";
    } catch (const library_error& e) {
      complaint = e.what();
    }
  }
  const stream_view on = default_stream(device::cpu());
  std::vector<readiness> all(static_cast<std::size_t>(host.size()));
  host.all_gather(&mine, all.data(), sizeof mine, on);
  for (int r = 0; r < host.size(); ++r) {
    const readiness& other = all[static_cast<std::size_t>(r)];
    if (other.gpu != mine.gpu)
      core::fail<device_error>("rank {} computes on {}, rank {} on {}: all ranks must have a GPU, or none",
                               host.rank(), place.str(), r, other.gpu ? "a GPU" : "the CPU");
    if (mine.gpu && !other.has_nccl)
      core::fail<library_error>("rank {} cannot use NCCL{}{}", r, mine.has_nccl ? "" : ": ",
                                mine.has_nccl ? "" : complaint);
  }
  if (!mine.gpu) return nullptr;
  host.broadcast(&id, sizeof id, 0, on);
  return detail::make_nccl_engine(
      id, {.rank = host.rank(), .size = host.size(), .place = place, .timeout = timeout});
}

/// Ranks that MPI connects.
std::shared_ptr<communicator_state> start_with_mpi(const launch& started, bool running,
                                                   const init_options& options) {
  const std::chrono::milliseconds timeout = detail::timeout_of(options);
  detail::mpi_world& mpi = detail::mpi_world::get(timeout, running ? 0 : started.size);
  const auto host = std::make_shared<detail::mpi_engine>(mpi);
  host->current = detail::signature("init");
  const int local_rank = started.local_rank >= 0 ? started.local_rank : count_below_here(*host);
  const device place = place_of(local_rank);
  auto gpu = connect_gpus(*host, place, timeout);
  set_default_device(place);
  return std::make_shared<communicator_state>(host, std::move(gpu), local_rank, place,
                                              detail::checks(options, false));
}

/// Ranks that NCCL alone connects, and find each other by a file.
std::shared_ptr<communicator_state> start_with_nccl(const launch& started, const init_options& options) {
  const char* const path = core::environment("GPARRAY_RENDEZVOUS");
  if (!path)
    core::fail<distributed_error>(
        "{} has started {} ranks, which MPI does not know of. They find each other where GPARRAY_RENDEZVOUS "
        "is the name of a "
        "file, the same for all, that is not there, in a folder that all of them see; or start them with "
        "mpirun",
        started.launcher, started.size);
  const std::chrono::milliseconds timeout = detail::timeout_of(options);
  detail::nccl_id id{};
  if (started.rank == 0 && detail::nccl().GetUniqueId(&id) != detail::nccl_success)
    throw distributed_error(
        "ncclGetUniqueId failed: NCCL finds no network interface, which NCCL_SOCKET_IFNAME names (lo on a "
        "machine that has no other)");
  const detail::meeting met =
      detail::meet(path, started.rank, started.size, std::as_bytes(std::span(id.content)), timeout);
  std::memcpy(id.content, met.words.data(), std::min(met.words.size(), sizeof id.content));
  const auto rank = static_cast<std::ptrdiff_t>(started.rank);
  const int local_rank = started.local_rank >= 0
                             ? started.local_rank
                             : static_cast<int>(std::count(met.hosts.begin(), met.hosts.begin() + rank,
                                                           met.hosts[static_cast<std::size_t>(rank)]));
  const device place = place_of(local_rank);
  const auto gpu = detail::make_nccl_engine(
      id, {.rank = started.rank, .size = started.size, .place = place, .timeout = timeout});
  set_default_device(place);
  return std::make_shared<communicator_state>(std::make_shared<detail::staged_engine>(gpu), gpu, local_rank,
                                              place, detail::checks(options, false));
}

/// What only MPI could connect was not started by MPI, whose processes find each other through their launcher
/// alone.
[[noreturn]] void refuse_cpu(const launch& started) {
  const bool slurm = std::string_view(started.launcher) == "srun";
  core::fail<device_error>(
      "{} has started {} ranks that compute on the CPU. MPI connects such ranks, and only those that its own "
      "launcher has started: type `{} -n {} {} ...` instead (mpirun comes with openmpi-bin of Debian and "
      "Ubuntu, "
      "or the Python packages openmpi and mpich), or make the ranks threads of one process by "
      "gp::distributed::spawn. Ranks with a GPU each need no launcher",
      started.launcher, started.size, slurm ? "srun --mpi=pmix" : "mpirun", started.size,
      program_invocation_name);
}

std::shared_ptr<communicator_state> start(const init_options& options) {
  static_cast<void>(
      detail::timeout_of(options));  // what is wrong in the environment is said by one rank, too
  const bool running = detail::mpi_is_running();
  const launch started = detail::find_launch();
  if (!running && started.size == 1) return detail::world_of_one();
  if (running || started.by_mpi) return start_with_mpi(started, running, options);
  if (default_device().is_cpu()) refuse_cpu(started);
  return start_with_nccl(started, options);
}

}  // namespace

communicator init(const init_options& options) {
  if (const auto* const spawned = detail::spawned_slot()) return communicator(*spawned);
  // Never destroyed: arrays of static storage may still use it.
  static std::mutex lock;
  static std::shared_ptr<communicator_state>* world = nullptr;
  const std::lock_guard held(lock);
  if (!world) world = new std::shared_ptr<communicator_state>(start(options));
  return communicator(*world);
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
