// Copies between a GPU and pageable host memory, through two pinned buffers.
#pragma once
#include <mutex>

#include <cuda/runtime/mailbox.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// While the GPU copies one buffer, the CPU fills or empties the other. The buffers are not from the pinned
/// pool: that hands a freed block out again in the order of the stream, and here the CPU writes ahead of the
/// stream. Calls of several threads take turns.
class staging {
 public:
  explicit staging(int device) : mail_(device), device_(device) {}
  ~staging();
  staging(const staging&) = delete;
  staging& operator=(const staging&) = delete;

  /// Returns when `from` may be reused; the copy itself is ordered in the stream.
  void to_device(void* to, const void* from, std::size_t bytes, cudaStream_t stream);
  /// Returns when `to` holds the data. The device must be current. A few bytes, as of item(), come by mail.
  void to_host(void* to, const void* from, std::size_t bytes, cudaStream_t stream);

  mailbox& mail() noexcept { return mail_; }

  static constexpr std::size_t chunk_bytes = std::size_t{4} << 20;

 private:
  struct buffer {
    void* data = nullptr;
    cudaEvent_t done = nullptr;
  };
  void prepare();

  mailbox mail_;
  int device_;
  std::mutex lock_;
  buffer buffers_[2];
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
