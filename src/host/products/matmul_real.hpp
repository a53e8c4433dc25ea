// Products of large real matrices, shared between threads in a way that no bit depends on.
#pragma once
#include <host/products/matmul_blas.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// The inner loop of a product on packed operands, for one processor level.
template<class T>
struct matmul_kernel {
  /// Columns of a vector; a panel of b has 1 to 3 vectors of columns, a panel of a has `rows` rows.
  std::int64_t width, rows;
  /// c (row stride ldc elements) = or += a panel of a (depth x rows) times a panel of b (depth x vectors *
  /// width).
  void (*multiply[3])(std::int64_t depth, const T* a, const T* b, T* c, std::int64_t ldc, bool add);
};

/// Null if the processor has no fused multiply-add.
template<class T>
const matmul_kernel<T>* find_matmul_kernel();

/// T is float or double; views of any strides. Sums over k run in order, in blocks of a fixed length, one
/// fused multiply-add after the other, whatever the number of threads and the processor's vectors. False, and
/// nothing done, without a kernel.
template<class T>
bool real_product(const product& p);

}  // namespace host
GPARRAY_END_NAMESPACE
