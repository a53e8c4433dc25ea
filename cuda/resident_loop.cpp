#include "resident_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <core/backend.hpp>
#include <gparray/error.hpp>
#include <map>
#include <mutex>

#include "jit_source.hpp"
#include "launch.hpp"
#include "resident_source.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// What all GPUs from 7.0 on take, with drivers from 12.1 on; older ones take 4 KB.
constexpr std::size_t max_resident_bytes = 32764;
constexpr int first_driver_with_large_parameters = 12010;
/// Bytes of work for each block and step up to which the loop is better off in one cluster. A multiprocessor
/// loads some 100 GB/s from the L2 cache, 16 of them a third of what the whole GPU does; a step less is a
/// launch of 2.2 us less and a barrier of 0.6 us more. So they break even at about 1.6 us * 100 GB/s = 160
/// KB; below that the loop is on the safe side.
constexpr double work_per_block_and_step = 128 << 10;

struct resident_kernels {
  std::mutex lock;
  std::map<std::pair<int, std::string>, loaded_kernel> of_sources;  // kept: recorded graphs launch them
  resident_maker make = load_kernel;
  loop_counts counts{};
};

resident_kernels& kernels() {
  static auto& all = *new resident_kernels;  // NOLINT: as all modules, never unloaded at exit
  return all;
}

kernel_handle find_kernel_of(const std::string& source, int device, const std::string& architecture) {
  resident_kernels& all = kernels();
  const std::lock_guard guard(all.lock);
  auto found = all.of_sources.find({device, source});
  if (found == all.of_sources.end())
    found = all.of_sources
                .emplace(std::pair(device, source),
                         all.make(request_of(source, resident_kernel, architecture), device))
                .first;
  return found->second.kernel;
}

/// A launch of one cluster. Refers to `attribute` and has to stay where it is.
struct cluster_launch {
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t configuration{};

  cluster_launch(unsigned n_blocks, cudaStream_t stream) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = n_blocks;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    configuration.gridDim = dim3(n_blocks);
    configuration.blockDim = dim3(resident_teams * team_threads);
    configuration.stream = stream;
    configuration.attrs = &attribute;
    configuration.numAttrs = 1;
  }
  cluster_launch(const cluster_launch&) = delete;
  cluster_launch& operator=(const cluster_launch&) = delete;
};

/// The largest cluster up to `wanted` that the device has room for; 0 if there is none.
unsigned cluster_size(kernel_handle kernel, unsigned wanted, int device) {
  if (wanted > 8)
    try_call<&rt::cudaKernelSetAttributeForDevice>(static_cast<cudaKernel_t>(kernel),
                                                   cudaFuncAttributeNonPortableClusterSizeAllowed, 1, device);
  for (unsigned n = wanted; n > 0; n /= 2) {
    const cluster_launch launch(n, nullptr);
    int n_clusters = 0;
    const cudaError_t code = try_call<&rt::cudaOccupancyMaxActiveClusters>(
        &n_clusters, static_cast<const void*>(kernel), &launch.configuration);
    if (code == cudaSuccess && n_clusters > 0) return n;
  }
  return 0;
}

bool takes_parameters(std::size_t bytes) {
  if (bytes <= 4096) return true;
  int driver = 0;
  return bytes <= max_resident_bytes && try_call<&rt::cudaDriverGetVersion>(&driver) == cudaSuccess &&
         driver >= first_driver_with_large_parameters;
}

/// As many blocks as there are teams for the blocks of the largest task.
unsigned wanted_blocks(const resident_schedule& order) {
  std::int64_t most = 1;
  for (const resident_task& task : order.tasks) most = std::max(most, task.n_blocks);
  const auto needed = std::min<std::int64_t>(ceil_div(most, resident_teams), max_cluster);
  return std::bit_ceil(static_cast<unsigned>(needed));
}

/// Empty if the loop can be resident.
std::string obstacle(const resident_trace& trace, std::size_t n_nodes, const loop_control& control,
                     resident_loop& result) {
  const std::vector<resident_step>& steps = trace.steps();
  const int device = trace.body().device;
  if (steps.empty()) return "its body is empty";
  if (steps.size() != n_nodes)
    return fmt::format("of {} nodes of its body {} are no maps or reductions of one kernel on one stream",
                       n_nodes, n_nodes - std::min(n_nodes, steps.size()));
  const auto room = [&](unsigned n_blocks) {
    return static_cast<double>(n_blocks) * static_cast<double>(steps.size()) * work_per_block_and_step;
  };
  if (trace.work() > room(max_cluster))
    return fmt::format(
        "an iteration loads and stores {:.0f} bytes, which a whole GPU does quicker than {} of its blocks",
        trace.work(), max_cluster);
  const auto [major, minor] = cuda_backend()->compute_capability(device);
  if (major < 9)
    return fmt::format("a GPU of compute capability {}.{} has no clusters of blocks", major, minor);
  const resident_schedule order = schedule(steps, control.condition);
  if (order.tasks.size() > max_resident_tasks) return "its body has too many steps";
  result.parameters = resident_parameters(steps, {static_cast<const bool*>(control.condition),
                                                  static_cast<std::int64_t*>(control.count),
                                                  control.most,
                                                  {}});
  if (!takes_parameters(result.parameters.size())) return "the parameters of all steps do not fit one kernel";
  result.kernel = find_kernel_of(resident_source(steps, order), device, fmt::format("sm_{}{}", major, minor));
  const unsigned wanted = wanted_blocks(order);
  result.n_blocks = cluster_size(result.kernel, wanted, device);
  if (result.n_blocks == 0) return "the device has no room for a cluster of its blocks";
  if (result.n_blocks < wanted && trace.work() > room(result.n_blocks))
    return fmt::format("the device has room for {} blocks in a cluster only", result.n_blocks);
  share_out(order, result.n_blocks, result.parameters);
  return {};
}

}  // namespace

bool make_resident(const resident_trace& trace, std::size_t n_nodes, const loop_control& control,
                   resident_loop& result, std::string& reason) {
  try {
    reason = obstacle(trace, n_nodes, control, result);
  } catch (const error& e) {  // no compiler, a kernel that does not compile or load: there is another way
    reason = e.what();
  }
  return reason.empty();
}

void launch_resident(const resident_loop& loop, queue q) {
  const cluster_launch launch(loop.n_blocks, stream_of(q.stream));
  void* arguments[] = {const_cast<char*>(loop.parameters.data())};
  const cudaError_t code =
      runtime.cudaLaunchKernelExC(&launch.configuration, static_cast<const void*>(loop.kernel), arguments);
  if (code != cudaSuccess) throw_cuda_error("cudaLaunchKernelExC", code, "launching a loop");
}

loop_counts counted_loops() {
  const std::lock_guard guard(kernels().lock);
  return kernels().counts;
}

void count_loop(bool resident, const std::string& reason) {
  const std::lock_guard guard(kernels().lock);
  ++(resident ? kernels().counts.resident : kernels().counts.conditional);
  if (!resident) kernels().counts.reason = reason;
}

resident_maker exchange_resident_maker(resident_maker maker) {
  const std::lock_guard guard(kernels().lock);
  if (maker) kernels().of_sources.clear();
  return std::exchange(kernels().make, maker ? maker : load_kernel);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
