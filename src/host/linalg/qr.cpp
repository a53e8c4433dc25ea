// QR by blocks of Householder reflectors, I - V T V^H (Schreiber and Van Loan, "A storage-efficient WY
// representation", 1989). Panels are factorised recursively (Elmroth and Gustavson, 2000), which LAPACK has
// as geqrt3: its geqrf would work on them column by column, at the speed of memory.
#include <host/linalg/factor.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr int block = 64;
// Up to this many columns and rows, reflectors are applied one by one: blocks take longer to set up.
constexpr int small = 32, small_rows = 128;

/// Of few reflectors, narrow blocks: setting up wide ones takes as long as what they save.
int applied_at_once(int reflectors) { return reflectors <= 2 * block ? block / 2 : block; }

template<class T>
bool is_small(const column_matrix<T>& a) {
  return a.columns <= small && a.rows <= small_rows;
}

/// c = (I - V T V^H) c, or with T^H, by pieces of columns.
template<class T>
void apply_block(const column_matrix<T>& v, const T* t, flag op, const column_matrix<T>& c) {
  each_piece(c.columns, [&](int first, int columns) {
    const int leading_work = static_cast<int>(piece_of_columns), leading_t = block;
    const work_memory<T> work(piece_of_columns * block);
    lapack<T>().larfb("L", op, "F", "C", &c.rows, &columns, &v.columns, v.data, &v.leading, t, &leading_t,
                      c.at(0, first), &c.leading, work.data(), &leading_work, 1, 1, 1, 1);
  });
}

}  // namespace

template<class T>
void factor_qr(const column_matrix<T>& a, T* tau) {
  const int k = std::min(a.rows, a.columns), leading_t = block;
  if (is_small(a)) {
    T work[small];
    int info = 0;
    lapack<T>().geqr2(&a.rows, &a.columns, a.data, &a.leading, tau, work, &info);
    return;
  }
  const work_memory<T> t(block * block);
  for (int j = 0; j < k; j += block) {
    const int width = std::min(block, k - j), below = a.rows - j;
    int info = 0;
    lapack<T>().geqrt3(&below, &width, a.at(j, j), &a.leading, t.data(), &leading_t, &info);
    for (int i = 0; i < width; ++i) tau[j + i] = t[i + i * block];
    if (j + width < a.columns)
      apply_block(a.part(j, j, below, width), t.data(), adjoint<T>,
                  a.part(j, j + width, below, a.columns - j - width));
  }
}

namespace {

/// Columns of c up to a reflector's own number are zero in its rows if c began as the identity.
template<class T>
void apply_all(const column_matrix<T>& v, const T* tau, const column_matrix<T>& c, bool from_identity) {
  if (v.columns == 0) return;
  const work_memory<T> t(block * block);
  const int leading_t = block;
  const int step = applied_at_once(v.columns);
  for (int j = (v.columns - 1) / step * step; j >= 0; j -= step) {
    const int width = std::min(step, v.columns - j), below = v.rows - j, from = from_identity ? j : 0;
    const column_matrix<T> panel = v.part(j, j, below, width);
    lapack<T>().larft("F", "C", &below, &width, panel.data, &panel.leading, tau + j, t.data(), &leading_t, 1,
                      1);
    apply_block(panel, t.data(), "N", c.part(j, from, below, c.columns - from));
  }
}

/// c = (I - tau v v^H) c below and right of (first, from); v begins with 1, which is not stored.
template<class T>
void apply_reflector(const T* v, T tau, const column_matrix<T>& c, int first, int from) {
  for (int j = from; j < c.columns; ++j) {
    T* const x = c.at(0, j);
    T sum = x[first];
    for (int i = first + 1; i < c.rows; ++i) sum += conjugated(v[i]) * x[i];
    sum *= tau;
    x[first] -= sum;
    for (int i = first + 1; i < c.rows; ++i) x[i] -= v[i] * sum;
  }
}

}  // namespace

template<class T>
void apply_reflectors(const column_matrix<T>& v, const T* tau, const column_matrix<T>& c) {
  if (!is_small(c)) return apply_all(v, tau, c, false);
  for (int k = v.columns - 1; k >= 0; --k) apply_reflector(v.at(0, k), tau[k], c, k, 0);
}

template<class T>
void apply_row_reflectors(const column_matrix<T>& v, const T* tau, const column_matrix<T>& c) {
  const work_memory<T> t(block * block);
  const int leading_t = block;
  const int step = applied_at_once(v.rows);
  for (int j = (v.rows - 1) / step * step; j >= 0; j -= step) {
    const int width = std::min(step, v.rows - j), right = v.columns - j;
    const column_matrix<T> panel = v.part(j, j, width, right);
    lapack<T>().larft("F", "R", &right, &width, panel.data, &panel.leading, tau + j, t.data(), &leading_t, 1,
                      1);
    each_piece(c.rows, [&](int first, int rows) {
      const int leading_work = static_cast<int>(piece_of_columns);
      const work_memory<T> work(piece_of_columns * block);
      lapack<T>().larfb("R", adjoint<T>, "F", "R", &rows, &right, &width, panel.data, &panel.leading,
                        t.data(), &leading_t, c.at(first, j), &c.leading, work.data(), &leading_work, 1, 1, 1,
                        1);
    });
  }
}

template<class T>
void form_q(const column_matrix<T>& v, const T* tau, const column_matrix<T>& q) {
  for (int j = 0; j < q.columns; ++j) {
    std::fill_n(q.at(0, j), q.rows, T(0));
    *q.at(j, j) = T(1);
  }
  if (!is_small(q)) return apply_all(v, tau, q, true);
  for (int k = v.columns - 1; k >= 0; --k) apply_reflector(v.at(0, k), tau[k], q, k, k);
}

#define GPARRAY_INSTANTIATE(T)                                                                       \
  template void factor_qr<T>(const column_matrix<T>&, T*);                                           \
  template void apply_reflectors<T>(const column_matrix<T>&, const T*, const column_matrix<T>&);     \
  template void apply_row_reflectors<T>(const column_matrix<T>&, const T*, const column_matrix<T>&); \
  template void form_q<T>(const column_matrix<T>&, const T*, const column_matrix<T>&)
GPARRAY_FOR_LAPACK_ELEMENTS(GPARRAY_INSTANTIATE);
#undef GPARRAY_INSTANTIATE

}  // namespace host
GPARRAY_END_NAMESPACE
