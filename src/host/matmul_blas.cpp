#include <host/blas_threads.hpp>
#include <host/gather.hpp>
#include <host/matmul_blas.hpp>
#include <host/matmul_real.hpp>
#include <host/scratch.hpp>
#include <host/thread_pool.hpp>

#include <cblas.h>

#include <climits>
#include <cstring>
#include <utility>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using complex64 = kernel::complex<float>;
using complex128 = kernel::complex<double>;

template<class T>
T unit();
template<>
float unit() {
  return 1;
}
template<>
double unit() {
  return 1;
}
template<>
complex64 unit() {
  return {1, 0};
}
template<>
complex128 unit() {
  return {1, 0};
}

#define GPARRAY_BLAS(T, letter, SCALAR)                                                                      \
  void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const T* a, int lda, const T* b,    \
            int ldb, T* c, int ldc) {                                                                        \
    const T one = unit<T>(), zero{};                                                                         \
    cblas_##letter##gemm(CblasRowMajor, ta, tb, m, n, k, SCALAR(one), a, lda, b, ldb, SCALAR(zero), c, ldc); \
  }                                                                                                          \
  void gemv(CBLAS_TRANSPOSE t, int rows, int columns, const T* a, int lda, const T* x, int x_step, T* y) {   \
    const T one = unit<T>(), zero{};                                                                         \
    cblas_##letter##gemv(CblasRowMajor, t, rows, columns, SCALAR(one), a, lda, x, x_step, SCALAR(zero), y,   \
                         1);                                                                                 \
  }
#define GPARRAY_BY_VALUE(x) x
#define GPARRAY_BY_ADDRESS(x) &x

GPARRAY_BLAS(float, s, GPARRAY_BY_VALUE)
GPARRAY_BLAS(double, d, GPARRAY_BY_VALUE)
GPARRAY_BLAS(complex64, c, GPARRAY_BY_ADDRESS)
GPARRAY_BLAS(complex128, z, GPARRAY_BY_ADDRESS)
#undef GPARRAY_BLAS
#undef GPARRAY_BY_VALUE
#undef GPARRAY_BY_ADDRESS

/// A matrix as BLAS wants it: row-major, or the transpose of one that is.
template<class T>
struct blas_matrix {
  const T* data;
  CBLAS_TRANSPOSE transpose;
  int leading;
};

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
  result.transpose = CblasNoTrans;
  if (fits(v.column_stride, v.row_stride, columns, rows)) return true;
  result.transpose = CblasTrans;
  return fits(v.row_stride, v.column_stride, rows, columns);
}

template<class T, class Purpose>
blas_matrix<T> prepare(const matrix_view& v, std::int64_t rows, std::int64_t columns) {
  blas_matrix<T> result;
  if (readable(v, rows, columns, result)) return result;
  char* const packed = thread_scratch<Purpose>(static_cast<std::size_t>(rows * columns) * sizeof(T));
  const auto size = static_cast<std::int64_t>(sizeof(T));
  copy_2d(packed, columns * size, size, v.data, {rows, columns, v.row_stride, v.column_stride}, sizeof(T));
  return {reinterpret_cast<const T*>(packed), CblasNoTrans, static_cast<int>(columns)};
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
  use_one_thread_each();
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
                   const bool plain = m.transpose == CblasNoTrans;
                   gemv(m.transpose, static_cast<int>(plain ? count : columns),
                        static_cast<int>(plain ? columns : count), m.data, m.leading, x_vector.first,
                        x_vector.second, y + first);
                 }
               });
}

}  // namespace

template<class T>
void blas_product(const product& p) {
  T* const c = reinterpret_cast<T*>(p.c);
  if (p.k == 0) {
    std::memset(c, 0, static_cast<std::size_t>(p.m * p.n) * sizeof(T));
    return;
  }
  if (p.n == 1) return matrix_vector<T>(p.a, p.m, p.k, p.b, c);
  if (p.m == 1)
    return matrix_vector<T>({p.b.data, p.b.column_stride, p.b.row_stride}, p.n, p.k,
                            {p.a.data, p.a.column_stride, p.a.row_stride}, c);
  if constexpr (kernel::is_real<T>) {
    if (p.m * p.n * p.k > own_work && real_product<T>(p)) return;
  }
  use_one_thread_each();
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
      gemm(a.transpose, b.transpose, static_cast<int>(rows), static_cast<int>(columns), static_cast<int>(p.k),
           a.data + row * (a.transpose == CblasNoTrans ? a.leading : 1), a.leading,
           b.data + column * (b.transpose == CblasNoTrans ? 1 : b.leading), b.leading, c + row * p.n + column,
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
