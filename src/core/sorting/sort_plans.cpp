#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/temporary.hpp>
#include <core/creation/typed.hpp>
#include <core/indexing/gather.hpp>
#include <core/indexing/indexing.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/sorting/sort_plans.hpp>
#include <core/sorting/sorting.hpp>
#include <gparray/ufunc/operators.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

any_array in_c_order(const any_array& a) {
  const any_array result = detail::in_order(a, order::C);
  computed(result);
  return result;
}

/// Runs a plan of `target` and sources on the target's device.
template<class Plan>
void run(void (backend::*what)(const Plan&, queue), const Plan& plan, const array_rep* target,
         std::initializer_list<const array_rep*> sources) {
  const queue q = current_queue(target->device_);
  (backend_of(target->device_).*what)(plan, q);
  record_use(target->memory, q);
  for (const array_rep* source : sources) record_uses(source, q);
}

any_array sort_lines(const any_array& a, bool numbers, std::span<const std::int64_t> positions,
                     bool spread = false, bool descending = false) {
  const any_array in = in_c_order(a);
  const array_rep* from = in.rep();
  const any_array out =
      numbers ? allocate(dtype::int64, from->shape, from->device_) : allocate_beside(from, from->shape);
  if (from->size == 0) return out;
  sort_plan plan;
  plan.positions = positions;
  plan.spread = spread;
  plan.descending = descending;
  plan.type = from->type;
  plan.n = from->shape.back();
  plan.rows = from->size / plan.n;
  plan.in = from->data;
  plan.sorted = numbers ? nullptr : out.rep()->data;
  plan.order = numbers ? reinterpret_cast<std::int64_t*>(out.rep()->data) : nullptr;
  run(&backend::sort, plan, out.rep(), {from});
  return out;
}

}  // namespace

any_array order_of_lines(const any_array& a, std::span<const std::int64_t> positions, bool descending) {
  computed(a);
  return sort_lines(a, true, positions, false, descending);
}

any_array order_of_words(const any_array& words) { return sort_lines(words, true, {}, true); }

any_array sorted_lines(const any_array& a, std::span<const std::int64_t> positions) {
  computed(a);
  return sort_lines(a, false, positions);
}

namespace {

/// Lines that a block of a GPU sorts in its own memory, in one launch; the CPU has no such limit.
std::int64_t longest_sorted(const any_array& a) { return a.device().is_cuda() ? 4096 : 64; }

}  // namespace

selected_lines select_from_lines(const any_array& a, std::span<const std::int64_t> positions) {
  selected_lines result;
  if (is_complex(a.dtype()) || a.shape(-1) <= longest_sorted(a) ||
      positions.size() > selection_plan::most_positions) {
    result.lines = sorted_lines(a, positions);
    result.columns.assign(positions.begin(), positions.end());
    return result;
  }
  const any_array in = in_c_order(a);
  const array_rep* from = in.rep();
  dims shape = from->shape;
  shape[shape.size() - 1] = static_cast<std::int64_t>(positions.size());
  result.lines = allocate_beside(from, shape);
  for (std::size_t i = 0; i < positions.size(); ++i) result.columns.push_back(static_cast<std::int64_t>(i));
  if (from->size == 0) return result;
  selection_plan plan;
  plan.type = from->type;
  plan.n = from->shape.back();
  plan.rows = from->size / plan.n;
  plan.in = from->data;
  plan.out = result.lines.rep()->data;
  plan.n_positions = static_cast<int>(positions.size());
  std::copy(positions.begin(), positions.end(), plan.positions);
  run(&backend::select, plan, result.lines.rep(), {from});
  return result;
}

any_array first_of_lines(const any_array& a, std::int64_t k, bool descending) {
  const std::int64_t n = a.shape(-1);
  if (is_complex(a.dtype()) || n <= longest_sorted(a) || k > n / 4) return {};
  const any_array in = in_c_order(a);
  const array_rep* from = in.rep();
  dims shape = from->shape;
  shape[shape.size() - 1] = k;
  const any_array out = allocate(dtype::int64, shape, from->device_);
  if (out.size() == 0) return out;
  top_plan plan;
  plan.type = from->type;
  plan.descending = descending;
  plan.n = n;
  plan.k = k;
  plan.rows = from->size / n;
  plan.in = from->data;
  plan.numbers = reinterpret_cast<std::int64_t*>(out.rep()->data);
  run(&backend::top, plan, out.rep(), {from});
  if (plan.rows == 1) return out;
  const detail::argument in_line[] = {named(out), detail::constant(n)};
  return detail::make_expression(ufunc::remainder, dtype::int64, in_line).eval();
}

any_array gather_lines(const any_array& a, const any_array& numbers) {
  const array_rep *from = computed(a), *index = computed(numbers);
  const any_array result = allocate_beside(from, index->shape);
  if (index->size == 0) return result;
  dims others = from->strides;
  others[others.size() - 1] = 0;
  gather_elements(result.rep(), result.rep()->strides, from, 0, others, index->shape, index, index->strides,
                  {0, from->strides.back(), 0, from->shape.back()});
  return result;
}

namespace {

/// The positions of values among sorted ones, or, as bool, whether they are there.
any_array search(const any_array& sorted, const any_array& values, bool right, dtype result) {
  const any_array in = in_c_order(sorted), wanted = in_c_order(values);
  const array_rep *from = in.rep(), *what = wanted.rep();
  const any_array out = allocate(result, what->shape, what->device_);
  if (what->size == 0) return out;
  search_plan plan;
  plan.type = from->type;
  plan.right = right;
  plan.n = from->size;
  plan.count = what->size;
  plan.sorted = from->data;
  plan.values = what->data;
  plan.out = nullptr;
  if (result == dtype::bool_) plan.found = reinterpret_cast<bool*>(out.rep()->data);
  else plan.out = reinterpret_cast<std::int64_t*>(out.rep()->data);
  run(&backend::search, plan, out.rep(), {from, what});
  return out;
}

}  // namespace

any_array positions_among(const any_array& sorted, const any_array& values, bool right) {
  return search(sorted, values, right, dtype::int64);
}

any_array are_among(const any_array& sorted, const any_array& values) {
  return search(sorted, values, false, dtype::bool_);
}

any_array on_lines(const any_array& x, const any_array& points, const any_array& f,
                   const std::optional<double>& left, const std::optional<double>& right) {
  const any_array in = in_c_order(x), from = in_c_order(points), values = in_c_order(f);
  const any_array out = allocate(f.dtype(), x.shape(), x.device());
  if (out.size() == 0) return out;
  const auto data = [](const any_array& a) { return reinterpret_cast<const double*>(a.rep()->data); };
  interpolation_plan plan;
  plan.type = f.dtype();
  plan.n = from.size();
  plan.count = in.size();
  plan.x = data(in);
  plan.points = data(from);
  plan.f = values.rep()->data;
  plan.left = left;
  plan.right = right;
  plan.out = out.rep()->data;
  const queue q = current_queue(x.device());
  if (!backend_of(x.device()).interpolate(plan, q)) return {};
  record_use(out.rep()->memory, q);
  for (const any_array* source : {&in, &from, &values}) record_uses(source->rep(), q);
  return out;
}

any_array reduce_runs(reduction op, const any_array& values, const any_array& begins, const any_array& ends) {
  if (!detail::row(op).runs) throw value_error(std::string(name(op)) + " does not reduce runs");
  const any_array in = in_c_order(values), first = in_c_order(begins), last = in_c_order(ends);
  const array_rep* from = in.rep();
  dims shape = from->shape;
  shape[shape.size() - 1] = first.size();
  const any_array out = allocate(result_dtype(op, from->type), shape, from->device_);
  if (out.rep()->size == 0) return out;
  run_plan plan;
  plan.op = op;
  plan.type = from->type;
  plan.n = from->shape.back();
  plan.count = first.size();
  plan.rows = out.rep()->size / plan.count;
  plan.values = from->data;
  plan.begins = reinterpret_cast<const std::int64_t*>(first.rep()->data);
  plan.ends = reinterpret_cast<const std::int64_t*>(last.rep()->data);
  plan.out = out.rep()->data;
  run(&backend::reduce_runs, plan, out.rep(), {from, first.rep(), last.rep()});
  return out;
}

any_array counts_of(const any_array& numbers, std::int64_t n_bins) {
  const any_array in = in_c_order(numbers);
  const array_rep* from = in.rep();
  const any_array out = allocate(dtype::int64, n_bins, from->device_);
  bin_plan plan{};
  plan.n = from->size;
  plan.n_bins = n_bins;
  plan.numbers = reinterpret_cast<const std::int64_t*>(from->data);
  plan.out = reinterpret_cast<std::int64_t*>(out.rep()->data);
  run(&backend::count_bins, plan, out.rep(), {from});
  return out;
}

any_array counts_between(const any_array& elements, const any_array& edges) {
  const any_array in = in_c_order(elements), between = in_c_order(edges);
  const array_rep *from = in.rep(), *limits = between.rep();
  const any_array out = allocate(dtype::int64, limits->size - 1, from->device_);
  bin_plan plan{};
  plan.n = from->size;
  plan.n_bins = limits->size - 1;
  plan.type = from->type;
  plan.elements = from->data;
  plan.edges = limits->data;
  plan.out = reinterpret_cast<std::int64_t*>(out.rep()->data);
  run(&backend::count_bins, plan, out.rep(), {from, limits});
  return out;
}

bool combine(ufunc op, const any_array& target, const any_array& numbers, const any_array& values) {
  const array_rep* to = computed(target);
  if (values.dtype() != to->type) return false;
  any_array which = in_c_order(numbers), terms = in_c_order(values);
  // What is read must not change underway.
  if (which.rep()->memory == to->memory) which = detail::copy(which, order::C);
  if (terms.rep()->memory == to->memory) terms = detail::copy(terms, order::C);
  combine_plan plan;
  plan.op = op;
  plan.type = to->type;
  plan.n = which.rep()->size;
  plan.n_bins = to->shape[0];
  plan.inner = to->size / plan.n_bins;
  plan.numbers = reinterpret_cast<const std::int64_t*>(which.rep()->data);
  plan.values = terms.rep()->data;
  plan.out = to->data;
  effect_on(to);
  const queue q = current_queue(to->device_);
  if (!backend_of(to->device_).combine(plan, q)) return false;
  record_use(to->memory, q);
  record_uses(which.rep(), q);
  record_uses(terms.rep(), q);
  return true;
}

any_array narrow_numbers(const any_array& numbers, std::int64_t n) {
  // Half as many passes of a sort.
  if (numbers.device().is_cpu() || n > std::int64_t{1} << 32) return numbers;
  return detail::astype(named(numbers), dtype::uint32, false).eval();
}

any_array sums_by_number(const any_array& numbers, std::int64_t n_bins, const any_array& weights) {
  const any_array sums = allocate(dtype::float64, n_bins, numbers.device());
  fill_zero(sums.rep());
  if (numbers.size() == 0 || combine(ufunc::add, sums, numbers, weights)) return sums;
  // Adding in the order in which threads run would give other bits every time, so sorted runs are added up.
  const any_array order = order_of_lines(narrow_numbers(numbers, n_bins));
  const any_array edges = positions_among(gather_lines(numbers, order),
                                          gparray::arange(n_bins + 1, {.device = numbers.device()}), false);
  return reduce_runs(reduction::sum, gather_lines(in_c_order(weights), order),
                     slice_along(edges, 0, 0, n_bins), slice_along(edges, 0, 1, n_bins));
}

}  // namespace core
GPARRAY_END_NAMESPACE
