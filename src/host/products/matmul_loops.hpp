// Matrix products without BLAS: integers wrap, bool is or-and, halves are multiplied as float32 and rounded
// once.
#pragma once
#include <algorithm>

#include <host/products/matmul_blas.hpp>
#include <host/support/clones.hpp>
#include <host/support/scratch.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// A view as a dense C-ordered matrix of another type.
template<class To, class From>
void pack_as(To* to, const matrix_view& from, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r) {
    const char* x = from.data + r * from.row_stride;
    for (std::int64_t c = 0; c < columns; ++c, x += from.column_stride)
      to[r * columns + c] = static_cast<To>(*reinterpret_cast<const From*>(x));
  }
}

/// c[0..n) += a * b[0..n)
template<class T>
GPARRAY_CLONES void add_multiple(T* c, T a, const T* b, std::int64_t n) {
#pragma omp simd
  for (std::int64_t j = 0; j < n; ++j) c[j] = kernel::add(c[j], kernel::multiply(a, b[j]));
}

template<class T>
void loop_product(const product& p) {
  // Four pieces of this length, one of c and the others of b, share the first-level cache.
  constexpr std::int64_t columns = 4096 / sizeof(T), depth = 128;
  const T* b = reinterpret_cast<const T*>(p.b.data);
  std::int64_t b_row = p.b.row_stride / static_cast<std::int64_t>(sizeof(T));
  const bool rows_contiguous = p.n == 1 || p.b.column_stride == static_cast<std::int64_t>(sizeof(T));
  if (!rows_contiguous) {
    struct purpose;
    T* const packed =
        reinterpret_cast<T*>(thread_scratch<purpose>(static_cast<std::size_t>(p.k * p.n) * sizeof(T)));
    pack_as<T, T>(packed, p.b, p.k, p.n);
    b = packed;
    b_row = p.n;
  }
  T* const c = reinterpret_cast<T*>(p.c);
  parallel_for(p.m, 1 + serial_elements / std::max<std::int64_t>(1, p.n * p.k),
               [&](std::int64_t begin, std::int64_t end) {
                 std::fill(c + begin * p.n, c + end * p.n, T(0));
                 for (std::int64_t j = 0; j < p.n; j += columns)
                   for (std::int64_t l = 0; l < p.k; l += depth)
                     for (std::int64_t i = begin; i < end; ++i) {
                       const char* a = p.a.data + i * p.a.row_stride + l * p.a.column_stride;
                       for (std::int64_t q = l; q < std::min(p.k, l + depth); ++q, a += p.a.column_stride)
                         add_multiple(c + i * p.n + j, *reinterpret_cast<const T*>(a), b + q * b_row + j,
                                      std::min(columns, p.n - j));
                     }
               });
}

template<class Half>
void half_product(const product& p) {
  struct purpose;
  const std::int64_t a_size = p.m * p.k, b_size = p.k * p.n, c_size = p.m * p.n;
  auto* const a = reinterpret_cast<float*>(
      thread_scratch<purpose>(static_cast<std::size_t>(a_size + b_size + c_size) * sizeof(float)));
  float *const b = a + a_size, *const c = b + b_size;
  pack_as<float, Half>(a, p.a, p.m, p.k);
  pack_as<float, Half>(b, p.b, p.k, p.n);
  const auto size = static_cast<std::int64_t>(sizeof(float));
  blas_product<float>({p.m,
                       p.n,
                       p.k,
                       {reinterpret_cast<const char*>(a), p.k * size, size},
                       {reinterpret_cast<const char*>(b), p.n * size, size},
                       reinterpret_cast<char*>(c)});
  Half* const out = reinterpret_cast<Half*>(p.c);
  for (std::int64_t i = 0; i < c_size; ++i) out[i] = Half(c[i]);
}

}  // namespace host
GPARRAY_END_NAMESPACE
