#include <vector>

#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/linalg/stack.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/creation.hpp>
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

work_matrices::work_matrices(dtype type, const dims& batch, std::int64_t n_rows, std::int64_t n_columns,
                             device place)
    : memory(allocate(type, with_axes(batch, {n_columns, n_rows}), place)),
      rows(n_rows),
      columns(n_columns),
      count(count_of(batch)) {}

any_array work_matrices::matrices() const { return detail::matrix_transpose(memory); }
any_array work_matrices::in_c_order() const { return detail::in_order(matrices(), order::C); }

namespace {

/// Writes a, converted, to the target, and returns the target.
work_matrices filled(work_matrices&& target, const any_array& view, const any_array& a) {
  if (!target.empty()) assign_array(view.rep(), a);
  return std::move(target);
}

/// The array to convert: computed, in one pass with the conversion if it is a temporary expression.
any_array converted(const detail::argument& a, dtype type) {
  if (!a.fuse || a.type == type) return *a.array;
  return apply(ufunc::cast, type, {a});
}

}  // namespace

work_matrices column_major(const detail::argument& a, dtype type, const dims& batch) {
  work_matrices work(type, batch, a.array->shape(-2), a.array->shape(-1), a.array->device());
  const any_array view = work.matrices();
  return filled(std::move(work), view, converted(a, type));
}

work_matrices column_major(const detail::argument& a, dtype type) {
  return column_major(a, type, batch_of(*a.array));
}

work_matrices column_major_transposed(const detail::argument& a, dtype type) {
  work_matrices work(type, batch_of(*a.array), a.array->shape(-1), a.array->shape(-2), a.array->device());
  const any_array view = work.memory;
  return filled(std::move(work), view, converted(a, type));
}

work_matrices lower_triangle(const detail::argument& a, dtype type, const dims& batch, bool lower) {
  if (lower) return column_major(a, type, batch);
  const any_array turned = adjoint(*a.array, type);
  return column_major(temporary(turned), type, batch);
}

any_array adjoint(const any_array& a, dtype type) {
  const any_array turned = detail::matrix_transpose(a);
  return is_complex(a.dtype()) ? apply(ufunc::conjugate, type, {named(turned)}) : turned;
}

any_array identity(std::int64_t n, dtype type, device place) {
  return detail::eye(n, n, 0, type, {.device = place});
}

linalg_engine& engine_of(device place) {
  linalg_engine* engine = backend_of(place).linalg();
  if (!engine)
    fail<device_error>("the backend of {} has no factorisations; move the array to the CPU", place.str());
  return *engine;
}

factor_info::factor_info(const dims& batch, device place)
    : values_(detail::create_zeros(batch, dtype::int32, {.device = place})) {}

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
  std::vector<std::int32_t> host(static_cast<std::size_t>(values_.size()));
  // The CPU's work is done when it returns, and what else is pending may stay so.
  if (values_.device().is_cpu()) std::copy_n(data(), host.size(), host.data());
  else detail::copy_to_host(values_, host.data());
  for (std::size_t i = 0; i < host.size(); ++i)
    if (host[i] != 0)
      fail<linalg_error>("{}{}", text, place_in_batch(static_cast<std::int64_t>(i), values_.shape()));
}

std::string place_in_batch(std::int64_t index, const dims& batch) {
  if (batch.empty()) return {};
  dims place = batch;
  for (std::size_t d = batch.size(); d-- > 0; index /= batch[d]) place[d] = index % batch[d];
  return fmt::format(" (matrix {} of the batch)", core::text(place));
}

}  // namespace core
GPARRAY_END_NAMESPACE
