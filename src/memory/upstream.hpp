// The two things a memory pool asks of the outside: memory, and whether the work on a stream is done.
#pragma once
#include <cstddef>
#include <optional>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Opaque; nullptr is the default stream.
using stream_handle = void*;

/// Stands for the CPU, whose work is done when it has been enqueued, where a stream is asked for. Not the
/// null stream: that is a GPU's, and pinned memory is used by both.
inline char cpu_order_address;
inline constexpr stream_handle cpu_order = &cpu_order_address;

/// Where a pool gets its memory: cudaMalloc, mmap, cudaHostAlloc, or a user's allocator.
/// The pool calls it from one thread at a time and holds no lock that allocate() or deallocate() of blocks
/// needs.
class upstream {
 public:
  virtual ~upstream() = default;
  /// Memory aligned to 512 bytes or better; nullptr when there is none. Blocks are no better aligned than
  /// this.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* pointer, std::size_t bytes) noexcept = 0;

  /// An upstream that can part addresses from memory is asked for ranges of addresses, and for memory at some
  /// of their pages (of chunk_granularity) as long as it is needed there; and not for pieces by allocate().
  /// The bytes of addresses of one range; 0: it cannot.
  virtual std::size_t range_bytes() const noexcept { return 0; }
  /// Addresses, without memory; nullptr if there are none, and then pieces are asked for.
  virtual void* reserve(std::size_t) { return nullptr; }
  virtual void release(void*, std::size_t) noexcept {}
  /// Memory for whole pages of a range; false when there is not as much. What was mapped together may be
  /// unmapped in parts.
  virtual bool map_memory(void*, std::size_t) { return false; }
  virtual void unmap_memory(void*, std::size_t) noexcept {}

  /// Mark bytes of that memory as unused, or as in use, for AddressSanitizer, if the CPU reads and writes it.
  virtual void forbid(void*, std::size_t) noexcept {}
  virtual void allow(void*, std::size_t) noexcept {}
  /// What is left, for the text of an out_of_memory; nothing if it is not known.
  virtual std::optional<std::size_t> available() const noexcept { return std::nullopt; }
  /// Names the kind of memory in an out_of_memory: "host", "cuda:0", "pinned".
  virtual const char* name() const noexcept { return "memory"; }
};

/// How a pool knows that the work on a stream is done. It must not call back into the pool.
class event_source {
 public:
  virtual ~event_source() = default;
  /// An event after all work enqueued on the stream so far; nullptr if none can be made now (say, the stream
  /// is being captured into a graph): the memory then waits until one can.
  virtual void* record(stream_handle stream) = 0;
  virtual bool done(void* event) = 0;
  /// The host waits until the event is done.
  virtual void wait(void* event) noexcept = 0;
  /// Gives the event back; it need not be done.
  virtual void release(void* event) noexcept = 0;
};

}  // namespace core
GPARRAY_END_NAMESPACE
