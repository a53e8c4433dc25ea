// Substitution with sparse triangles: alone, and as the two halves of an LU solution on a device.
#include <algorithm>

#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/indexing/indexing.hpp>
#include <core/runtime/stream_state.hpp>
#include <core/sparse/linalg/direct.hpp>
#include <support/errors.hpp>
#include <support/log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

bool operator==(const triangle_use& a, const triangle_use& b) {
  return a.lower == b.lower && a.op == b.op && a.unit_diagonal == b.unit_diagonal;
}

/// Where each number is: a permutation's inverse.
any_array inverse_of(const std::vector<std::int32_t>& permutation, device on_device) {
  std::vector<std::int32_t> inverse(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i)
    inverse[static_cast<std::size_t>(permutation[i])] = static_cast<std::int32_t>(i);
  return detail::from_host(inverse.data(), {static_cast<std::int64_t>(inverse.size())}, dtype::int32,
                           on_device);
}

/// Waits for the device.
bool has_zeros(const any_array& a) {
  bool all = true;
  detail::item(detail::reduce(reduction::all, named(a), a.dtype(), nullptr, {}), &all);
  return !all;
}

/// The rows of b with these numbers, which are in range.
any_array rows_of(const any_array& b, const any_array& numbers) {
  return detail::take(b, numbers, 0, detail::index_mode::wrap);
}

}  // namespace

bool triangle_cache::solve(const detail::sparse_parts& a, triangle_use use, const any_array& x) {
  const queue where = current_queue(x.device());
  const std::int64_t width = width_of(x);
  const std::lock_guard guard(lock_);
  auto found = std::ranges::find_if(entries_, [&](const entry& e) {
    return e.use == use && e.width == width && e.where.device == where.device &&
           e.where.stream == where.stream;
  });
  if (found == entries_.end()) {
    auto triangle = sparse_engine_of(x.device()).prepare_triangle(view_of(a), use, width, where);
    if (!triangle) return false;
    constexpr std::size_t most = 4;
    if (entries_.size() == most) entries_.erase(entries_.begin());
    entries_.push_back({use, width, where, std::move(triangle)});
    found = entries_.end() - 1;
  }
  found->triangle->solve(computed(x)->data, where);
  used({&a.data, &a.major, &a.minor, &x});
  return true;
}

}  // namespace core

namespace detail {

using namespace core;

bool sparse_lu::solve_there(const any_array& b, transposition op, any_array& x) const {
  std::call_once(made_, [this] {
    auto f = std::make_unique<device_factors>();
    f->lower = triangle(true, format::csr);
    f->upper = triangle(false, format::csr);
    f->row_permutation = permutation(true);
    f->column_permutation = permutation(false);
    f->row_order = inverse_of(factors_->row_permutation, device_);
    f->column_order = inverse_of(factors_->column_permutation, device_);
    there_ = std::move(f);
  });
  device_factors& f = *there_;
  const triangle_use lower{.lower = true, .op = op, .unit_diagonal = true}, upper{.lower = false, .op = op};
  // A = P_r^T L U P_c^T: rows of b go where P_r puts them, and rows of the result come back from where P_c
  // has put them; the other way round for the transpose.
  const bool forward = op == transposition::none;
  const any_array y = rows_of(b, forward ? f.row_order : f.column_order);
  const bool done = forward
                        ? f.lower_cache.solve(f.lower, lower, y) && f.upper_cache.solve(f.upper, upper, y)
                        : f.upper_cache.solve(f.upper, upper, y) && f.lower_cache.solve(f.lower, lower, y);
  if (done) x = rows_of(y, forward ? f.column_permutation : f.row_permutation);
  return done;
}

any_array solve_sparse_triangle(const sparse_parts& a, const any_array& b, bool lower, bool unit_diagonal) {
  if (a.rows != a.columns)
    fail<value_error>("A must be a square matrix but its shape is ({}, {}).", a.rows, a.columns);
  check_right_side("spsolve_triangular", a.rows, a.device(), b);
  if (!unit_diagonal && has_zeros(sparse_diagonal(a, 0)))
    throw linalg_error("A is singular: zero entry on diagonal.");
  const any_array x = copy(b, order::C);
  if (x.size() == 0) return x;
  // Columns of csc are the rows of the transpose, whose triangle is the other one.
  const bool by_columns = a.format == format::csc;
  const sparse_parts canonical =
      prepared(a, by_columns ? format::csc : format::csr, a.dtype(), a.index_dtype());
  const triangle_use use{.lower = lower != by_columns,
                         .op = by_columns ? transposition::transpose : transposition::none,
                         .unit_diagonal = unit_diagonal};
  triangle_cache once;
  if (once.solve(canonical, use, x)) return x;
  const gparray::device on_device = a.device(), here = gparray::device::cpu();
  static warned before;
  if (on_device.is_cuda())
    warn(before, log_category::fallback, "a sparse triangle of {} rows on cuda:{} is solved by the CPU",
         a.rows, on_device.index());
  return to_device(solve_sparse_triangle(sparse_to_device(canonical, here), to_device(b, here, nullptr),
                                         lower, unit_diagonal),
                   on_device, nullptr);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
