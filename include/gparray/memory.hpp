// Memory pools: what they hold, limits, hooks, and allocators of one's own.
#pragma once
#include <memory>

#include <gparray/device.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace core {
class memory_pool;
}

/// What a hook gets to know of a block.
struct allocation {
  void* pointer = nullptr;    ///< where the block begins
  std::size_t requested = 0;  ///< bytes asked for
  std::size_t bytes = 0;      ///< bytes the block holds
  void* stream = nullptr;     ///< the stream (a cudaStream_t) it is for; opaque for memory of the CPU
};

/// Called with what a memory pool does. The calls come on the thread that allocates or frees, with no lock
/// held, so a hook may use the library; what it allocates itself is not reported to hooks. An exception from
/// on_allocate or on_upstream_allocate comes out of the allocating call, which then has had no effect; one
/// from on_deallocate out of the pool's next allocation.
class GPARRAY_API memory_hook {
 public:
  /// Hooks are destroyed through this class.
  virtual ~memory_hook() = default;
  /// A block is handed out.
  virtual void on_allocate(const allocation&) {}
  /// A block is given back to the pool.
  virtual void on_deallocate(const allocation&) {}
  /// The pool had nothing cached that fits and took more memory from the system or the driver.
  virtual void on_upstream_allocate(void* /*pointer*/, std::size_t /*bytes*/) {}
};

/// The caching pool of one memory space of one device. A name for it: copying shares. All functions may be
/// called from any thread. Counts are bytes after rounding to blocks.
class GPARRAY_API memory_pool {
 public:
  std::size_t used_bytes() const;     ///< in arrays that are alive
  std::size_t total_bytes() const;    ///< held from the system or the driver
  std::size_t free_bytes() const;     ///< total - used
  std::size_t peak_bytes() const;     ///< the largest used_bytes so far
  std::uint64_t hits() const;         ///< allocations served from the cache
  std::uint64_t misses() const;       ///< allocations that took more memory
  std::size_t n_free_blocks() const;  ///< cached blocks that no array uses

  /// Bounds total_bytes; 0: no bound. What is held already stays. An allocation beyond it throws
  /// out_of_memory.
  void set_limit(std::size_t bytes);
  /// Bounds total_bytes by a part of the device's memory. Throws value_error unless 0 <= fraction <= 1.
  void set_limit_fraction(double fraction);
  /// The bound that was set, in bytes; 0: no bound.
  std::size_t limit() const;

  /// Gives all cached memory back. Waits for the work that may still touch it.
  void free_all_blocks();

  /// Calls a hook from now on. Throws value_error for a null pointer.
  void add_hook(std::shared_ptr<memory_hook> hook);
  /// Calls a hook no more. Another thread may be inside the hook when this returns; it is destroyed after
  /// that.
  void remove_hook(const memory_hook* hook);

 private:
  friend GPARRAY_API memory_pool default_memory_pool(memory_space space, device d);
  memory_pool(core::memory_pool& pool, device d) : pool_(&pool), device_(d) {}
  core::memory_pool* pool_;
  device device_;
};

/// The pool that arrays of a space come from. Pinned and mapped memory belongs to a GPU's driver: for the CPU
/// it is that of the default device, or else of the first GPU. Throws device_error if the device does not
/// exist or has no such memory.
GPARRAY_API memory_pool default_memory_pool(memory_space space, device d = default_device());
/// The pool of the default device's own memory: CuPy's name.
GPARRAY_API memory_pool get_default_memory_pool();
/// The pool of the default device's pinned host memory: CuPy's name. Throws device_error without a GPU.
GPARRAY_API memory_pool get_default_pinned_memory_pool();

/// Where arrays get their memory if the pools are not to be used. Called by every thread that makes or drops
/// arrays.
class GPARRAY_API allocator {
 public:
  /// Allocators are destroyed through this class.
  virtual ~allocator() = default;
  /// At least `bytes` (never 0), aligned to 16 bytes or better, for work on `stream` (a cudaStream_t of the
  /// device; null on the CPU). May throw; nullptr is reported as out_of_memory.
  virtual void* allocate(std::size_t bytes, void* stream) = 0;
  /// Takes memory back, with `bytes` and `stream` as they were for allocate. Work enqueued on the stream so
  /// far may still use the memory: give it back in the stream's order (as cudaFreeAsync does) or wait. The
  /// stream must live as long as the arrays made on it.
  virtual void deallocate(void* pointer, std::size_t bytes, void* stream) noexcept = 0;
};

/// New arrays of this space and device take their memory from `source`, in all threads; nullptr: from the
/// pool again. Arrays that exist keep their allocator alive and go back to it. Throws device_error if the
/// device does not exist.
GPARRAY_API void set_allocator(memory_space space, device d, std::shared_ptr<allocator> source);
/// The allocator that this thread's new arrays of a space come from; null: the pool.
GPARRAY_API std::shared_ptr<allocator> get_allocator(memory_space space, device d);

/// New arrays that this thread makes of a space and device take their memory from an allocator for the
/// guard's lifetime. Guards end in the reverse order of their beginning.
class GPARRAY_API allocator_guard {
 public:
  /// Begins: arrays come from `source`, or from the pool if that is null.
  allocator_guard(memory_space space, device d, std::shared_ptr<allocator> source);
  /// Ends: arrays come from where they came from before.
  ~allocator_guard();
  allocator_guard(const allocator_guard&) = delete;
  allocator_guard& operator=(const allocator_guard&) = delete;

 private:
  friend std::shared_ptr<allocator> get_allocator(memory_space space, device d);
  memory_space space_;
  device device_;
  std::shared_ptr<allocator> source_;
  const allocator_guard* outer_;
};

/// The driver's own stream-ordered pool (cudaMallocAsync) of a GPU, for set_allocator with
/// memory_space::device.
class GPARRAY_API cuda_async_allocator final : public allocator {
 public:
  /// Throws device_error if there is no such GPU.
  explicit cuda_async_allocator(device d = default_device());
  /// Calls cudaMallocAsync.
  void* allocate(std::size_t bytes, void* stream) override;
  /// Calls cudaFreeAsync.
  void deallocate(void* pointer, std::size_t bytes, void* stream) noexcept override;

 private:
  device device_;
};

GPARRAY_END_NAMESPACE
