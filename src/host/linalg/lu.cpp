// LU and Cholesky factorisations and triangular systems: panels by LAPACK, the rest of the matrix by pieces
// of columns.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <host/linalg/factor.hpp>
#include <kernel/determinant.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// Columns factorised before the others are updated; matrices up to twice this are left to LAPACK whole.
constexpr int block = 128;

/// c -= a b, b transposed and conjugated if `op` says so.
template<class T>
void subtract_product(const column_matrix<T>& a, const column_matrix<T>& b, flag op,
                      const column_matrix<T>& c) {
  const T minus_one(-1), one(1);
  lapack<T>().gemm("N", op, &c.rows, &c.columns, &a.columns, &minus_one, a.data, &a.leading, b.data,
                   &b.leading, &one, c.data, &c.leading, 1, 1);
}

template<class T>
void solve_one_triangle(flag side, flag triangle, flag op, flag diagonal, const T* a, int lda,
                        const column_matrix<T>& b) {
  const T one(1);
  lapack<T>().trsm(side, triangle, op, diagonal, &b.rows, &b.columns, &one, a, &lda, b.data, &b.leading, 1, 1,
                   1, 1);
}

/// Matrices this small are factorised and systems solved here: OpenBLAS takes longer to begin.
constexpr int small = 8;

/// LAPACK's getf2.
template<class T>
int factor_small(const column_matrix<T>& a, int* pivots) {
  const auto magnitude = [](T x) { return std::abs(std::real(x)) + std::abs(std::imag(x)); };
  int info = 0;
  for (int k = 0; k < std::min(a.rows, a.columns); ++k) {
    T* const own = a.at(0, k);
    int largest = k;
    for (int i = k + 1; i < a.rows; ++i)
      if (magnitude(own[i]) > magnitude(own[largest])) largest = i;
    pivots[k] = largest + 1;
    if (own[largest] == T(0)) {
      if (info == 0) info = k + 1;
      continue;
    }
    if (largest != k)
      for (int j = 0; j < a.columns; ++j) std::swap(*a.at(k, j), *a.at(largest, j));
    for (int i = k + 1; i < a.rows; ++i) own[i] /= own[k];
    for (int j = k + 1; j < a.columns; ++j) {
      T* const x = a.at(0, j);
      for (int i = k + 1; i < a.rows; ++i) x[i] -= x[k] * own[i];
    }
  }
  return info;
}

template<class T>
void substitute(const column_matrix<T>& a, bool lower, bool unit, const column_matrix<T>& b) {
  const int n = b.rows;
  for (int column = 0; column < b.columns; ++column) {
    T* const x = b.at(0, column);
    for (int k = 0; k < n; ++k) {
      const int j = lower ? k : n - 1 - k;
      const T* const factors = a.at(0, j);
      if (!unit) x[j] /= factors[j];
      const T solved = x[j];
      for (int i = lower ? j + 1 : 0; i < (lower ? n : j); ++i) x[i] -= solved * factors[i];
    }
  }
}

}  // namespace

template<class T>
int factor_lu(const column_matrix<T>& a, int* pivots) {
  const int n_pivots = std::min(a.rows, a.columns);
  if (std::max(a.rows, a.columns) <= small) return factor_small(a, pivots);
  int info = 0;
  if (n_pivots <= 2 * block) {
    lapack<T>().getrf(&a.rows, &a.columns, a.data, &a.leading, pivots, &info);
    return info;
  }
  for (int j = 0; j < n_pivots; j += block) {
    const int width = std::min(block, n_pivots - j), below = a.rows - j, next = j + width;
    int panel_info = 0;
    lapack<T>().getrf(&below, &width, a.at(j, j), &a.leading, pivots + j, &panel_info);
    if (panel_info != 0 && info == 0) info = panel_info + j;
    for (int i = j; i < next; ++i) pivots[i] += j;
    each_piece(a.columns - width, [&](int first, int columns) {
      // Pieces number the columns outside the panel; one that contains it is two.
      const auto update = [&](int begin, int end) {
        if (begin >= end) return;
        const int n = end - begin, from = j + 1, step = 1;
        lapack<T>().laswp(&n, a.at(0, begin), &a.leading, &from, &next, pivots, &step);
        if (begin < j) return;
        const column_matrix<T> right = a.part(j, begin, width, n);
        solve_one_triangle("L", "L", "N", "U", a.at(j, j), a.leading, right);
        if (next < a.rows)
          subtract_product(a.part(next, j, a.rows - next, width), right, "N",
                           a.part(next, begin, a.rows - next, n));
      };
      update(first, std::min(first + columns, j));
      update(std::max(first, j) + width, first + columns + width);
    });
  }
  return info;
}

template<class T>
void exchange_rows(const column_matrix<T>& b, const int* pivots, int count, bool forward) {
  if (count <= small && b.columns <= small) {
    for (int k = 0; k < count; ++k) {
      const int row = forward ? k : count - 1 - k, other = pivots[row] - 1;
      if (other == row) continue;
      for (int j = 0; j < b.columns; ++j) std::swap(*b.at(row, j), *b.at(other, j));
    }
    return;
  }
  const int first = 1, step = forward ? 1 : -1;
  lapack<T>().laswp(&b.columns, b.data, &b.leading, &first, &count, pivots, &step);
}

namespace {

/// What follows from a NaN on the diagonal is NaN: some releases of OpenBLAS scale float32 columns by NaN to
/// 0.
template<class T>
void propagate_nan(const column_matrix<T>& l) {
  int first = 0;
  while (first < l.columns && !std::isnan(std::real(*l.at(first, first)))) ++first;
  for (int j = first; j < l.columns; ++j)
    std::fill(l.at(j, j), l.at(0, j) + l.rows, T(std::numeric_limits<real_of<T>>::quiet_NaN()));
}

}  // namespace

template<class T>
int factor_cholesky(const column_matrix<T>& a) {
  const int n = a.columns;
  for (int j = 0; j < n; j += block) {
    // Small matrices are one block.
    const int width = n <= 2 * block ? n : std::min(block, n - j), next = j + width;
    int info = 0;
    lapack<T>().potrf("L", &width, a.at(j, j), &a.leading, &info, 1);
    if (info != 0) return info + j;
    if (next == n) break;
    // Rows of the panel are independent of each other: pieces of rows, then pieces of columns.
    each_piece(n - next, [&](int first, int rows) {
      solve_one_triangle("R", "L", adjoint<T>, "N", a.at(j, j), a.leading,
                         a.part(next + first, j, rows, width));
    });
    each_piece(n - next, [&](int first, int columns) {
      const int row = next + first;
      subtract_product(a.part(row, j, n - row, width), a.part(row, j, columns, width), adjoint<T>,
                       a.part(row, row, n - row, columns));
    });
  }
  propagate_nan(a);
  return 0;
}

template<class T>
T determinant(const column_matrix<T>& lu, const int* pivots, real_of<T>* logarithm) {
  using R = real_of<T>;
  using element = std::conditional_t<is_complex_type<T>, kernel::complex<R>, R>;
  kernel::diagonal_product<element> diagonal;
  for (int k = 0; k < lu.columns; ++k)
    diagonal.take(std::bit_cast<element>(*lu.at(k, k)), pivots[k] != k + 1);
  if (!logarithm) return std::bit_cast<T>(diagonal.determinant());
  *logarithm = diagonal.logarithm();
  return std::bit_cast<T>(diagonal.sign);
}

template<class T>
void solve_triangle(const column_matrix<T>& a, flag triangle, flag op, flag diagonal,
                    const column_matrix<T>& b) {
  if (b.rows <= small && b.columns <= small && *op == 'N')
    return substitute(a, *triangle == 'L', *diagonal == 'U', b);
  each_piece(b.columns, [&](int first, int columns) {
    solve_one_triangle("L", triangle, op, diagonal, a.data, a.leading, b.part(0, first, b.rows, columns));
  });
}

#define GPARRAY_INSTANTIATE(T)                                                    \
  template int factor_lu<T>(const column_matrix<T>&, int*);                       \
  template void exchange_rows<T>(const column_matrix<T>&, const int*, int, bool); \
  template int factor_cholesky<T>(const column_matrix<T>&);                       \
  template T determinant<T>(const column_matrix<T>&, const int*, real_of<T>*);    \
  template void solve_triangle<T>(const column_matrix<T>&, flag, flag, flag, const column_matrix<T>&)
GPARRAY_FOR_LAPACK_ELEMENTS(GPARRAY_INSTANTIATE);
#undef GPARRAY_INSTANTIATE

}  // namespace host
GPARRAY_END_NAMESPACE
