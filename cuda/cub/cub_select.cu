// CUB's selection and sums.
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#include <cuda/cub/cub_calls.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class T, class In>
cudaError_t select_of(cub_storage& s, In in, const void* mask, void* out, std::int64_t* count, std::int64_t n,
                      cudaStream_t stream) {
  return cub::DeviceSelect::Flagged(s.data, s.bytes, in, static_cast<const std::uint8_t*>(mask),
                                    static_cast<T*>(out), count, n, stream);
}

}  // namespace

cudaError_t cub_select(cub_storage& s, std::size_t item_bytes, const void* in, std::int64_t first,
                       const void* mask, void* out, std::int64_t* count, std::int64_t n,
                       cudaStream_t stream) {
  const auto select = [&]<class T>(T) {
    return select_of<T>(s, static_cast<const T*>(in), mask, out, count, n, stream);
  };
  if (!in)
    return select_of<std::int64_t>(s, thrust::counting_iterator<std::int64_t>(first), mask, out, count, n,
                                   stream);
  switch (item_bytes) {
    case 1:
      return select(std::uint8_t{});
    case 2:
      return select(std::uint16_t{});
    case 4:
      return select(std::uint32_t{});
    case 8:
      return select(std::uint64_t{});
    default:
      return select(ulonglong2{});
  }
}

cudaError_t cub_sum(cub_storage& s, const std::uint64_t* in, std::uint64_t* out, std::int64_t n,
                    cudaStream_t stream) {
  return cub::DeviceScan::InclusiveSum(s.data, s.bytes, in, out, n, stream);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
