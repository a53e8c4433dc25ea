// Factorisations of one matrix in column-major order, on all threads. The pieces that threads take have fixed
// sizes, so results do not depend on their number.
#pragma once
#include <algorithm>

#include <host/support/lapack.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Columns that one thread updates at a time.
inline constexpr std::int64_t piece_of_columns = 64;

/// A column-major matrix: element (i, j) is data[i + j * leading].
template<class T>
struct column_matrix {
  T* data;
  int rows, columns, leading;

  T* at(int row, int column) const { return data + row + std::int64_t{leading} * column; }
  column_matrix part(int row, int column, int n_rows, int n_columns) const {
    return {at(row, column), n_rows, n_columns, leading};
  }
};

/// body(first, count) for fixed pieces of columns, or of rows.
template<class Body>
void each_piece(int count, Body body) {
  const std::int64_t pieces = (count + piece_of_columns - 1) / piece_of_columns;
  parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const int first = static_cast<int>(i * piece_of_columns);
      body(first, std::min(static_cast<int>(piece_of_columns), count - first));
    }
  });
}

// The functions return LAPACK's info. T is float, double or a complex of them: those of LAPACK.
#define GPARRAY_FOR_LAPACK_ELEMENTS(instance) \
  instance(float);                            \
  instance(double);                           \
  instance(std::complex<float>);              \
  instance(std::complex<double>)

template<class T>
int factor_lu(const column_matrix<T>& a, int* pivots);
/// Exchanges the rows of b as LU factorisation did, in its order or back.
template<class T>
void exchange_rows(const column_matrix<T>& b, const int* pivots, int count, bool forward);
/// LAPACK reduces matrices of so few columns one by one, and need not be asked for the size of its blocks.
inline constexpr int unblocked = 32;
template<class T>
int factor_cholesky(const column_matrix<T>& a);
/// Of what factor_lu() left: the determinant, or its sign and the logarithm of its magnitude.
template<class T>
T determinant(const column_matrix<T>& lu, const int* pivots, real_of<T>* logarithm);
/// exp(a); a is destroyed.
template<class T>
void exponential(const column_matrix<T>& a, T* result);
/// LAPACK's gelsd: b, of max(a.rows, a.columns) rows, becomes the solution of the smallest norm and, below
/// it, what is left over. a is destroyed.
template<class T>
int solve_least_squares(const column_matrix<T>& a, const column_matrix<T>& b, real_of<T> rcond, real_of<T>* s,
                        int& rank);
/// b = op(triangle of a)^-1 b.
template<class T>
void solve_triangle(const column_matrix<T>& a, flag triangle, flag op, flag diagonal,
                    const column_matrix<T>& b);
/// LAPACK's geqrf.
template<class T>
void factor_qr(const column_matrix<T>& a, T* tau);
/// c = H(1) H(2) ... H(k) c for the k = v.columns Householder vectors in v, as factor_qr leaves them.
template<class T>
void apply_reflectors(const column_matrix<T>& v, const T* tau, const column_matrix<T>& c);
/// c = c H(k)^H ... H(2)^H H(1)^H for the k = v.rows Householder vectors in the rows of v, as LAPACK's gebrd
/// leaves them.
template<class T>
void apply_row_reflectors(const column_matrix<T>& v, const T* tau, const column_matrix<T>& c);
/// q becomes the first columns of H(1) H(2) ... H(k). q.columns >= v.columns; q is not v.
template<class T>
void form_q(const column_matrix<T>& v, const T* tau, const column_matrix<T>& q);
/// Eigenvalues of the lower triangle of a; a becomes the eigenvectors if wanted, else it is destroyed.
template<class T>
int solve_hermitian(const column_matrix<T>& a, bool vectors, real_of<T>* values);
/// a.rows >= a.columns. u has a.columns columns, or a.rows if full; vh is square. Null u: values alone. a is
/// destroyed.
template<class T>
int decompose_singular(const column_matrix<T>& a, bool full, real_of<T>* s, T* u, T* vh);
/// LAPACK's geev, with complex eigenvalues for every T; null vectors: values alone.
template<class T>
int solve_general(const column_matrix<T>& a, std::complex<real_of<T>>* values, T* vectors);

}  // namespace host
GPARRAY_END_NAMESPACE
