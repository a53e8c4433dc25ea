// CUB's merge sort of complex numbers.
#include <cub/device/device_merge_sort.cuh>

#include <cuda/cub/cub_calls.hpp>
#include <kernel/sort_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

struct element_before {
  bool descending;
  template<class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return descending ? kernel::sorts_before(b, a) : kernel::sorts_before(a, b);
  }
};
struct key_before {
  bool descending;
  template<class K>
  __device__ bool operator()(const K& a, const K& b) const {
    return descending ? b < a : a < b;
  }
};

}  // namespace

cudaError_t cub_sort_complex(cub_storage& s, dtype type, const void* in, void* out, std::int64_t n,
                             bool descending, cudaStream_t stream) {
  const auto sort = [&]<class T>(T) {
    return cub::DeviceMergeSort::StableSortKeysCopy(s.data, s.bytes, static_cast<const T*>(in),
                                                    static_cast<T*>(out), n, element_before{descending},
                                                    stream);
  };
  return type == dtype::complex64 ? sort(kernel::complex<float>{}) : sort(kernel::complex<double>{});
}

cudaError_t cub_sort_complex_keys(cub_storage& s, dtype type, void* keys, std::int64_t* numbers,
                                  std::int64_t n, bool descending, cudaStream_t stream) {
  const auto sort = [&]<class K>(K) {
    return cub::DeviceMergeSort::StableSortPairs(s.data, s.bytes, static_cast<K*>(keys), numbers, n,
                                                 key_before{descending}, stream);
  };
  return type == dtype::complex64 ? sort(std::uint64_t{}) : sort(kernel::complex_key<unsigned long>{});
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
