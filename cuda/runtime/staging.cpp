#include <algorithm>
#include <cstring>

#include <cuda/runtime/staging.hpp>
#include <plan/lost_device.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* to_device_text = "copying from host memory to the device";
constexpr const char* to_host_text = "copying from the device to host memory";

char* advance(void* pointer, std::size_t bytes) { return static_cast<char*>(pointer) + bytes; }
const char* advance(const void* pointer, std::size_t bytes) {
  return static_cast<const char*>(pointer) + bytes;
}

}  // namespace

staging::~staging() {
  if (is_lost(device_)) return;
  for (buffer& b : buffers_) {
    if (b.done) try_call<&rt::cudaEventSynchronize>(b.done);
    if (b.done) try_call<&rt::cudaEventDestroy>(b.done);
    if (b.data) try_call<&rt::cudaFreeHost>(b.data);
  }
}

void staging::prepare() {
  use_device(device_);
  for (buffer& b : buffers_) {
    if (!b.data)
      call<&rt::cudaHostAlloc>("making a copy buffer", &b.data, std::size_t{chunk_bytes},
                               unsigned{cudaHostAllocPortable});
    if (!b.done)
      call<&rt::cudaEventCreateWithFlags>("making a copy buffer", &b.done, unsigned{cudaEventDisableTiming});
  }
}

void staging::to_device(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  const std::lock_guard guard(lock_);
  prepare();
  for (std::size_t at = 0, turn = 0; at < bytes; at += chunk_bytes, ++turn) {
    const std::size_t part = std::min(chunk_bytes, bytes - at);
    buffer& b = buffers_[turn % 2];
    // An event that was never recorded counts as done; otherwise the GPU may still read what was put here
    // before.
    call<&rt::cudaEventSynchronize>(to_device_text, b.done);
    std::memcpy(b.data, advance(from, at), part);
    call<&rt::cudaMemcpyAsync>(to_device_text, static_cast<void*>(advance(to, at)),
                               static_cast<const void*>(b.data), part, cudaMemcpyHostToDevice, stream);
    call<&rt::cudaEventRecord>(to_device_text, b.done, stream);
  }
}

void staging::to_host(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  if (bytes <= mailbox::max_bytes && mail_.read(to, from, bytes, stream)) return;
  const std::lock_guard guard(lock_);
  prepare();
  const std::size_t n_chunks = (bytes + chunk_bytes - 1) / chunk_bytes;
  const auto size_of = [&](std::size_t chunk) { return std::min(chunk_bytes, bytes - chunk * chunk_bytes); };
  for (std::size_t i = 0; i <= n_chunks; ++i) {
    if (i < n_chunks) {
      buffer& b = buffers_[i % 2];
      // Another stream may still use the buffer: a copy of another thread's to_device.
      call<&rt::cudaStreamWaitEvent>(to_host_text, stream, b.done, 0u);
      call<&rt::cudaMemcpyAsync>(to_host_text, b.data,
                                 static_cast<const void*>(advance(from, i * chunk_bytes)), size_of(i),
                                 cudaMemcpyDeviceToHost, stream);
      call<&rt::cudaEventRecord>(to_host_text, b.done, stream);
    }
    if (i > 0) {
      buffer& b = buffers_[(i - 1) % 2];
      call<&rt::cudaEventSynchronize>(to_host_text, b.done);
      std::memcpy(advance(to, (i - 1) * chunk_bytes), b.data, size_of(i - 1));
    }
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
