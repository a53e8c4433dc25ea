// Tensor equations, which are matrix equations of reshaped arrays; and the matrix exponential.
#include <cmath>
#include <optional>
#include <vector>

#include <core/array/arguments.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/creation/creation.hpp>
#include <core/linalg/lu.hpp>
#include <core/linalg/stack.hpp>
#include <core/products/products.hpp>
#include <gparray/linalg.hpp>
#include <gparray/linalg/products.hpp>
#include <support/errors.hpp>
#include <support/pade.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

dims part(const dims& shape, std::size_t first, std::size_t end) {
  dims result;
  for (std::size_t i = first; i < end; ++i) result.push_back(shape[i]);
  return result;
}

using factors = std::pair<double, const any_array*>;

/// The sum of multiples of matrices, one fused expression.
any_array combination(dtype type, std::initializer_list<factors> terms) {
  any_array sum;
  bool is_first = true;
  for (const auto& [factor, matrix] : terms) {
    any_array term = apply(ufunc::multiply, type, {named(*matrix), number(factor, type)});
    sum = is_first ? term : apply(ufunc::add, type, {temporary(sum), temporary(term)});
    is_first = false;
  }
  return sum.eval();
}

/// For each matrix.
std::vector<int> halvings(const any_array& a, dtype type) {
  const any_array norms = detail::matrix_norm(named(a), type, 1, dims{-2, -1}, false);
  const any_array as_float64 = apply(ufunc::cast, dtype::float64, {named(norms)});
  std::vector<double> values(static_cast<std::size_t>(norms.size()));
  detail::copy_to_host(as_float64, values.data());
  std::vector<int> counts;
  for (const double norm : values) counts.push_back(halvings_for(norm));
  return counts;
}

/// An array of one number for each matrix, as axes of size 1 behind the batch.
template<class Number>
any_array for_each_matrix(const std::vector<int>& counts, const any_array& a, dtype type, Number number_of) {
  std::vector<double> values;
  for (const int count : counts) values.push_back(number_of(count));
  const any_array numbers =
      detail::from_host(values.data(), with_axes(batch_of(a), {1, 1}), dtype::float64, a.device());
  return apply(ufunc::cast, type, {named(numbers)}).eval();
}

/// Pade's approximant of exp.
any_array approximant(const any_array& a, dtype type) {
  const auto& b = pade_13;
  const any_array one = identity(a.shape(-1), type, a.device());
  const any_array a2 = multiply_matrices(type, a, a), a4 = multiply_matrices(type, a2, a2),
                  a6 = multiply_matrices(type, a4, a2);
  const any_array odd_high = combination(type, {{b[13], &a6}, {b[11], &a4}, {b[9], &a2}});
  const any_array odd_product = multiply_matrices(type, a6, odd_high);
  const any_array odd =
      combination(type, {{1, &odd_product}, {b[7], &a6}, {b[5], &a4}, {b[3], &a2}, {b[1], &one}});
  const any_array u = multiply_matrices(type, a, odd);
  const any_array even_high = combination(type, {{b[12], &a6}, {b[10], &a4}, {b[8], &a2}});
  const any_array even_product = multiply_matrices(type, a6, even_high);
  const any_array v =
      combination(type, {{1, &even_product}, {b[6], &a6}, {b[4], &a4}, {b[2], &a2}, {b[0], &one}});
  const any_array sum = combination(type, {{1, &v}, {1, &u}}),
                  difference = combination(type, {{1, &v}, {-1, &u}});
  return solve_unchecked(named(difference), named(sum), type);
}

/// All of it by the engine, of matrices whose products are too small to be shared by threads; nothing if it
/// has no routine.
std::optional<any_array> exponential_by_engine(const detail::argument& a, dtype type) {
  constexpr std::int64_t most_rows = 64;
  // Exponentials of transposed matrices are transposed too.
  const stacked_operand x = stacked_operand(a, type).transposed();
  if (!x.on_device.is_cpu() || x.empty() || x.rows > most_rows) return std::nullopt;
  const work_matrices work = x.column_major(), result = x.new_matrices(x.rows, x.columns);
  if (!x.engine().exponential(type, work.stack(), result.data())) return std::nullopt;
  return result.memory;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array tensorsolve(const argument& a, const argument& b, gparray::dtype type, const dims* axes) {
  const argument operands[] = {a, b};
  common_device("tensorsolve", operands);
  any_array left = product_operand(a, type);
  const any_array right = product_operand(b, type);
  if (axes) {
    dims order;
    for (int i = 0; i < left.ndim(); ++i) order.push_back(i);
    for (const std::int64_t axis : *axes) {
      const std::int64_t k = normalize_axis(axis, left.ndim());
      order.erase(static_cast<std::size_t>(std::ranges::find(order, k) - order.begin()));
      order.push_back(k);
    }
    left = permute_axes(left, order);
  }
  const auto n_axes = static_cast<std::size_t>(left.ndim());
  // NumPy's slice [-(an - b.ndim):] is the whole shape when they are equal.
  const auto given = static_cast<std::size_t>(right.ndim());
  const dims solved = part(left.shape(), given < n_axes ? given : 0, n_axes);
  const std::int64_t n = count_of(solved);
  if (left.size() != n * n)
    throw linalg_error(
        "Input arrays must satisfy the requirement             prod(a.shape[b.ndim:]) == "
        "prod(a.shape[:b.ndim])");
  const any_array matrix = reshaped(left, dims{n, n}), vector = reshaped(right, dims(right.size()));
  return reshaped(solve(named(matrix), named(vector), type, {}), solved);
}

any_array tensorinv(const argument& a, gparray::dtype type, int ind) {
  if (ind <= 0) throw value_error("Invalid ind argument.");
  const any_array whole = product_operand(a, type);
  const std::size_t n_axes = whole.shape().size(),
                    split = std::min<std::size_t>(static_cast<std::size_t>(ind), n_axes);
  const dims rows = part(whole.shape(), 0, split), columns = part(whole.shape(), split, n_axes);
  const any_array matrix = reshaped(whole, dims{count_of(rows), count_of(columns)});
  dims shape = columns;
  for (const std::int64_t size : rows) shape.push_back(size);
  return reshaped(inv(named(matrix), type), shape);
}

any_array expm(const argument& a, gparray::dtype type) {
  check_square(*a.array);
  if (const auto own = exponential_by_engine(a, type)) return *own;
  const any_array matrices = product_operand(a, type);
  if (matrices.size() == 0) return copy(matrices, order::C);
  const std::vector<int> counts = halvings(matrices, type);
  const any_array factors =
      for_each_matrix(counts, matrices, type, [](int s) { return std::ldexp(1.0, -s); });
  const any_array scaled = apply(ufunc::multiply, type, {named(matrices), named(factors)}).eval();
  any_array x = approximant(scaled, type);
  const int most = std::ranges::max(counts), least = std::ranges::min(counts);
  for (int i = 0; i < most; ++i) {
    const any_array squared = multiply_matrices(type, x, x);
    if (i < least) {
      x = squared;
      continue;
    }
    const any_array wanted =
        for_each_matrix(counts, matrices, gparray::dtype::bool_, [i](int s) { return i < s ? 1.0 : 0.0; });
    x = apply(ufunc::where, type, {named(wanted), named(squared), named(x)}).eval();
  }
  return x;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
