// Two sparse matrices combined element by element: rows are merged, by tiles of as many items each.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sparse/sparse_params.hpp>
#include <kernel/arithmetic.hpp>
#include <kernel/compare.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// How many of the first n of two merged sequences are a's, which comes first where both are equal.
template<class N, class I>
__device__ __forceinline__ N merged_from_first(const I* a, N a_count, const I* b, N b_count, N n) {
  N low = n > b_count ? n - b_count : 0, high = n < a_count ? n : a_count;
  while (low < high) {
    const N middle = low + (high - low) / 2;
    if (a[middle] <= b[n - 1 - middle]) low = middle + 1;
    else high = middle;
  }
  return low;
}

template<class I>
__global__ void __launch_bounds__(sparse_threads) find_union_splits(const __grid_constant__ union_params p) {
  wait_for_prior_grids();
  const std::int64_t tile = static_cast<std::int64_t>(blockIdx.x) * sparse_threads + threadIdx.x;
  if (tile > p.tiles) return;
  const I *const a_indptr = static_cast<const I*>(p.a_indptr), *const b_indptr =
                                                                   static_cast<const I*>(p.b_indptr);
  const auto b_start = [&](std::int64_t row) {
    return b_indptr ? static_cast<std::int64_t>(b_indptr[row]) : 0;
  };
  const auto items_before = [&](std::int64_t row) { return a_indptr[row] + b_start(row) + row; };
  const std::int64_t wanted = tile < p.tiles ? tile * union_tile : p.items;
  std::int64_t low = 0, high = p.rows;  // the last row that does not begin after it
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (items_before(middle) <= wanted) low = middle;
    else high = middle - 1;
  }
  union_split split{low, a_indptr[low], b_start(low)};
  if (low < p.rows) {
    const std::int64_t a_count = a_indptr[low + 1] - split.a, b_count = b_start(low + 1) - split.b;
    const std::int64_t n = wanted - items_before(low);
    const I* const a = static_cast<const I*>(p.a_indices) + split.a;
    const I* const b = b_count > 0 ? static_cast<const I*>(p.b_indices) + split.b : nullptr;
    const std::int64_t from_a = merged_from_first(a, a_count, b, b_count, n);
    std::int64_t from_b = n - from_a;
    if (from_a > 0 && from_b < b_count && a[from_a - 1] == b[from_b]) ++from_b;
    split.a += from_a;
    split.b += from_b;
  }
  p.splits[tile] = split;
}

template<class T>
__device__ __forceinline__ T merged_value(union_operation operation, T a, T b) {
  switch (operation) {
    case union_operation::add:
      return kernel::add(a, b);
    case union_operation::subtract:
      if constexpr (kernel::is_bool<T>) return a;
      else return kernel::subtract(a, b);
    case union_operation::multiply:
      return kernel::multiply(a, b);
    case union_operation::maximum:
      return kernel::maximum(a, b);
    case union_operation::minimum:
      return kernel::minimum(a, b);
    default:
      return a;
  }
}

/// What an item is: which entries it is made of, by their numbers in the tile, or the end of a row.
struct union_code {
  static constexpr unsigned nothing = 0, of_a = 1, of_b = 2, row_end = 4;
  static constexpr int bits = 12;
  static_assert(union_tile + 1 < 1 << bits);
  static __device__ __forceinline__ unsigned entry(unsigned kind, int a, int b) {
    return kind << (2 * bits) | static_cast<unsigned>(b) << bits | static_cast<unsigned>(a);
  }
  static __device__ __forceinline__ unsigned kind(unsigned code) { return code >> (2 * bits); }
  static __device__ __forceinline__ int a(unsigned code) {
    return static_cast<int>(code & ((1u << bits) - 1));
  }
  static __device__ __forceinline__ int b(unsigned code) { return a(code >> bits); }
};

/// What a block knows of its tile, in shared memory.
template<class I>
struct union_tile_memory {
  I columns[union_tile + 2];                 // a's, then b's
  unsigned short row_items[union_tile + 2];  // the number of the item that ends each row
  unsigned short row_a[union_tile + 2];      // a's entries before it
  unsigned codes[union_tile + 2];
  int kept[sparse_threads / 32 * union_items];  // by 32 items side by side, then before them
};

/// Writes the codes of the tile's items. All threads call it.
template<class I>
__device__ __forceinline__ void union_tile_codes(const union_params& p, const union_split& from,
                                                 const union_split& to, union_tile_memory<I>& m) {
  const I *const a_indptr = static_cast<const I*>(p.a_indptr), *const b_indptr =
                                                                   static_cast<const I*>(p.b_indptr);
  const int thread = static_cast<int>(threadIdx.x);
  const int a_count = static_cast<int>(to.a - from.a), b_count = static_cast<int>(to.b - from.b);
  const int n_rows = static_cast<int>(to.row - from.row), n_items = a_count + b_count + n_rows;
  for (int k = thread; k < a_count; k += sparse_threads)
    m.columns[k] = static_cast<const I*>(p.a_indices)[from.a + k];
  for (int k = thread; k < b_count; k += sparse_threads)
    m.columns[a_count + k] = static_cast<const I*>(p.b_indices)[from.b + k];
  for (int row = thread; row < n_rows; row += sparse_threads) {
    const std::int64_t after = from.row + row + 1;
    const int a_end = static_cast<int>(a_indptr[after] - from.a);
    const int b_end = b_indptr ? static_cast<int>(b_indptr[after] - from.b) : 0;
    m.row_a[row] = static_cast<unsigned short>(a_end);
    m.row_items[row] = static_cast<unsigned short>(a_end + b_end + row);
  }
  if (thread == 0) {  // the row that the tile ends in
    m.row_a[n_rows] = static_cast<unsigned short>(a_count);
    m.row_items[n_rows] = static_cast<unsigned short>(n_items);
  }
  __syncthreads();
  int item = thread * union_items;
  const int last = item + union_items < n_items ? item + union_items : n_items;
  for (int k = item > n_items ? item : n_items; k < item + union_items; ++k) m.codes[k] = union_code::nothing;
  if (item >= n_items) return;
  const I *const a = m.columns, *const b = m.columns + a_count;
  int low = 0, high = n_rows;  // the first row that does not end before the item
  while (low < high) {
    const int middle = (low + high) / 2;
    if (m.row_items[middle] < item) low = middle + 1;
    else high = middle;
  }
  int row = low;
  const auto b_end_of = [&](int r) { return m.row_items[r] - m.row_a[r] - r; };
  int i = row > 0 ? m.row_a[row - 1] : 0, j = row > 0 ? b_end_of(row - 1) : 0;
  int a_end = m.row_a[row], b_end = b_end_of(row);
  const int n = item - i - j - row;
  const int from_a = merged_from_first(a + i, a_end - i, b + j, b_end - j, n);
  i += from_a;
  j += n - from_a;
  if (from_a > 0 && j < b_end && a[i - 1] == b[j]) {  // which the thread before has
    ++j;
    ++item;
  }
  while (item < last) {
    if (i == a_end && j == b_end) {
      m.codes[item++] = union_code::entry(union_code::row_end, row, 0);
      ++row;
      a_end = m.row_a[row];
      b_end = b_end_of(row);
      continue;
    }
    const bool of_a = i < a_end && (j == b_end || a[i] <= b[j]),
               of_b = j < b_end && (i == a_end || b[j] <= a[i]);
    m.codes[item++] = union_code::entry((of_a ? union_code::of_a : 0) | (of_b ? union_code::of_b : 0), i, j);
    if (of_a && of_b) m.codes[item++] = union_code::nothing;
    i += of_a;
    j += of_b;
  }
}

/// Counts what each tile keeps, or writes it.
template<class T, class I, bool writes>
__global__ void __launch_bounds__(sparse_threads) union_tiles(const __grid_constant__ union_params p) {
  wait_for_prior_grids();
  __shared__ union_tile_memory<I> m;
  const union_split from = p.splits[blockIdx.x], to = p.splits[blockIdx.x + 1];
  union_tile_codes<I>(p, from, to, m);
  __syncthreads();
  const T *const a_data = static_cast<const T*>(p.a_data), *const b_data = static_cast<const T*>(p.b_data);
  const int a_count = static_cast<int>(to.a - from.a);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  constexpr int n_warps = sparse_threads / 32;
  T values[union_items];
  unsigned kept[union_items];  // of the warp's items
  // Neighbouring threads have neighbouring items now.
#pragma unroll
  for (int v = 0; v < union_items; ++v) {
    const unsigned code = m.codes[v * sparse_threads + threadIdx.x], kind = union_code::kind(code);
    const int i = union_code::a(code), j = union_code::b(code);
    T x{}, y{};
    if (kind & union_code::of_a) x = a_data[from.a + i];
    if (kind & union_code::of_b) y = b_data[from.b + j];
    values[v] = merged_value(p.operation, x, y);
    bool keep = (kind & (union_code::of_a | union_code::of_b)) != 0;
    if (p.operation == union_operation::slice) {
      if (keep) keep = m.columns[i] >= p.first && m.columns[i] < p.last;
    } else {
      keep = keep && kernel::nonzero(values[v]);
    }
    kept[v] = __ballot_sync(0xffffffffu, keep);
    if (lane == 0) m.kept[v * n_warps + static_cast<int>(warp)] = __popc(kept[v]);
  }
  __syncthreads();
  if constexpr (!writes) {
    if (threadIdx.x > 0) return;
    std::int64_t count = 0;
    for (const int n : m.kept) count += n;
    p.ends[blockIdx.x] = count;
  } else {
    int before = 0;
    if (threadIdx.x < union_items * n_warps)
      for (unsigned k = 0; k < threadIdx.x; ++k) before += m.kept[k];
    __syncthreads();
    if (threadIdx.x < union_items * n_warps) m.kept[threadIdx.x] = before;
    __syncthreads();
    const std::int64_t base = blockIdx.x > 0 ? p.ends[blockIdx.x - 1] : 0;
    if (blockIdx.x == 0 && threadIdx.x == 0) static_cast<I*>(p.indptr)[0] = 0;
#pragma unroll
    for (int v = 0; v < union_items; ++v) {
      const unsigned code = m.codes[v * sparse_threads + threadIdx.x], kind = union_code::kind(code);
      const std::int64_t at =
          base + m.kept[v * n_warps + static_cast<int>(warp)] + __popc(kept[v] & ((1u << lane) - 1));
      if (kind & union_code::row_end)
        static_cast<I*>(p.indptr)[from.row + union_code::a(code) + 1] = static_cast<I>(at);
      if (!(kept[v] >> lane & 1)) continue;
      const I column =
          kind & union_code::of_a ? m.columns[union_code::a(code)] : m.columns[a_count + union_code::b(code)];
      static_cast<I*>(p.indices)[at] = static_cast<I>(column - static_cast<I>(p.first));
      static_cast<T*>(p.data)[at] = values[v];
    }
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
