// The host backend: operations finish before they return, so streams and events are names and time stamps.
#include <chrono>
#include <fstream>
#include <string>
#include <sys/sysinfo.h>

#include <host/fft/fft.hpp>
#include <host/linalg/linalg.hpp>
#include <host/map/bits.hpp>
#include <host/map/polynomial.hpp>
#include <host/sorting/selection.hpp>
#include <host/sparse/sparse.hpp>
#include <host/support/operations.hpp>
#include <memory/host.hpp>
#include <plan/backend.hpp>
#include <plan/order_plan.hpp>
#include <plan/random_order.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using clock = std::chrono::steady_clock;

struct host_stream {};
struct host_event {
  clock::time_point recorded{};
};

host_event& as_event(core::event_handle event) { return *static_cast<host_event*>(event); }

std::string read_processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

class host_backend final : public core::backend {
 public:
  void map(const core::map_plan& plan, core::queue) override { host::map(plan); }
  void reduce(const core::reduce_plan& plan, core::queue) override {
    const core::reduce_plan* const plans[] = {&plan};
    host::reduce(plans);
  }
  void reduce_together(std::span<const core::reduce_plan* const> plans, core::queue) override {
    host::reduce(plans);
  }
  core::row_use takes_rows(const core::row_chain& chain) const override { return host::takes_rows(chain); }
  void compute_rows(const core::row_chain& chain, core::queue) override { host::compute_rows(chain); }
  void scan(const core::scan_plan& plan, core::queue) override { host::scan(plan); }
  void matmul(const core::matmul_plan& plan, core::queue) override { host::matmul(plan); }
  void gather(const core::index_plan& plan, core::queue) override { host::gather(plan); }
  void scatter(const core::index_plan& plan, core::queue) override { host::scatter(plan); }
  void compact(const core::compact_plan& plan, core::queue) override { host::compact(plan); }
  void sort(const core::sort_plan& plan, core::queue) override {
    if (plan.spread)
      return core::order_words(static_cast<const std::uint64_t*>(plan.in), plan.rows, plan.n, plan.order);
    host::sort(plan);
  }
  void select(const core::selection_plan& plan, core::queue) override { host::select(plan); }
  void top(const core::top_plan& plan, core::queue) override { host::top(plan); }
  void search(const core::search_plan& plan, core::queue) override { host::search(plan); }
  bool interpolate(const core::interpolation_plan& plan, core::queue) override {
    host::interpolate(plan);
    return true;
  }
  void reduce_runs(const core::run_plan& plan, core::queue) override { host::reduce_runs(plan); }
  void count_bins(const core::bin_plan& plan, core::queue) override { host::count_bins(plan); }
  bool combine(const core::combine_plan& plan, core::queue) override { return host::combine(plan); }
  void evaluate_polynomial(const core::polynomial_plan& plan, core::queue) override {
    host::evaluate_polynomial(plan);
  }
  void move_bits(const core::bit_plan& plan, core::queue) override { host::move_bits(plan); }
  void random(const core::random_plan& plan, core::queue) override { host::random(plan); }
  void correlate(const core::correlation_plan& plan, core::queue) override { host::correlate(plan); }
  void copy(void* to, const void* from, std::size_t bytes, core::queue) override {
    copy_bytes(to, from, bytes);
  }
  void fill_zero(void* to, std::size_t bytes, core::queue) override { host::fill_zero(to, bytes); }

  core::fft_engine* fft() override { return &fft_engine(); }
  core::linalg_engine* linalg() override { return &host::linalg(); }
  core::sparse_engine* sparse() override { return &host::sparse(); }

  int device_count() override { return 1; }
  std::string device_name(int) override {
    static const auto& name = *new std::string(read_processor_name());
    return name;
  }
  std::pair<int, int> compute_capability(int) override { return {0, 0}; }
  std::pair<std::size_t, std::size_t> memory_info(int) override {
    struct sysinfo info{};
    if (sysinfo(&info) != 0) return {0, 0};
    return {static_cast<std::size_t>(info.freeram) * info.mem_unit,
            static_cast<std::size_t>(info.totalram) * info.mem_unit};
  }
  void synchronize_device(int) override {}
  core::memory_pool* pool(memory_space space, int) override {
    return space == memory_space::host ? &core::host_pool() : nullptr;
  }

  core::stream_handle create_stream(int, bool, int) override { return new host_stream; }
  void destroy_stream(int, core::stream_handle stream) noexcept override {
    if (!stream) return;
    core::host_pool().release_stream(stream);
    delete static_cast<host_stream*>(stream);
  }
  void synchronize_stream(core::queue) override {}
  bool stream_done(core::queue) override { return true; }

  core::event_handle create_event(int, bool) override { return new host_event; }
  void destroy_event(int, core::event_handle event) noexcept override {
    delete static_cast<host_event*>(event);
  }
  void record_event(core::event_handle event, core::queue) override {
    as_event(event).recorded = clock::now();
  }
  void wait_event(core::queue, core::event_handle) override {}
  void synchronize_event(int, core::event_handle) override {}
  bool event_done(int, core::event_handle) override { return true; }
  double elapsed_ms(int, core::event_handle start, core::event_handle end) override {
    return std::chrono::duration<double, std::milli>(as_event(end).recorded - as_event(start).recorded)
        .count();
  }
};

}  // namespace
}  // namespace host

// Never destroyed: arrays in static storage may still be computed on while the program ends.
core::backend& core::host_backend() {
  static auto* const backend = new host::host_backend;
  return *backend;
}

GPARRAY_END_NAMESPACE
