// What the backend leaves to CUB because that is quicker, by the figures in docs/decisions/. CUB launches
// through cudart itself, so a fake device behind the table of runtime.hpp would not see it: there, our own
// kernels run.
#pragma once
#include <algorithm>
#include <limits>

#include <cuda/runtime/runtime.hpp>
#include <cuda/runtime/scratch.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Whether the runtime in use is cudart.
bool has_cub() noexcept;

/// What CUB can count in selections and sums: those of CUDA 12 count in int.
inline constexpr std::int64_t most_for_cub =
    CUDART_VERSION < 13000 ? std::numeric_limits<int>::max() : std::numeric_limits<std::int64_t>::max();

/// Memory that a call works in. Without `data` it only says how many bytes it needs.
struct cub_storage {
  void* data;
  std::size_t bytes;
};

/// n keys of two buffers between which passes move them: `keys` has them first and last.
struct cub_keys {
  void* keys;
  void* other;
};

/// One row of complex numbers, in NumPy's order or from behind, equal ones as they came.
cudaError_t cub_sort_complex(cub_storage& storage, dtype type, const void* in, void* out, std::int64_t n,
                             bool descending, cudaStream_t stream);
/// The same of their whole keys, which are put in order, and their numbers.
cudaError_t cub_sort_complex_keys(cub_storage& storage, dtype type, void* keys, std::int64_t* numbers,
                                  std::int64_t n, bool descending, cudaStream_t stream);

// NaN come last, -0.0 before 0.0. Not for complex numbers.
cudaError_t cub_sort(cub_storage& storage, dtype type, const void* in, void* out, std::uint32_t n,
                     cudaStream_t stream);
cudaError_t cub_sort(cub_storage& storage, dtype type, cub_keys& keys, std::uint32_t n, cudaStream_t stream);
/// Rows of float32 or int32, fewer than 2^31 elements in all.
cudaError_t cub_sort_rows(cub_storage& storage, dtype type, const void* in, void* out, std::uint32_t rows,
                          std::uint32_t n, cudaStream_t stream);

/// Keys sorted by the bits [begin_bit, end_bit), and items of 4 or 8 bytes that travel with them; equal keys
/// stay in their order.
cudaError_t cub_sort_pairs(cub_storage& storage, const std::uint32_t* keys, std::uint32_t* sorted_keys,
                           std::size_t item_bytes, const void* items, void* sorted_items, std::uint32_t n,
                           int begin_bit, int end_bit, cudaStream_t stream);

/// out = the elements that the mask selects, and their number. Without `in` they are first, first + 1, ...
cudaError_t cub_select(cub_storage& storage, std::size_t item_bytes, const void* in, std::int64_t first,
                       const void* mask, void* out, std::int64_t* count, std::int64_t n, cudaStream_t stream);

/// Inclusive, of integers, which wrap: so the order of additions makes no difference.
cudaError_t cub_sum(cub_storage& storage, const std::uint64_t* in, std::uint64_t* out, std::int64_t n,
                    cudaStream_t stream);

/// Makes a call of CUB, named `name` in errors, with memory from the pool.
template<class Call>
void run_cub(const char* name, const char* operation, queue q, memory_pool& pool, Call call) {
  const relaxed_capture allowed;  // kernels may have to be loaded
  cub_storage storage{nullptr, 0};
  cudaError_t code = call(storage);
  if (code == cudaSuccess) {
    const scratch memory(pool, std::max<std::size_t>(storage.bytes, 1), q.stream);
    storage.data = memory.data();
    code = call(storage);
  }
  if (code != cudaSuccess) throw_cuda_error(name, code, operation, stream_of(q.stream));
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
