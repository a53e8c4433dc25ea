// The kernels of small QR factorisations, compiled for the CPU; for the fake CUDA runtime to run.
#pragma once
#include <gparray/dtype.hpp>

namespace emulated_qr {

/// The kernel that find_small_qr_kernel (factor) or find_small_q_kernel names for this dtype and rows of a
/// lane.
void run(gparray::dtype type, int rows, bool factor, const void* params, unsigned n_blocks,
         unsigned n_threads);

}  // namespace emulated_qr
