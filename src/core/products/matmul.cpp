// matmul, matvec, vecmat and vecdot: NumPy's generalised ufuncs, whose leading axes broadcast.
#include <optional>

#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/temporary.hpp>
#include <core/products/gufunc.hpp>
#include <core/products/matmul.hpp>
#include <core/products/products.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Whether a matrix has so many rows, and so short ones, or so few and long columns side by side, that a GPU
/// multiplies it by a vector as a reduction of its last axis, which reads it at the speed of memory: cuBLAS
/// has two threads for a row, and for columns a second kernel that adds up the parts of the first.
bool is_tall(const any_array& matrix, dtype type) {
  constexpr std::int64_t fewest_rows = 1 << 16, longest_row = 64, fewest_columns = 32;
  const array_rep* rep = computed(matrix);
  if (!rep->device_.is_cuda() || rep->type != type || (type != dtype::float32 && type != dtype::float64))
    return false;
  const auto size = static_cast<std::int64_t>(itemsize(type)), n = rep->shape.back();
  if (rep->strides.back() == size) return n > 1 && n <= longest_row && rep->size / n >= fewest_rows;
  const std::int64_t columns = rep->shape.size() == 2 ? rep->shape[0] : 0;
  return columns >= fewest_columns && columns <= longest_row && n >= fewest_rows && rep->strides[0] == size;
}

/// vector @ matrix, by which such a matrix is multiplied; none of any other.
std::optional<any_array> product_of_tall(const any_array& vector, const any_array& matrix, dtype type) {
  if (matrix.ndim() != 2 || !computed(matrix)->device_.is_cuda()) return std::nullopt;
  const any_array transposed = permute_axes(matrix, {1, 0});
  if (!is_tall(transposed, type)) return std::nullopt;
  return sum_of_products(type, transposed, vector);
}

/// matmul whose matrices are multiplied by multiply(left, right); `by_sums`: but for tall ones by a vector.
template<class Multiply>
any_array matmul_by(Multiply multiply, const detail::argument& a, const detail::argument& b, dtype type,
                    bool by_sums) {
  dims x = a.array->shape(), y = b.array->shape();
  const bool row = x.size() == 1, column = y.size() == 1;
  const core_signature f{"matmul", "(n?,k),(k,m?)->(n?,m?)", row ? 1 : 2, column ? 1 : 2};
  check_enough_axes(f, 0, a.array->ndim(), 1);
  check_enough_axes(f, 1, b.array->ndim(), 1);
  check_summed_axes(f, x.back(), y[y.size() - static_cast<std::size_t>(f.core_b)]);
  dims core_out;
  if (!row) core_out.push_back(x[x.size() - 2]);
  if (!column) core_out.push_back(y.back());
  check_batches(f, x, y, core_out);

  const dtype factors = factor_dtype(a, b, type);
  const any_array left = product_operand(a, factors), right = product_operand(b, factors);
  if (row && column) return sum_of_products(type, left, right);
  if (by_sums && column && is_tall(left, type)) return sum_of_products(type, left, right);
  if (by_sums && row)
    if (auto sums = product_of_tall(left, right, type)) return *std::move(sums);
  any_array c = multiply(row ? insert_axis(left, 0) : left, column ? insert_axis(right, 1) : right);
  if (!c.rep()) return c;
  if (column) c = remove_axis(c, c.shape().size() - 1);
  if (row) c = remove_axis(c, c.shape().size() - 2);
  return c;
}

}  // namespace

any_array matmul(const detail::argument& a, const detail::argument& b, dtype type) {
  const auto multiply = [&](const any_array& x, const any_array& y) { return multiply_matrices(type, x, y); };
  return matmul_by(multiply, a, b, type, true);
}

any_array matmul(const detail::argument& a, const detail::argument& b, const epilogue& after) {
  const auto multiply = [&](const any_array& x, const any_array& y) {
    return multiply_matrices(after, x, y);
  };
  return matmul_by(multiply, a, b, after.result, false);
}

any_array matvec(const detail::argument& a, const detail::argument& b, dtype type) {
  const core_signature f{"matvec", "(m,n),(n)->(m)", 2, 1};
  const dims &x = a.array->shape(), &y = b.array->shape();
  check_enough_axes(f, 0, a.array->ndim(), 2);
  check_enough_axes(f, 1, b.array->ndim(), 1);
  check_summed_axes(f, x.back(), y.back());
  check_batches(f, x, y, dims{x[x.size() - 2]});
  const dtype factors = factor_dtype(a, b, type);
  const any_array left = product_operand(a, factors), right = product_operand(b, factors);
  if (y.size() == 1 && is_tall(left, type)) return sum_of_products(type, left, right);
  const any_array c = multiply_matrices(type, left, insert_axis(right, y.size()));
  return remove_axis(c, c.shape().size() - 1);
}

any_array vecmat(const detail::argument& a, const detail::argument& b, dtype type) {
  const core_signature f{"vecmat", "(n),(n,m)->(m)", 1, 2};
  const dims &x = a.array->shape(), &y = b.array->shape();
  check_enough_axes(f, 0, a.array->ndim(), 1);
  check_enough_axes(f, 1, b.array->ndim(), 2);
  check_summed_axes(f, x.back(), y[y.size() - 2]);
  check_batches(f, x, y, dims{y.back()});
  const dtype factors = factor_dtype(a, b, type);
  const any_array left = product_operand(a, factors, true), right = product_operand(b, factors);
  if (x.size() == 1)
    if (auto sums = product_of_tall(left, right, type)) return *std::move(sums);
  const any_array c = multiply_matrices(type, insert_axis(left, x.size() - 1), right);
  return remove_axis(c, c.shape().size() - 2);
}

namespace {

/// The axis moved to the end.
any_array with_last_axis(const any_array& a, int axis) {
  const int ndim = a.ndim(), last = normalize_axis(axis, ndim);
  dims axes;
  for (int i = 0; i < ndim; ++i)
    if (i != last) axes.push_back(i);
  axes.push_back(last);
  return permute_axes(a, axes);
}

}  // namespace

}  // namespace core

namespace detail {

void store_product(const any_array& out, const any_array& product, std::string_view function) {
  using namespace core;
  const array_rep* to = computed(out);
  if (function == "dot") {
    if (to->shape != product.shape() || !to->c_contiguous)
      throw value_error(
          "output array is not acceptable (must have the right datatype, number of dimensions, and be a "
          "C-Array)");
  } else if (to->shape != product.shape()) {
    fail<value_error>("{}: the output has shape {}, and the product {}", function, text(to->shape),
                      text(product.shape()));
  }
  assign(out, named(product));  // the product is a new array, so whatever out overlaps has been read
}

any_array vecdot(const argument& a, const argument& b, gparray::dtype type, int axis) {
  using namespace core;
  const core_signature f{"vecdot", "(n),(n)->()", 1, 1};
  check_enough_axes(f, 0, a.array->ndim(), 1);
  check_enough_axes(f, 1, b.array->ndim(), 1);
  const argument operands[] = {a, b};
  common_device("vecdot", operands);
  const gparray::dtype factors = factor_dtype(a, b, type);
  const any_array left = with_last_axis(product_operand(a, factors), axis);
  const any_array right = with_last_axis(product_operand(b, factors), axis);
  check_summed_axes(f, left.shape().back(), right.shape().back());
  check_batches(f, left.shape(), right.shape(), {});
  return sum_of_products(type, conjugated(left), right);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
