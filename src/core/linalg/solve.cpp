// Systems of linear equations: what broadcasts, which factorisation, and back to C order.
#include <vector>

#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/linalg/host.hpp>
#include <core/linalg/lu.hpp>
#include <core/products/gufunc.hpp>
#include <core/products/products.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/creation.hpp>
#include <gparray/linalg/solve.hpp>
#include <gparray/math/logic.hpp>
#include <gparray/products.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The right-hand sides, in memory that becomes the solution.
class right_side {
 public:
  /// The batch of `a` and that of b broadcast. One matrix for all right-hand sides is factorised once, and
  /// they become its columns.
  right_side(const any_array& a, const detail::argument& b, dtype type)
      : is_vector_(b.array->ndim() == 1),
        b_(is_vector_ ? insert_axis(*b.array, 1) : *b.array),
        batch_(common_batch(a, b_)),
        is_joined_(count_of(batch_of(a)) == 1),
        matrix_batch(is_joined_ ? batch_of(a) : batch_),
        x_(is_vector_ ? column_major(named(b_), type, batch_) : column_major(renamed(b, b_), type, batch_)) {}

  bool empty() const { return x_.empty(); }
  matrix_stack stack() const { return is_joined_ ? x_.joined() : x_.stack(); }
  any_array solution() const {
    if (!is_vector_) return x_.in_c_order();
    return reshaped(x_.memory, with_axes(batch_, {x_.rows}));
  }

 private:
  static detail::argument renamed(detail::argument b, const any_array& array) {
    b.array = &array;
    return b;
  }
  static dims common_batch(const any_array& a, const any_array& b) {
    const dims x = core::batch_of(a), y = core::batch_of(b);
    const dims* const batches[] = {&x, &y};
    return broadcast_shapes(batches);
  }

  bool is_vector_;
  any_array b_;
  dims batch_;
  bool is_joined_;

 public:
  /// What the matrices are to be broadcast to.
  dims matrix_batch;

 private:
  work_matrices x_;
};

/// NumPy's checks of solve.
void check_operands(const detail::argument& a, const detail::argument& b) {
  const detail::argument operands[] = {a, b};
  common_device("solve", operands);
  check_square(*a.array);
  const dims &x = a.array->shape(), &y = b.array->shape();
  const bool is_vector = y.size() == 1;
  const core_signature f = is_vector ? core_signature{"solve1", "(m,m),(m)->(m)", 2, 1}
                                     : core_signature{"solve", "(m,m),(m,n)->(m,n)", 2, 2};
  check_enough_axes(f, 1, b.array->ndim(), f.core_b);
  check_summed_axes(f, x.back(), y[y.size() - static_cast<std::size_t>(f.core_b)]);
  check_batches(f, x, y, is_vector ? dims{y.back()} : dims{y[y.size() - 2], y.back()});
}

enum class structure { general, positive, symmetric, hermitian, triangular };

struct known_structure {
  structure what;
  bool lower;
};

known_structure parse(const linalg::solve_options& options) {
  const std::string_view text = options.assume_a;
  if (text == "gen" || text == "general") return {structure::general, options.lower};
  if (text == "pos" || text == "positive definite") return {structure::positive, options.lower};
  if (text == "sym" || text == "symmetric") return {structure::symmetric, options.lower};
  if (text == "her" || text == "hermitian") return {structure::hermitian, options.lower};
  if (text == "triangular") return {structure::triangular, options.lower};
  if (text == "upper triangular") return {structure::triangular, false};
  if (text == "lower triangular") return {structure::triangular, true};
  fail<value_error>("{} is not a recognized matrix structure", text);
}

/// The whole of a matrix of which one triangle is given.
any_array whole_of(const any_array& a, dtype type, bool lower, bool conjugate) {
  const any_array half = detail::triangle(a, 0, lower), strict = detail::triangle(a, lower ? -1 : 1, lower);
  const any_array other = conjugate ? adjoint(strict, type) : detail::matrix_transpose(strict);
  return apply(ufunc::add, type, {named(half), temporary(other)});
}

/// Unchecked, the solutions of singular systems are infinities and NaNs.
void solve_by_lu(const detail::argument& a, dtype type, const right_side& b, bool check = true) {
  const lu_factors f = factor_lu(column_major(a, type, b.matrix_batch), b.matrix_batch);
  if (!b.empty()) {
    const device place = f.factors.memory.device();
    engine_of(place).lu_solve(type, f.factors.stack(),
                              reinterpret_cast<const std::int32_t*>(f.pivots.rep()->data),
                              transposition::none, b.stack(), current_queue(place));
  }
  // After the solution is enqueued: a GPU would stand still while its answer travels.
  if (check) f.info.check("Singular matrix");
}

/// The lower triangles become l with a = l l^H.
work_matrices factor_cholesky(work_matrices&& a, const dims& batch) {
  const device place = a.memory.device();
  const factor_info info(batch, place);
  if (!a.empty()) engine_of(place).cholesky(a.memory.dtype(), a.stack(), info.data(), current_queue(place));
  info.check("Matrix is not positive definite");
  return std::move(a);
}

/// Whether a matrix that was not positive definite is one to LAPACK, which goes on with a NaN; cuSOLVER does
/// not. Waits.
bool is_refused_for_nan(const detail::argument& a) {
  return !a.array->device().is_cpu() && gparray::any(ndarray<bool>(with_nan(a))).item();
}

void solve_by_cholesky(const detail::argument& a, dtype type, bool lower, const right_side& b) {
  const work_matrices l = factor_cholesky(lower_triangle(a, type, b.matrix_batch, lower), b.matrix_batch);
  if (b.empty()) return;
  const device place = l.memory.device();
  for (const transposition op : {transposition::none, transposition::adjoint})
    engine_of(place).triangular_solve(type, l.stack(), {true, op}, b.stack(), current_queue(place));
}

/// Throws linalg_error for a zero on a diagonal. Waits.
void check_diagonal(const any_array& a) {
  const any_array diagonal = detail::diagonal(a, 0, -2, -1);
  const any_array zeros = apply(ufunc::equal, a.dtype(), {named(diagonal), number(0, a.dtype())});
  const std::int64_t n = a.shape(-1);
  std::vector<unsigned char> host(static_cast<std::size_t>(zeros.size()));
  detail::copy_to_host(zeros, host.data());
  const auto found = std::ranges::find(host, 1);
  if (found == host.end()) return;
  const std::int64_t index = found - host.begin();
  fail<linalg_error>("singular matrix: resolution failed at diagonal {}{}", index % n,
                     place_in_batch(index / n, batch_of(a)));
}

void solve_triangles(const detail::argument& a, dtype type, const triangle_use& use, const right_side& b) {
  const work_matrices matrices = column_major(a, type, b.matrix_batch);
  if (!use.unit_diagonal) check_diagonal(matrices.matrices());
  if (b.empty()) return;
  const device place = matrices.memory.device();
  engine_of(place).triangular_solve(type, matrices.stack(), use, b.stack(), current_queue(place));
}

transposition transposition_of(int trans) {
  switch (trans) {
    case 0:
      return transposition::none;
    case 1:
      return transposition::transpose;
    case 2:
      return transposition::adjoint;
    default:
      fail<value_error>("trans must be 0, 1 or 2, not {}", trans);
  }
}

any_array solve_known(const detail::argument& a, const detail::argument& b, dtype type,
                      const known_structure& known) {
  const right_side x(*a.array, b, type);
  switch (known.what) {
    case structure::general:
      solve_by_lu(a, type, x);
      break;
    case structure::positive:
      try {
        solve_by_cholesky(a, type, known.lower, x);
      } catch (const linalg_error&) {
        if (!is_refused_for_nan(a)) throw;
        const auto solved = [&](const detail::argument& matrix, const detail::argument& sides) {
          return solve_known(matrix, sides, type, known);
        };
        return computed_on_host(solved, a, b);
      }
      break;
    case structure::triangular:
      solve_triangles(a, type, {known.lower}, x);
      break;
    default: {
      const any_array whole = whole_of(*a.array, type, known.lower, known.what == structure::hermitian);
      solve_by_lu(temporary(whole), type, x);
    }
  }
  return x.solution();
}

/// Of what LAPACK and cuSOLVER leave of the other triangle, nothing.
any_array cholesky_of_triangle(const detail::argument& a, dtype type, bool upper) {
  const dims batch = batch_of(*a.array);
  const work_matrices l = factor_cholesky(lower_triangle(a, type, batch, !upper), batch);
  const any_array matrices = upper ? adjoint(l.matrices(), type) : l.matrices();
  const bool is_clear = engine_of(a.array->device()).cholesky_clears();
  return is_clear ? detail::in_order(matrices, order::C) : detail::triangle(matrices, 0, !upper);
}

/// SciPy's text for triangular systems and LU factors.
void check_rows(std::string_view matrix, const any_array& a, const any_array& b) {
  check_square(a);
  if (b.ndim() == 0 || b.shape()[b.ndim() == 1 ? 0 : b.shape().size() - 2] != a.shape(-1))
    fail<value_error>("{} {} and b {} are incompatible", matrix, python_text(a.shape()),
                      python_text(b.shape()));
}

}  // namespace

any_array inverse(const detail::argument& a, dtype type, bool check) {
  check_square(*a.array);
  const any_array one = identity(a.array->shape(-1), type, a.array->device());
  const right_side x(*a.array, named(one), type);
  solve_by_lu(a, type, x, check);
  return x.solution();
}

any_array solve_unchecked(const detail::argument& a, const detail::argument& b, dtype type) {
  const right_side x(*a.array, b, type);
  solve_by_lu(a, type, x, false);
  return x.solution();
}

}  // namespace core

namespace detail {

using namespace core;

any_array solve(const argument& a, const argument& b, gparray::dtype type,
                const linalg::solve_options& options) {
  const known_structure known = parse(options);
  check_operands(a, b);
  const auto solved = [&](const argument& x, const argument& y) { return solve_known(x, y, type, known); };
  return with_best_engine(solve_share, type, solved, a, b);
}

any_array solve_triangular(const argument& a, const argument& b, gparray::dtype type,
                           const linalg::triangular_options& options) {
  const argument operands[] = {a, b};
  common_device("solve_triangular", operands);
  const triangle_use use{options.lower, transposition_of(options.trans), options.unit_diagonal};
  check_rows("shapes of a", *a.array, *b.array);
  const right_side x(*a.array, b, type);
  solve_triangles(a, type, use, x);
  return x.solution();
}

any_array lu_solve(const argument& lu, const any_array& piv, const argument& b, gparray::dtype type,
                   int trans) {
  const argument operands[] = {lu, b, named(piv)};
  const device place = common_device("lu_solve", operands);
  const transposition op = transposition_of(trans);
  check_rows("Shapes of lu", *lu.array, *b.array);
  const dims batch = batch_of(*lu.array);
  const std::int64_t n = lu.array->shape(-1);
  if (piv.shape() != with_axes(batch, {n}))
    fail<value_error>("lu_solve: piv has shape {}, and lu {}", text(piv.shape()), text(lu.array->shape()));
  std::vector<std::int32_t> host(static_cast<std::size_t>(piv.size()));
  copy_to_host(piv, host.data());
  for (const std::int32_t row : host)
    if (row < 0 || row >= n) fail<value_error>("lu_solve: there is no row {} in a matrix of {}", row, n);
  const right_side x(*lu.array, b, type);
  if (x.empty()) return x.solution();
  const work_matrices factors = column_major(lu, type, x.matrix_batch);
  const any_array pivots = allocate(gparray::dtype::int32, with_axes(x.matrix_batch, {n}), place);
  const any_array from_one =
      apply(ufunc::add, gparray::dtype::int32, {named(piv), number(1, gparray::dtype::int32)});
  assign_array(pivots.rep(), from_one);
  engine_of(place).lu_solve(type, factors.stack(), reinterpret_cast<const std::int32_t*>(pivots.rep()->data),
                            op, x.stack(), current_queue(place));
  return x.solution();
}

any_array inv(const argument& a, gparray::dtype type) { return inverse(a, type, true); }

any_array cholesky(const argument& a, gparray::dtype type, bool upper) {
  check_square(*a.array);
  const auto factor = [&](const argument& x) { return cholesky_of_triangle(x, type, upper); };
  try {
    return factor(a);
  } catch (const linalg_error&) {
    if (!is_refused_for_nan(a)) throw;
    return computed_on_host(factor, a);
  }
}

}  // namespace detail
GPARRAY_END_NAMESPACE
