#include <utility>
#include <vector>

#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/creation/creation.hpp>
#include <core/linalg/stack.hpp>
#include <core/reduction/reduction.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

void check_stacked(const any_array& a) {
  if (a.ndim() < 2)
    fail<linalg_error>("{}-dimensional array given. Array must be at least two-dimensional", a.ndim());
}

void check_square(const any_array& a) {
  check_stacked(a);
  if (a.shape(-1) != a.shape(-2)) throw linalg_error("Last 2 dimensions of the array must be square");
}

dims batch_of(const any_array& a) {
  check_stacked(a);
  dims batch = a.shape();
  batch.resize(batch.size() - 2);
  return batch;
}

dims with_axes(dims batch, std::initializer_list<std::int64_t> sizes) {
  for (const std::int64_t size : sizes) batch.push_back(size);
  return batch;
}

std::int64_t count_of(const dims& batch) {
  std::int64_t count = 1;
  for (const std::int64_t n : batch) count *= n;
  return count;
}

stacked_operand::stacked_operand(const detail::argument& a, dtype factor_type)
    : stacked_operand(a, factor_type, batch_of(*a.array)) {}

stacked_operand::stacked_operand(const detail::argument& a, dtype factor_type, const dims& batch_shape)
    : source(a),
      type(factor_type),
      batch(batch_shape),
      rows(a.array->shape(-2)),
      columns(a.array->shape(-1)),
      on_device(a.array->device()) {}

stacked_operand stacked_operand::transposed() const {
  stacked_operand result = *this;
  std::swap(result.rows, result.columns);
  result.is_transposed = !is_transposed;
  return result;
}

work_matrices stacked_operand::column_major() const {
  work_matrices work = new_matrices(rows, columns);
  if (work.empty()) return work;
  const any_array target = is_transposed ? work.memory : work.matrices();
  // A temporary expression is computed and converted in one pass.
  if (source.fuse && source.type != type) assign_array(target.rep(), apply(ufunc::cast, type, {source}));
  else assign_array(target.rep(), *source.array);
  return work;
}

work_matrices stacked_operand::triangle(bool lower) const {
  if (lower) return column_major();
  const any_array lower_triangles = adjoint(*source.array, type);
  return stacked_operand(temporary(lower_triangles), type, batch).column_major();
}

linalg_engine& stacked_operand::engine() const {
  linalg_engine* const found = backend_of(on_device).linalg();
  if (!found)
    fail<device_error>("the backend of {} has no factorisations; move the array to the CPU", on_device.str());
  return *found;
}

any_array adjoint(const any_array& a, dtype type) {
  const any_array transposed = detail::matrix_transpose(a);
  return is_complex(a.dtype()) ? apply(ufunc::conjugate, type, {named(transposed)}) : transposed;
}

any_array identity(std::int64_t n, dtype type, device on_device) {
  return detail::eye(n, n, 0, type, {.device = on_device});
}

factor_info::factor_info(const dims& batch, device on_device)
    : values_(detail::create_zeros(batch, dtype::int32, {.device = on_device})) {}

std::int32_t* factor_info::data() const { return reinterpret_cast<std::int32_t*>(values_.rep()->data); }

void factor_info::fail_where(const any_array& flags) {
  values_ = apply(ufunc::maximum, dtype::int32, {named(values_), named(flags)}).eval();
}

void factor_info::fail_where_not_finite(const detail::argument& a) {
  const dims last_two{-2, -1};
  const any_array finite = apply(ufunc::isfinite, a.type, {named(*a.array)});
  const any_array infinite = apply(ufunc::logical_not, dtype::bool_, {temporary(finite)});
  fail_where(reduced(reduction::any, infinite, &last_two));
}

any_array with_nan(const detail::argument& matrices) {
  const dims last_two{-2, -1};
  return reduced(reduction::any, apply(ufunc::isnan, matrices.type, {named(*matrices.array)}), &last_two);
}

void factor_info::check(std::string_view text) const {
  if (!values_.rep()) return;
  std::vector<std::int32_t> host(static_cast<std::size_t>(values_.size()));
  // The CPU's work is done when it returns, and what else is pending may stay so.
  if (values_.device().is_cpu()) std::copy_n(data(), host.size(), host.data());
  else detail::copy_to_host(values_, host.data());
  for (std::size_t i = 0; i < host.size(); ++i)
    if (host[i] != 0)
      fail<linalg_error>("{}{}", text, index_in_batch(static_cast<std::int64_t>(i), values_.shape()));
}

std::string index_in_batch(std::int64_t index, const dims& batch) {
  if (batch.empty()) return {};
  dims at = batch;
  for (std::size_t d = batch.size(); d-- > 0; index /= batch[d]) at[d] = index % batch[d];
  return fmt::format(" (matrix {} of the batch)", core::text(at));
}

}  // namespace core
GPARRAY_END_NAMESPACE
