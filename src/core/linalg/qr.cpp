// QR factorisations: which parts of LAPACK's compact form a mode returns.
#include <core/array/evaluate.hpp>
#include <core/creation/creation.hpp>
#include <core/linalg/stack.hpp>
#include <core/manipulation/manipulation.hpp>
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
any_array q_of(const stacked_operand& a, const work_matrices& factored, const any_array& tau,
               std::int64_t columns) {
  const std::int64_t reflectors = tau.shape(-1);
  const auto form = [&](const work_matrices& q) {
    if (!q.empty()) a.engine().form_q(a.type, q.stack(), reflectors, tau.rep()->data, a.where());
    return q.in_c_order();
  };
  if (columns == factored.columns) return form(factored);
  const work_matrices q = a.new_matrices(factored.rows, columns);
  if (reflectors == 0) {
    assign_array(q.memory.rep(), identity(factored.rows, a.type, a.on_device));
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
  const stacked_operand x(a, type);
  const work_matrices work = x.column_major();
  const std::int64_t k = std::min(x.rows, x.columns);
  const any_array tau = x.new_numbers(type, k);
  if (!x.empty()) x.engine().qr(type, work.stack(), tau.rep()->data, x.where());
  if (mode == qr_mode::raw) return {work.memory, tau};
  const std::int64_t columns = mode == qr_mode::complete ? x.rows : k;
  const any_array r = upper_rows(work, columns);
  if (mode == qr_mode::r) return {any_array(), r};
  return {q_of(x, work, tau, columns), r};
}

}  // namespace detail
GPARRAY_END_NAMESPACE
