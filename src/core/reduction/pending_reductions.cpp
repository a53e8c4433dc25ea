#include <algorithm>
#include <memory>

#include <core/array/evaluate.hpp>
#include <core/array/few_elements.hpp>
#include <core/array/layout.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/pending_nodes.hpp>
#include <core/array/reduction_plan.hpp>
#include <core/array/step_log.hpp>
#include <core/array/unstored_names.hpp>
#include <core/reduction/pending_reductions.hpp>
#include <core/runtime/stream_state.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// More pending reductions than these are not looked at, nor computed in one pass.
constexpr std::size_t most_at_once = 16;

/// A reduction, and memory for its results.
struct member {
  explicit member(array_rep* pending) : rep(pending), result(allocate(rep->type, rep->shape, rep->device_)) {
    make_reduce_plan(plan, rep, result.rep()->data);
  }
  /// Its results go elsewhere, and it stays pending.
  member(array_rep* pending, std::byte* results) : rep(pending) { make_reduce_plan(plan, rep, results); }

  /// When its work has been enqueued.
  void finish(queue q) const {
    record_uses(rep->operation.arguments[0].array, q);
    if (result.rep()) publish(rep, result);
  }

  array_rep* rep;
  any_array result;
  reduce_plan plan;
};

struct companion : member {
  explicit companion(const any_array& pending) : member(pending.rep()), keep(pending) {}

  any_array keep;
};

bool is_wanted(const pending_nodes::found& f) { return pending_nodes::lives_on(f) && !stays_pending(f.rep); }

/// Whether nothing below the pending rep is to be stored, nor is anything but a step of the same plan.
bool is_one_plan(const array_rep* rep) {
  if (reductions_in(rep) > 0) return false;
  const pending_nodes nodes(const_cast<array_rep*>(rep));
  return std::ranges::none_of(nodes, is_wanted);
}

/// Whether the operands are neighbours, as those of a stencil, most of which a thread would load one by one
/// where others load packs: a map has a kernel for them.
bool reads_neighbours(const map_plan& plan) {
  constexpr std::int64_t pack = 16;
  constexpr int many = 4;
  int apart = 0;
  for (int i = 0; i < plan.n_inputs; ++i) {
    const input& in = plan.inputs[i];
    const auto is_even = [](std::int64_t bytes) { return bytes % pack == 0; };
    apart += in.kind == input_kind::array && plan.ndim > 0 && in.strides[plan.ndim - 1] != 0 &&
             !(is_even(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(in.data))) &&
               std::all_of(in.strides, in.strides + plan.ndim - 1, is_even));
  }
  return apart >= many;
}

void compute_names_of_operand(const array_rep* rep) {
  compute_names_of_operand(rep->operation.arguments[0].array,
                           [rep](reduce_plan& plan) { make_reduce_plan(plan, rep, nullptr); });
}

/// Those of the pending reductions beside `first` that read the same elements. They are of one list, whose
/// steps the caller holds.
std::vector<std::unique_ptr<companion>> companions_of(const member& first) {
  std::vector<std::unique_ptr<companion>> result;
  for (const any_array& other : pending_reductions_beside(first.rep, most_at_once - 1)) {
    if (!other.rep()->pending.load(std::memory_order_acquire) || !is_reduction(other.rep())) continue;
    const array_rep* const source = other.rep()->operation.arguments[0].array;
    if (source->pending.load(std::memory_order_acquire) && !is_one_plan(source)) continue;
    auto joined = std::make_unique<companion>(other);
    if (same_elements(first.plan, joined->plan)) result.push_back(std::move(joined));
  }
  return result;
}

void enqueue(const member& first) {
  const array_rep* rep = first.rep;
  const auto others = companions_of(first);
  const queue q = current_queue(rep->device_);
  backend& b = backend_of(rep->device_);
  if (others.empty()) {
    b.reduce(first.plan, q);
  } else {
    std::vector<const reduce_plan*> plans{&first.plan};
    for (const auto& other : others) plans.push_back(&other->plan);
    b.reduce_together(plans, q);
  }
  first.finish(q);
  for (const auto& other : others) other->finish(q);
}

/// What makes the reduction another line of the program.
std::uint64_t statement_of(const reduction_node& what, const array_rep* temporary) {
  const std::uint64_t own = (static_cast<std::uint64_t>(what.op) << 40) ^
                            (static_cast<std::uint64_t>(what.element) << 32) ^ what.axes;
  return (temporary ? temporary->operation.statement : 0) * 31 + ~own;
}

}  // namespace

void compute_names_of_operand(array_rep* source, const std::function<void(reduce_plan&)>& make_plan) {
  if (!source->pending.load(std::memory_order_acquire)) return;
  if (source->computed_by || is_wanted({source, 1})) return evaluate(source);
  compute_names(source);
  if (!pending_nodes::lives_on({source, 1})) return;
  if (source->device_.is_cuda() && !source->computed_by) {
    reduce_plan plan;
    make_plan(plan);
    if (reads_neighbours(plan.map)) return evaluate(source);
  }
  source->was_used.store(true, std::memory_order_relaxed);
}

any_array pending_along(array_rep* source, const reduction_node& what, dtype type, const dims& shape,
                        const computation& how, bool is_temporary) {
  checked_size(shape, itemsize(type));
  array_rep* rep = new_rep(type, source->device_, shape);
  const any_array owner = any_array::adopt(rep);
  pending_list* const own = rep->home = own_pending_list();
  std::unique_lock<std::recursive_mutex> held;
  if (!is_temporary && source->pending.load(std::memory_order_acquire)) {
    compute_long_log(own);
    held = hold_steps(own);
  }
  const bool is_pending = source->pending.load(std::memory_order_acquire);
  if (!is_pending) note_reader(source->memory, own);
  retain(source);
  rep->operation.arguments[0].array = source;
  rep->operation.count = 1;
  rep->operation.reductions = reductions_in(source);
  rep->operation.statement = statement_of(what, is_pending && is_temporary ? source : nullptr);
  rep->computed_by = &how;
  rep->reduced = what;
  rep->strides = c_strides(shape, itemsize(type));
  rep->pending.store(true, std::memory_order_relaxed);
  enlist(rep, {&source, is_pending && is_temporary ? std::size_t{1} : 0});
  if (held) held.unlock();
  if (!is_pending && is_exposed(source->memory)) evaluate(rep);
  return owner;
}

constinit const computation together_with_others{
    [](array_rep* rep) {
      if (is_of_few_rows(rep) && pending_reductions_beside(rep, 1).empty() && become_steps(rep))
        return evaluate(rep);
      compute_names_of_operand(rep);
      enqueue(member(rep));
    },
    [](array_rep* rep, std::byte* results) {
      compute_names_of_operand(rep);
      enqueue(member(rep, results));
    },
    nullptr, [](array_rep* rep) { enqueue(member(rep)); }};

}  // namespace core
GPARRAY_END_NAMESPACE
