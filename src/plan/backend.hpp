// The one private interface between the core and a backend. There are two: host_backend() and cuda_backend().
#pragma once
#include <span>
#include <string>
#include <utility>

#include <gparray/device.hpp>
#include <memory/pool.hpp>
#include <plan/compiler.hpp>
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using event_handle = void*;
class curand_engine;
class fft_engine;
class graph_engine;
class linalg_engine;
class sparse_engine;
struct bin_plan;
struct bit_plan;
struct combine_plan;
struct random_plan;
struct run_plan;
struct search_plan;
struct interpolation_plan;
struct correlation_plan;
struct jumping_plan;
struct polynomial_plan;
struct row_chain;
struct row_copy;
enum class row_use : std::uint8_t;
struct selection_plan;
struct sort_plan;
struct top_plan;

/// Where work is enqueued: a stream of a device, or {0, cpu_order}.
struct queue {
  int device = 0;
  stream_handle stream = nullptr;
};

/// So many rows of `bytes` bytes each, and how many bytes lie from the beginning of one to that of the next.
struct pitched_copy {
  void* to;
  std::size_t to_pitch;
  const void* from;
  std::size_t from_pitch, bytes, rows;
};

/// A processor family. Work is enqueued in the order of the calls on a queue; the host backend finishes it
/// before returning. Every call may throw cuda_error, library_error or out_of_memory; plans have been checked
/// before.
class backend {
 public:
  virtual ~backend() = default;

  virtual void map(const map_plan& plan, queue q) = 0;
  virtual void reduce(const reduce_plan& plan, queue q) = 0;
  /// Several reductions of the same elements (same_elements in pending_reductions.hpp), each with the bits
  /// that it has alone; if the backend can, in one pass over them.
  virtual void reduce_together(std::span<const reduce_plan* const> plans, queue q);
  /// What compute_rows() does with a chain of which the sizes are known.
  virtual row_use takes_rows(const row_chain& chain) const;
  /// All stages of a chain that it takes, each with the bits that it has alone.
  virtual void compute_rows(const row_chain& chain, queue q);
  virtual void scan(const scan_plan& plan, queue q) = 0;
  /// scan() of elements that are in no memory, with the bits that it has of stored ones: `elements` has the
  /// plan's dimensions, and its value the plan's dtype; plan.in is nothing, plan.in_strides are those that
  /// the elements would have. False: this backend would rather have them stored, and has done nothing.
  virtual bool scan_computed(const scan_plan& plan, const map_plan& elements, queue q);
  /// Whether a reduction along the same dimension may scan a sum or product that it is made of. The plan has
  /// no memory.
  virtual bool takes_scanned(const scan_plan& plan) const;
  /// That reduction, along the last dimension alone, with the bits of both one after the other: step number
  /// `scanned`, an add or multiply, is the sum or product of its first argument up to each element, a scan
  /// that takes_scanned() takes. False as above.
  virtual bool reduce_scanned(const reduce_plan& plan, int scanned, queue q);
  virtual void matmul(const matmul_plan& plan, queue q) = 0;
  virtual void gather(const index_plan& plan, queue q) = 0;
  virtual void scatter(const index_plan& plan, queue q) = 0;
  virtual void compact(const compact_plan& plan, queue q) = 0;
  virtual void sort(const sort_plan& plan, queue q) = 0;
  virtual void select(const selection_plan& plan, queue q) = 0;
  virtual void top(const top_plan& plan, queue q) = 0;
  virtual void search(const search_plan& plan, queue q) = 0;
  /// False: this backend has no step for it, and did nothing.
  virtual bool interpolate(const interpolation_plan& plan, queue q);
  virtual void reduce_runs(const run_plan& plan, queue q) = 0;
  virtual void count_bins(const bin_plan& plan, queue q) = 0;
  /// False if the backend does not take the plan: nothing has been done then.
  virtual bool combine(const combine_plan& plan, queue q) = 0;
  virtual void evaluate_polynomial(const polynomial_plan& plan, queue q) = 0;
  /// All copies in one step. False: this backend gains nothing by that, and did nothing.
  virtual bool copy_rows(std::span<const row_copy> copies, queue q);
  virtual void move_bits(const bit_plan& plan, queue q) = 0;
  virtual void correlate(const correlation_plan& plan, queue q) = 0;

  /// Contiguous bytes between any two spaces this backend can reach, two GPUs of it included. If the host
  /// side is pageable: returns when `from` may be reused, or when `to` holds the data. Asynchronous in q
  /// otherwise.
  virtual void copy(void* to, const void* from, std::size_t bytes, queue q) = 0;
  virtual void fill_zero(void* to, std::size_t bytes, queue q) = 0;
  /// Rows of bytes to memory that q's device can write to, another device's too; by copy engines, if it has
  /// some, which work beside kernels that fill the device.
  virtual void copy_pitched(const pitched_copy& copy, queue q);

  virtual int device_count() = 0;
  virtual std::string device_name(int device) = 0;
  virtual std::pair<int, int> compute_capability(int device) = 0;
  virtual std::pair<std::size_t, std::size_t> memory_info(int device) = 0;  // free, total
  virtual void synchronize_device(int device) = 0;
  /// The caching pool of a space; nullptr if this backend has no such space.
  virtual memory_pool* pool(memory_space space, int device) = 0;
  /// Memory of a device from the driver's own stream-ordered pool, usable by work on q. Throws out_of_memory.
  virtual void* allocate_async(std::size_t bytes, queue q);
  virtual void free_async(void* pointer, queue q) noexcept;

  // Kernels of programs that were compiled or loaded at run time. A backend without them throws type_error.
  virtual module_handle load_module(const std::string& image, int device);
  virtual void unload_module(module_handle module) noexcept;
  /// Throws value_error if the module has none of this name.
  virtual kernel_handle find_kernel(module_handle module, const char* name);
  /// A __device__ or __constant__ variable: its address and size in bytes.
  virtual std::pair<void*, std::size_t> find_global(module_handle module, const char* name);
  virtual std::vector<kernel_parameter> parameters(kernel_handle kernel);
  virtual kernel_attributes attributes(kernel_handle kernel, int device);
  virtual void set_max_dynamic_shared_bytes(kernel_handle kernel, int device, std::size_t bytes);
  virtual void launch(const kernel_launch& launch, queue q);

  // Engines may be made when they are first asked for.
  /// What records the work of streams into graphs; null if this backend cannot.
  virtual graph_engine* graphs() { return nullptr; }
  /// What transforms; null if this backend cannot.
  virtual fft_engine* fft() { return nullptr; }
  /// Factorisations; null if this backend has none.
  virtual linalg_engine* linalg() { return nullptr; }
  /// Sparse matrices; null if this backend has none.
  virtual sparse_engine* sparse() { return nullptr; }

  virtual stream_handle create_stream(int device, bool non_blocking, int priority) = 0;
  virtual void destroy_stream(int device, stream_handle stream) noexcept = 0;
  virtual void synchronize_stream(queue q) = 0;
  virtual bool stream_done(queue q) = 0;

  virtual event_handle create_event(int device, bool timing) = 0;
  virtual void destroy_event(int device, event_handle event) noexcept = 0;
  virtual void record_event(event_handle event, queue q) = 0;
  virtual void wait_event(queue q, event_handle event) = 0;
  virtual void synchronize_event(int device, event_handle event) = 0;
  virtual bool event_done(int device, event_handle event) = 0;
  virtual double elapsed_ms(int device, event_handle start, event_handle end) = 0;

  virtual void random(const random_plan& plan, queue q) = 0;
  /// The generators of cuRAND; null if this backend has none.
  virtual curand_engine* curand() { return nullptr; }

  /// Contiguous bytes from memory of this backend to host memory; returns when they are there.
  virtual void read(void* to, const void* from, std::size_t bytes, queue q) {
    copy(to, from, bytes, q);
    synchronize_stream(q);
  }

  /// A slot: memory for one result, of at most 16 bytes, of work that is about to be enqueued on q: from
  /// there it is sooner on the host than by `read`. Null if there is none, as while q is recorded.
  virtual void* slot_for_result(std::size_t bytes, queue q);
  /// Waits for the result and takes the slot back, which is lost if this throws.
  virtual void take_result(void* to, void* slot, std::size_t bytes, queue q);
  /// Takes the slot back without a result. `awaited`: work that would write it may have been enqueued.
  virtual void drop_result(void* slot, queue q, bool awaited) noexcept;
  /// A map of inputs that jump; by itself map() of boxes in which they do not.
  virtual void map_jumping(const jumping_plan& plan, queue q);
};

backend& host_backend();
/// Null if the library was built without CUDA or this machine has no usable GPU.
backend* cuda_backend();
/// The backend that cuda devices are given to: cuda_backend(), or what a test has put in its place.
backend* gpu_backend();
/// A fake GPU for tests; nullptr ends that. The previous one is returned.
backend* exchange_gpu_backend(backend* substitute) noexcept;
/// Why cuda_backend() is null, with the remedy, for error texts.
const std::string& cuda_missing_reason();
/// The backend of a device. Throws device_error, saying why, if there is none.
backend& backend_of(device d);

}  // namespace core
GPARRAY_END_NAMESPACE
