// The CUDA backend.
#pragma once
#include <memory>
#include <vector>

#include <cuda/fft/fft.hpp>
#include <cuda/graph/graph.hpp>
#include <cuda/linalg/linalg.hpp>
#include <cuda/random/curand.hpp>
#include <cuda/runtime/device_state.hpp>
#include <cuda/sparse/sparse.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

class cuda_backend_type final : public backend {
 public:
  explicit cuda_backend_type(int n_devices);

  void map(const map_plan& plan, queue q) override;
  void map_jumping(const jumping_plan& plan, queue q) override;
  void reduce(const reduce_plan& plan, queue q) override;
  void reduce_together(std::span<const reduce_plan* const> plans, queue q) override;
  row_use takes_rows(const row_chain& chain) const override;
  void compute_rows(const row_chain& chain, queue q) override;
  void scan(const scan_plan& plan, queue q) override;
  bool scan_computed(const scan_plan& plan, const map_plan& elements, queue q) override;
  bool takes_scanned(const scan_plan& plan) const override;
  bool reduce_scanned(const reduce_plan& plan, int scanned, queue q) override;
  void matmul(const matmul_plan& plan, queue q) override;
  void gather(const index_plan& plan, queue q) override;
  void scatter(const index_plan& plan, queue q) override;
  void compact(const compact_plan& plan, queue q) override;
  void sort(const sort_plan& plan, queue q) override;
  void select(const selection_plan& plan, queue q) override;
  void top(const top_plan& plan, queue q) override;
  void search(const search_plan& plan, queue q) override;
  void reduce_runs(const run_plan& plan, queue q) override;
  void count_bins(const bin_plan& plan, queue q) override;
  bool combine(const combine_plan& plan, queue q) override;
  void correlate(const correlation_plan& plan, queue q) override;
  void evaluate_polynomial(const polynomial_plan& plan, queue q) override;
  bool copy_rows(std::span<const row_copy> copies, queue q) override;
  void move_bits(const bit_plan& plan, queue q) override;
  void random(const random_plan& plan, queue q) override;
  void copy(void* to, const void* from, std::size_t bytes, queue q) override;
  void read(void* to, const void* from, std::size_t bytes, queue q) override;
  void* slot_for_result(std::size_t bytes, queue q) override;
  void take_result(void* to, void* slot, std::size_t bytes, queue q) override;
  void drop_result(void* slot, queue q, bool awaited) noexcept override;
  void fill_zero(void* to, std::size_t bytes, queue q) override;
  void copy_pitched(const pitched_copy& copy, queue q) override;

  int device_count() override { return static_cast<int>(states_.size()); }
  std::string device_name(int device) override;
  std::pair<int, int> compute_capability(int device) override;
  std::pair<std::size_t, std::size_t> memory_info(int device) override;
  void synchronize_device(int device) override;
  memory_pool* pool(memory_space space, int device) override;
  void* allocate_async(std::size_t bytes, queue q) override;
  void free_async(void* pointer, queue q) noexcept override;

  graph_engine* graphs() noexcept override { return &graphs_; }
  curand_engine* curand() noexcept override { return &curand_; }
  fft_engine* fft() noexcept override { return &transforms_; }
  linalg_engine* linalg() noexcept override { return &linalg_; }
  sparse_engine* sparse() noexcept override { return &sparse_; }

  module_handle load_module(const std::string& image, int device) override;
  void unload_module(module_handle module) noexcept override;
  kernel_handle find_kernel(module_handle module, const char* name) override;
  std::pair<void*, std::size_t> find_global(module_handle module, const char* name) override;
  std::vector<kernel_parameter> parameters(kernel_handle kernel) override;
  kernel_attributes attributes(kernel_handle kernel, int device) override;
  void set_max_dynamic_shared_bytes(kernel_handle kernel, int device, std::size_t bytes) override;
  void launch(const kernel_launch& launch, queue q) override;

  stream_handle create_stream(int device, bool non_blocking, int priority) override;
  void destroy_stream(int device, stream_handle stream) noexcept override;
  void synchronize_stream(queue q) override;
  bool stream_done(queue q) override;

  event_handle create_event(int device, bool timing) override;
  void destroy_event(int device, event_handle event) noexcept override;
  void record_event(event_handle event, queue q) override;
  void wait_event(queue q, event_handle event) override;
  void synchronize_event(int device, event_handle event) override;
  bool event_done(int device, event_handle event) override;
  double elapsed_ms(int device, event_handle start, event_handle end) override;

 private:
  /// Throws device_error if there is no such device.
  device_state& state_of(int device);
  /// The same, and makes the device current.
  device_state& enter(int device);

  std::vector<std::unique_ptr<device_state>> states_;
  peer_access peers_;
  graph_recorder graphs_;
  curand_library curand_;
  cuda_fft_engine transforms_;
  cuda_linalg linalg_{*this};
  cuda_sparse sparse_{*this};
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
