// Sparse systems solved by factors and by substitution.
#include <algorithm>

#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/reduction/typed.hpp>
#include <core/sparse/linalg/direct.hpp>
#include <support/errors.hpp>
#include <support/log.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

column_order parse_column_order(std::string_view name) {
  constexpr std::pair<std::string_view, column_order> orders[] = {
      {"COLAMD", column_order::colamd},
      {"NATURAL", column_order::natural},
      {"MMD_ATA", column_order::mmd_ata},
      {"MMD_AT_PLUS_A", column_order::mmd_at_plus_a}};
  for (const auto& [known, order] : orders)
    if (name == known) return order;
  fail<value_error>("invalid value for 'ColPerm' parameter: '{}'", name);
}

/// "basic,area" as SuperLU's flags; 0 for its default.
int parse_drop_rule(std::string_view rules) {
  constexpr std::pair<std::string_view, int> known[] = {
      {"basic", 0x1},     {"prows", 0x2},    {"column", 0x4},  {"area", 0x8},
      {"secondary", 0xe}, {"dynamic", 0x10}, {"interp", 0x100}};
  int flags = 0;
  while (!rules.empty()) {
    const std::size_t end = std::min(rules.find(','), rules.size());
    const std::string_view one = rules.substr(0, end);
    const auto rule = std::ranges::find(known, one, &std::pair<std::string_view, int>::first);
    if (rule == std::ranges::end(known))
      fail<value_error>("invalid value for 'ILU_DropRule' parameter: '{}'", one);
    flags |= rule->second;
    rules.remove_prefix(std::min(end + 1, rules.size()));
  }
  return flags;
}

template<class Options>
lu_request request_of(const Options& options) {
  lu_request request;
  request.order = parse_column_order(options.permc_spec);
  request.pivot_threshold = options.diag_pivot_thresh;
  request.relax = options.relax;
  request.panel_size = options.panel_size;
  return request;
}

transposition parse_transposition(char trans) {
  switch (trans) {
    case 'N':
      return transposition::none;
    case 'T':
      return transposition::transpose;
    case 'H':
      return transposition::adjoint;
    default:
      fail<value_error>("trans must be N, T, or H, not {}", trans);
  }
}

}  // namespace

void check_right_side(const char* operation, std::int64_t n, device on_device, const any_array& b) {
  if (b.ndim() < 1 || b.ndim() > 2 || b.shape(0) != n)
    fail<value_error>("b is of incompatible size: the matrix has {} rows, b the shape {}", n,
                      python_text(b.shape()));
  if (b.device() != on_device) throw_device_mismatch(operation, on_device, b.device());
}

std::int64_t width_of(const any_array& b) { return b.ndim() == 1 ? 1 : b.shape(1); }

}  // namespace core

namespace detail {

using namespace core;

sparse_lu::sparse_lu(const sparse_parts& a, const lu_request& request)
    : n_(a.rows), type_(a.dtype()), device_(a.device()) {
  if (a.rows != a.columns) throw value_error("can only factor square matrices");
  if (!(request.pivot_threshold >= 0 && request.pivot_threshold <= 1))
    fail<value_error>("diag_pivot_thresh must be from 0 to 1, not {}", request.pivot_threshold);
  if (n_ == 0) return;
  static warned before;
  if (device_.is_cuda())
    warn(before, log_category::fallback, "a sparse matrix of {} rows on cuda:{} is factorised by the CPU", n_,
         device_.index());
  const sparse_parts columns =
      sparse_to_device(prepared(a, format::csc, type_, gparray::dtype::int32), gparray::device::cpu());
  const compressed_rows view = view_of(columns);
  const auto n = static_cast<std::int32_t>(n_);
  const auto *starts = static_cast<const std::int32_t*>(view.indptr),
             *rows = static_cast<const std::int32_t*>(view.indices);
  // SuperLU reads past its arrays if there is no pivot for a column, and incomplete factorisations end the
  // program, as they do where a comparison with NaN finds none.
  if (!has_full_structural_rank(n, starts, rows)) throw linalg_error("Factor is exactly singular");
  if (request.incomplete &&
      !gparray::all(typed<bool>(apply(ufunc::isfinite, type_, {named(columns.data)}))).item())
    throw value_error("array must not contain infs or NaNs");
  factors_ = factorize_sparse(type_, n, starts, rows, view.data, request);
}

any_array sparse_lu::solve(const any_array& b, transposition op) const {
  check_right_side("solve", n_, device_, b);
  if (b.size() == 0) return copy(b, order::C);
  if (any_array x; !device_.is_cpu() && solve_there(b, op, x)) return x;
  // SuperLU has columns one after the other, which are the rows of the transposed array.
  const any_array here = to_device(b, gparray::device::cpu(), nullptr);
  const any_array x = copy(b.ndim() == 1 ? here : matrix_transpose(here), order::C);
  factors_->solve(op, computed(x)->data, static_cast<int>(width_of(b)));
  return to_device(b.ndim() == 1 ? x : copy(matrix_transpose(x), order::C), device_, nullptr);
}

any_array sparse_lu::permutation(bool rows) const {
  if (!factors_) return create_zeros(0, gparray::dtype::int32, {.device = device_});
  const auto& numbers = rows ? factors_->row_permutation : factors_->column_permutation;
  return from_host(numbers.data(), {n_}, gparray::dtype::int32, device_);
}

sparse_parts sparse_lu::triangle(bool lower, sparse::format f) const {
  if (!factors_) return sparse_empty(f, {0, 0}, type_, device_);
  const host_columns t = factors_->triangle(lower);
  const gparray::device here = gparray::device::cpu();
  const auto count = static_cast<std::int64_t>(t.rows.size());
  const sparse_parts unordered =
      make_parts(format::csc, n_, n_, from_host(t.values.data(), {count}, type_, here),
                 from_host(t.starts.data(), {n_ + 1}, gparray::dtype::int32, here),
                 from_host(t.rows.data(), {count}, gparray::dtype::int32, here));
  return sparse_to_device(sparse_convert(sparse_canonical(unordered), f), device_);
}

std::shared_ptr<const sparse_lu> make_sparse_lu(const sparse_parts& a,
                                                const sparse::linalg::splu_options& options) {
  return std::make_shared<const sparse_lu>(a, request_of(options));
}
std::shared_ptr<const sparse_lu> make_sparse_ilu(const sparse_parts& a,
                                                 const sparse::linalg::spilu_options& options) {
  lu_request request = request_of(options);
  request.incomplete = true;
  request.drop_tolerance = options.drop_tol;
  request.fill_factor = options.fill_factor;
  request.drop_rule = parse_drop_rule(options.drop_rule);
  if (!(options.drop_tol >= 0 && options.drop_tol <= 1))
    fail<value_error>("drop_tol must be from 0 to 1, not {}", options.drop_tol);
  if (!(options.fill_factor >= 1))
    fail<value_error>("fill_factor must be at least 1, not {}", options.fill_factor);
  return std::make_shared<const sparse_lu>(a, request);
}
any_array sparse_lu_solve(const sparse_lu& lu, const any_array& b, char trans) {
  return lu.solve(b, parse_transposition(trans));
}
std::int64_t sparse_lu_entries(const sparse_lu& lu) { return lu.entries(); }
sparse_parts sparse_lu_triangle(const sparse_lu& lu, bool lower) { return lu.triangle(lower, format::csc); }
any_array sparse_lu_permutation(const sparse_lu& lu, bool rows) { return lu.permutation(rows); }

void check_spsolve(const sparse_parts& a, const dims& of_b) {
  if (a.rows != a.columns) fail<value_error>("matrix must be square (has shape ({}, {}))", a.rows, a.columns);
  if (!of_b.empty() && of_b[0] != a.rows)
    fail<value_error>("matrix - rhs dimension mismatch (({}, {}) - {})", a.rows, a.columns, of_b[0]);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
