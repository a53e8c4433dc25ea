// cross, kron, matrix powers and chains of products.
#include <vector>

#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/rolled.hpp>
#include <core/array/temporary.hpp>
#include <core/creation/creation.hpp>
#include <core/linalg/lu.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/products/products.hpp>
#include <gparray/linalg/products.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Component i of the vectors along the last axis.
any_array component(const any_array& vectors, std::int64_t i) {
  return remove_axis(slice_along(vectors, vectors.ndim() - 1, i, 1), vectors.shape().size() - 1);
}

any_array multiplied(const any_array& a, const any_array& b, dtype type) {
  return apply(ufunc::multiply, type, {named(a), named(b)});
}

/// a_i b_j - a_j b_i; components beyond the second of vectors in a plane are 0.
any_array minor_of(const any_array& a, const any_array& b, dtype type, std::int64_t i, std::int64_t j) {
  const std::int64_t in_a = a.shape(-1), in_b = b.shape(-1);
  const bool first = i < in_a && j < in_b, second = j < in_a && i < in_b;
  const any_array x = first ? multiplied(component(a, i), component(b, j), type) : any_array(),
                  y = second ? multiplied(component(a, j), component(b, i), type) : any_array();
  if (first && second) return apply(ufunc::subtract, type, {temporary(x), temporary(y)});
  return first ? x : apply(ufunc::negative, type, {temporary(y)});
}

any_array last_axis_of(const any_array& a, int axis) {
  return detail::moveaxis(a, normalize_axis(axis, a.ndim()), -1);
}

/// a_{i+1} b_{i+2} - a_{i+2} b_{i+1} of vectors along the last axis, pending: the components are read where
/// they are.
any_array rolled_cross(const any_array& a, const any_array& b, dtype type) {
  const auto from = [](const any_array& v, std::int64_t component) {
    dims offset = dims::filled(v.shape().size(), 0);
    offset[offset.size() - 1] = component;
    if (any_array steps = rolled_steps_later(v, offset); steps.rep()) return steps;
    return rolled_later(v, offset);
  };
  const auto product = [&](std::int64_t in_a, std::int64_t in_b) {
    const any_array x = from(a, in_a), y = from(b, in_b);
    return apply(ufunc::multiply, type, {temporary(x), temporary(y)});
  };
  const any_array x = product(1, 2), y = product(2, 1);
  const any_array result = apply(ufunc::subtract, type, {temporary(x), temporary(y)});
  detail::name_expression(result);
  return result;
}

bool is_c_contiguous(const any_array& a) { return computed(a)->c_contiguous; }

/// Whether vectors of space are pending steps, or lie in C order, whose components are then read where they
/// are.
bool may_be_rolled(const detail::argument& a, dtype type) {
  const array_rep* const rep = a.array->rep();
  if (!rep || a.type != type || rep->device_.is_cpu() || rep->shape.empty() || rep->shape.back() != 3 ||
      rep->size == 0)
    return false;
  return is_pending(rep) ? !rep->computed_by && rep->operation.c_order : rep->c_contiguous;
}

/// The cheapest order of a chain of products: split[i][j] is where the product of i..j is divided.
class chain {
 public:
  explicit chain(const std::vector<any_array>& matrices) : matrices_(matrices), n_(matrices.size()) {
    std::vector<double> cost(n_ * n_, 0);
    split_.assign(n_ * n_, 0);
    for (std::size_t length = 1; length < n_; ++length)
      for (std::size_t i = 0; i + length < n_; ++i) {
        const std::size_t j = i + length;
        double least = -1;
        for (std::size_t k = i; k < j; ++k) {
          const double total = cost[i * n_ + k] + cost[(k + 1) * n_ + j] + rows(i) * columns(k) * columns(j);
          if (least >= 0 && total >= least) continue;
          least = total;
          split_[i * n_ + j] = k;
        }
        cost[i * n_ + j] = least;
      }
  }

  any_array multiply(dtype type) const { return multiply(0, n_ - 1, type); }

 private:
  double rows(std::size_t i) const { return static_cast<double>(matrices_[i].shape(0)); }
  double columns(std::size_t i) const { return static_cast<double>(matrices_[i].shape(1)); }
  any_array multiply(std::size_t i, std::size_t j, dtype type) const {
    if (i == j) return matrices_[i];
    const std::size_t k = split_[i * n_ + j];
    return multiply_matrices(type, multiply(i, k, type), multiply(k + 1, j, type));
  }

  const std::vector<any_array>& matrices_;
  std::size_t n_;
  std::vector<std::size_t> split_;
};

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array cross(const argument& a, const argument& b, gparray::dtype type, const cross_options& options) {
  const argument operands[] = {a, b};
  common_device("cross", operands);
  if (a.array->ndim() == 0 || b.array->ndim() == 0)
    throw value_error("At least one array has zero dimension");
  const bool along_last = !options.axis && options.axisa == -1 && options.axisb == -1 && options.axisc == -1;
  if (along_last && (a.array->pending() || b.array->pending()) && may_be_rolled(a, type) &&
      may_be_rolled(b, type))
    return rolled_cross(*a.array, *b.array, type);
  const any_array x = last_axis_of(product_operand(a, type), options.axis.value_or(options.axisa)),
                  y = last_axis_of(product_operand(b, type), options.axis.value_or(options.axisb));
  for (const any_array* v : {&x, &y})
    if (v->shape(-1) != 2 && v->shape(-1) != 3)
      throw value_error("incompatible dimensions for cross product\n(dimension must be 2 or 3)");
  if (x.shape(-1) == 2 && y.shape(-1) == 2) return minor_of(x, y, type, 0, 1).eval();
  const bool of_space = x.shape(-1) == 3 && y.shape(-1) == 3 && x.size() > 0 && y.size() > 0;
  const int last = std::max(x.ndim(), y.ndim()) - 1;
  if (of_space && normalize_axis(options.axis.value_or(options.axisc), last + 1) == last &&
      is_c_contiguous(x) && is_c_contiguous(y))
    return rolled_cross(x, y, type);
  const any_array components[] = {minor_of(x, y, type, 1, 2), minor_of(x, y, type, 2, 0),
                                  minor_of(x, y, type, 0, 1)};
  const int axis = normalize_axis(options.axis.value_or(options.axisc), components[0].ndim() + 1);
  dims shape = components[0].shape();
  shape.insert(static_cast<std::size_t>(axis), 3);
  const any_array result = allocate(type, shape, x.device());
  any_array targets[3];
  for (std::int64_t i = 0; i < 3; ++i)
    targets[i] = remove_axis(slice_along(result, axis, i, 1), static_cast<std::size_t>(axis));
  if (!compute_into(components, targets, 1))
    for (std::size_t i = 0; i < 3; ++i) assign_array(targets[i].rep(), components[i]);
  return result;
}

void check_three_dimensional(const any_array& a, const any_array& b, int axis) {
  if (a.shape(axis) != 3 || b.shape(axis) != 3)
    fail<value_error>(
        "Both input arrays must be (arrays of) 3-dimensional vectors, but they are {} and {} dimensional "
        "instead.",
        a.shape(axis), b.shape(axis));
}

void check_vectors(const any_array& a, const any_array& b) {
  if (a.ndim() != 1 || b.ndim() != 1)
    fail<value_error>("Input arrays must be one-dimensional, but they are x1.ndim={} and x2.ndim={}.",
                      a.ndim(), b.ndim());
}

any_array kron(const argument& a, const argument& b, gparray::dtype type) {
  const argument operands[] = {a, b};
  common_device("kron", operands);
  const any_array x = product_operand(a, type), y = product_operand(b, type);
  const int ndim = std::max(x.ndim(), y.ndim());
  // Every axis of the result is a pair of axes: the block, and the index in it.
  dims outer_shape, inner_shape, shape;
  for (int d = -ndim; d < 0; ++d) {
    const std::int64_t m = -d <= x.ndim() ? x.shape(d) : 1, n = -d <= y.ndim() ? y.shape(d) : 1;
    outer_shape.push_back(m);
    outer_shape.push_back(1);
    inner_shape.push_back(1);
    inner_shape.push_back(n);
    shape.push_back(checked_product(m, n, "kron: the size of an axis"));
  }
  const any_array blocks = multiplied(reshaped(x, outer_shape), reshaped(y, inner_shape), type);
  return reshaped(blocks.eval(), shape);
}

any_array matrix_power(const argument& a, gparray::dtype type, std::int64_t n) {
  check_square(*a.array);
  any_array base = *a.array;
  if (n < 0) {
    const bool has_inverses = is_inexact(type) && itemsize(real_dtype(type)) > 2;
    if (!has_inverses)
      fail<type_error>(
          "matrix_power: matrices of {} have no inverses; convert them with astype<double>() first",
          name(type));
    base = inverse(a, type, true);
  }
  if (n == 0)
    return copy(broadcast_to(identity(base.shape(-1), type, base.device()), base.shape()), order::C);
  if (magnitude(n) == 1) return copy(base, order::C);
  any_array result, power = base;
  bool has_result = false;
  for (std::uint64_t rest = magnitude(n);; power = multiply_matrices(type, power, power)) {
    if (rest & 1) {
      result = has_result ? multiply_matrices(type, result, power) : power;
      has_result = true;
    }
    if ((rest >>= 1) == 0) return result;
  }
}

any_array multi_dot(std::span<const any_array> arrays, gparray::dtype type) {
  if (arrays.size() < 2) throw value_error("Expecting at least two arrays.");
  std::vector<argument> operands;
  for (const any_array& a : arrays) operands.push_back(named(a));
  common_device("multi_dot", operands);
  const bool is_row = arrays.front().ndim() == 1, is_column = arrays.back().ndim() == 1;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const bool may_be_vector = i == 0 || i + 1 == arrays.size();
    if (arrays[i].ndim() != 2 && !(may_be_vector && arrays[i].ndim() == 1))
      fail<linalg_error>("{}-dimensional array given. Array must be two-dimensional", arrays[i].ndim());
  }
  std::vector<any_array> matrices;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    any_array m = product_operand(operands[i], type);
    if (i == 0 && is_row) m = insert_axis(m, 0);
    else if (m.ndim() == 1) m = insert_axis(m, 1);
    if (i > 0 && matrices.back().shape(1) != m.shape(0))
      fail<value_error>("shapes {} and {} not aligned: {} (dim {}) != {} (dim 0)",
                        text(arrays[i - 1].shape()), text(arrays[i].shape()), matrices.back().shape(1),
                        arrays[i - 1].ndim() - 1, m.shape(0));
    matrices.push_back(std::move(m));
  }
  any_array result = chain(matrices).multiply(type);
  if (is_column) result = remove_axis(result, 1);
  return is_row ? remove_axis(result, 0) : result;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
