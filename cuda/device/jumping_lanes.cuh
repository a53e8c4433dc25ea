// Elements along a row whose operands jump, as rolled arrays do, or are not aligned as the output is.
#pragma once
#include <cuda/device/jump_params.hpp>
#include <cuda/device/lanes.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class Function, int I>
__device__ constexpr bool jumps_along(int dim) {
  return (Function::jumps[I] >> dim & 1) != 0;
}

/// What an operand's address has to be moved by at an index.
__device__ __forceinline__ std::int64_t bytes_at(const jump_range& jump, std::uint32_t index) {
  return index - jump.begin < jump.count ? 0 : jump.bytes;
}

/// Bytes that lie side by side, at any address, as aligned words: some of up to three bytes before and behind
/// them are loaded, too.
template<class T, int N>
__device__ __forceinline__ void load_bytes(T (&values)[N], const char* from) {
  static_assert(is_of_words<T, N>);
  constexpr int n_words = N / 4;
  const auto beyond = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(from)) & 3,
             shift = beyond * 8;
  const auto* const aligned = reinterpret_cast<const std::uint32_t*>(from - beyond);
  std::uint32_t loaded[n_words + 1];
#pragma unroll
  for (int i = 0; i <= n_words; ++i) loaded[i] = i < n_words || shift > 0 ? aligned[i] : 0;
#pragma unroll
  for (int i = 0; i < n_words; ++i) {
    const std::uint64_t both = std::uint64_t{loaded[i + 1]} << 32 | loaded[i];
    const std::uint32_t word =
        static_cast<std::uint32_t>(both >> shift) & (kernel::is_bool<T> ? words::ones : ~0u);
    memcpy(values + 4 * i, &word, sizeof word);
  }
}

/// What is known of the columns of a thread.
enum class columns_of_thread {
  even,   ///< no operand jumps there, and all are in the row
  whole,  ///< all are in the row
  some    ///< nothing
};

/// Elements of operand J at N columns, so far apart, of a row that begins at `row`. Function: says which
/// operands jump, and of which packs of so many elements are aligned.
template<class Function, int J, columns_of_thread Columns, int Spacing, class T, int N>
__device__ __forceinline__ void load_columns(T (&values)[N], const char* row, const jump_range& jump,
                                             const scalar_bits& bits, int column, int n_columns) {
  constexpr access mode = Function::modes[J];
  constexpr bool jumps = Columns != columns_of_thread::even && jumps_along<Function, J>(0),
                 is_pack = Columns != columns_of_thread::some && Function::aligned[J] && !jumps,
                 has_words = Columns == columns_of_thread::even && is_of_words<T, N>;
  if constexpr ((is_pack || has_words) && Spacing == 1 && mode == access::contiguous) {
    const char* from = row + column * static_cast<std::int64_t>(sizeof(T));
    if constexpr (is_pack) load_elements(values, from);
    else load_bytes(values, from);
  } else if constexpr (mode == access::contiguous || mode == access::strided) {
    const std::int64_t stride = mode == access::contiguous ? static_cast<std::int64_t>(sizeof(T))
                                                           : *reinterpret_cast<const std::int64_t*>(&bits);
    const char* from = row + column * stride;
    set_elements(values, [&](int k) {
      const int at = column + k * Spacing;
      if (Columns == columns_of_thread::some && at >= n_columns) return T();
      std::int64_t offset = k * Spacing * stride;
      if constexpr (jumps) offset += bytes_at(jump, static_cast<std::uint32_t>(at));
      return *reinterpret_cast<const T*>(from + offset);
    });
  } else if constexpr (mode == access::iota) {
    const std::int64_t unit = *reinterpret_cast<const std::int64_t*>(&bits);
    const auto first = reinterpret_cast<std::intptr_t>(row);
#pragma unroll
    for (int k = 0; k < N; ++k)
      values[k] = kernel::cast<T>(static_cast<long>(first + (column + k * Spacing) * unit));
  } else {
    load_lanes<mode>(values, row, bits, 0, 1);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
