// What moves bytes between ranks. Arithmetic, dtypes and layouts are its callers' business.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <distributed/runtime/signature.hpp>

#include <gparray/device.hpp>
#include <gparray/dtype.hpp>
#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// Bytes for another rank, and bytes from one. Between two ranks they match in order and size.
struct outgoing {
  int to;
  const void* data;
  std::size_t bytes;
};
struct incoming {
  int from;
  void* data;
  std::size_t bytes;
};

/// What combines elements of different ranks.
enum class combination : std::uint8_t { sum, prod, min, max };

/// Memory of which each rank of a group has as much, and to which the others write by themselves.
struct symmetric_memory {
  std::size_t bytes = 0;
  std::vector<std::byte*> of;  // the addresses here of that of each rank
};

/// One group of ranks. All ranks make the same calls in the same order, but for exchange(), in which those
/// take part that have something to send or to receive.
///
/// Memory is that of place(): host memory, to which a call is done on return, or a GPU's, in which case it is
/// enqueued on the stream. A call that waits does so until the deadline of the group and throws
/// distributed_error then, and from then on. A call that an engine cannot do it refuses before it sends
/// anything, alike on all ranks.
class engine {
 public:
  engine() = default;
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;
  virtual ~engine() = default;

  /// The library and its version: "Open MPI 4.1.4".
  virtual std::string name() const = 0;
  virtual int rank() const noexcept = 0;
  virtual int size() const noexcept = 0;
  /// Of which device the memory is that it moves.
  virtual device place() const noexcept = 0;

  /// `bytes` of each rank, in the order of ranks, to all; `all` may hold `mine` at its place.
  virtual void all_gather(const void* mine, void* all, std::size_t bytes, const stream_view& on) = 0;
  /// Bytes [from_offsets[r], from_offsets[r + 1]) of `from` to rank r, what comes from it to
  /// [to_offsets[r], to_offsets[r + 1]) of `to`. Both lists have size() + 1 numbers.
  virtual void all_to_all(const void* from, std::span<const std::size_t> from_offsets, void* to,
                          std::span<const std::size_t> to_offsets, const stream_view& on) = 0;
  virtual void broadcast(void* data, std::size_t bytes, int root, const stream_view& on) = 0;
  /// All at once, so that ranks may send to each other. What is sent to the own rank is received there.
  virtual void exchange(std::span<const outgoing> sends, std::span<const incoming> receives,
                        const stream_view& on) = 0;
  /// The library's own reduction of `count` elements, in an order of its own; false, alike on all ranks and
  /// with nothing sent, if it has none for this dtype.
  virtual bool all_reduce(const void* /*from*/, void* /*to*/, std::size_t /*count*/, dtype /*type*/,
                          combination /*op*/, const stream_view& /*on*/) {
    return false;
  }
  /// Whether the library can give symmetric memory.
  virtual bool has_symmetric_memory() const { return false; }
  /// At least so much; null, alike on all ranks, if it is not to be had. What there was is gone, and is to be
  /// used no more. All ranks call it with the same number, and wait for each other if there was less.
  virtual const symmetric_memory* symmetric(std::size_t /*bytes*/) { return nullptr; }
  /// Tells all other ranks that what the stream has so far is done, when it is: once for each call of
  /// wait_for_signals() there.
  virtual void signal(const stream_view& /*on*/) {}
  /// What the stream is given from now on is behind a signal of each of the other ranks.
  virtual void wait_for_signals(const stream_view& /*on*/) {}
  virtual void barrier() = 0;
  /// Whether what is enqueued on the current stream now is being recorded, and so is done later.
  virtual bool is_recording() const { return false; }

  /// The group of those ranks that give the same color, ordered by key, then by rank.
  virtual std::shared_ptr<engine> split(int color, int key) = 0;
  /// Throws distributed_error if the group is known to be broken; for those who wait for the device.
  virtual void poll() {}
  /// Ends all ranks, as communicator::abort says; may return where it is the caller's to throw.
  virtual void abort(std::string_view why) noexcept = 0;

  /// The call that is being made, for texts of errors.
  signature current;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
