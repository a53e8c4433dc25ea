// Eigenvalues of small Hermitian matrices: what the kernel is given.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>
#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int largest_small_eigh = 32;

/// Matrices in column-major order, one after the other, of which the lower triangles are read; one block for
/// each.
struct small_eigh_params {
  void* matrices;  // become the eigenvectors, if they are wanted
  void* values;    // real, ascending, n for each matrix
  std::int32_t* info;
  std::int32_t n;
  bool vectors;
};

inline constexpr int small_eigh_threads(std::int64_t n) { return n <= 8 ? 32 : n <= 16 ? 64 : 128; }

const void* find_small_eigh_kernel(dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
