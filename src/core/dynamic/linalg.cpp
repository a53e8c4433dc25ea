// Products, linear algebra and Fourier transforms: the dtypes that their operands ask for.
#include <cstring>

#include <core/dynamic/numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace dynamic {

using core::fail;
using core::named;

namespace {

dtype product_dtype(const any_array& a, const any_array& b) { return promote_types(a.dtype(), b.dtype()); }

any_array multiply(detail::product p, const any_array& a, const any_array& b) {
  return detail::multiply(p, named(a), named(b), product_dtype(a, b));
}

}  // namespace

any_array matmul(const any_array& a, const any_array& b) { return multiply(detail::product::matmul, a, b); }

any_array outer(const any_array& a, const any_array& b) { return multiply(detail::product::outer, a, b); }

any_array vecdot(const any_array& a, const any_array& b, int axis) {
  return detail::vecdot(named(a), named(b), product_dtype(a, b), axis);
}

any_array tensordot(const any_array& a, const any_array& b, int axes) {
  return detail::tensordot(named(a), named(b), product_dtype(a, b), axes);
}

any_array tensordot(const any_array& a, const any_array& b, const dims& axes_a, const dims& axes_b) {
  return detail::tensordot(named(a), named(b), product_dtype(a, b), axes_a, axes_b);
}

namespace linalg {

namespace {

/// NumPy's TypeError: LAPACK has no halves.
dtype factor_dtype(const any_array& a) {
  const dtype type = a.dtype();
  if (is_floating(type) && itemsize(type) == 2)
    fail<type_error>("array type {} is unsupported in linalg", name(type));
  return detail::factor_dtype(type);
}

dtype norm_dtype(const any_array& a) { return is_inexact(a.dtype()) ? a.dtype() : dtype::float64; }

detail::tolerance tolerance_of(const std::optional<operand>& bound) {
  detail::tolerance result(none);
  if (!bound) return result;
  const detail::argument number = bound->as_argument();
  if (is_complex(bound->dtype())) throw type_error("rtol must be real");
  result.by_size = false;
  result.given = true;
  if (bound->is_array()) {
    result.array = bound->array();
  } else {
    const detail::argument value = number_as(number, dtype::float64);
    std::memcpy(&result.number, value.value, sizeof result.number);
  }
  return result;
}

}  // namespace

any_array cross(const any_array& a, const any_array& b, int axis) {
  const dtype type = product_dtype(a, b);
  if (type == dtype::bool_) throw type_error("cross does not take bool");
  detail::check_three_dimensional(a, b, axis);
  return detail::cross(named(a), named(b), type, {.axis = axis});
}

any_array cholesky(const any_array& a, bool upper) {
  return detail::cholesky(named(a), factor_dtype(a), upper);
}

any_array det(const any_array& a) { return detail::det(named(a), factor_dtype(a)); }

std::array<any_array, 2> slogdet(const any_array& a) { return detail::slogdet(named(a), factor_dtype(a)); }

std::array<any_array, 2> eigh(const any_array& a, char uplo) {
  return detail::eigh(named(a), factor_dtype(a), uplo, true);
}

any_array eigvalsh(const any_array& a, char uplo) {
  return detail::eigh(named(a), factor_dtype(a), uplo, false)[0];
}

std::array<any_array, 2> eig(const any_array& a) { return detail::eig(named(a), factor_dtype(a), true); }

any_array eigvals(const any_array& a) { return detail::eig(named(a), factor_dtype(a), false)[0]; }

any_array inv(const any_array& a) { return detail::inv(named(a), factor_dtype(a)); }

any_array solve(const any_array& a, const any_array& b) {
  return detail::solve(named(a), named(b), promote_types(factor_dtype(a), factor_dtype(b)), {});
}

any_array matrix_power(const any_array& a, std::int64_t n) {
  return detail::matrix_power(named(a), a.dtype(), n);
}

std::array<any_array, 2> qr(const any_array& a, std::string_view mode) {
  return detail::qr(named(a), factor_dtype(a), detail::parse_qr_mode(mode));
}

std::array<any_array, 3> svd(const any_array& a, bool full_matrices) {
  return detail::svd(named(a), factor_dtype(a), full_matrices, false);
}

any_array svdvals(const any_array& a) { return detail::svdvals(named(a), factor_dtype(a)); }

any_array pinv(const any_array& a, const std::optional<operand>& rtol) {
  return detail::pinv(named(a), factor_dtype(a), {}, tolerance_of(rtol), false);
}

any_array matrix_rank(const any_array& a, const std::optional<operand>& rtol) {
  return detail::matrix_rank(named(a), factor_dtype(a), {}, tolerance_of(rtol), false);
}

any_array matrix_norm(const any_array& a, const detail::norm_order& ord, bool keepdims) {
  return detail::matrix_norm(named(a), norm_dtype(a), ord, dims{-2, -1}, keepdims);
}

any_array vector_norm(const any_array& a, double ord, const dims* axes, bool keepdims) {
  return detail::vector_norm(named(a), norm_dtype(a), ord, axes, keepdims);
}

}  // namespace linalg

namespace fft {

namespace {

void check(function f, const any_array& a) {
  if (detail::takes_real(f) && is_complex(a.dtype()))
    fail<type_error>("a transform of real numbers does not take {}", name(a.dtype()));
}

}  // namespace

any_array transform(function f, const any_array& a, const gparray::fft::options& options) {
  check(f, a);
  return detail::fft(f, named(a), options.n, options.axis, options.norm, nullptr);
}

any_array transform_nd(function f, const any_array& a, const gparray::fft::options_nd& options) {
  check(f, a);
  return detail::fftn(f, named(a), options.s, options.axes, options.norm, nullptr);
}

}  // namespace fft

}  // namespace dynamic
GPARRAY_END_NAMESPACE
