// dot, vdot, inner, outer and tensordot: products that keep the other axes of both operands, one after the
// other.
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/temporary.hpp>
#include <core/products/matmul.hpp>
#include <core/products/products.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

std::int64_t product_of_sizes(const dims& shape) {
  std::int64_t size = 1;
  for (std::int64_t n : shape) size *= n;
  return size;
}

dims other_axes(int ndim, const dims& axes) {
  dims others;
  for (int i = 0; i < ndim; ++i)
    if (std::ranges::find(axes, i) == axes.end()) others.push_back(i);
  return others;
}

dims pick(const dims& shape, const dims& axes) {
  dims sizes;
  for (std::int64_t axis : axes) sizes.push_back(shape[static_cast<std::size_t>(axis)]);
  return sizes;
}

dims joined(dims first, const dims& second) {
  for (std::int64_t value : second) first.push_back(value);
  return first;
}

/// Sums over pairs of axes of equal sizes: both operands become matrices, and the result gets its axes back.
any_array contract(dtype type, const any_array& a, const dims& axes_a, const any_array& b,
                   const dims& axes_b) {
  if (a.ndim() == 1 && b.ndim() == 1 && axes_a.size() == 1) return sum_of_products(type, a, b);
  // Two matrices are multiplied without the views that move axes, which take longer than small products.
  if (a.ndim() == 2 && b.ndim() == 2 && axes_a.size() == 1)
    return multiply_matrices(type, axes_a[0] == 1 ? a : permute_axes(a, dims{1, 0}),
                             axes_b[0] == 0 ? b : permute_axes(b, dims{1, 0}));
  const dims rows = other_axes(a.ndim(), axes_a), columns = other_axes(b.ndim(), axes_b);
  const dims shape = joined(pick(a.shape(), rows), pick(b.shape(), columns));
  const std::int64_t m = product_of_sizes(pick(a.shape(), rows)),
                     n = product_of_sizes(pick(b.shape(), columns));
  const std::int64_t k = product_of_sizes(pick(a.shape(), axes_a));
  const any_array left = permute_axes(a, joined(rows, axes_a)),
                  right = permute_axes(b, joined(axes_b, columns));
  if (shape.empty()) return sum_of_products(type, reshaped(left, dims{k}), reshaped(right, dims{k}));
  return reshaped(multiply_matrices(type, reshaped(left, dims{m, k}), reshaped(right, dims{k, n})), shape);
}

/// dot and inner: one axis of each.
any_array contract_one_axis(dtype type, const detail::argument& a, const detail::argument& b, int axis_b) {
  const dims &x = a.array->shape(), &y = b.array->shape();
  const auto axis_a = x.size() - 1;
  if (x[axis_a] != y[static_cast<std::size_t>(axis_b)])
    fail<value_error>("shapes {} and {} not aligned: {} (dim {}) != {} (dim {})", text(x), text(y), x[axis_a],
                      axis_a, y[static_cast<std::size_t>(axis_b)], axis_b);
  const dtype factors = factor_dtype(a, b, type);
  return contract(type, product_operand(a, factors), dims(axis_a), product_operand(b, factors), dims(axis_b));
}

any_array flattened(const any_array& a) { return a.ndim() == 1 ? a : reshaped(a, dims{a.size()}); }

any_array vdot(const detail::argument& a, const detail::argument& b, dtype type) {
  if (a.array->size() != b.array->size())
    fail<value_error>("cannot reshape array of size {} into shape ({},)", b.array->size(), a.array->size());
  const dtype factors = factor_dtype(a, b, type);
  return sum_of_products(type, conjugated(flattened(product_operand(a, factors))),
                         flattened(product_operand(b, factors)));
}

any_array elementwise(const any_array& a, const any_array& b, dtype type) {
  const detail::argument factors[] = {temporary(a.eval()), temporary(b.eval())};
  return detail::make_expression(ufunc::multiply, type, factors).eval();
}

any_array outer(const detail::argument& a, const detail::argument& b, dtype type) {
  return elementwise(insert_axis(flattened(*a.array), 1), flattened(*b.array), type);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array multiply(product p, const argument& a, const argument& b, gparray::dtype type) {
  constexpr std::string_view names[] = {"matmul", "matvec", "vecmat", "dot", "vdot", "inner", "outer"};
  const argument operands[] = {a, b};
  common_device(names[static_cast<int>(p)], operands);
  const bool has_scalar = a.array->ndim() == 0 || b.array->ndim() == 0;
  switch (p) {
    case product::matmul:
      return core::matmul(a, b, type);
    case product::matvec:
      return core::matvec(a, b, type);
    case product::vecmat:
      return core::vecmat(a, b, type);
    case product::dot:
      if (has_scalar) return elementwise(*a.array, *b.array, type);
      return contract_one_axis(type, a, b, std::max(b.array->ndim() - 2, 0));
    case product::inner:
      if (has_scalar) return elementwise(*a.array, *b.array, type);
      return contract_one_axis(type, a, b, b.array->ndim() - 1);
    case product::vdot:
      return core::vdot(a, b, type);
    default:
      return core::outer(a, b, type);
  }
}

any_array tensordot(const argument& a, const argument& b, gparray::dtype type, int count) {
  if (count < 0 || count > a.array->ndim() || count > b.array->ndim())
    fail<value_error>(
        "tensordot: axes={} must be between 0 and the number of dimensions of both arrays, {} and {}", count,
        a.array->ndim(), b.array->ndim());
  dims axes_a, axes_b;
  for (int i = 0; i < count; ++i) {
    axes_a.push_back(a.array->ndim() - count + i);
    axes_b.push_back(i);
  }
  return tensordot(a, b, type, axes_a, axes_b);
}

any_array tensordot(const argument& a, const argument& b, gparray::dtype type, const dims& axes_a,
                    const dims& axes_b) {
  const argument operands[] = {a, b};
  common_device("tensordot", operands);
  dims x, y;
  for (std::int64_t axis : axes_a) x.push_back(normalize_axis(axis, a.array->ndim()));
  for (std::int64_t axis : axes_b) y.push_back(normalize_axis(axis, b.array->ndim()));
  normalize_axes(x, a.array->ndim());  // no axis twice
  normalize_axes(y, b.array->ndim());
  if (pick(a.array->shape(), x) != pick(b.array->shape(), y))
    fail<value_error>("shape-mismatch for sum: axes {} of shape {} and axes {} of shape {}", text(axes_a),
                      text(a.array->shape()), text(axes_b), text(b.array->shape()));
  const gparray::dtype factors = factor_dtype(a, b, type);
  return contract(type, product_operand(a, factors), x, product_operand(b, factors), y);
}

any_array diagonal(const any_array& a, std::int64_t offset, int axis1, int axis2) {
  const array_rep* rep = computed(a);
  const int ndim = static_cast<int>(rep->shape.size());
  if (ndim < 2) throw value_error("diag requires an array of at least two dimensions");
  const auto row = static_cast<std::size_t>(normalize_axis(axis1, ndim));
  const auto column = static_cast<std::size_t>(normalize_axis(axis2, ndim));
  if (row == column) throw value_error("axis1 and axis2 cannot be the same");
  const std::int64_t first_row = offset < 0 ? saturating_negation(offset) : 0,
                     first_column = offset > 0 ? offset : 0;
  const std::int64_t length =
      std::max<std::int64_t>(std::min(rep->shape[row] - first_row, rep->shape[column] - first_column), 0);
  const dims kept = other_axes(ndim, dims{static_cast<std::int64_t>(row), static_cast<std::int64_t>(column)});
  const std::int64_t begin =
      length > 0 ? first_row * rep->strides[row] + first_column * rep->strides[column] : 0;
  return read_only(make_view(rep, rep->type, joined(pick(rep->shape, kept), dims{length}),
                             joined(pick(rep->strides, kept), dims{rep->strides[row] + rep->strides[column]}),
                             begin));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
