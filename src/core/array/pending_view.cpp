#include <core/array/evaluate.hpp>
#include <core/array/few_elements.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/pending_view.hpp>
#include <core/array/row_fusion.hpp>
#include <core/array/step_log.hpp>
#include <core/array/turns.hpp>
#include <core/array/unstored_names.hpp>
#include <core/runtime/debug.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

index_map index_map::after(const index_map& outer) const {
  index_map result(ndim);
  result.shape = outer.shape;
  for (int d = 0; d < ndim; ++d) {
    result.at[d] = at[d];
    if (at[d].axis < 0) continue;
    const place& next = outer.at[at[d].axis];
    result.at[d] = {next.axis, at[d].step * next.step, at[d].offset + at[d].step * next.offset};
  }
  return result;
}

index_map index_map::of_operand(const dims& operand) const {
  const int n = static_cast<int>(operand.size()), shift = ndim - n;
  index_map result(n);
  for (int d = 0; d < n; ++d)
    result.at[d] = operand[static_cast<std::size_t>(d)] == 1 ? place{-1, 0, 0} : at[d + shift];
  return result;
}

index_map index_map::counted_from_end() const {
  index_map result = *this;
  const int shift = max_ndim - static_cast<int>(shape.size());
  for (int d = 0; d < ndim; ++d) {
    int& axis = result.at[d].axis;
    if (axis >= 0) axis = shape[static_cast<std::size_t>(axis)] == 1 ? -1 : axis + shift;
  }
  return result;
}

dims index_map::strides(const dims& base) const {
  dims result = dims::filled(shape.size(), 0);
  for (int d = 0; d < ndim; ++d)
    if (at[d].axis >= 0)
      result[static_cast<std::size_t>(at[d].axis)] = base[static_cast<std::size_t>(d)] * at[d].step;
  return result;
}

std::int64_t index_map::offset(const dims& base) const {
  std::int64_t result = 0;
  for (int d = 0; d < ndim; ++d) result += base[static_cast<std::size_t>(d)] * at[d].offset;
  return result;
}

namespace {

/// A stencil has about so many, and each computes the steps anew; one with all elements, which has axes in
/// another order or new ones, is mostly the only one. Of few elements that does not matter, and stored ones
/// share a kernel with other names.
constexpr std::int64_t most_views = 8, most_whole_views = 1, fewest_in_whole_view = 1 << 18;
/// A kernel that has no room for the operands of so many would be cut.
constexpr int views_of_a_stencil = 4;

/// Whether the steps of a pending array may be computed at the places of a view, as of so many that have its
/// elements each.
bool may_be_viewed(array_rep* base, std::int64_t views) {
  const node& n = base->operation;
  return is_pending(base) && !base->computed_by && !base->roll && !base->view && n.reductions == 0 &&
         !n.rolls && base->size > 0 && base->home == own_pending_list() && is_worth_a_look(base) &&
         !recording_on(any_device) && !debug().sync && !debug().nan &&
         (views == 1 || n.inputs * views_of_a_stencil <= max_operands) &&
         is_cheap_to_repeat(base, (views + 1) * base->size);
}

/// Whether a loop goes over the parts of a pending array, as over its rows: stored, they are the rows of one
/// operand, and turns are alike. A kernel has room for few of them as steps.
bool is_taken_apart(const array_rep* base, std::int64_t size) {
  if (base->device_.is_cpu() || size > base->size / most_views) return false;
  struct parts_taken {
    struct {
      std::uint64_t birth;
      int count;
    } latest[4];  // several arrays are gone over side by side
    unsigned oldest;
  };
  static thread_local constinit lasting<parts_taken> taken{};
  for (auto& of_base : taken.latest)
    if (of_base.birth == base->birth) return ++of_base.count > most_views;
  taken.latest[taken.oldest++ % std::size(taken.latest)] = {base->birth, 1};
  return false;
}

}  // namespace

any_array view_later(const any_array& base, const index_map& map) {
  array_rep* const from = base.rep();
  pending_list* const own = own_pending_list();
  if (!from || !is_pending(from) || from->home != own) return {};  // another thread's is that one's to change
  become_steps(from);
  compute_long_log(own);
  const auto steps = hold_steps(own);
  if (!is_pending(from)) return {};
  const std::int64_t size = checked_size(map.shape, itemsize(from->type));
  const bool is_whole = size == from->size && size >= fewest_in_whole_view;
  if (!may_be_viewed(from, is_whole ? most_whole_views : most_views)) return {};
  if (size == 0 || is_taken_apart(from, size)) return {};
  return pending_view(from, map);
}

any_array pending_view(array_rep* from, const index_map& map) {
  pending_list* const own = from->home;
  array_rep* rep = new_rep(from->type, from->device_, map.shape);
  const any_array owner = any_array::adopt(rep);
  rep->view = std::make_unique<const index_map>(map);
  rep->is_view = true;
  rep->read_only = from->read_only;
  rep->home = own;
  node& n = rep->operation;
  n.op = ufunc::cast;
  n.loop = rep->type;
  n.user = nullptr;
  n.count = 1;
  n.inputs = from->operation.inputs;
  n.numbers = from->operation.numbers;
  n.steps = from->operation.steps + 1;
  n.statement = from->operation.statement * 31 + 1;
  n.c_order = false;
  own->all.inputs += n.inputs;
  own->all.numbers += n.numbers;
  own->all.steps += n.steps;
  retain(from);
  n.arguments[0] = {from, from->type, {}};
  rep->pending.store(true, std::memory_order_relaxed);
  enlist(rep);
  return owner;
}

void become_view(array_rep* view) {
  const array_rep* const base = view->operation.arguments[0].array;
  const index_map map = *view->view;
  publish(view,
          make_view(base, view->type, map.shape, map.strides(base->strides), map.offset(base->strides)));
}

}  // namespace core
GPARRAY_END_NAMESPACE
