// A few bytes from a GPU to the host, without a copy of the driver's and without its wait.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>

#include <cuda/runtime/runtime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// A kernel behind the work of the stream writes the bytes into mapped host memory, where the CPU looks for
/// them: half the time of a copy of the driver's and a wait for the stream. Or the kernel that computes a
/// result stores it there itself. Each read has a slot of its own, so that threads do not wait for each
/// other.
class mailbox {
 public:
  explicit mailbox(int device) : device_(device) {}
  ~mailbox();
  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;

  /// Reads at most max_bytes; returns when they are there. The device must be current. False if they did not
  /// come and must be copied: every slot is taken, or the stream is done without them. Throws cuda_error,
  /// also for what ran before in the stream.
  bool read(void* to, const void* from, std::size_t bytes, cudaStream_t stream);

  /// Where a kernel may store one result of at most max_result_bytes, as into an array, for `receive`; null
  /// if every slot is taken.
  void* expect(std::size_t bytes);
  /// Returns when the kernel, enqueued on the stream since, has stored it. Throws as `read` does.
  void receive(void* to, void* result, std::size_t bytes, cudaStream_t stream);
  /// Takes it back; if it is awaited, a kernel that would store it may have been enqueued.
  void abandon(void* result, bool awaited, cudaStream_t stream) noexcept;

  static constexpr std::size_t max_bytes = 256;
  static constexpr std::size_t max_result_bytes = 16;

 private:
  static constexpr std::size_t words_per_slot = max_bytes / 4;
  static constexpr int n_slots = 64;
  struct slot {
    alignas(64) std::uint64_t words[words_per_slot];
    alignas(64) std::uint32_t result[max_result_bytes / 4];
  };

  slot* slots();
  int take() noexcept;
  void give_back(int index) noexcept { idle_.fetch_or(std::uint64_t{1} << index, std::memory_order_release); }
  int index_of(const void* result) const noexcept;
  template<class Arrived>
  bool wait(Arrived arrived, cudaStream_t stream) const;

  const int device_;
  std::mutex making_;
  std::atomic<slot*> slots_{nullptr};
  std::atomic<std::uint64_t> idle_{~std::uint64_t{0}};  // a bit for each slot
  std::uint32_t stamps_[n_slots] = {};  // the last one used; belongs to the holder of the slot
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
