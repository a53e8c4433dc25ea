// Singular values and vectors. Engines want matrices with at least as many rows as columns: a wide matrix is
// handed over as its transpose, which in C order it already is, and the roles of U and Vh change.
#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/creation/creation.hpp>
#include <core/indexing/indexing.hpp>
#include <core/linalg/host.hpp>
#include <core/linalg/stack.hpp>
#include <core/linalg/svd.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/products/products.hpp>
#include <core/reduction/reduction.hpp>
#include <core/sorting/sorting.hpp>
#include <gparray/linalg/factor.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// U, s and Vh; of values alone, s.
using decomposition = std::array<any_array, 3>;

/// Matrices without rows or columns have no singular values, and any orthogonal vectors will do.
any_array vectors_of_nothing(const stacked_operand& a, std::int64_t rows, std::int64_t columns) {
  const any_array result = allocate(a.type, with_axes(a.batch, {rows, columns}), a.on_device);
  if (result.size() > 0) assign_array(result.rep(), identity(rows, a.type, a.on_device));
  return result;
}

decomposition decompose_nothing(const stacked_operand& a, singular_vectors which) {
  const any_array s = a.new_numbers(real_dtype(a.type), std::min(a.rows, a.columns));
  if (which == singular_vectors::none) return {any_array(), s, any_array()};
  const bool full = which == singular_vectors::full;
  return {vectors_of_nothing(a, a.rows, full ? a.rows : s.shape(-1)), s,
          vectors_of_nothing(a, full ? a.columns : s.shape(-1), a.columns)};
}

any_array narrowed(const any_array& a, dtype type) {
  return a.rep() ? detail::astype(named(a), type, false) : a;
}

decomposition decompose_here(const stacked_operand& a, singular_vectors which, const char* complaint) {
  if (a.empty()) return decompose_nothing(a, which);
  linalg_engine& engine = a.engine();
  const dtype better = engine.svd_type(a.type, a.on_device.index());
  if (better != a.type && count_of(a.batch) == 1) {
    const auto [u, s, vh] = decompose_here(stacked_operand(a.source, better), which, complaint);
    return {narrowed(u, a.type), narrowed(s, real_dtype(a.type)), narrowed(vh, a.type)};
  }
  const bool is_transposed = a.rows <= a.columns, any = which != singular_vectors::none;
  const work_matrices work = (is_transposed ? a.transposed() : a).column_major();
  const std::int64_t rows = any ? work.rows : 0, columns = any ? work.columns : 0;
  const any_array s = a.new_numbers(real_dtype(a.type), work.columns);
  const work_matrices left = a.new_matrices(rows, which == singular_vectors::full ? rows : columns);
  const work_matrices right = a.new_matrices(columns, columns);
  factor_info info = a.ask([&](std::int32_t* failed, queue q) {
    engine.svd(a.type, work.stack(), which, s.rep()->data, any ? left.data() : nullptr,
               any ? right.data() : nullptr, failed, q);
  });
  // cuSOLVER's batched routine makes finite values of NaN.
  if (!a.on_device.is_cpu()) info.fail_where_not_finite(a.source);
  info.check(complaint);
  if (!any) return {any_array(), s, any_array()};
  if (is_transposed) return {right.memory, s, left.memory};
  return {left.in_c_order(), s, right.in_c_order()};
}

decomposition decompose(const detail::argument& a, dtype type, singular_vectors which,
                        const char* complaint = "SVD did not converge") {
  const auto factor = [&](const detail::argument& x) {
    return decompose_here(stacked_operand(x, type), which, complaint);
  };
  return with_best_engine(svd_share, type, factor, a);
}

constexpr const char* least_squares_failed = "SVD did not converge in Linear Least Squares";

/// False: the engine has no routine.
bool least_squares_by_engine(const any_array& matrix, const any_array& b, dtype type, double rcond,
                             detail::lstsq_parts& parts) {
  const stacked_operand a(named(matrix), type);
  if (!a.on_device.is_cpu() || a.empty() || b.size() == 0) return false;
  const std::int64_t m = a.rows, n = a.columns;
  const work_matrices work = a.column_major(), x = a.new_matrices(std::max(m, n), b.shape(1));
  assign_array(slice_along(x.matrices(), 0, 0, m).rep(), b);
  parts.s = a.new_numbers(real_dtype(type), std::min(m, n));
  std::int32_t rank = 0;
  bool has_routine = false;
  const factor_info info = a.ask([&](std::int32_t* failed, queue) {
    has_routine =
        a.engine().least_squares(type, work.stack(), x.stack(), rcond, parts.s.rep()->data, rank, failed);
  });
  if (!has_routine) return false;
  info.check(least_squares_failed);
  parts.rank = rank;
  parts.x = detail::in_order(slice_along(x.matrices(), 0, 0, n), order::C);
  if (rank < n || m <= n) {
    parts.residuals = a.new_numbers(real_dtype(type), 0);
    return true;
  }
  const any_array rest = slice_along(x.matrices(), 0, n, m - n);
  const dims rows = 0;
  parts.residuals = reduced(reduction::sum, apply(ufunc::abs2, type, {named(rest)}), &rows);
  return true;
}

/// values > bound, where bound broadcasts; and the largest value along the last axis, kept as an axis.
any_array above(const any_array& values, const any_array& bound) {
  return apply(ufunc::greater, promote_types(values.dtype(), bound.dtype()), {named(values), named(bound)});
}

any_array largest_of(const any_array& values) {
  reduction_options options;
  options.keepdims = true;
  options.initial = 0.0;
  return detail::reduce(reduction::max, named(values), values.dtype(), &last_axis, options);
}

any_array largest_times(const any_array& values, double factor) {
  const any_array largest = largest_of(values);
  return apply(ufunc::multiply, values.dtype(), {temporary(largest), number(factor, values.dtype())}).eval();
}

/// A given tolerance beside the values that it bounds: float64, or the promoted dtype of an array, with an
/// axis for the values of one matrix.
any_array tolerance_beside(const any_array& values, const detail::tolerance& given) {
  if (given.array.rep()) return insert_axis(given.array, given.array.shape().size());
  return detail::create_full({}, dtype::float64, {.device = values.device()}, detail::constant(given.number));
}

any_array largest_times(const any_array& values, const detail::tolerance& factor) {
  const any_array largest = largest_of(values), times = tolerance_beside(values, factor);
  return apply(ufunc::multiply, promote_types(values.dtype(), times.dtype()),
               {temporary(largest), named(times)})
      .eval();
}

double epsilon_of(dtype type) { return real_dtype(type) == dtype::float32 ? 0x1p-23 : 0x1p-52; }

double default_tolerance(const any_array& a, dtype type) {
  return static_cast<double>(std::max(a.shape(-1), a.shape(-2))) * epsilon_of(type);
}

/// 1 / values where they are above the bound, else 0.
any_array inverse_above(const any_array& values, const any_array& magnitudes, const any_array& bound) {
  const dtype type = values.dtype();
  const any_array large = above(magnitudes, bound);
  const any_array inverse = apply(ufunc::reciprocal, type, {named(values)});
  return apply(ufunc::where, type, {temporary(large), temporary(inverse), number(0, type)}).eval();
}

any_array magnitude_of(const any_array& values) {
  return apply(ufunc::absolute, values.dtype(), {named(values)}).eval();
}

/// Singular values are the magnitudes of eigenvalues, Vh has the signs: NumPy's svd(a, hermitian=True).
std::array<any_array, 3> hermitian_svd(const detail::argument& a, dtype type) {
  const auto [values, vectors] = detail::eigh(a, type, 'L', true);
  const any_array magnitudes = magnitude_of(values);
  const any_array order = detail::flip(detail::argsort(magnitudes, -1), -1);
  const any_array index = detail::broadcast_to(insert_axis(order, order.shape().size() - 1), vectors.shape());
  const any_array u = detail::take_along_axis(vectors, index, -1);
  const any_array own = detail::take_along_axis(values, order, -1);
  const any_array sign = apply(ufunc::copysign, own.dtype(), {number(1, own.dtype()), named(own)}).eval();
  const any_array of_columns =
      insert_axis(detail::astype(named(sign), type, false), order.shape().size() - 1);
  const any_array signed_u = apply(ufunc::multiply, type, {named(u), named(of_columns)}).eval();
  return {u, detail::take_along_axis(magnitudes, order, -1), adjoint(signed_u, type)};
}

/// v diag(d) w
any_array product_of_three(const any_array& v, const any_array& d, const any_array& w, dtype type) {
  const any_array scaled =
      apply(ufunc::multiply, type, {named(v), named(insert_axis(d, d.shape().size() - 1))}).eval();
  return multiply_matrices(type, scaled, w);
}

}  // namespace

any_array singular_norm(const any_array& a, dtype element, int which, int row_axis, int column_axis,
                        bool keepdims) {
  if (itemsize(real_dtype(element)) == 2)
    fail<type_error>("array type {} is unsupported in linalg", name(element));
  const any_array matrices = detail::moveaxis(a, dims{row_axis, column_axis}, dims{-2, -1});
  const any_array s = detail::svdvals(named(matrices), element);
  reduction_options options;
  if (which == 2) options.initial = 0.0;
  const any_array norm = reduced(which == 2    ? reduction::max
                                 : which == -2 ? reduction::min
                                               : reduction::sum,
                                 s, &last_axis, options);
  return keepdims ? detail::expand_dims(norm, dims{row_axis, column_axis}) : norm;
}

}  // namespace core

namespace detail {

using namespace core;

std::array<any_array, 3> svd(const argument& a, gparray::dtype type, bool full_matrices, bool hermitian) {
  if (hermitian) return hermitian_svd(a, type);
  return decompose(a, type, full_matrices ? singular_vectors::full : singular_vectors::thin);
}

any_array svdvals(const argument& a, gparray::dtype type, bool hermitian) {
  if (hermitian) {
    const any_array magnitudes = magnitude_of(eigh(a, type, 'L', false)[0]);
    return flip(sort(magnitudes, -1), -1);
  }
  return decompose(a, type, singular_vectors::none)[1];
}

any_array pinv(const argument& a, gparray::dtype type, const tolerance& rcond, const tolerance& rtol,
               bool hermitian) {
  check_stacked(*a.array);
  if (rcond.given && (rtol.given || rtol.by_size)) throw value_error("`rtol` and `rcond` can't be both set.");
  const auto bound_of = [&](const any_array& values) {
    if (rtol.by_size) return largest_times(values, default_tolerance(*a.array, type));
    const any_array bound = largest_times(values, rcond.given ? rcond : rtol.given ? rtol : tolerance(1e-15));
    dims shape = values.shape();
    shape[shape.size() - 1] = 1;
    return broadcast_to(bound, shape);
  };
  if (hermitian) {
    const auto [values, vectors] = eigh(a, type, 'L', true);
    const any_array magnitudes = magnitude_of(values);
    const any_array inverse = inverse_above(values, magnitudes, bound_of(magnitudes));
    return product_of_three(vectors, inverse, adjoint(vectors, type), type);
  }
  const auto [u, s, vh] = decompose(a, type, singular_vectors::thin);
  const any_array inverse = inverse_above(s, s, bound_of(s));
  return product_of_three(adjoint(vh, type), inverse, adjoint(u, type), type);
}

any_array matrix_rank(const argument& a, gparray::dtype type, const tolerance& tol, const tolerance& rtol,
                      bool hermitian) {
  if (tol.given && rtol.given) throw value_error("`tol` and `rtol` can't be both set.");
  if (a.array->ndim() < 2)
    return apply(ufunc::cast, gparray::dtype::int64, {temporary(reduced(reduction::any, *a.array, nullptr))})
        .eval();
  const any_array s = svdvals(a, type, hermitian);
  const any_array bound = tol.given    ? tolerance_beside(s, tol)
                          : rtol.given ? largest_times(s, rtol)
                                       : largest_times(s, default_tolerance(*a.array, type));
  return reduced(reduction::count_nonzero, above(s, bound), &last_axis);
}

lstsq_parts lstsq(const argument& a, const argument& b, gparray::dtype type,
                  const std::optional<double>& rcond) {
  const argument operands[] = {a, b};
  const device on_device = common_device("lstsq", operands);
  const bool is_vector = b.array->ndim() == 1;
  for (const any_array* x : {a.array, b.array})
    if (x->ndim() != 2 && !(x == b.array && is_vector))
      fail<linalg_error>("{}-dimensional array given. Array must be two-dimensional", x->ndim());
  const std::int64_t m = a.array->shape(0), n = a.array->shape(1);
  if (b.array->shape(0) != m) throw linalg_error("Incompatible dimensions");
  const any_array matrix = product_operand(a, type), given = product_operand(b, type);
  const any_array right = is_vector ? insert_axis(given, 1) : given;

  const double relative = rcond && *rcond >= 0 ? *rcond
                          : rcond              ? epsilon_of(type)
                                               : default_tolerance(matrix, type);
  lstsq_parts parts;
  if (least_squares_by_engine(matrix, right, type, relative, parts)) {
    if (is_vector) parts.x = remove_axis(parts.x, 1);
    return parts;
  }
  const auto [u, s, vh] = decompose(named(matrix), type, singular_vectors::thin, least_squares_failed);
  const any_array bound = largest_times(s, relative);
  const any_array rotated = multiply_matrices(type, adjoint(u, type), right);
  const any_array inverse = inverse_above(s, s, bound);
  const any_array scaled =
      apply(ufunc::multiply, type, {named(rotated), named(insert_axis(inverse, 1))}).eval();
  const any_array x = multiply_matrices(type, adjoint(vh, type), scaled);
  item(reduced(reduction::count_nonzero, above(s, bound), nullptr), &parts.rank);
  parts.s = s;
  parts.x = is_vector ? remove_axis(x, 1) : x;
  if (parts.rank < n || m <= n) {
    parts.residuals = allocate(real_dtype(type), dims(0), on_device);
    return parts;
  }
  const any_array fitted = multiply_matrices(type, matrix, x);
  const any_array difference = apply(ufunc::subtract, type, {named(right), named(fitted)});
  const any_array squares = apply(ufunc::abs2, type, {temporary(difference)});
  const dims rows = 0;
  parts.residuals = reduced(reduction::sum, squares, &rows);
  return parts;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
