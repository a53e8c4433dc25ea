// What a backend has of libraries of linear algebra: products that are more than the backend's own, and
// factorisations. Matrices are in memory that the core owns.
#pragma once
#include <gparray/error.hpp>
#include <plan/backend.hpp>
#include <plan/small_task.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// `count` matrices in column-major order, one after the other, without gaps; no size is 0.
struct matrix_stack {
  void* data;
  std::int64_t rows, columns, count;
};

struct epilogue;

enum class transposition : char { none = 'N', transpose = 'T', adjoint = 'C' };

/// A triangle of a square matrix, and what is done with it.
struct triangle_use {
  bool lower;
  transposition op = transposition::none;
  bool unit_diagonal = false;
};

/// Which singular vectors: none, as many of either side as there are values, all.
enum class singular_vectors : unsigned char { none, thin, full };

/// body(T{}) for the type of a factorisation's elements, complex ones as the caller's library spells them.
/// Throws type_error.
template<class Complex64, class Complex128, class Body>
void with_factorised(dtype type, Body body) {
  switch (type) {
    case dtype::float32:
      return body(float{});
    case dtype::float64:
      return body(double{});
    case dtype::complex64:
      return body(Complex64{});
    case dtype::complex128:
      return body(Complex128{});
    default:
      throw type_error("factorisations need float32, float64 or a complex dtype of them");
  }
}

/// Every dtype of a factorisation is float32, float64, complex64 or complex128. Work is enqueued on q; inputs
/// are overwritten where a comment says so. `info` has one int32 for each matrix, 0 for success, in memory of
/// the same kind as the matrices. Every call may throw cuda_error, library_error or out_of_memory.
class linalg_engine {
 public:
  virtual ~linalg_engine() = default;

  /// The most rows of matrices that run_small() takes; 0: it is not there.
  virtual std::int64_t largest_small(dtype /*type*/) const { return 0; }
  /// In one step, which leaves the operands as they are. n and count are not 0.
  virtual void run_small(const small_task& /*task*/, queue /*q*/) {}

  /// a becomes L (unit diagonal) and U. Row i was exchanged with row pivots[i] - 1, in this order; there are
  /// min(rows, columns) pivots for each matrix. info > 0: that element of U's diagonal is exactly 0.
  virtual void lu(dtype type, const matrix_stack& a, std::int32_t* pivots, std::int32_t* info, queue q) = 0;
  /// b becomes the solution x of op(a) x = b, a as lu() left it.
  virtual void lu_solve(dtype type, const matrix_stack& lu, const std::int32_t* pivots, transposition op,
                        const matrix_stack& b, queue q) = 0;
  /// Determinants of matrices as lu() left them; if `logarithms` is not null, their signs (numbers of
  /// magnitude 1, or 0) and the logarithms of their magnitudes. False: there is no routine, and nothing was
  /// done.
  virtual bool determinants(dtype /*type*/, const matrix_stack& /*lu*/, const std::int32_t* /*pivots*/,
                            void* /*out*/, void* /*logarithms*/) {
    return false;
  }
  /// x of the smallest norm of all that make the norm of a x - b smallest; singular values up to rcond times
  /// the largest count as 0. One matrix each; b has max(a.rows, a.columns) rows and becomes x, and below it,
  /// if a.rows > a.columns, numbers with the norm of what is left over. info != 0: did not converge; a is
  /// destroyed. False: there is no routine, and nothing was done.
  virtual bool least_squares(dtype /*type*/, const matrix_stack& /*a*/, const matrix_stack& /*b*/,
                             double /*rcond*/, void* /*s*/, std::int32_t& /*rank*/, std::int32_t* /*info*/) {
    return false;
  }
  /// A product with other results than the backend's (epilogue.hpp). False: there is no routine, and nothing
  /// was done.
  virtual bool matmul(const matmul_plan& /*plan*/, const epilogue& /*after*/, queue /*q*/) { return false; }
  /// out = exp(a), in column-major order too; a, of few rows, is destroyed. False: there is no routine, and
  /// nothing was done.
  virtual bool exponential(dtype /*type*/, const matrix_stack& /*a*/, void* /*out*/) { return false; }
  /// The lower triangle of a, the only part read, becomes L with L L^H = a. info > 0: not positive definite.
  virtual void cholesky(dtype type, const matrix_stack& a, std::int32_t* info, queue q) = 0;
  /// Whether cholesky() makes the upper triangle 0.
  virtual bool cholesky_clears() const { return false; }
  /// b becomes the solution x of op(triangle of a) x = b.
  virtual void triangular_solve(dtype type, const matrix_stack& a, triangle_use use, const matrix_stack& b,
                                queue q) = 0;
  /// a becomes R on and above the diagonal, and below it the Householder vectors of Q, LAPACK's geqrf;
  /// min(rows, columns) elements of tau for each matrix.
  virtual void qr(dtype type, const matrix_stack& a, void* tau, queue q) = 0;
  /// The first `reflectors` columns of q are as qr() left them, `reflectors` elements of tau for each matrix;
  /// q becomes the first columns of Q. q.columns <= q.rows.
  virtual void form_q(dtype type, const matrix_stack& q, std::int64_t reflectors, const void* tau,
                      queue where) = 0;
  /// Eigenvalues, ascending, of the Hermitian matrices of which a holds the lower triangle; a becomes the
  /// eigenvectors, or is destroyed. info != 0: did not converge.
  virtual void eigh(dtype type, const matrix_stack& a, bool vectors, void* values, std::int32_t* info,
                    queue q) = 0;
  /// The dtype in which svd() of one matrix of this one is best computed.
  virtual dtype svd_type(dtype type, int /*device*/) const { return type; }
  /// a = u diag(s) vh, s descending; a, of rows >= columns, is destroyed. u has its first a.columns columns,
  /// or all. info != 0: did not converge.
  virtual void svd(dtype type, const matrix_stack& a, singular_vectors which, void* s, void* u, void* vh,
                   std::int32_t* info, queue q) = 0;
  /// Eigenvalues, complex, and right eigenvectors of norm 1 unless `vectors` is null; a is destroyed. Vectors
  /// have a's dtype: for real a, those of a pair of conjugate eigenvalues (the one with positive imaginary
  /// part first) are two columns, real and imaginary part of the first's. info != 0: did not converge.
  virtual void eig(dtype type, const matrix_stack& a, void* values, void* vectors, std::int32_t* info,
                   queue q) = 0;
};

}  // namespace core
GPARRAY_END_NAMESPACE
