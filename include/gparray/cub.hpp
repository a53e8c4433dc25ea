// CUB's algorithms on the current stream, with scratch memory from gparray's pool. For .cu files, which nvcc
// compiles; not part of <gparray/gparray.hpp>.
//
//   gp::run_cub([&](void* scratch, std::size_t& bytes, cudaStream_t stream) {
//     return cub::DeviceScan::InclusiveSum(scratch, bytes, x.data(), sums.data(), x.size(), stream);
//   });
#pragma once
#if !defined(__CUDACC__)
#error \
    "<gparray/cub.hpp> is for .cu files that nvcc compiles; in .cpp files include <gparray/gparray.hpp> alone"
#endif
#include <cstddef>
#include <cuda_runtime_api.h>
#include <string>

#include <gparray/error.hpp>
#include <gparray/ndarray.hpp>
#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

inline void check_cuda(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw cuda_error(
      std::string(what) + " failed: " + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ")", code);
}

/// The current stream of a GPU, which becomes CUDA's current device in this thread. Work given to it comes
/// after what this thread has enqueued there. Throws device_error for the CPU.
inline cudaStream_t stream_for_cuda(const stream_view& stream, const char* caller) {
  if (stream.device().is_cpu())
    throw device_error(std::string(caller) +
                       " needs a GPU: set_default_device(gp::device::cuda(0)), or name one");
  auto* const handle = static_cast<cudaStream_t>(stream.native_handle());
  check_cuda(cudaSetDevice(stream.device().index()), "cudaSetDevice");
  // By its own name, which is the same whatever nvcc's --default-stream says.
  return handle ? handle : cudaStreamLegacy;
}

}  // namespace detail

/// Calls one of CUB's device-wide algorithms: call(scratch, bytes, stream) is asked for the size first and
/// then enqueues its work on the current stream of the device. Does not wait; may be captured into a graph.
/// Throws cuda_error if the call does not return cudaSuccess, device_error for the CPU.
template<class Call>
void run_cub(Call&& call, device where = default_device()) {
  const cudaStream_t stream = detail::stream_for_cuda(current_stream(where), "run_cub");
  std::size_t bytes = 0;
  detail::check_cuda(call(static_cast<void*>(nullptr), bytes, stream), "a call of CUB");
  // Null would ask again.
  const dims shape{static_cast<std::int64_t>(bytes > 0 ? bytes : 1)};
  const any_array scratch = detail::empty(shape, dtype::uint8, order::C, memory_space::device, where);
  detail::check_cuda(call(scratch.raw_data(), bytes, stream), "a call of CUB");
}

GPARRAY_END_NAMESPACE
