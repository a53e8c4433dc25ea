// Systems of linear equations: what broadcasts, which factorisation, and back to C order.
#include <vector>

#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/creation/creation.hpp>
#include <core/linalg/host.hpp>
#include <core/linalg/lu.hpp>
#include <core/linalg/small.hpp>
#include <core/products/gufunc.hpp>
#include <core/products/products.hpp>
#include <core/reduction/typed.hpp>
#include <gparray/linalg/solve.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Right-hand sides, in memory that becomes the solutions.
struct right_sides {
  bool is_vector;
  bool is_joined;     // one matrix for all of them: it is factorised once, and they become its columns
  dims matrix_batch;  // that the matrices are broadcast to
  work_matrices x;

  bool empty() const { return x.empty(); }
  matrix_stack stack() const { return is_joined ? x.joined() : x.stack(); }
  any_array solution() const {
    if (!is_vector) return x.in_c_order();
    return reshaped(x.memory, with_axes(batch_of(x.memory), {x.rows}));
  }
};

/// Of b for the matrices a, whose batches are broadcast against each other.
right_sides make_right_sides(const any_array& a, const detail::argument& b, dtype type) {
  const bool is_vector = b.array->ndim() == 1;
  const any_array column = is_vector ? insert_axis(*b.array, 1) : any_array();
  const detail::argument sides = is_vector ? named(column) : b;
  const dims batch_of_a = batch_of(a), batch_of_b = batch_of(*sides.array);
  const dims* const batches[] = {&batch_of_a, &batch_of_b};
  const dims common = broadcast_shapes(batches);
  const bool is_joined = count_of(batch_of_a) == 1;
  return {is_vector, is_joined, is_joined ? batch_of_a : common,
          stacked_operand(sides, type, common).column_major()};
}

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
void solve_by_lu(const detail::argument& matrices, dtype type, const right_sides& b, bool check = true) {
  const stacked_operand a(matrices, type, b.matrix_batch);
  const lu_factors f = factor_lu(a);
  if (!b.empty())
    a.engine().lu_solve(type, f.factors.stack(), f.exchanges(), transposition::none, b.stack(), a.where());
  // After the solution is enqueued: a GPU would stand still while its answer travels.
  if (check) f.info.check("Singular matrix");
}

/// The lower triangular l of a = l l^H; one triangle of a is read.
work_matrices factor_cholesky(const stacked_operand& a, bool lower) {
  const work_matrices l = a.triangle(lower);
  const auto call = [&](std::int32_t* failed, queue q) { a.engine().cholesky(a.type, l.stack(), failed, q); };
  a.ask(call).check("Matrix is not positive definite");
  return l;
}

/// Whether a matrix was rejected only for a NaN, with which LAPACK continues and cuSOLVER does not. Waits.
bool is_refused_for_nan(const detail::argument& a) {
  return !a.array->device().is_cpu() && gparray::any(ndarray<bool>(with_nan(a))).item();
}

void solve_by_cholesky(const detail::argument& matrices, dtype type, bool lower, const right_sides& b) {
  const stacked_operand a(matrices, type, b.matrix_batch);
  const work_matrices l = factor_cholesky(a, lower);
  if (b.empty()) return;
  for (const transposition op : {transposition::none, transposition::adjoint})
    a.engine().triangular_solve(type, l.stack(), {true, op}, b.stack(), a.where());
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
                     index_in_batch(index / n, batch_of(a)));
}

void solve_triangles(const detail::argument& matrices, dtype type, const triangle_use& use,
                     const right_sides& b) {
  const stacked_operand a(matrices, type, b.matrix_batch);
  const work_matrices work = a.column_major();
  if (!use.unit_diagonal) check_diagonal(work.matrices());
  if (!b.empty()) a.engine().triangular_solve(type, work.stack(), use, b.stack(), a.where());
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
  const right_sides x = make_right_sides(*a.array, b, type);
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
any_array cholesky_of_triangle(const stacked_operand& a, bool upper) {
  const work_matrices l = factor_cholesky(a, !upper);
  const any_array matrices = upper ? adjoint(l.matrices(), a.type) : l.matrices();
  if (a.engine().cholesky_clears()) return detail::in_order(matrices, order::C);
  return detail::triangle(matrices, 0, !upper);
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
  if (const any_array small = solved_small(a, nullptr, type, check); small.rep()) return small;
  const any_array one = identity(a.array->shape(-1), type, a.array->device());
  const right_sides x = make_right_sides(*a.array, named(one), type);
  solve_by_lu(a, type, x, check);
  return x.solution();
}

any_array solve_unchecked(const detail::argument& a, const detail::argument& b, dtype type) {
  if (const any_array small = solved_small(a, &b, type, false); small.rep()) return small;
  const right_sides x = make_right_sides(*a.array, b, type);
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
  if (known.what == structure::general)
    if (const any_array small = solved_small(a, &b, type, true); small.rep()) return small;
  const auto solved = [&](const argument& x, const argument& y) { return solve_known(x, y, type, known); };
  return with_best_engine(solve_share, type, solved, a, b);
}

any_array solve_triangular(const argument& a, const argument& b, gparray::dtype type,
                           const linalg::triangular_options& options) {
  const argument operands[] = {a, b};
  common_device("solve_triangular", operands);
  const triangle_use use{options.lower, transposition_of(options.trans), options.unit_diagonal};
  check_rows("shapes of a", *a.array, *b.array);
  const right_sides x = make_right_sides(*a.array, b, type);
  solve_triangles(a, type, use, x);
  return x.solution();
}

any_array lu_solve(const argument& lu, const any_array& piv, const argument& b, gparray::dtype type,
                   int trans) {
  const argument operands[] = {lu, b, named(piv)};
  common_device("lu_solve", operands);
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
  const right_sides x = make_right_sides(*lu.array, b, type);
  if (x.empty()) return x.solution();
  const stacked_operand matrices(lu, type, x.matrix_batch);
  const lu_factors f{matrices.column_major(), matrices.new_numbers(gparray::dtype::int32, n), {}};
  const any_array from_one =
      apply(ufunc::add, gparray::dtype::int32, {named(piv), number(1, gparray::dtype::int32)});
  assign_array(f.pivots.rep(), from_one);
  matrices.engine().lu_solve(type, f.factors.stack(), f.exchanges(), op, x.stack(), matrices.where());
  return x.solution();
}

any_array inv(const argument& a, gparray::dtype type) { return inverse(a, type, true); }

any_array cholesky(const argument& a, gparray::dtype type, bool upper) {
  check_square(*a.array);
  if (const any_array small = cholesky_of_small(a, type, upper); small.rep()) return small;
  const auto factor = [&](const argument& x) { return cholesky_of_triangle({x, type}, upper); };
  try {
    return factor(a);
  } catch (const linalg_error&) {
    if (!is_refused_for_nan(a)) throw;
    return computed_on_host(factor, a);
  }
}

}  // namespace detail
GPARRAY_END_NAMESPACE
