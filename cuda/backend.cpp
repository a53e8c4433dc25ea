#include <chrono>

#include <fmt/format.h>

#include <cuda/backend.hpp>
#include <cuda/indexing/compact.hpp>
#include <cuda/indexing/gather.hpp>
#include <cuda/map/bits.hpp>
#include <cuda/map/copy_rows.hpp>
#include <cuda/map/executor.hpp>
#include <cuda/map/polynomial.hpp>
#include <cuda/products/matmul.hpp>
#include <cuda/random/random.hpp>
#include <cuda/reduction/reduce.hpp>
#include <cuda/reduction/row_chain.hpp>
#include <cuda/reduction/scan.hpp>
#include <cuda/runtime/async_memory.hpp>
#include <cuda/runtime/copy_bytes.hpp>
#include <cuda/runtime/modules.hpp>
#include <cuda/runtime/process_end.hpp>
#include <cuda/signal/correlate.hpp>
#include <cuda/sorting/sort.hpp>
#include <gparray/error.hpp>
#include <plan/compiler.hpp>
#include <plan/lost_device.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace cuda {

cuda_backend_type::cuda_backend_type(int n_devices) : transforms_(states_, n_devices) {
  for (int device = 0; device < n_devices; ++device)
    states_.push_back(std::make_unique<device_state>(device));
  refuse_in_children();
  watch_for_process_end();
}

device_state& cuda_backend_type::state_of(int device) {
  if (device < 0 || device >= device_count()) [[unlikely]]
    throw device_error(
        fmt::format("there is no device cuda:{}; this machine has {}", device, device_count()));
  return *states_[static_cast<std::size_t>(device)];
}

device_state& cuda_backend_type::enter(int device) {
  device_state& state = state_of(device);
  use_device(device);
  return state;
}

void cuda_backend_type::map(const map_plan& plan, queue q) {
  run_map(plan, q, enter(q.device).scratch_pool());
}

void cuda_backend_type::map_jumping(const jumping_plan& plan, queue q) {
  run_jumping(plan, q, enter(q.device).scratch_pool());
}

void cuda_backend_type::reduce(const reduce_plan& plan, queue q) {
  device_state& state = enter(q.device);
  run_reduce(plan, q, state.scratch_pool(), state.counters);
}

void cuda_backend_type::reduce_together(std::span<const reduce_plan* const> plans, queue q) {
  device_state& state = enter(q.device);
  run_reduce_together(plans, q, state.scratch_pool(), state.counters);
}

row_use cuda_backend_type::takes_rows(const row_chain& chain) const { return cuda::takes_rows(chain); }

void cuda_backend_type::compute_rows(const row_chain& chain, queue q) {
  device_state& state = enter(q.device);
  run_rows(chain, q, state.scratch_pool(), state.counters);
}

void cuda_backend_type::scan(const scan_plan& plan, queue q) {
  device_state& state = enter(q.device);
  run_scan(plan, q, state.scratch_pool(), state.counters);
}

bool cuda_backend_type::scan_computed(const scan_plan& plan, const map_plan& elements, queue q) {
  device_state& state = enter(q.device);
  return run_computed_scan(plan, elements, q, state.counters);
}

bool cuda_backend_type::takes_scanned(const scan_plan& plan) const { return cuda::takes_scanned(plan); }

bool cuda_backend_type::reduce_scanned(const reduce_plan& plan, int scanned, queue q) {
  enter(q.device);
  return run_scanned_reduction(plan, scanned, q);
}

void cuda_backend_type::matmul(const matmul_plan& plan, queue q) {
  run_matmul(plan, q, enter(q.device).scratch_pool());
}

void cuda_backend_type::gather(const index_plan& plan, queue q) {
  run_gather(plan, q, enter(q.device).counters);
}

void cuda_backend_type::scatter(const index_plan& plan, queue q) {
  run_scatter(plan, q, enter(q.device).scratch_pool());
}

void cuda_backend_type::compact(const compact_plan& plan, queue q) {
  run_compact(plan, q, enter(q.device).scratch_pool());
}

void cuda_backend_type::sort(const sort_plan& plan, queue q) {
  run_sort(plan, q, enter(q.device).scratch_pool());
}

void cuda_backend_type::select(const selection_plan& plan, queue q) {
  run_select(plan, q, enter(q.device).scratch_pool());
}

void cuda_backend_type::top(const top_plan& plan, queue q) {
  run_top(plan, q, enter(q.device).scratch_pool());
}

void cuda_backend_type::search(const search_plan& plan, queue q) {
  enter(q.device);
  run_search(plan, q);
}

void cuda_backend_type::reduce_runs(const run_plan& plan, queue q) {
  enter(q.device);
  run_reduce_runs(plan, q);
}

void cuda_backend_type::count_bins(const bin_plan& plan, queue q) {
  enter(q.device);
  run_count_bins(plan, q);
}

void cuda_backend_type::correlate(const correlation_plan& plan, queue q) {
  enter(q.device);
  run_correlate(plan, q);
}

bool cuda_backend_type::combine(const combine_plan& plan, queue q) {
  return run_combine(plan, q, enter(q.device).scratch_pool());
}

void cuda_backend_type::evaluate_polynomial(const polynomial_plan& plan, queue q) {
  enter(q.device);
  run_polynomial(plan, q);
}

bool cuda_backend_type::copy_rows(std::span<const row_copy> copies, queue q) {
  enter(q.device);
  return run_copy_rows(copies, q);
}

void cuda_backend_type::move_bits(const bit_plan& plan, queue q) {
  enter(q.device);
  run_bits(plan, q);
}

void cuda_backend_type::random(const random_plan& plan, queue q) {
  enter(q.device);
  run_random(plan, q);
}

void cuda_backend_type::copy(void* to, const void* from, std::size_t bytes, queue q) {
  copy_bytes(to, from, bytes, q, enter(q.device), peers_);
}

void cuda_backend_type::read(void* to, const void* from, std::size_t bytes, queue q) {
  read_bytes(to, from, bytes, q, enter(q.device), peers_);
}

void* cuda_backend_type::slot_for_result(std::size_t bytes, queue q) {
  // The memory of slots is not mapped into children.
  if (recording_on(q.device) || is_gone(q.device)) return nullptr;
  return state_of(q.device).stage.mail().expect(bytes);
}

void cuda_backend_type::take_result(void* to, void* slot, std::size_t bytes, queue q) {
  state_of(q.device).stage.mail().receive(to, slot, bytes, stream_of(q.stream));
}

void cuda_backend_type::drop_result(void* slot, queue q, bool awaited) noexcept {
  states_[static_cast<std::size_t>(q.device)]->stage.mail().abandon(slot, awaited, stream_of(q.stream));
}

void cuda_backend_type::fill_zero(void* to, std::size_t bytes, queue q) {
  enter(q.device);
  if (bytes > 0) call<&rt::cudaMemsetAsync>("filling with zeros", to, 0, bytes, stream_of(q.stream));
}

void cuda_backend_type::copy_pitched(const pitched_copy& c, queue q) {
  enter(q.device);
  run_pitched_copy(c, q);
}

std::string cuda_backend_type::device_name(int device) {
  enter(device);
  cudaDeviceProp properties;
  call<&rt::cudaGetDeviceProperties>("reading a device's name", &properties, device);
  return properties.name;
}

std::pair<int, int> cuda_backend_type::compute_capability(int device) {
  enter(device);
  int major = 0, minor = 0;
  constexpr const char* operation = "reading a device's compute capability";
  call<&rt::cudaDeviceGetAttribute>(operation, &major, cudaDevAttrComputeCapabilityMajor, device);
  call<&rt::cudaDeviceGetAttribute>(operation, &minor, cudaDevAttrComputeCapabilityMinor, device);
  return {major, minor};
}

std::pair<std::size_t, std::size_t> cuda_backend_type::memory_info(int device) {
  enter(device);
  std::size_t free = 0, total = 0;
  call<&rt::cudaMemGetInfo>("reading a device's free memory", &free, &total);
  return {free, total};
}

void cuda_backend_type::synchronize_device(int device) {
  refuse_while_recording("waiting for a device", device);
  enter(device);
  call<&rt::cudaDeviceSynchronize>("waiting for a device");
}

memory_pool* cuda_backend_type::pool(memory_space space, int device) {
  if (is_gone(device)) [[unlikely]]
    use_device(device);  // throws: memory that the pools have cached is none for this process
  return state_of(device).memory.pool(space);  // which makes the device current when it must be
}

void* cuda_backend_type::allocate_async(std::size_t bytes, queue q) {
  enter(q.device);
  return cuda::allocate_async(bytes, q);
}

void cuda_backend_type::free_async(void* pointer, queue q) noexcept { cuda::free_async(pointer, q); }

module_handle cuda_backend_type::load_module(const std::string& image, int device) {
  enter(device);
  const auto start = std::chrono::steady_clock::now();
  const module_handle loaded = cuda::load_module(image, device);
  count_loading(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return loaded;
}

void cuda_backend_type::unload_module(module_handle module) noexcept { cuda::unload_module(module); }

kernel_handle cuda_backend_type::find_kernel(module_handle module, const char* name) {
  return cuda::find_kernel(module, name);
}

std::pair<void*, std::size_t> cuda_backend_type::find_global(module_handle module, const char* name) {
  return cuda::find_global(module, name);
}

std::vector<kernel_parameter> cuda_backend_type::parameters(kernel_handle kernel) {
  return parameters_of(kernel);
}

kernel_attributes cuda_backend_type::attributes(kernel_handle kernel, int device) {
  enter(device);
  return attributes_of(kernel);
}

void cuda_backend_type::set_max_dynamic_shared_bytes(kernel_handle kernel, int device, std::size_t bytes) {
  enter(device);
  cuda::set_max_dynamic_shared_bytes(kernel, device, bytes);
}

void cuda_backend_type::launch(const kernel_launch& launch, queue q) {
  enter(q.device);
  launch_kernel(launch, q);
}

stream_handle cuda_backend_type::create_stream(int device, bool non_blocking, int priority) {
  enter(device);
  cudaStream_t stream = nullptr;
  const unsigned flags = non_blocking ? cudaStreamNonBlocking : cudaStreamDefault;
  call<&rt::cudaStreamCreateWithPriority>("creating a stream", &stream, flags, priority);
  return stream;
}

void cuda_backend_type::destroy_stream(int device, stream_handle stream) noexcept {
  if (!stream || device < 0 || device >= device_count()) return;
  device_state& state = *states_[static_cast<std::size_t>(device)];
  // Order matters: the counters go back to a pool first, then the pools record an event on the stream.
  state.counters.forget(stream);
  for (const auto space :
       {memory_space::device, memory_space::pinned, memory_space::mapped, memory_space::managed})
    state.memory.pool(space)->release_stream(stream);
  if (!is_lost(device)) try_call<&rt::cudaStreamDestroy>(stream_of(stream));
}

void cuda_backend_type::synchronize_stream(queue q) {
  refuse_while_recording("waiting for a stream", q.device);
  enter(q.device);
  call<&rt::cudaStreamSynchronize>("waiting for a stream", stream_of(q.stream));
}

bool cuda_backend_type::stream_done(queue q) {
  refuse_while_recording("asking whether a stream is done", q.device);
  enter(q.device);
  const cudaError_t code = try_call<&rt::cudaStreamQuery>(stream_of(q.stream));
  if (code == cudaErrorNotReady) return false;
  if (code != cudaSuccess)
    throw_cuda_error("cudaStreamQuery", code, "asking whether a stream is done", stream_of(q.stream));
  return true;
}

event_handle cuda_backend_type::create_event(int device, bool timing) {
  enter(device);
  cudaEvent_t event = nullptr;
  const unsigned flags = timing ? cudaEventDefault : cudaEventDisableTiming;
  call<&rt::cudaEventCreateWithFlags>("creating an event", &event, flags);
  return event;
}

void cuda_backend_type::destroy_event(int device, event_handle event) noexcept {
  if (event && !is_lost(device)) try_call<&rt::cudaEventDestroy>(static_cast<cudaEvent_t>(event));
}

void cuda_backend_type::record_event(event_handle event, queue q) {
  enter(q.device);
  call<&rt::cudaEventRecord>("recording an event", static_cast<cudaEvent_t>(event), stream_of(q.stream));
}

void cuda_backend_type::wait_event(queue q, event_handle event) {
  enter(q.device);
  call<&rt::cudaStreamWaitEvent>("making a stream wait for an event", stream_of(q.stream),
                                 static_cast<cudaEvent_t>(event), 0u);
}

void cuda_backend_type::synchronize_event(int device, event_handle event) {
  refuse_while_recording("waiting for an event", any_device);
  enter(device);
  call<&rt::cudaEventSynchronize>("waiting for an event", static_cast<cudaEvent_t>(event));
}

bool cuda_backend_type::event_done(int device, event_handle event) {
  refuse_while_recording("asking whether an event is done", any_device);
  enter(device);
  const cudaError_t code = try_call<&rt::cudaEventQuery>(static_cast<cudaEvent_t>(event));
  if (code == cudaErrorNotReady) return false;
  if (code != cudaSuccess) throw_cuda_error("cudaEventQuery", code, "asking whether an event is done");
  return true;
}

double cuda_backend_type::elapsed_ms(int device, event_handle start, event_handle end) {
  enter(device);
  float ms = 0;
  call<&rt::cudaEventElapsedTime>("measuring the time between events", &ms, static_cast<cudaEvent_t>(start),
                                  static_cast<cudaEvent_t>(end));
  return static_cast<double>(ms);
}

namespace {

struct discovery {
  std::string reason;
  backend* found = nullptr;
  discovery() {
    // Never destroyed: arrays in static storage give their memory back after main.
    if (const int n = count_devices(reason)) found = new cuda_backend_type(n);
  }
};

const discovery& discover() {
  static const discovery& once = *new discovery;  // threads that outlive static objects ask, too
  return once;
}

}  // namespace
}  // namespace cuda

backend* cuda_backend() { return cuda::discover().found; }

const std::string& cuda_missing_reason() { return cuda::discover().reason; }

}  // namespace core
GPARRAY_END_NAMESPACE
