// Kernels of the CUDA backend as g++ compiles them, by the address that the backend launches.
#pragma once

namespace emulated {

struct launch {
  const void* params;
  unsigned blocks, threads;
  bool backwards;  // the order of blocks and of threads
};

using kernel = void (*)(const launch&);

struct reduce_kernels {
  kernel inner = nullptr, dense = nullptr, columns = nullptr;
};
struct scan_kernels {
  kernel tiles = nullptr, short_rows = nullptr, middle_rows = nullptr, columns = nullptr,
         column_tiles = nullptr;
};
struct map_kernels {
  kernel vector = nullptr, strided = nullptr;
};

/// Of a few reductions and element dtypes; arguments are the numbers of gparray::reduction and
/// gparray::dtype.
reduce_kernels reduce(int reduction, int dtype);
/// Cumulative sums.
scan_kernels cumulative_sum(int dtype);
/// Cumulative maxima of float32.
scan_kernels cumulative_maximum();
kernel transpose(int element_bytes, bool vectors);
/// Of float32.
map_kernels addition();
map_kernels copy();

}  // namespace emulated
