#include <algorithm>
#include <climits>
#include <cstring>
#include <utility>

#include <host/map/strided_tiles.hpp>
#include <host/products/matmul_blas.hpp>
#include <host/products/matmul_real.hpp>
#include <host/support/lapack.hpp>
#include <host/support/scratch.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using complex64 = kernel::complex<float>;
using complex128 = kernel::complex<double>;

template<class T>
struct lapack_element {
  using type = T;
};
template<class R>
struct lapack_element<kernel::complex<R>> {
  using type = std::complex<R>;
};
template<class T>
using lapack_element_t = typename lapack_element<T>::type;

/// A matrix as BLAS wants it: row-major, or the transpose of one that is.
template<class T>
struct blas_matrix {
  const lapack_element_t<T>* elements() const { return reinterpret_cast<const lapack_element_t<T>*>(data); }
  /// What BLAS, whose matrices are column-major, makes of it: its transpose, or that of its transpose.
  flag transposed() const { return plain ? "N" : "T"; }

  const T* data;
  bool plain;
  int leading;
};

/// c (m x n, row-major) = a b: as BLAS sees it c^T = b^T a^T.
template<class T>
void gemm(int m, int n, int k, const blas_matrix<T>& a, const blas_matrix<T>& b, T* c, int leading) {
  using E = lapack_element_t<T>;
  const E one(1), zero(0);
  lapack<E>().gemm(b.transposed(), a.transposed(), &n, &m, &k, &one, b.elements(), &b.leading, a.elements(),
                   &a.leading, &zero, reinterpret_cast<E*>(c), &leading, 1, 1);
}

/// y (rows) = a (rows x columns) x.
template<class T>
void gemv(int rows, int columns, const blas_matrix<T>& a, const T* x, int x_step, T* y) {
  using E = lapack_element_t<T>;
  const E one(1), zero(0);
  const int step = 1;
  lapack<E>().gemv(a.plain ? "T" : "N", a.plain ? &columns : &rows, a.plain ? &rows : &columns, &one,
                   a.elements(), &a.leading, reinterpret_cast<const E*>(x), &x_step, &zero,
                   reinterpret_cast<E*>(y), &step, 1);
}

template<class T>
bool readable(const matrix_view& v, std::int64_t rows, std::int64_t columns, blas_matrix<T>& result) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  if (reinterpret_cast<std::uintptr_t>(v.data) % alignof(T) != 0) return false;
  const auto fits = [&](std::int64_t near, std::int64_t far, std::int64_t near_count,
                        std::int64_t far_count) {
    if (near_count > 1 && near != size) return false;
    if (far_count > 1 && (far % size != 0 || far < near_count * size || far / size > INT_MAX)) return false;
    result.leading = static_cast<int>(far_count > 1 ? far / size : near_count);
    return true;
  };
  result.data = reinterpret_cast<const T*>(v.data);
  result.plain = true;
  if (fits(v.column_stride, v.row_stride, columns, rows)) return true;
  result.plain = false;
  return fits(v.row_stride, v.column_stride, rows, columns);
}

template<class T, class Purpose>
blas_matrix<T> prepare(const matrix_view& v, std::int64_t rows, std::int64_t columns) {
  blas_matrix<T> result;
  if (readable(v, rows, columns, result)) return result;
  char* const packed = thread_scratch<Purpose>(static_cast<std::size_t>(rows * columns) * sizeof(T));
  const auto size = static_cast<std::int64_t>(sizeof(T));
  copy_2d(packed, columns * size, size, v.data, {rows, columns, v.row_stride, v.column_stride}, sizeof(T));
  return {reinterpret_cast<const T*>(packed), true, static_cast<int>(columns)};
}

// Rows of a matrix-vector product that one thread takes; fixed, so that the number of threads does not change
// the bits.
constexpr std::int64_t band = 256;
// Pieces of a product: large enough that packing both operands for each costs little.
constexpr std::int64_t piece_rows = 512, piece_columns = 1024;
// Multiplications below which waking a thread does not pay.
constexpr std::int64_t small_work = std::int64_t{1} << 18;

// Multiplications from which on packing for our own kernels costs little.
constexpr std::int64_t own_work = std::int64_t{1} << 21;

/// y (rows) = a (rows x columns) x.
template<class T>
void matrix_vector(const matrix_view& a, std::int64_t rows, std::int64_t columns, const matrix_view& x,
                   T* y) {
  const auto x_vector = [&]() -> std::pair<const T*, int> {
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    const std::int64_t step = x.row_stride;
    if (columns == 1 && reinterpret_cast<std::uintptr_t>(x.data) % alignof(T) == 0)
      return {reinterpret_cast<const T*>(x.data), 1};
    blas_matrix<T> as_matrix;
    if (step > 0 && step % size == 0 && step / size <= INT_MAX &&
        readable<T>({x.data, step, size}, columns, 1, as_matrix))
      return {as_matrix.data, static_cast<int>(step / size)};
    struct purpose;
    char* const packed = thread_scratch<purpose>(static_cast<std::size_t>(columns) * sizeof(T));
    gather(packed, x.data, {1, columns, 0, step}, sizeof(T));
    return {reinterpret_cast<const T*>(packed), 1};
  }();
  parallel_for((rows + band - 1) / band, 1 + serial_elements / (band * columns),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   const std::int64_t first = i * band, count = std::min(band, rows - first);
                   struct purpose;
                   const auto m = prepare<T, purpose>(
                       {a.data + first * a.row_stride, a.row_stride, a.column_stride}, count, columns);
                   gemv(static_cast<int>(count), static_cast<int>(columns), m, x_vector.first,
                        x_vector.second, y + first);
                 }
               });
}

// Products of so many multiplications, with results of so few columns, are computed here: BLAS takes longer
// to begin.
constexpr std::int64_t tiny_work = 64, tiny_columns = 4;

template<class T>
bool is_aligned(const matrix_view& v) {
  return (reinterpret_cast<std::uintptr_t>(v.data) | static_cast<std::uintptr_t>(v.row_stride) |
          static_cast<std::uintptr_t>(v.column_stride)) %
             alignof(T) ==
         0;
}

/// c has N columns.
template<std::int64_t N, class T>
void tiny_product(const product& p, T* c) {
  for (std::int64_t i = 0; i < p.m; ++i, c += N) {
    T sums[N]{};
    for (std::int64_t l = 0; l < p.k; ++l) {
      const T x = *reinterpret_cast<const T*>(p.a.data + i * p.a.row_stride + l * p.a.column_stride);
      const char* const row = p.b.data + l * p.b.row_stride;
      for (std::int64_t j = 0; j < N; ++j)
        sums[j] = kernel::add(sums[j],
                              kernel::multiply(x, *reinterpret_cast<const T*>(row + j * p.b.column_stride)));
    }
    std::copy_n(sums, N, c);
  }
}

}  // namespace

template<class T>
void blas_product(const product& p) {
  T* const c = reinterpret_cast<T*>(p.c);
  if (p.k == 0) {
    std::memset(c, 0, static_cast<std::size_t>(p.m * p.n) * sizeof(T));
    return;
  }
  if (p.n <= tiny_columns && p.m * p.n * p.k <= tiny_work && is_aligned<T>(p.a) && is_aligned<T>(p.b)) {
    if (p.n == 1) return tiny_product<1>(p, c);
    if (p.n == 2) return tiny_product<2>(p, c);
    if (p.n == 3) return tiny_product<3>(p, c);
    return tiny_product<4>(p, c);
  }
  if (p.n == 1) return matrix_vector<T>(p.a, p.m, p.k, p.b, c);
  if (p.m == 1)
    return matrix_vector<T>({p.b.data, p.b.column_stride, p.b.row_stride}, p.n, p.k,
                            {p.a.data, p.a.column_stride, p.a.row_stride}, c);
  if constexpr (kernel::is_real<T>) {
    if (p.m * p.n * p.k > own_work && real_product<T>(p)) return;
  }
  struct a_purpose;
  struct b_purpose;
  const auto a = prepare<T, a_purpose>(p.a, p.m, p.k);
  const auto b = prepare<T, b_purpose>(p.b, p.k, p.n);
  const std::int64_t down = (p.m + piece_rows - 1) / piece_rows,
                     across = (p.n + piece_columns - 1) / piece_columns;
  const std::int64_t piece_work = std::min(p.m, piece_rows) * std::min(p.n, piece_columns) * p.k;
  parallel_for(down * across, 1 + small_work / piece_work, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t piece = begin; piece < end; ++piece) {
      const std::int64_t row = piece / across * piece_rows, column = piece % across * piece_columns;
      const std::int64_t rows = std::min(piece_rows, p.m - row),
                         columns = std::min(piece_columns, p.n - column);
      gemm(static_cast<int>(rows), static_cast<int>(columns), static_cast<int>(p.k),
           {a.data + row * (a.plain ? a.leading : 1), a.plain, a.leading},
           {b.data + column * (b.plain ? 1 : b.leading), b.plain, b.leading}, c + row * p.n + column,
           static_cast<int>(p.n));
    }
  });
}

template void blas_product<float>(const product&);
template void blas_product<double>(const product&);
template void blas_product<complex64>(const product&);
template void blas_product<complex128>(const product&);

}  // namespace host
GPARRAY_END_NAMESPACE
