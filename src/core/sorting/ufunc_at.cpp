// Functions applied to elements that indices pick, each as often as it is picked; and reductions of parts.
#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/creation/typed.hpp>
#include <core/indexing/indexing.hpp>
#include <core/indexing/selection.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/sorting/sort_plans.hpp>
#include <gparray/ufunc/objects.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using numbers = ndarray<std::int64_t>;

/// The positions of whole slices' elements in the array flattened in C order: one row for each index.
numbers element_indices(const any_array& indices, std::int64_t length, std::int64_t inner) {
  const numbers first(indices_along(indices, length, inner));
  return first.reshape({-1, 1}) + gparray::arange(inner, {.device = first.device()});
}

/// Where runs of equal numbers begin and end in a sorted vector.
std::pair<numbers, numbers> runs_of(const numbers& sorted) {
  const ndarray<bool> starts = ones<bool>(sorted.shape(), {.device = sorted.device()});
  starts(slice(1, none)) = sorted(slice(1, none)) != sorted(slice(none, -1));
  const numbers begins = flatnonzero(starts);
  const numbers end = gparray::array<std::int64_t>({sorted.size()}, {.device = sorted.device()});
  return {begins, concatenate(numbers(begins(slice(1, none))), end)};
}

/// By sorting: the values of each position are put together before they meet the target.
void combine_runs(ufunc op, reduction values_by, const any_array& flat, const numbers& positions,
                  const any_array& terms) {
  const any_array order = order_of_lines(narrow_numbers(positions, flat.size())),
                  sorted = gather_lines(positions, order);
  const auto [begins, ends] = runs_of(numbers(sorted));
  const any_array sums = reduce_runs(values_by, gather_lines(terms, order), begins, ends);
  const any_array targets = gather_lines(sorted, begins);
  const any_array before = gather_lines(flat, targets);
  const detail::argument arguments[] = {temporary(before), temporary(sums)};
  const any_array after = detail::make_expression(op, flat.dtype(), arguments);
  detail::put_along_axis(flat, targets, temporary(after), 0);
}

/// Of a target in C order, with a vector of valid indices and one of the values.
void combine_packed(ufunc op, reduction values_by, const any_array& target, const any_array& index,
                    const any_array& terms) {
  if (combine(op, target, index, terms)) return;
  const std::int64_t n = target.shape(0), inner = target.size() / n;
  const any_array flat = detail::reshape(target, target.size(), order::C);
  const numbers positions = element_indices(index, n, inner).ravel();
  // Where slices are not taken, elements may be; and where nothing is subtracted, negative numbers are added.
  const bool negates = op == ufunc::subtract && target.dtype() == terms.dtype();
  if (inner > 1 && combine(op, flat, positions, terms)) return;
  if (negates) {
    const detail::argument arguments[] = {named(terms)};
    const any_array negated = detail::make_expression(ufunc::negative, target.dtype(), arguments).eval();
    if (combine(ufunc::add, flat, positions, negated)) return;
  }
  combine_runs(op, values_by, flat, positions, terms);
}

/// Into any target, which has the shape `rows` when its first axes, of which `index` has valid positions, are
/// one.
void combine_rows(ufunc op, reduction values_by, const any_array& target, const dims& rows,
                  const any_array& index, const any_array& terms) {
  if (terms.size() == 0) return;
  const any_array packed = target.is_c_contiguous() ? target : detail::copy(target, order::C);
  combine_packed(op, values_by, rows == packed.shape() ? packed : detail::reshape(packed, rows, order::C),
                 index, terms);
  if (!target.is_c_contiguous()) detail::assign(target, temporary(packed));
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

void combine_at(ufunc op, reduction values_by, const any_array& target, const any_array& indices,
                const any_array& values) {
  if (target.ndim() == 0)
    throw index_error("too many indices for array: array is 0-dimensional, but 1 were indexed");
  const std::int64_t n = target.shape(0);
  dims shape = indices.shape();
  for (int d = 1; d < target.ndim(); ++d) shape.push_back(target.shape(d));
  const any_array terms = ravel(broadcast_to(values, shape), order::C);
  check_target(computed(target), target.shape());
  const any_array index = valid_indices(ravel(indices, order::C), n, 0, index_mode::raise);
  combine_rows(op, values_by, target, target.shape(), index, terms);
}

void combine_at(ufunc op, reduction values_by, const any_array& target, std::span<const any_array> indices,
                const any_array& values) {
  if (std::cmp_greater(indices.size(), target.ndim()))
    fail<index_error>("too many indices for array: array is {}-dimensional, but {} were indexed",
                      target.ndim(), indices.size());
  std::vector<const dims*> shapes;
  for (const any_array& index : indices) shapes.push_back(&index.shape());
  const dims picked = broadcast_index_shapes(shapes);
  dims shape = picked, rows;
  for (int d = static_cast<int>(indices.size()); d < target.ndim(); ++d) shape.push_back(target.shape(d));
  std::int64_t count = 1;
  numbers position;
  for (int axis = static_cast<int>(indices.size()) - 1; axis >= 0; --axis) {
    const std::int64_t length = target.shape(axis);
    const any_array index = ravel(broadcast_to(indices[static_cast<std::size_t>(axis)], picked), order::C);
    const numbers along(indices_along(valid_indices(index, length, axis, index_mode::raise), length, count));
    position = axis + 1 == std::ssize(indices) ? along : numbers((position + along).eval());
    count *= length;
  }
  rows.push_back(count);
  for (std::size_t d = picked.size(); d < shape.size(); ++d) rows.push_back(shape[d]);
  const any_array terms = ravel(broadcast_to(values, shape), order::C);
  check_target(computed(target), target.shape());
  combine_rows(op, values_by, target, rows, position, terms);
}

any_array reduce_parts(reduction op, const any_array& a, const any_array& indices, int axis_argument) {
  if (indices.ndim() != 1) throw value_error("object of too small depth for desired array");
  const int axis = normalize_axis(axis_argument, a.ndim());
  const any_array lines = moveaxis(a, axis, -1);
  const std::int64_t n = lines.shape(-1);
  const numbers begins = numbers(indices);
  if (begins.size() > 0) {
    const std::int64_t least = min(begins).item(), greatest = max(begins).item();
    if (least < 0 || greatest >= n)
      fail<index_error>("index {} out-of-bounds in reduceat [0, {})", least < 0 ? least : greatest, n);
  }
  const numbers end = gparray::array<std::int64_t>({n}, {.device = begins.device()});
  const numbers next = concatenate(numbers(begins(slice(1, none))), end);
  const numbers ends = maximum(next, begins + 1);
  const any_array result = reduce_runs(op, lines, begins, where(next > begins, next, ends));
  return moveaxis(result, -1, axis);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
