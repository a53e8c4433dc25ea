// QR factorisations: which parts of LAPACK's compact form a mode returns.
#include <core/array/evaluate.hpp>
#include <core/linalg/stack.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/creation.hpp>
#include <gparray/linalg/factor.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

any_array upper_rows(const work_matrices& factored, std::int64_t rows) {
  const any_array matrices = factored.matrices();
  return detail::triangle(slice_along(matrices, matrices.ndim() - 2, 0, rows), 0, false);
}

/// The first columns of Q, from `factored`, which may become them.
any_array q_of(const work_matrices& factored, const any_array& tau, std::int64_t columns) {
  const dims batch = batch_of(factored.memory);
  const dtype type = factored.memory.dtype();
  const device place = factored.memory.device();
  const std::int64_t reflectors = tau.shape(-1);
  const auto form = [&](const work_matrices& q) {
    if (!q.empty())
      engine_of(place).form_q(type, q.stack(), reflectors, tau.rep()->data, current_queue(place));
    return q.in_c_order();
  };
  if (columns == factored.columns) return form(factored);
  const work_matrices q(type, batch, factored.rows, columns, place);
  if (reflectors == 0) {
    assign_array(q.memory.rep(), identity(factored.rows, type, place));
    return q.in_c_order();
  }
  // In memory a column of the matrix is a row.
  const int axis = q.memory.ndim() - 2;
  if (!q.empty())
    assign_array(slice_along(q.memory, axis, 0, reflectors).rep(),
                 slice_along(factored.memory, axis, 0, reflectors));
  return form(q);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

qr_mode parse_qr_mode(std::string_view mode) {
  if (mode == "reduced") return qr_mode::reduced;
  if (mode == "complete") return qr_mode::complete;
  if (mode == "r" || mode == "raw")
    fail<value_error>("mode '{}' returns something else: qr(a, linalg::{})", mode, mode);
  fail<value_error>("Unrecognized mode '{}'", mode);
}

std::array<any_array, 2> qr(const argument& a, gparray::dtype type, qr_mode mode) {
  check_stacked(*a.array);
  const dims batch = batch_of(*a.array);
  const work_matrices work = column_major(a, type);
  const std::int64_t k = std::min(work.rows, work.columns);
  const device place = work.memory.device();
  const any_array tau = allocate(type, with_axes(batch, {k}), place);
  if (!work.empty()) engine_of(place).qr(type, work.stack(), tau.rep()->data, current_queue(place));
  if (mode == qr_mode::raw) return {work.memory, tau};
  const bool complete = mode == qr_mode::complete;
  const any_array r = upper_rows(work, complete ? work.rows : k);
  if (mode == qr_mode::r) return {any_array(), r};
  return {q_of(work, tau, complete ? work.rows : k), r};
}

}  // namespace detail
GPARRAY_END_NAMESPACE
