// A few bytes from a GPU to the host, without a copy of the driver's and without its wait.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>

#include "runtime.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// A kernel behind the work of the stream writes the bytes into mapped host memory, where the CPU looks for
/// them: half the time of a copy of the driver's and a wait for the stream. Each read has a slot of its own,
/// so that threads do not wait for each other.
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

  static constexpr std::size_t max_bytes = 256;

 private:
  static constexpr std::size_t words_per_slot = max_bytes / 4;
  static constexpr int n_slots = 64;
  struct slot {
    alignas(64) std::uint64_t words[words_per_slot];
  };

  slot* slots();
  int take() noexcept;
  void give_back(int index) noexcept { idle_.fetch_or(std::uint64_t{1} << index, std::memory_order_release); }
  bool wait(const slot& s, std::size_t n_words, std::uint32_t stamp, cudaStream_t stream);

  const int device_;
  std::mutex making_;
  std::atomic<slot*> slots_{nullptr};
  std::atomic<std::uint64_t> idle_{~std::uint64_t{0}};  // a bit for each slot
  std::uint32_t stamps_[n_slots] = {};                  // the last one used; of whoever holds the slot
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
