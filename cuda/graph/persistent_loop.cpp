#include <algorithm>
#include <bit>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include <cuda/fusion/jit_source.hpp>
#include <cuda/graph/persistent_loop.hpp>
#include <cuda/graph/persistent_source.hpp>
#include <cuda/runtime/launch.hpp>
#include <gparray/error.hpp>
#include <plan/backend.hpp>
#include <plan/recording.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// Blocks of a cluster: a GPU promises 8, an H100 has 16 if asked.
constexpr unsigned max_cluster = 16;
/// What all GPUs from 7.0 on take, with drivers from 12.1 on; older ones take 4 KB.
constexpr std::size_t max_persistent_bytes = 32764;
constexpr int first_driver_with_large_parameters = 12010;
constexpr std::size_t max_static_shared_bytes = 48 << 10;

// On an H100 a cluster, whose 16 multiprocessors share one way to the L2 cache, takes 7.7 us for a megabyte
// of work in each phase, which is no measurable time for the whole GPU; but three barriers of a grid take 1.2
// us longer than those of a cluster with 0.13 MB a phase. So they break even at about 0.28 MB.
constexpr double work_of_cluster_and_phase = 256 << 10;
// A conditional node spends 3.4 us more on an iteration than a grid, and 1.2 on each step; but its kernels
// are better at large work, for which they have more registers: with four steps, an H100 breaks even at 36
// MB.
constexpr double work_of_grid_block = 112 << 10, work_of_grid_block_and_step = 40 << 10;

struct made_kernel {
  loaded_kernel loaded;
  std::string error;
};

struct persistent_kernels {
  std::mutex lock;
  /// Kept: recorded graphs launch them; and those that do not compile are not tried again.
  std::map<std::pair<int, std::string>, made_kernel> of_sources;
  persistent_maker make = load_kernel;
  loop_counts counts{};
};

persistent_kernels& kernels() {
  static auto& all = *new persistent_kernels;  // NOLINT: as all modules, never unloaded at exit
  return all;
}

kernel_handle find_kernel_of(const std::string& source, int device, const std::string& architecture) {
  persistent_kernels& all = kernels();
  const std::lock_guard guard(all.lock);
  const auto [found, is_new] = all.of_sources.try_emplace({device, source});
  made_kernel& kernel = found->second;
  if (is_new) {
    try {
      kernel.loaded = all.make(request_of(source, persistent_kernel, architecture), device);
    } catch (const compile_error& e) {
      kernel.error = e.what();
    } catch (...) {
      all.of_sources.erase(found);
      throw;
    }
  }
  if (!kernel.error.empty()) throw compile_error(kernel.error);
  return kernel.loaded.kernel;
}

/// A launch whose blocks run at once. Refers to `attribute` and has to stay where it is.
struct persistent_launch {
  cudaLaunchAttribute attribute{};
  CUlaunchConfig configuration;

  persistent_launch(persistent_barrier barrier, unsigned n_blocks, unsigned n_teams, cudaStream_t stream) {
    if (barrier == persistent_barrier::cluster) {
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim.x = n_blocks;
      attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    } else {
      attribute.id = cudaLaunchAttributeCooperative;
      attribute.val.cooperative = 1;
    }
    configuration = configured(dim3(n_blocks), dim3(n_teams * team_threads), 0, stream, &attribute);
  }
  persistent_launch(const persistent_launch&) = delete;
  persistent_launch& operator=(const persistent_launch&) = delete;
};

/// The largest cluster up to `wanted` that the device has room for; 0 if there is none.
unsigned cluster_size(kernel_handle kernel, unsigned wanted, unsigned n_teams, int device) {
  if (wanted > 8)
    try_call<&rt::cudaKernelSetAttributeForDevice>(static_cast<cudaKernel_t>(kernel),
                                                   cudaFuncAttributeNonPortableClusterSizeAllowed, 1, device);
  for (unsigned n = wanted; n > 0; n /= 2) {
    const persistent_launch launch(persistent_barrier::cluster, n, n_teams, nullptr);
    const cudaLaunchConfig_t configuration = for_runtime(launch.configuration);
    int n_clusters = 0;
    const cudaError_t code = try_call<&rt::cudaOccupancyMaxActiveClusters>(
        &n_clusters, static_cast<const void*>(kernel), &configuration);
    if (code == cudaSuccess && n_clusters > 0) return n;
  }
  return 0;
}

int attribute_of(cudaDeviceAttr attribute, int device) {
  int value = 0;
  return try_call<&rt::cudaDeviceGetAttribute>(&value, attribute, device) == cudaSuccess ? value : 0;
}

bool takes_parameters(std::size_t bytes) {
  if (bytes <= 4096) return true;
  int driver = 0;
  return bytes <= max_persistent_bytes && try_call<&rt::cudaDriverGetVersion>(&driver) == cudaSuccess &&
         driver >= first_driver_with_large_parameters;
}

std::int64_t most_blocks(const persistent_schedule& order) {
  std::int64_t most = 1;
  for (const persistent_task& task : order.tasks)
    if (!task.is_in_parts) most = std::max(most, task.n_blocks);
  return most;
}

class loop_maker {
 public:
  loop_maker(const persistent_trace& trace, const loop_control& control, persistent_loop& result)
      : trace_(trace),
        control_(control),
        result_(result),
        device_(trace.body().device),
        order_(schedule(trace.steps(), control.condition)) {}

  /// Empty if the loop can be persistent.
  std::string make() {
    if (order_.tasks.size() > max_persistent_tasks) return "its body has too many steps";
    const auto [major, minor] = backend_of(device::cuda(device_)).compute_capability(device_);
    architecture_ = fmt::format("sm_{}{}", major, minor);
    result_.parameters =
        persistent_parameters(trace_.steps(), order_,
                              {.condition = static_cast<const bool*>(control_.condition),
                               .count = static_cast<std::int64_t*>(control_.count),
                               .word = static_cast<std::uint64_t*>(recording_on(device_)->zeroed(
                                   sizeof(std::uint64_t), trace_.body().stream)),
                               .most = control_.most,
                               .tasks = {}});
    if (!takes_parameters(result_.parameters.size()))
      return "the parameters of all steps do not fit one kernel";
    if (team_bytes(trace_.steps()) * min_persistent_teams > max_static_shared_bytes)
      return "its reductions do not fit the shared memory of a block";
    if (major >= 9 && use_cluster()) return {};
    return use_grid();
  }

 private:
  bool use_cluster() {
    const auto fits = [&](unsigned n_blocks) {
      return trace_.work() <= order_.n_phases * work_of_cluster_and_phase * n_blocks / max_cluster;
    };
    if (!fits(max_cluster)) return false;
    const auto wanted = static_cast<unsigned>(std::min<std::int64_t>(most_blocks(order_), max_cluster));
    make_kernel(persistent_barrier::cluster, std::bit_ceil(wanted));
    const unsigned n_blocks = cluster_size(result_.kernel, result_.n_blocks, result_.n_teams, device_);
    if (n_blocks == 0 || (n_blocks < wanted && !fits(n_blocks))) return false;
    result_.n_blocks = n_blocks;
    share_out(order_, n_blocks, result_.n_teams, result_.parameters);
    return true;
  }

  std::string use_grid() {
    if (trace_.is_nested()) return "it is within a loop, and not small enough for one cluster of blocks";
    const int n_multiprocessors = attribute_of(cudaDevAttrMultiProcessorCount, device_);
    if (trace_.work() > n_multiprocessors * (work_of_grid_block + static_cast<double>(trace_.steps().size()) *
                                                                      work_of_grid_block_and_step))
      return fmt::format("an iteration is some {:.0f} bytes of work, for which launches cost little",
                         trace_.work());
    if (!attribute_of(cudaDevAttrCooperativeLaunch, device_)) return "the device has no cooperative launches";
    // The kernel's launch bounds make it fit a multiprocessor.
    make_kernel(persistent_barrier::grid,
                static_cast<unsigned>(std::min<std::int64_t>(most_blocks(order_), n_multiprocessors)));
    return {};
  }

  /// As many teams as that number of blocks needs, and as fit the shared memory of a block.
  void make_kernel(persistent_barrier barrier, unsigned n_blocks) {
    const auto fitting = static_cast<unsigned>(max_static_shared_bytes / team_bytes(trace_.steps()));
    result_.barrier = barrier;
    result_.n_blocks = n_blocks;
    result_.n_teams = share_out(order_, n_blocks, std::min(persistent_teams, fitting), result_.parameters);
    result_.kernel = find_kernel_of(persistent_source(trace_.steps(), order_, barrier, result_.n_teams),
                                    device_, architecture_);
  }

  const persistent_trace& trace_;
  const loop_control& control_;
  persistent_loop& result_;
  const int device_;
  const persistent_schedule order_;
  std::string architecture_;
};

std::string obstacle(const persistent_trace& trace, std::size_t n_nodes, const loop_control& control,
                     persistent_loop& result) {
  const std::size_t n_steps = trace.steps().size();
  if (n_nodes == 0) return "its body is empty";
  if (n_steps != n_nodes)
    return fmt::format("of {} nodes of its body {} are no maps or reductions of one kernel on one stream",
                       n_nodes, n_nodes - std::min(n_nodes, n_steps));
  return loop_maker(trace, control, result).make();
}

}  // namespace

bool make_persistent(const persistent_trace& trace, std::size_t n_nodes, const loop_control& control,
                     persistent_loop& result, std::string& reason) {
  try {
    reason = obstacle(trace, n_nodes, control, result);
  } catch (const error& e) {  // no compiler, a kernel that does not compile or load: there is another way
    reason = e.what();
  }
  return reason.empty();
}

void launch_persistent(const persistent_loop& loop, queue q) {
  const persistent_launch launch(loop.barrier, loop.n_blocks, loop.n_teams, stream_of(q.stream));
  void* arguments[] = {const_cast<char*>(loop.parameters.data())};
  enqueue("a loop", loaded(loop.kernel), launch.configuration, arguments, q.device);
}

loop_counts counted_loops() {
  const std::lock_guard guard(kernels().lock);
  return kernels().counts;
}

void count_loop(bool persistent, const std::string& reason) {
  const std::lock_guard guard(kernels().lock);
  ++(persistent ? kernels().counts.persistent : kernels().counts.conditional);
  if (!persistent) kernels().counts.reason = reason;
}

persistent_maker exchange_persistent_maker(persistent_maker maker) {
  const std::lock_guard guard(kernels().lock);
  if (maker) kernels().of_sources.clear();
  return std::exchange(kernels().make, maker ? maker : load_kernel);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
