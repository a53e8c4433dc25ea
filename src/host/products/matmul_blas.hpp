// Matrix products by OpenBLAS.
#pragma once
#include <cstdint>

#include <kernel/complex.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Strides in bytes, of any sign.
struct matrix_view {
  const char* data = nullptr;
  std::int64_t row_stride = 0, column_stride = 0;
};

/// c (m x n, C order) = a (m x k) times b (k x n).
struct product {
  std::int64_t m, n, k;
  matrix_view a, b;
  char* c;
};

/// T is float, double or a complex of them. Views that BLAS cannot read are copied first.
template<class T>
void blas_product(const product& p);

}  // namespace host
GPARRAY_END_NAMESPACE
