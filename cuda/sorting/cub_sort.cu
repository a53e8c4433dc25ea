// CUB's radix sorts in our order of numbers.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/version.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/cub/cub_calls.hpp>
#include <cuda/sorting/nan_tail.cuh>
#include <kernel/wrapped_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// The bits of a number.
template<class U, U Infinity>
struct ordered_number {
  U bits;
};

}  // namespace
}  // namespace core::cuda
GPARRAY_END_NAMESPACE

CUB_NAMESPACE_BEGIN
/// CUB's hook for key types of one's own: by itself it puts NaN with a sign first, and takes -0.0 for 0.0.
template<class U, U Infinity>
struct NumericTraits<gparray::core::cuda::ordered_number<U, Infinity>> : NumericTraits<U> {
  using wrapped = gparray::kernel::wrapped_key<U, Infinity>;
  static constexpr U LOWEST_KEY = wrapped::to_bits(0), MAX_KEY = wrapped::to_bits(wrapped::all);
  static __host__ __device__ __forceinline__ U TwiddleIn(U bits) { return wrapped::of_bits(bits); }
  static __host__ __device__ __forceinline__ U TwiddleOut(U key) { return wrapped::to_bits(key); }
};
#if CUB_VERSION >= 300000
namespace detail::radix {
/// CUB's tiles of 384 x 20 keys take 73 registers where keys have to be made of numbers, so that two blocks
/// run at a time; with 18 keys a thread three do, as with CUB's own int and float.
template<std::uint32_t Infinity, class Value, class Offset>
struct policy_hub<gparray::core::cuda::ordered_number<std::uint32_t, Infinity>, Value, Offset>
    : policy_hub<float, Value, Offset> {
  using of_float = policy_hub<float, Value, Offset>;
  struct MaxPolicy : ChainedPolicy<900, MaxPolicy, typename of_float::Policy800>,
                     of_float::template OnesweepSmallKeyTunedPolicy<sm90_small_key_tuning<4, 0, 4>> {
    using OnesweepPolicy =
        AgentRadixSortOnesweepPolicy<384, 18, float, 1, RADIX_RANK_MATCH_EARLY_COUNTS_ANY,
                                     BLOCK_SCAN_RAKING_MEMOIZE, RADIX_SORT_STORE_DIRECT, 8>;
  };
};
}  // namespace detail::radix
#endif
CUB_NAMESPACE_END

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

using ordered_float = ordered_number<std::uint32_t, 0x7f800000u>;

/// f(key) with a key of the type that CUB orders as we order the dtype.
template<class F>
cudaError_t with_key(dtype type, F f) {
  switch (type) {
    case dtype::int32:
      return f(std::int32_t{});
    case dtype::uint32:
      return f(std::uint32_t{});
    case dtype::float32:
      return f(ordered_float{});
    case dtype::int64:
      return f(std::int64_t{});
    case dtype::uint64:
      return f(std::uint64_t{});
    case dtype::float64:
      return f(ordered_number<std::uint64_t, 0x7ff0000000000000u>{});
    case dtype::bool_:
    case dtype::uint8:
      return f(std::uint8_t{});
    case dtype::int8:
      return f(std::int8_t{});
    case dtype::int16:
      return f(std::int16_t{});
    case dtype::uint16:
      return f(std::uint16_t{});
    case dtype::float16:
      return f(ordered_number<std::uint16_t, 0x7c00>{});
    case dtype::bfloat16:
      return f(ordered_number<std::uint16_t, 0x7f80>{});
    default:
      return cudaErrorInvalidValue;
  }
}

struct row_begin {
  std::uint32_t n;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * n; }
};

}  // namespace

cudaError_t cub_sort(cub_storage& s, dtype type, const void* in, void* out, std::uint32_t n,
                     cudaStream_t stream) {
  return with_key(type, [&]<class K>(K) {
    return cub::DeviceRadixSort::SortKeys(s.data, s.bytes, static_cast<const K*>(in), static_cast<K*>(out), n,
                                          0, static_cast<int>(8 * sizeof(K)), stream);
  });
}

cudaError_t cub_sort(cub_storage& s, dtype type, cub_keys& keys, std::uint32_t n, cudaStream_t stream) {
  return with_key(type, [&]<class K>(K) {
    cub::DoubleBuffer<K> buffer(static_cast<K*>(keys.keys), static_cast<K*>(keys.other));
    const cudaError_t code = cub::DeviceRadixSort::SortKeys(s.data, s.bytes, buffer, n, 0,
                                                            static_cast<int>(8 * sizeof(K)), stream);
    if (s.data) keys = {buffer.Current(), buffer.Alternate()};
    return code;
  });
}

cudaError_t cub_sort_rows(cub_storage& s, dtype type, const void* in, void* out, std::uint32_t rows,
                          std::uint32_t n, cudaStream_t stream) {
  const auto begins =
      thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), row_begin{n});
  const auto sort = [&]<class K>(K) {
    return cub::DeviceSegmentedRadixSort::SortKeys(
        s.data, s.bytes, static_cast<const K*>(in), static_cast<K*>(out), static_cast<int>(rows * n),
        static_cast<int>(rows), begins, begins + 1, 0, static_cast<int>(8 * sizeof(K)), stream);
  };
  return type == dtype::float32 ? sort(ordered_float{}) : sort(std::int32_t{});
}

const void* nan_tail_kernel() { return reinterpret_cast<const void*>(&canonicalize_nans); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
