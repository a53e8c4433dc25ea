// What everything that puts elements in order is made of: one plan each.
#pragma once
#include <vector>

#include <core/array/array_rep.hpp>
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The lines along the last axis, sorted: a new array in C order. Of given positions only these matter
/// (sort_plan).
any_array sorted_lines(const any_array& a, std::span<const std::int64_t> positions = {});
/// The int64 numbers that sort the lines along the last axis.
any_array order_of_lines(const any_array& a, std::span<const std::int64_t> positions = {},
                         bool descending = false);
/// Some of what sorting would put at positions of the lines along the last axis.
struct selected_lines {
  any_array lines;
  std::vector<std::int64_t> columns;  // [i]: where positions[i] is in each of them
};
/// `positions` ascend, each once.
selected_lines select_from_lines(const any_array& a, std::span<const std::int64_t> positions);
/// The numbers of the k elements of each line along the last axis that order_of_lines puts first, ascending;
/// null if putting all in order is quicker.
any_array first_of_lines(const any_array& a, std::int64_t k, bool descending);
/// For each value how many elements of a sorted vector of the same dtype stand before it (not behind it).
any_array positions_among(const any_array& sorted, const any_array& values, bool right);
/// What straight lines through points have at x (interpolation_plan), of f's dtype, float64 or complex128;
/// null if the device's backend has no step for it. The points and x are float64, and there is a point.
any_array on_lines(const any_array& x, const any_array& points, const any_array& f,
                   const std::optional<double>& left, const std::optional<double>& right);
/// Whether each of the values is one of the sorted ones, of its dtype: bool.
any_array are_among(const any_array& sorted, const any_array& values);
/// a[..., numbers[..., i]]: the shapes agree but for the last axis, the numbers are valid.
any_array gather_lines(const any_array& a, const any_array& numbers);
/// The reductions of the values' runs [begins[k], ends[k]) along the last axis. Begins and ends are int64
/// vectors within it.
any_array reduce_runs(reduction op, const any_array& values, const any_array& begins, const any_array& ends);

/// How often each number in [0, n_bins) occurs in a vector of such int64 numbers: int64.
any_array counts_of(const any_array& numbers, std::int64_t n_bins);
/// How many real elements lie in each of the bins between edges (bin_plan), at most most_bins_between bins:
/// int64.
any_array counts_between(const any_array& elements, const any_array& edges);
/// target[number] = op(target[number], value) for each of the valid numbers, along the first axis of a target
/// in C order; each number has as many values as the other axes have elements. False, without having written,
/// if the device's backend does not do it.
bool combine(ufunc op, const any_array& target, const any_array& numbers, const any_array& values);
/// Numbers in [0, n) in the dtype that they are sorted soonest in.
any_array narrow_numbers(const any_array& numbers, std::int64_t n);
/// The float64 sums of the weights of the occurrences of each number.
any_array sums_by_number(const any_array& numbers, std::int64_t n_bins, const any_array& weights);

}  // namespace core
GPARRAY_END_NAMESPACE
