// Copies between a GPU and pageable host memory, through two pinned buffers.
#pragma once
#include <mutex>

#include "runtime.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// While the GPU copies one buffer, the CPU fills or empties the other. The buffers are not from the pinned
/// pool: that hands a freed block out again in the order of the stream, and here the CPU writes ahead of the
/// stream. Calls of several threads take turns.
class staging {
 public:
  explicit staging(int device) : device_(device) {}
  ~staging();
  staging(const staging&) = delete;
  staging& operator=(const staging&) = delete;

  /// Returns when `from` may be reused; the copy itself is ordered in the stream.
  void to_device(void* to, const void* from, std::size_t bytes, cudaStream_t stream);
  /// Returns when `to` holds the data.
  void to_host(void* to, const void* from, std::size_t bytes, cudaStream_t stream);

  static constexpr std::size_t chunk_bytes = std::size_t{4} << 20;
  static constexpr std::size_t mailbox_bytes = 256;

 private:
  struct buffer {
    void* data = nullptr;
    cudaEvent_t done = nullptr;
  };
  void prepare();
  /// A few bytes, as of item(): two calls of the driver, where a buffer takes four.
  void read(void* to, const void* from, std::size_t bytes, cudaStream_t stream);

  int device_;
  std::mutex lock_;
  buffer buffers_[2];
  std::mutex mailbox_lock_;
  void* mailbox_ = nullptr;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
