// A GPU for tests that is only bookkeeping: "device memory" is host memory, and the work of a stream is kept
// until somebody waits for it, so that a missing wait, a missing order between streams or memory reused too
// early shows as a wrong result.
#pragma once
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gparray/error.hpp>
#include <memory/cpu_order.hpp>
#include <plan/backend.hpp>
#include <plan/bit_plan.hpp>
#include <plan/correlation_plan.hpp>
#include <plan/jumping_plan.hpp>
#include <plan/order_plan.hpp>
#include <plan/polynomial_plan.hpp>
#include <plan/random_plan.hpp>

#include "core/support/chunk_registry.hpp"
#include "core/support/guarded_memory.hpp"
#include "core/support/looping_plans.hpp"
#include "core/support/stored_jumps.hpp"
#include "core/support/stored_scan.hpp"

namespace fake {

using namespace gparray;
using core::event_handle;
using core::queue;
using core::stream_handle;

class gpu_backend;

/// A position in a stream: the first `position` pieces of work of (device, stream).
struct mark {
  int device = 0;
  stream_handle stream = nullptr;
  std::size_t position = 0;
};

struct pool_events final : core::event_source {
  pool_events(gpu_backend& b, int d) : gpu(b), device(d) {}
  void* record(stream_handle stream) override;
  bool done(void* event) override;
  void wait(void* event) noexcept override;
  void release(void* event) noexcept override { delete static_cast<mark*>(event); }
  gpu_backend& gpu;
  int device;
};

struct gpu_memory {
  gpu_memory(gpu_backend& b, int d)
      : events(b, d),
        host_events(events),
        device_source("cuda:" + std::to_string(d)),
        pinned_source("pinned"),
        mapped_source("mapped"),
        managed_source("managed"),
        device(device_source, events),
        pinned(pinned_source, host_events),
        mapped(mapped_source, host_events),
        managed(managed_source, events) {}
  pool_events events;
  core::cpu_ordered_events host_events;
  space_upstream device_source, pinned_source, mapped_source, managed_source;
  core::memory_pool device, pinned, mapped, managed;
};

/// Four GPUs. Streams run nothing until somebody waits for them.
class gpu_backend final : public core::backend {
 public:
  using key = std::pair<int, stream_handle>;
  struct stream_state {
    std::deque<std::function<void()>> work;
    std::size_t enqueued = 0, finished = 0;
  };

  static constexpr int n_devices = 4;

  gpu_backend() {
    for (int d = 0; d < n_devices; ++d) memory.push_back(std::make_unique<gpu_memory>(*this, d));
  }

  void enqueue(queue q, std::function<void()> work) {
    const std::lock_guard guard(lock);
    check(q);
    stream_state& s = streams[{q.device, q.stream}];
    s.work.push_back(std::move(work));
    ++s.enqueued;
  }
  void run_until(int device, stream_handle stream, std::size_t position) {
    const std::lock_guard guard(lock);
    stream_state& s = streams[{device, stream}];
    while (s.finished < position && !s.work.empty()) {
      const auto work = std::move(s.work.front());
      s.work.pop_front();
      const touching_memory inside;
      work();
      ++s.finished;
    }
  }
  void run_until(const mark& m) { run_until(m.device, m.stream, m.position); }
  std::size_t waiting() const {
    std::size_t n = 0;
    for (const auto& [k, s] : streams) n += s.work.size();
    return n;
  }

  /// What every executor counts on: each value is stored once.
  static void check_stores(const core::map_plan& plan) {
    for (int k = 0; k < plan.n_stores; ++k) {
      const auto same = [&](const core::stored_value& other) { return other.value == plan.stores[k].value; };
      if (plan.stores[k].value == plan.last_value() || std::count_if(plan.stores, plan.stores + k, same))
        throw std::logic_error("a plan stores a value twice");
    }
  }
  void map(const core::map_plan& plan, queue q) override {
    check_stores(plan);
    {
      const std::lock_guard guard(lock);
      maps.push_back({plan.n_inputs, plan.n_steps, plan.n_stores, 0});
    }
    auto copy = std::make_shared<core::map_plan>(plan);
    // Loops as a kernel has them: written once.
    core::looped_plan loop;
    const auto repeated = core::find_repetition(plan, 0, plan.n_steps);
    if (plan.n_steps > core::max_kernel_steps && repeated && core::write_once(plan, *repeated, loop)) {
      *copy = looping::written_out(loop);
      ++loops;
    }
    enqueue(q, [copy] { core::host_backend().map(*copy, {}); });
  }
  void map_jumping(const core::jumping_plan& plan, queue q) override {
    check_stores(plan.map);
    {
      const std::lock_guard guard(lock);
      maps.push_back({plan.map.n_inputs, plan.map.n_steps, plan.map.n_stores, plan.n_jumps});
    }
    enqueue(q, [copy = std::make_shared<core::jumping_plan>(plan)] {
      core::host_backend().map_jumping(*copy, {});
    });
  }
  void reduce(const core::reduce_plan& plan, queue q) override {
    const core::reduce_plan* const plans[] = {&plan};
    reduce_together(plans, q);
  }
  void reduce_together(std::span<const core::reduce_plan* const> plans, queue q) override {
    const std::lock_guard guard(lock);
    if (refuse_reductions) throw device_error("this device does not reduce now");
    reductions.push_back(plans.size());
    for (const core::reduce_plan* plan : plans)
      enqueue(q, [copy = std::make_shared<core::reduce_plan>(*plan)] { reduce_stored_jumps(*copy); });
  }
  std::recursive_mutex lock;  // of the streams and the counters below
  struct map_call {
    int inputs, steps, stores, jumps;
    bool operator==(const map_call&) const = default;
  };
  std::vector<map_call> maps;
  int loops = 0;                        // maps of more steps than a kernel's that are written once
  std::vector<std::size_t> reductions;  // how many each call had
  bool refuse_reductions = false;
  void* slot_for_result(std::size_t bytes, queue) override {
    const std::lock_guard guard(lock);
    return has_slots ? slots.emplace_back(std::make_unique<std::byte[]>(bytes)).get() : nullptr;
  }
  void take_result(void* to, void* slot, std::size_t bytes, queue q) override {
    if (on_take) on_take();
    const std::lock_guard guard(lock);
    ++results_taken;
    ++waits;
    synchronize_stream(q);
    std::memcpy(to, slot, bytes);
  }
  void drop_result(void*, queue q, bool awaited) noexcept override {
    if (awaited) synchronize_stream(q);
  }
  bool has_slots = true;
  std::vector<std::unique_ptr<std::byte[]>> slots;
  int results_taken = 0;
  int waits = 0;  // of the host for a result or a copy
  std::function<void()> on_take;
  void scan(const core::scan_plan& plan, queue q) override {
    enqueue(q, [plan] { core::host_backend().scan(plan, {}); });
  }
  bool scan_computed(const core::scan_plan& plan, const core::map_plan& elements, queue q) override {
    ++computed_scans;
    enqueue(q, [of = core::scan_plan(plan), map = std::make_shared<core::map_plan>(elements)]() mutable {
      auto stride = static_cast<std::int64_t>(itemsize(of.type));
      std::vector<std::byte> values(static_cast<std::size_t>(map->size * stride));
      of.in = map->out.data = values.data();
      for (int d = of.ndim - 1; d >= 0; stride *= of.shape[d--])
        of.in_strides[d] = map->out.strides[d] = stride;
      core::host_backend().map(*map, {});
      core::host_backend().scan(of, {});
    });
    return true;
  }
  int computed_scans = 0;
  bool takes_scanned(const core::scan_plan& plan) const override { return scans_columns && plan.ndim == 2; }
  bool reduce_scanned(const core::reduce_plan& plan, int scanned, queue q) override {
    ++scanned_reductions;
    enqueue(
        q, [all = std::make_shared<core::reduce_plan>(plan), scanned] { reduce_stored_scan(*all, scanned); });
    return true;
  }
  bool scans_columns = false;
  int scanned_reductions = 0;
  void matmul(const core::matmul_plan& plan, queue q) override {
    enqueue(q,
            [copy = std::make_shared<core::matmul_plan>(plan)] { core::host_backend().matmul(*copy, {}); });
  }
  core::sparse_engine* sparse() noexcept override { return sparse_of_tests; }
  core::fft_engine* fft() override { return fft_of_tests; }
  core::graph_engine* graphs() override { return graphs_of_tests; }
  void gather(const core::index_plan& plan, queue q) override {
    const std::lock_guard guard(lock);
    gathers.push_back(plan.item_bytes);
    enqueue(q, [copy = std::make_shared<core::index_plan>(plan)] {
      if (copy->any_outside && (*copy->any_outside = has_outside(*copy))) return;
      core::host_backend().gather(*copy, {});
    });
  }
  std::vector<std::size_t> gathers;  // the size of the items of each
  std::vector<bool> scatters;        // whether it does not matter which element is written last
  void scatter(const core::index_plan& plan, queue q) override {
    const std::lock_guard guard(lock);
    scatters.push_back(plan.unique);
    enqueue(q,
            [copy = std::make_shared<core::index_plan>(plan)] { core::host_backend().scatter(*copy, {}); });
  }
  void compact(const core::compact_plan& plan, queue q) override {
    enqueue(q,
            [copy = std::make_shared<core::compact_plan>(plan)] { core::host_backend().compact(*copy, {}); });
  }
  void sort(const core::sort_plan& plan, queue q) override {
    enqueue(q, [plan] { core::host_backend().sort(plan, {}); });
  }
  void select(const core::selection_plan& plan, queue q) override {
    enqueue(q, [plan] { core::host_backend().select(plan, {}); });
  }
  void top(const core::top_plan& plan, queue q) override {
    enqueue(q, [plan] { core::host_backend().top(plan, {}); });
  }
  void search(const core::search_plan& plan, queue q) override {
    enqueue(q, [plan] { core::host_backend().search(plan, {}); });
  }
  void reduce_runs(const core::run_plan& plan, queue q) override {
    enqueue(q, [plan] { core::host_backend().reduce_runs(plan, {}); });
  }
  void count_bins(const core::bin_plan& plan, queue q) override {
    enqueue(q, [plan] { core::host_backend().count_bins(plan, {}); });
  }
  bool combine(const core::combine_plan& plan, queue q) override {
    if (plan.type == dtype::bool_) return false;
    enqueue(q, [plan] { core::host_backend().combine(plan, {}); });
    return true;
  }
  void evaluate_polynomial(const core::polynomial_plan& plan, queue q) override {
    enqueue(q, [plan] { core::host_backend().evaluate_polynomial(plan, {}); });
  }
  void move_bits(const core::bit_plan& plan, queue q) override {
    enqueue(q, [plan] { core::host_backend().move_bits(plan, {}); });
  }
  void correlate(const core::correlation_plan& plan, queue q) override {
    enqueue(q, [plan] { core::host_backend().correlate(plan, {}); });
  }
  void random(const core::random_plan& plan, queue q) override {
    enqueue(q, [plan] { core::host_backend().random(plan, {}); });
  }

  /// As a real one: pageable memory is read before the call returns, and written before it returns.
  void copy(void* to, const void* from, std::size_t bytes, queue q) override {
    const std::lock_guard guard(lock);
    copies.push_back({bytes, q});
    if (!is_ours(from)) {
      std::vector<char> staged(static_cast<const char*>(from), static_cast<const char*>(from) + bytes);
      return enqueue(q, [to, staged = std::move(staged)] { std::memcpy(to, staged.data(), staged.size()); });
    }
    enqueue(q, [to, from, bytes] { std::memcpy(to, from, bytes); });
    if (is_ours(to)) return;
    ++waits;
    synchronize_stream(q);
  }
  void copy_pitched(const core::pitched_copy& c, queue q) override {
    ++pitched_copies;
    enqueue(q, [c] {
      auto *to = static_cast<char*>(c.to), *from = static_cast<char*>(const_cast<void*>(c.from));
      for (std::size_t i = 0; i < c.rows; ++i)
        std::memcpy(to + i * c.to_pitch, from + i * c.from_pitch, c.bytes);
    });
  }
  void fill_zero(void* to, std::size_t bytes, queue q) override {
    enqueue(q, [to, bytes] { std::memset(to, 0, bytes); });
  }

  int device_count() override { return n_devices; }
  std::string device_name(int) override { return "fake GPU"; }
  std::pair<int, int> compute_capability(int) override { return {9, 0}; }
  std::pair<std::size_t, std::size_t> memory_info(int) override {
    return {std::size_t{1} << 33, std::size_t{1} << 34};
  }
  void synchronize_device(int device) override {
    const std::lock_guard guard(lock);
    for (auto& [k, s] : streams)
      if (k.first == device) run_until(k.first, k.second, s.enqueued);
  }
  core::memory_pool* pool(memory_space space, int device) override {
    gpu_memory& m = *memory[static_cast<std::size_t>(device)];
    switch (space) {
      case memory_space::device:
        return &m.device;
      case memory_space::pinned:
        return &m.pinned;
      case memory_space::mapped:
        return &m.mapped;
      case memory_space::managed:
        return &m.managed;
      default:
        return nullptr;
    }
  }

  // Programs: nothing is compiled or run; launches are written down, and done by on_launch when their turn
  // comes.
  core::module_handle load_module(const std::string& image, int device) override {
    loads.push_back(device);
    ++live_modules;
    return new std::string(image);
  }
  void unload_module(core::module_handle module) noexcept override {
    --live_modules;
    delete static_cast<std::string*>(module);
  }
  core::kernel_handle find_kernel(core::module_handle, const char* name) override {
    found_kernels.emplace_back(name);
    return this;
  }
  std::pair<void*, std::size_t> find_global(core::module_handle, const char* name) override {
    const auto found = globals.find(name);
    if (found == globals.end()) throw value_error("no such variable");
    return {global_table, found->second};
  }
  std::vector<core::kernel_parameter> parameters(core::kernel_handle) override { return kernel_parameters; }
  core::kernel_attributes attributes(core::kernel_handle, int) override { return attributes_of_kernels; }
  void set_max_dynamic_shared_bytes(core::kernel_handle, int device, std::size_t bytes) override {
    if (bytes > 200000) throw cuda_error("cudaKernelSetAttributeForDevice failed: invalid argument", 1);
    shared_limits[device] = bytes;
  }
  void launch(const core::kernel_launch& l, queue q) override {
    launches.push_back({l, q});
    if (on_launch) enqueue(q, on_launch(l));
  }

  stream_handle create_stream(int device, bool non_blocking, int priority) override {
    const std::lock_guard guard(lock);
    auto* const handle = reinterpret_cast<stream_handle>(++last_handle);
    alive.insert({device, handle});
    last_created = {non_blocking, priority};
    return handle;
  }
  void destroy_stream(int device, stream_handle stream) noexcept override {
    const std::lock_guard guard(lock);
    if (!alive.erase({device, stream})) ++misuses;
  }
  void synchronize_stream(queue q) override {
    const std::lock_guard guard(lock);
    check(q);
    run_until(q.device, q.stream, streams[{q.device, q.stream}].enqueued);
  }
  bool stream_done(queue q) override {
    const std::lock_guard guard(lock);
    check(q);
    return streams[{q.device, q.stream}].work.empty();
  }

  event_handle create_event(int device, bool) override {
    const std::lock_guard guard(lock);
    ++live_events;
    return new mark{device, nullptr, 0};
  }
  void destroy_event(int, event_handle event) noexcept override {
    const std::lock_guard guard(lock);
    --live_events;
    delete static_cast<mark*>(event);
  }
  void record_event(event_handle event, queue q) override {
    const std::lock_guard guard(lock);
    check(q);
    mark& m = *static_cast<mark*>(event);
    if (m.device != q.device) throw cuda_error("cudaEventRecord: invalid resource handle", 400);
    m = {q.device, q.stream, streams[{q.device, q.stream}].enqueued};
  }
  void wait_event(queue q, event_handle event) override {
    enqueue(q, [this, m = *static_cast<mark*>(event)] { run_until(m); });
  }
  void synchronize_event(int, event_handle event) override { run_until(*static_cast<mark*>(event)); }
  bool event_done(int, event_handle event) override {
    const std::lock_guard guard(lock);
    const mark& m = *static_cast<mark*>(event);
    return streams[{m.device, m.stream}].finished >= m.position;
  }
  double elapsed_ms(int, event_handle start, event_handle end) override {
    return static_cast<double>(static_cast<mark*>(end)->position - static_cast<mark*>(start)->position);
  }

  /// Memory of any space of this backend, to which copies are asynchronous.
  bool is_ours(const void* p) const;

  struct copy_call {
    std::size_t bytes;
    queue where;
  };
  std::vector<copy_call> copies;
  std::atomic<int> pitched_copies = 0;
  core::sparse_engine* sparse_of_tests = nullptr;
  core::fft_engine* fft_of_tests = nullptr;
  core::graph_engine* graphs_of_tests = nullptr;
  struct launch_call {
    core::kernel_launch what;
    queue where;
  };
  std::vector<launch_call> launches;
  /// Reads the arguments, which live as long as the call, and returns the work.
  std::function<std::function<void()>(const core::kernel_launch&)> on_launch;
  std::vector<core::kernel_parameter> kernel_parameters;
  core::kernel_attributes attributes_of_kernels{32, 1024, 49152, 90, 90, 0, 0, 0};
  std::map<int, std::size_t> shared_limits;
  std::vector<std::string> found_kernels;
  std::vector<int> loads;
  int live_modules = 0;
  float global_table[4] = {};
  std::map<std::string, std::size_t> globals{{"table", sizeof global_table}};  // and their sizes
  std::map<key, stream_state> streams;
  std::set<key> alive;
  std::uintptr_t last_handle = 100;
  std::pair<bool, int> last_created{};
  int misuses = 0, live_events = 0;
  std::vector<std::unique_ptr<gpu_memory>> memory;

 private:
  static bool has_outside(const core::index_plan& plan) {
    for (std::int64_t i = 0; i < plan.size; ++i) {
      const char* at = reinterpret_cast<const char*>(plan.index);
      for (std::int64_t d = plan.ndim - 1, rest = i; d >= 0; rest /= plan.shape[d--])
        at += rest % plan.shape[d] * plan.index_strides[d];
      std::int64_t number = *reinterpret_cast<const std::int64_t*>(at);
      if (number < 0) number += plan.wrap;
      if (number < plan.first || number >= plan.first + plan.count) return true;
    }
    return false;
  }
  void check(queue q) {
    if (q.device < 0 || q.device >= n_devices || (q.stream && !alive.count({q.device, q.stream}))) ++misuses;
  }
};

inline bool gpu_backend::is_ours(const void* p) const { return registry()->holds(p); }

inline void* pool_events::record(stream_handle stream) {
  const std::lock_guard guard(gpu.lock);
  if (stream && !gpu.alive.count({device, stream})) ++gpu.misuses;
  return new mark{device, stream, gpu.streams[{device, stream}].enqueued};
}
inline bool pool_events::done(void* event) { return gpu.event_done(device, event); }
inline void pool_events::wait(void* event) noexcept { gpu.run_until(*static_cast<mark*>(event)); }

/// The fake in place of the CUDA backend, and cuda:0 as the default device.
class installed {
 public:
  installed() : previous_(default_device()) {
    for (int d = 0; d < gpu_backend::n_devices; ++d)
      for (memory_space s :
           {memory_space::device, memory_space::pinned, memory_space::mapped, memory_space::managed})
        gpu.pool(s, d)->add_hook(registry());
    core::exchange_gpu_backend(&gpu);
    set_default_device(device::cuda(0));
  }
  /// Arrays made on the fake must be gone.
  ~installed() {
    for (int d = 0; d < gpu_backend::n_devices; ++d) gpu.synchronize_device(d);
    set_default_device(previous_);
    core::exchange_gpu_backend(nullptr);
    registry()->chunks.clear();
  }
  gpu_backend gpu;

 private:
  device previous_;
};

}  // namespace fake
