#include <cstring>
#include <limits>

#include <cuda/runtime/copy_bytes.hpp>
#include <support/log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "copying memory";
// Up to this size the driver copies the bytes into the command itself and returns at once, also from pageable
// memory.
constexpr std::size_t inline_bytes = 64 << 10;

struct memory_kind {
  bool pageable;
  int device;  // of device memory; -1 otherwise
};

memory_kind kind_of(const void* pointer) {
  cudaPointerAttributes attributes{};
  const cudaError_t code = try_call<&rt::cudaPointerGetAttributes>(&attributes, pointer);
  if (is_kernel_fault(code)) throw_cuda_error("cudaPointerGetAttributes", code, operation);
  // Drivers before CUDA 11 call memory that they do not know an invalid value.
  if (code != cudaSuccess) return {true, -1};
  return {attributes.type == cudaMemoryTypeUnregistered,
          attributes.type == cudaMemoryTypeDevice ? attributes.device : -1};
}

const char* name_of(const memory_kind& kind) {
  return kind.device >= 0 ? "device" : kind.pageable ? "pageable host" : "pinned host";
}

/// Says what is copied, and that pageable memory makes the host wait.
void note_copy(const memory_kind& source, const memory_kind& target, std::size_t bytes, queue q) {
  if (!logs(log_category::transfer)) [[likely]]
    return;
  static warned before;
  if ((source.pageable || target.pageable) && bytes > inline_bytes)
    warn(before, log_category::transfer,
         "{} bytes from {} to {} memory on cuda:{}; the host copies pageable memory and waits for that: "
         "pinned "
         "memory (empty_pinned, zeros_pinned) is quicker, and need not be waited for",
         bytes, name_of(source), name_of(target), q.device);
  else
    log(log_category::transfer, "{} bytes from {} to {} memory on cuda:{}", bytes, name_of(source),
        name_of(target), q.device);
}

/// A graph copies when it is launched, and pageable memory may be gone by then: it gets a copy of its own.
const void* keep_source(recording& r, const void* from, std::size_t bytes, memory_pool& pinned) {
  block* b = pinned.allocate(bytes, cpu_order);
  r.kept.keep(b);
  return std::memcpy(b->pointer, from, bytes);
}

}  // namespace

void peer_access::enable(int from, int to) {
  const std::lock_guard guard(lock_);
  if (!tried_.emplace(from, to).second) return;
  int can = 0;
  if (try_call<&rt::cudaDeviceCanAccessPeer>(&can, from, to) != cudaSuccess || !can) return;
  use_device(from);
  try_call<&rt::cudaDeviceEnablePeerAccess>(to, 0u);
}

void copy_bytes(void* to, const void* from, std::size_t bytes, queue q, device_state& state,
                peer_access& peers) {
  if (bytes == 0) return;
  const memory_kind source = kind_of(from), target = kind_of(to);
  if (source.device >= 0 && target.device >= 0 && source.device != target.device) {
    peers.enable(source.device, target.device);
    peers.enable(target.device, source.device);
  }
  note_copy(source, target, bytes, q);
  use_device(q.device);
  if (recording* r = recording_on(q.device)) {
    if (target.pageable || (source.pageable && target.device < 0))
      refuse_while_recording(operation, q.device);
    if (source.pageable) from = keep_source(*r, from, bytes, *state.memory.pool(memory_space::pinned));
    call<&rt::cudaMemcpyAsync>(operation, to, from, bytes, cudaMemcpyDefault, stream_of(q.stream));
  } else if (source.pageable && target.device >= 0 && bytes > inline_bytes) {
    state.stage.to_device(to, from, bytes, stream_of(q.stream));
  } else if (target.pageable && source.device >= 0) {
    state.stage.to_host(to, from, bytes, stream_of(q.stream));
  } else if ((source.pageable || target.pageable) && source.device < 0 && target.device < 0) {
    // Between host memory of two kinds: the CPU copies, when the stream's work on it is done.
    call<&rt::cudaStreamSynchronize>(operation, stream_of(q.stream));
    std::memcpy(to, from, bytes);
  } else {
    call<&rt::cudaMemcpyAsync>(operation, to, from, bytes, cudaMemcpyDefault, stream_of(q.stream));
  }
}

void read_bytes(void* to, const void* from, std::size_t bytes, queue q, device_state& state,
                peer_access& peers) {
  if (bytes == 0) return;
  // A few bytes are read without asking what memory they are in, since that takes the driver longer.
  if (bytes <= mailbox::max_bytes && !recording_on(q.device))
    return state.stage.to_host(to, from, bytes, stream_of(q.stream));
  copy_bytes(to, from, bytes, q, state, peers);
  refuse_while_recording("waiting for a stream", q.device);
  call<&rt::cudaStreamSynchronize>(operation, stream_of(q.stream));
}

// Whose memory it is is not asked: what another GPU lends is not to be made ours to reach, and a process has
// nothing else to do with that GPU.
void run_pitched_copy(const pitched_copy& c, queue q) {
  constexpr std::size_t max_pitch = std::numeric_limits<int>::max();  // the drivers'
  const bool is_block = c.rows == 1 || (c.to_pitch == c.bytes && c.from_pitch == c.bytes);
  if (!is_block && c.to_pitch <= max_pitch && c.from_pitch <= max_pitch) {
    call<&rt::cudaMemcpy2DAsync>(operation, c.to, c.to_pitch, c.from, c.from_pitch, c.bytes, c.rows,
                                 cudaMemcpyDefault, stream_of(q.stream));
    return;
  }
  const std::size_t blocks = is_block ? 1 : c.rows, bytes = is_block ? c.bytes * c.rows : c.bytes;
  for (std::size_t i = 0; i < blocks; ++i)
    call<&rt::cudaMemcpyAsync>(operation, static_cast<char*>(c.to) + i * c.to_pitch,
                               static_cast<const char*>(c.from) + i * c.from_pitch, bytes, cudaMemcpyDefault,
                               stream_of(q.stream));
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
