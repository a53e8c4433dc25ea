#include <core/array/evaluate.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/pending_view.hpp>
#include <core/array/row_fusion.hpp>
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

/// A stencil has about so many, and each computes the steps anew.
constexpr std::int64_t most_views = 8;

/// Whether the steps of a pending array may be computed at the places of a view.
bool may_be_viewed(array_rep* base) {
  const node& n = base->operation;
  return is_pending(base) && !base->computed_by && !base->roll && !base->view && n.reductions == 0 &&
         !n.rolls && base->size > 0 && base->home == own_pending_list() && is_worth_a_look(base) &&
         !recording_on(any_device) && !debug().sync && !debug().nan &&
         is_cheap_to_repeat(base, most_views * base->size);
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
  if (!from || !is_pending(from)) return {};
  pending_list* const own = own_pending_list();
  const auto steps = hold_steps(own);
  if (!may_be_viewed(from)) return {};
  array_rep* rep = new_rep(from->type, from->device_, map.shape);
  const any_array owner = any_array::adopt(rep);
  if (rep->size == 0 || is_taken_apart(from, rep->size)) return {};
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
