// Transposed copies through tiles in shared memory, so that both sides are read and written along their rows.
#include <cuda/device/elements.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/map/copy_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<std::size_t Size>
struct bits_of;
template<>
struct bits_of<1> {
  using type = unsigned char;
};
template<>
struct bits_of<2> {
  using type = unsigned short;
};
template<>
struct bits_of<4> {
  using type = unsigned;
};
template<>
struct bits_of<8> {
  using type = unsigned long;
};
template<>
struct bits_of<16> {
  using type = uint4;
};

/// How the block covers a tile of rows of `Columns` elements, Vector of them at a time.
template<class T, int Vector, int Rows, int Columns>
struct coverage {
  static constexpr int accesses = Columns / Vector;  // along a row
  static constexpr int rows = transpose_threads(sizeof(T)) / accesses;
  static constexpr int steps = (Rows + rows - 1) / rows;
  static __device__ int column() { return static_cast<int>(threadIdx.x) % accesses * Vector; }
  static __device__ int row(int step) { return static_cast<int>(threadIdx.x) / accesses + step * rows; }
};

/// Elements [at, at + Vector) of a row of n elements, of which those outside stay as they are: the first
/// is inside, and in one access if all of them are.
template<class T, int Vector>
__device__ __forceinline__ void load(const T* from, std::uint32_t at, std::uint32_t n, pack<T, Vector>& to) {
  if (at + Vector <= n) {
    to = *reinterpret_cast<const pack<T, Vector>*>(from);
  } else {
#pragma unroll
    for (int k = 0; k < Vector; ++k)
      if (at + k < n) to.values[k] = from[k];
  }
}
template<class T, int Vector>
__device__ __forceinline__ void store(T* to, std::uint32_t at, std::uint32_t n, const pack<T, Vector>& from) {
  if (at + Vector <= n) {
    *reinterpret_cast<pack<T, Vector>*>(to) = from;
  } else {
#pragma unroll
    for (int k = 0; k < Vector; ++k)
      if (at + k < n) to[k] = from.values[k];
  }
}

/// Vector is the number of elements of one access: 16 bytes' worth if all rows are aligned, else 1.
template<class T, int Vector>
__global__ void __launch_bounds__(transpose_threads(sizeof(T)))
    transpose_kernel(const __grid_constant__ transpose_params p) {
  wait_for_prior_grids();
  constexpr int side_i = transpose_tile_i(sizeof(T)), side_j = transpose_tile_j(sizeof(T));
  using input = coverage<T, Vector, side_j, side_i>;
  using output = coverage<T, Vector, side_i, side_j>;
  // One column more than the tile spreads the elements of a column over the banks.
  __shared__ T tile[side_i][side_j + 1];

  std::uint32_t tile_j = blockIdx.x;
  std::uint32_t tile_i = p.tiles_j.split(tile_j);
  std::uint32_t batch = p.tiles_i.split(tile_i);
  const char* in = p.in;
  char* out = p.out;
  for (int d = p.batch_ndim - 1; d >= 0; --d) {
    std::uint32_t index = batch;
    batch = p.batch_shape[d].split(index);
    in += index * p.in_batch[d];
    out += index * p.out_batch[d];
  }

  const std::uint32_t first_i = tile_i * side_i, first_j = tile_j * side_j;
  using access_type = pack<T, Vector>;

  // Rows of the input: fixed j, contiguous along i.
  access_type loaded[input::steps];
#pragma unroll
  for (int s = 0; s < input::steps; ++s) {
    const std::uint32_t j = first_j + input::row(s), i = first_i + input::column();
    const T* from = reinterpret_cast<const T*>(in + j * p.in_row) + i;
    if (input::row(s) >= side_j || j >= p.n_j) continue;
    load(from, i, p.n_i, loaded[s]);
  }
#pragma unroll
  for (int s = 0; s < input::steps; ++s)
#pragma unroll
    for (int k = 0; k < Vector; ++k)
      if (input::row(s) < side_j) tile[input::column() + k][input::row(s)] = loaded[s].values[k];
  __syncthreads();

  // Rows of the output: fixed i, contiguous along j.
#pragma unroll
  for (int s = 0; s < output::steps; ++s) {
    const std::uint32_t i = first_i + output::row(s), j = first_j + output::column();
    if (output::row(s) >= side_i || i >= p.n_i) continue;
    access_type values;
#pragma unroll
    for (int k = 0; k < Vector; ++k) values.values[k] = tile[output::row(s)][output::column() + k];
    T* to = reinterpret_cast<T*>(out + i * p.out_row) + j;
    store(to, j, p.n_j, values);
  }
}

template<std::size_t Size>
const void* kernel_of(bool vectors) {
  using T = typename bits_of<Size>::type;
  return vectors ? reinterpret_cast<const void*>(&transpose_kernel<T, 16 / Size>)
                 : reinterpret_cast<const void*>(&transpose_kernel<T, 1>);
}

}  // namespace

const void* find_transpose_kernel(std::size_t size, bool vectors) {
  switch (size) {
    case 1:
      return kernel_of<1>(vectors);
    case 2:
      return kernel_of<2>(vectors);
    case 4:
      return kernel_of<4>(vectors);
    case 8:
      return kernel_of<8>(vectors);
    default:
      return kernel_of<16>(vectors);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
