#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/few_elements.hpp>
#include <core/array/layout.hpp>
#include <core/array/loads.hpp>
#include <core/array/pending_nodes.hpp>
#include <core/array/pending_view.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/row_fusion.hpp>
#include <core/array/unstored_names.hpp>
#include <core/runtime/debug.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/array/operand.hpp>
#include <gparray/runtime/jit.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Fewer elements are not worth a second look.
constexpr std::int64_t fewest_reduced = 4096;
/// What is made of the result needs operands, too.
constexpr int most_operands = max_operands - 4, most_steps_of_all = max_kernel_steps / 2;

/// How the kernels of a GPU combine the elements of a result: those of rows, of which a thread has accesses
/// of 16 bytes (cuda/reduction/reduce_tiles.cuh), or those of columns, of which each of eight threads has one
/// (reduce_columns.cuh).
enum class combining : std::uint8_t { rows, columns };

/// Along one axis of elements in C order; none if it depends on more than the shape.
std::optional<combining> combining_of(const dims& shape, std::size_t axis, std::size_t item) {
  constexpr std::int64_t narrowest_columns = 32, most_rows = 16, bytes_of_a_tile = 64;
  std::int64_t behind = 1;
  for (std::size_t d = axis + 1; d < shape.size(); ++d) behind *= shape[d];
  if (behind >= narrowest_columns) {
    const bool is_one_dimension = shape.back() >= narrowest_columns;
    return is_one_dimension && shape[axis] <= most_rows ? std::optional(combining::columns) : std::nullopt;
  }
  if (shape[axis] * static_cast<std::int64_t>(item) > bytes_of_a_tile) return std::nullopt;
  return combining::rows;
}

std::size_t axis_of(const array_rep* reduction) {
  return static_cast<std::size_t>(std::countr_zero(reduction->reduced.axes));
}
/// The same of a reduction along one axis.
std::optional<combining> combining_of(const array_rep* reduction) {
  const array_rep* const source = reduction->operation.arguments[0].array;
  return combining_of(source->shape, axis_of(reduction), itemsize(source->type));
}

/// The elements of all results, one array for each, and the expressions that are made of them.
class combined_elements {
 public:
  combined_elements(std::vector<any_array> elements, combining how)
      : elements_(std::move(elements)), how_(how), count_(elements_.size()), lanes_(16 / item_bytes()) {}

  any_array reduced(reduction op, dtype result);

 private:
  std::size_t item_bytes() const { return itemsize(elements_[0].dtype()); }
  static any_array cast(const any_array& a, dtype type) {
    return a.dtype() == type ? a : apply(ufunc::cast, type, {temporary(a)});
  }
  static any_array combine(ufunc f, const any_array& a, const any_array& b) {
    return apply(f, a.dtype(), {temporary(a), temporary(b)});
  }
  static any_array with_number(ufunc f, const any_array& a, double value) {
    return apply(f, a.dtype(), {temporary(a), number(value, a.dtype())});
  }
  void convert(dtype type) {
    for (any_array& x : elements_) x = cast(std::exchange(x, {}), type);
  }
  /// a = f(a, b), where a may be nothing yet.
  static void fold_into(any_array& a, ufunc f, any_array b) {
    a = a.rep() ? combine(f, std::exchange(a, {}), b) : std::move(b);
  }
  /// Each lane has elements of its own; the others' are added to the first one's.
  any_array of_lanes(ufunc f) {
    any_array result;
    for (std::size_t lane = 0; lane < std::min(lanes_, count_); ++lane) {
      any_array of_lane;
      for (std::size_t k = lane; k < count_; k += lanes_) fold_into(of_lane, f, std::move(elements_[k]));
      fold_into(result, f, std::move(of_lane));
    }
    return result;
  }
  /// Eight threads, of which one half takes in the other's, until one has all.
  any_array of_columns(ufunc f) {
    constexpr std::size_t threads = 8;
    any_array of_thread[threads];
    for (std::size_t k = 0; k < count_; ++k) fold_into(of_thread[k % threads], f, std::move(elements_[k]));
    for (std::size_t half = threads / 2; half > 0; half /= 2)
      for (std::size_t t = 0; t < half; ++t)
        if (of_thread[t + half].rep()) fold_into(of_thread[t], f, std::exchange(of_thread[t + half], {}));
    return of_thread[0];
  }
  any_array fold(ufunc f) { return how_ == combining::columns ? of_columns(f) : of_lanes(f); }
  /// Elements [first, first + n), n a power of two, added up in pairs.
  any_array in_pairs(std::size_t first, std::size_t n) {
    if (n == 1) return std::exchange(elements_[first], {});
    return combine(ufunc::add, in_pairs(first, n / 2), in_pairs(first + n / 2, n / 2));
  }
  /// Of float32, in float64. In a row those of a whole access, or of four of them, are added as they are.
  any_array sum_of_floats() {
    any_array sum;
    std::size_t k = 0;
    if (how_ == combining::rows) {
      const std::size_t tile = 4 * lanes_;
      if (count_ == tile) sum = cast(in_pairs(0, tile), dtype::float64), k = tile;
      for (; k + lanes_ <= count_; k += lanes_)
        fold_into(sum, ufunc::add, cast(in_pairs(k, lanes_), dtype::float64));
      for (; k < count_; ++k)
        fold_into(sum, ufunc::add, cast(std::exchange(elements_[k], {}), dtype::float64));
    } else {
      convert(dtype::float64);
      sum = fold(ufunc::add);
    }
    return sum;
  }
  /// Sums begin with 0, which makes one of negative zeros positive.
  any_array sum_of_reals() {
    return with_number(ufunc::add,
                       elements_[0].dtype() == dtype::float32 ? sum_of_floats() : fold(ufunc::add), 0);
  }

  std::vector<any_array> elements_;
  combining how_;
  std::size_t count_, lanes_;
};

/// Integers whose sums are exact in float64.
bool has_exact_sums(dtype type) { return kind(type) == 'b' || (is_integer(type) && itemsize(type) <= 4); }
bool is_exact(dtype type) { return kind(type) == 'b' || is_integer(type); }
bool is_float(dtype type) { return type == dtype::float32 || type == dtype::float64; }

bool has_steps(reduction op, dtype element) {
  switch (op) {
    case reduction::sum:
    case reduction::prod:
    case reduction::any:
    case reduction::all:
    case reduction::count_nonzero:
      return is_exact(element) || is_float(element);
    case reduction::max:
    case reduction::min:
      return is_integer(element) || is_float(element);
    case reduction::mean:
      return has_exact_sums(element) || is_float(element);
    case reduction::norm:
      return is_float(element);
    default:
      return false;
  }
}

any_array combined_elements::reduced(reduction op, dtype result) {
  const dtype element = elements_[0].dtype();
  switch (op) {
    case reduction::sum:
      if (is_float(element)) return cast(sum_of_reals(), result);
      convert(result);
      return fold(ufunc::add);
    case reduction::mean: {
      if (!is_float(element)) convert(dtype::float64);
      const any_array sum = is_float(element) ? sum_of_reals() : fold(ufunc::add);
      return cast(with_number(ufunc::divide, sum, static_cast<double>(count_)), result);
    }
    case reduction::prod:
      convert(result);
      return fold(ufunc::multiply);
    case reduction::max:
      return fold(ufunc::maximum);
    case reduction::min:
      return fold(ufunc::minimum);
    case reduction::any:
    case reduction::all:
      convert(dtype::bool_);
      return fold(op == reduction::any ? ufunc::logical_or : ufunc::logical_and);
    case reduction::count_nonzero:
      convert(dtype::bool_);
      convert(result);
      return fold(ufunc::add);
    default:  // the norm
      for (any_array& x : elements_) {
        const any_array from = std::exchange(x, {});
        x = apply(ufunc::square, element, {temporary(from)});
      }
      return apply(ufunc::sqrt, element, {temporary(fold(ufunc::add))});
  }
}

/// Whether each of the elements that have the result in common had better compute it anew than wait for the
/// kernel that takes their rows through several stages.
bool is_cheap_to_share(const array_rep* reduction, const array_rep* source) {
  constexpr std::int64_t most = 4, uses = 16;
  return source->size <= most * reduction->size &&
         (!is_pending(source) || is_cheap_to_repeat(source, uses * source->size));
}

bool may_become_steps(const array_rep* rep) {
  if (rep->device_.is_cpu() || !is_reduction(rep) || !std::has_single_bit(rep->reduced.axes) ||
      !has_steps(rep->reduced.op, rep->reduced.element))
    return false;
  const array_rep* const source = rep->operation.arguments[0].array;
  return source->size >= fewest_reduced && source->size > rep->size && source->type == rep->reduced.element &&
         source->size <= most_operands * rep->size && rep->home == own_pending_list() &&
         jit_mode() != jit::off && !recording_on(any_device) && !debug().any() &&
         (!can_wait(rep) || is_cheap_to_share(rep, source));
}

/// Whether the elements are steps that can be computed at places of their own; in memory otherwise, if they
/// are to be stored anyway.
bool is_viewable(array_rep* source, std::int64_t count) {
  const node& n = source->operation;
  if (source->computed_by || source->roll || source->view || n.reductions > 0 || n.rolls) return false;
  // Most of them are shared by the elements: what there is in all is seen when they have been put together.
  return n.inputs * count <= 4 * most_operands && n.steps * count <= most_steps_of_all &&
         (n.c_order || is_c_contiguous(source->shape, result_strides(source), itemsize(source->type)));
}

/// The elements of each result along the axis.
std::vector<any_array> elements_along(array_rep* source, std::size_t axis, const dims& shape) {
  if (is_pending(source) && source->computed_by) return gathered_along(source, axis, shape);
  const bool keeps_axis = shape.size() == source->shape.size();
  index_map map(static_cast<int>(source->shape.size()));
  map.shape = shape;
  for (std::size_t d = 0; d < source->shape.size(); ++d)
    map.at[d] = {static_cast<int>(keeps_axis || d < axis ? d : d - 1), 1, 0};
  std::vector<any_array> result;
  for (std::int64_t k = 0; k < source->shape[axis]; ++k) {
    map.at[axis] = {-1, 0, k};
    if (is_pending(source)) result.push_back(pending_view(source, map));
    else
      result.push_back(
          make_view(source, source->type, shape, map.strides(source->strides), map.offset(source->strides)));
  }
  return result;
}

}  // namespace

bool become_steps(array_rep* rep) {
  if (!may_become_steps(rep)) return false;
  pending_list* const own = rep->home;
  const auto steps = hold_steps(own);
  if (!is_pending(rep) || !is_reduction(rep)) return false;
  array_rep* const source = rep->operation.arguments[0].array;
  const std::size_t axis = axis_of(rep);
  const std::optional<combining> how = combining_of(rep);
  if (!how) return false;
  if (is_pending(source) && source->computed_by) {
    if (!may_be_gathered_by_steps(source, axis)) return false;
  } else if (is_pending(source)) {
    if (!is_viewable(source, source->shape[axis])) return false;
    if (pending_nodes::lives_on({source, 1}) && !stays_pending(source)) evaluate(source);
  }
  if (!is_pending(source) && (!source->c_contiguous || is_exposed(source->memory))) return false;
  any_array made =
      combined_elements(elements_along(source, axis, rep->shape), *how).reduced(rep->reduced.op, rep->type);
  array_rep* const from = made.rep();
  plan_size size(own);
  size.add(from);
  if (size.inputs > most_operands || size.steps > most_steps_of_all) return false;
  from->operation.inputs = size.inputs;
  from->operation.numbers = size.numbers;
  from->operation.steps = size.steps;
  delist(from);
  // Another thread may have begun to compute it.
  if (!is_pending(from) || from->references.load(std::memory_order_acquire) != 1) return false;
  const list_lock lock(*own);
  std::swap(rep->operation, from->operation);
  std::swap(rep->operation.statement, from->operation.statement);  // by which the list counts it
  rep->operation.c_order = true;
  rep->birth = ++own->births;
  rep->computed_by = nullptr;
  return true;
}

void compute_rolled_names(array_rep* source, std::size_t axis) {
  if (!is_pending(source) || source->device_.is_cpu() || source->computed_by || !source->operation.rolls ||
      source->roll || !combining_of(source->shape, axis, itemsize(source->type)) ||
      source->shape[axis] > most_operands || source->home != own_pending_list())
    return;
  const auto steps = hold_steps(source->home);
  if (!is_pending(source)) return;
  const pending_nodes nodes(source);
  array_rep* name = nullptr;
  int rolled = 0;
  for (const auto& f : nodes) {
    if (f.rep == source || !f.rep->operation.rolls || f.rep->roll) continue;
    if (pending_nodes::lives_on(f)) name = f.rep;
  }
  if (!name) return;
  for (const auto& f : nodes) rolled += f.rep->roll ? 1 : 0;
  const pending_nodes of_name(name);
  for (const auto& f : of_name) rolled -= f.rep->roll ? 1 : 0;
  if (rolled > 0) return;  // there are others beside it
  evaluate(name);
  if (!is_pending(source)) return;
  const pending_nodes left(source);
  for (const auto& f : left) f.rep->operation.rolls = false;
  plan_size size(source->home);
  size.add(source);
  source->operation.inputs = size.inputs;
  source->operation.numbers = size.numbers;
  source->operation.steps = size.steps;
}

bool may_be_gathered_by_steps(const array_rep* source, std::size_t axis) {
  return is_gathered_along(source, axis) && source->shape[axis] <= most_operands &&
         combining_of(source->shape, axis, itemsize(source->type)) == combining::columns;
}

bool is_of_few_rows(const array_rep* rep) {
  return rep->device_.is_cuda() && is_reduction(rep) && std::has_single_bit(rep->reduced.axes) &&
         combining_of(rep) == combining::columns;
}

}  // namespace core
GPARRAY_END_NAMESPACE
