// Storage: one allocation, shared by all views of it, returned to where it came from with the last of them.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <plan/recording.hpp>
#include <support/thread_memory.hpp>

GPARRAY_BEGIN_NAMESPACE
class allocator;
namespace core {

struct pending_list;

/// Memory from a user's allocator, and the events behind which other streams are done with it.
struct foreign_memory {
  struct use {
    queue where;
    event_handle event;
  };
  std::shared_ptr<allocator> source;
  std::mutex lock;
  std::vector<use> uses;
};

/// Between what all numbers of an array are.
struct number_range {
  std::int64_t least, greatest;
};
/// Of a storage of which that is not known.
inline constexpr std::uint64_t unknown_numbers = std::uint64_t{1} << 32;

inline constexpr int exposed_for_good = 1 << 29, exposed_and_read = 1 << 30;

struct storage {
  std::atomic<int> references{1};
  device device_;
  memory_space space = memory_space::host;
  bool borrowed = false;            // the memory is someone else's
  bool constant = false;            // ... which does not allow writes, or
  bool owner_is_read_only = false;  // the array that it was allocated for was made so; views cannot undo that
  void* data = nullptr;
  std::size_t bytes = 0;
  block* memory = nullptr;                  // from a pool, or
  std::unique_ptr<foreign_memory> foreign;  // from a user's allocator, or
  std::function<void()> on_release;         // borrowed
  std::shared_ptr<graph_arena> arena;       // the pool is this one's: a graph's own
  queue home;  // what it was allocated for: the device of its pool, and the stream
  // The thread whose pending expressions may read it, or several_readers: see pending_list.hpp.
  std::atomic<pending_list*> reader{nullptr};
  // Whether and how often its address is known outside the library, so that it may change without a call of
  // it: the number of views that give it out for their lifetime, and the flags below.
  std::atomic<int> exposures{0};
  // The range of the int64 numbers that fill it, 32 bits for each end, until it is written to.
  std::atomic<std::uint64_t> numbers{unknown_numbers};

  static void* operator new(std::size_t) { return thread_memory<storage>::take(); }
  static void operator delete(void* memory) noexcept { thread_memory<storage>::give_back(memory); }
};

/// For all int64 numbers in a storage, to be asked before it is read: nothing if a write could go unnoticed.
std::optional<number_range> known_numbers(const storage* s) noexcept;
/// Of a storage of int64 numbers that this thread has made or looked at.
void remember_numbers(storage* s, const number_range& range) noexcept;
/// Before s is written to.
inline void forget_numbers(storage* s) noexcept {
  if (s->numbers.load(std::memory_order_relaxed) != unknown_numbers)
    s->numbers.store(unknown_numbers, std::memory_order_relaxed);
}

/// The device whose pool a space of `on_device` is in. Pinned and mapped memory belongs to a GPU's driver:
/// for the CPU, to that of the default device, or else of the first GPU.
int pool_owner(memory_space space, device on_device);
/// The pool of a space. Throws device_error if there is none.
memory_pool& pool_of(memory_space space, device on_device);

/// Memory of a space for use on queue q. Throws out_of_memory, device_error.
storage* new_storage(std::size_t bytes, memory_space space, device on_device, queue q);
storage* new_borrowed(void* data, std::size_t bytes, memory_space space, device on_device,
                      std::function<void()> release);

inline void retain(storage* s) noexcept { s->references.fetch_add(1, std::memory_order_relaxed); }
void release(storage* s) noexcept;

void record_other_queue(storage* s, queue q);
/// Records that work on q uses s: with the pool, so that the memory is not reused before that work is done,
/// or with the graph that is being recorded, which then keeps s.
inline void record_use(storage* s, queue q) {
  if (recordings_under_way.load(std::memory_order_relaxed) == 0 &&
      (q.stream == cpu_order || (q.stream == s->home.stream && q.device == s->home.device) ||
       !(s->memory || s->foreign)))
    return;
  record_other_queue(s, q);
}

/// The space that a device's arrays live in by default.
inline memory_space default_space(device d) { return d.is_cpu() ? memory_space::host : memory_space::device; }

}  // namespace core
GPARRAY_END_NAMESPACE
