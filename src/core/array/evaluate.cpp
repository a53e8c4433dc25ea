// Computing expressions.
#include <algorithm>
#include <cstring>
#include <utility>

#include <core/array/array_rep.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/new_results.hpp>
#include <core/array/pending_nodes.hpp>
#include <core/array/pending_view.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/program_order.hpp>
#include <core/array/rolled.hpp>
#include <core/array/row_fusion.hpp>
#include <core/array/step_log.hpp>
#include <core/array/turns.hpp>
#include <core/array/two_results.hpp>
#include <core/array/unstored_names.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Whether the results and everything they are computed from are C-contiguous and of one shape.
bool is_flat(const pending_nodes& nodes, const dims& shape) {
  bool flat = true;
  if (nodes.expression()->operation.rolls) return false;
  nodes.for_each_leaf([&](const array_rep* a) { flat = flat && a->c_contiguous && a->shape == shape; });
  return flat && std::ranges::all_of(nodes, [&](const auto& f) {
           return !f.rep->view && !f.rep->places && (&f.rep->shape == &shape || f.rep->shape == shape);
         });
}

}  // namespace

std::unique_lock<std::recursive_mutex> hold_expression(const array_rep* rep) {
  // A computed array's is nobody's business.
  return rep->home ? hold_steps(rep->home) : std::unique_lock<std::recursive_mutex>();
}

dims strides_of(const array_rep* rep) {
  if (rep->view) return rep->view->strides(rep->operation.arguments[0].array->strides);
  const std::size_t item = itemsize(rep->type);
  if (rep->shape.size() < 2) return c_strides(rep->shape, item);
  if (rep->roll)
    return strides_in_order(rep->shape, item,
                            memory_order(rep->shape, {&rep->operation.arguments[0].array->strides, 1}));
  dims operands[max_arity];
  std::size_t count = 0;
  for (int i = 0; i < rep->operation.count; ++i) {
    const array_rep* a = rep->operation.arguments[i].array;
    if (a && a->shape.size() == rep->shape.size())
      operands[count++] = broadcast_strides(a->shape, a->strides, rep->shape);
  }
  return strides_in_order(rep->shape, item, memory_order(rep->shape, {operands, count}));
}

namespace {

/// Gives steps the strides that they would have if they were stored: so fusing changes no layout. If all are
/// in C order, only those that may be stored, as those of `beside` are.
void lay_out(const pending_nodes& nodes, bool flat, std::span<array_rep* const> beside = {}) {
  const auto is_c_order = [flat](const array_rep* rep) {
    return flat || (rep->operation.c_order && !rep->roll && !rep->view);
  };
  const bool all_are = flat || std::ranges::all_of(nodes, is_c_order, &pending_nodes::found::rep);
  for (const auto& f : nodes) {
    const bool may_be_stored = f.rep == nodes.expression() || pending_nodes::lives_on(f) ||
                               std::ranges::find(beside, f.rep) != beside.end();
    if (all_are && !may_be_stored) continue;
    f.rep->strides = is_c_order(f.rep) ? c_strides(f.rep->shape, itemsize(f.rep->type)) : strides_of(f.rep);
  }
}

}  // namespace

dims result_strides(const array_rep* rep) {
  const pending_nodes nodes(const_cast<array_rep*>(rep));
  lay_out(nodes, false);
  return rep->strides;
}

namespace {

/// Memory for a name that is stored beside the result.
struct kept_result {
  array_rep* rep;
  std::byte* data;
};

/// Plans the kernel of an expression, which writes to memory with these strides and may convert.
void make_plan(jumping_plan& plan, const pending_nodes& nodes, std::byte* data, dtype type,
               const dims& strides, bool flat, std::span<const kept_result> kept) {
  const array_rep* const rep = nodes.expression();
  plan_builder builder = flat ? plan_builder::flat(plan.map, rep->size) : plan_builder(plan.map, rep->shape);
  if (rep->operation.rolls) builder.set_jumps(plan);
  if (nodes.end() - nodes.begin() > fewest_in_order) builder.steps_in_order(in_program_order(nodes));
  // First, for some are made of the same values without being below it.
  for (const kept_result& k : kept) builder.store(builder.expression(k.rep), k.data);
  const int value = builder.expression(rep);
  builder.store_to(data, type, strides);
  builder.finish(value);
}

void enqueue(const pending_nodes& nodes, std::byte* data, dtype type, const dims& strides, device on_device,
             bool flat, std::span<const kept_result> kept) {
  jumping_plan plan;
  make_plan(plan, nodes, data, type, strides, flat, kept);
  backend& executor = backend_of(on_device);
  if (plan.n_jumps == 0) executor.map(plan.map, current_queue(on_device));
  else executor.map_jumping(plan, current_queue(on_device));
}

/// Computes rolled arrays below an expression that had better be in memory; false if there are none.
bool compute_rolled(const pending_nodes& nodes) {
  const array_rep* const rep = nodes.expression();
  if (!rep->operation.rolls || rep->roll || reads_rolled(nodes, rep)) return false;
  for (const auto& f : nodes)
    if (f.rep->roll) {
      evaluate(f.rep);
      return true;
    }
  return false;
}

}  // namespace

void record_uses(const array_rep* rep, queue q) {
  if (!rep->pending.load(std::memory_order_acquire)) return record_use(rep->memory, q);
  pending_nodes(const_cast<array_rep*>(rep)).for_each_read([q](const array_rep* a) {
    record_use(a->memory, q);
  });
}

void end_pending(array_rep* rep) {
  // Of steps that are pending above it. Without another reference than a step's no one can write to it.
  if (rep->home && rep->references.load(std::memory_order_acquire) > 1) note_reader(rep->memory, rep->home);
  rep->pending.store(false, std::memory_order_release);
  if (rep->home)
    rep->home->left.fetch_add(1, std::memory_order_relaxed);  // those that are fused are in no list
  delist(rep);
  rep->roll.reset();  // searches of the list read them
  rep->view.reset();
  rep->loads_from = {};  // the array that elements were read from may go
  rep->places.reset();
  rep->selected.reset();
  array_rep* operands[max_arity];
  const int count = std::exchange(rep->operation.count, 0);
  for (int i = 0; i < count; ++i) operands[i] = rep->operation.arguments[i].array;
  for (int i = 0; i < count; ++i)
    if (operands[i]) release(operands[i]);
}

void publish(array_rep* rep, const any_array& elements) {
  const array_rep* made = elements.rep();
  if (rep->of_unknown_shape) {  // else others may be reading it
    rep->shape = made->shape;
    rep->size = made->size;
  }
  retain(made->memory);
  set_layout(rep, made->strides, made->data, made->memory);
  end_pending(rep);
}

namespace {

/// Whether this is a copy, whose argument is its value in a plan.
bool is_copy(const array_rep* rep) {
  const node& n = rep->operation;
  return n.op == ufunc::cast && n.count == 1 && n.arguments[0].type == n.loop;
}

/// What is pending below an expression and has its value.
const array_rep* copied(const array_rep* expression) {
  while (is_copy(expression)) {
    const array_rep* const from = expression->operation.arguments[0].array;
    if (!from || !is_pending(from)) break;
    expression = from;
  }
  return expression;
}

/// Whether the step is an element of a plan that can be stored beside the plan's value: another one,
/// computed, and laid out as that is.
bool stored_beside(const array_rep* rep, const array_rep* expression) {
  if (is_copy(rep) || rep == copied(expression)) return false;
  if (rep->shape != expression->shape || rep->view) return false;
  const auto item = static_cast<std::int64_t>(itemsize(rep->type)),
             size = static_cast<std::int64_t>(itemsize(expression->type));
  for (std::size_t d = 0; d < rep->shape.size(); ++d)
    if (rep->shape[d] > 1 && rep->strides[d] * size != expression->strides[d] * item) return false;
  return true;
}

/// The names below an expression that live on, which are to be stored by its kernel; others that live on stay
/// pending or are computed first.
struct kept_names {
  int count = 0;
  array_rep* reps[max_stores];

  std::span<array_rep* const> all() const { return {reps, static_cast<std::size_t>(count)}; }
};

/// The operands of their plan: exactly, or, of what is read at other places, if the upper bound leaves no
/// room for what is stored.
int inputs_of(const pending_nodes& nodes) {
  if (const std::optional<int> inputs = nodes.inputs()) return *inputs;
  const int bound = nodes.expression()->operation.inputs;
  if (bound + most_stores(nodes.expression()) <= max_operands) return bound;
  plan_size size(nodes.expression()->home);
  for (const auto& f : nodes) size.add(f.rep);
  return size.inputs;
}

/// How many values their plan may store beside its own.
int room_for_stores(const pending_nodes& nodes) {
  const array_rep* const expression = nodes.expression();
  const int numbers = expression->device_.is_cuda() && !expression->operation.rolls ? 0 : nodes.numbers();
  return std::min(most_stores(expression), max_operands - inputs_of(nodes) - numbers);
}

void evaluate_with(array_rep* rep, std::span<array_rep* const> beside);

/// Computes a step below an expression if a plan of all has no room for their operands; false if it has. When
/// the steps were built it had: names that have been computed since are operands of the others.
bool compute_part(const pending_nodes& nodes) {
  const array_rep* const expression = nodes.expression();
  const int inputs = nodes.inputs().value_or(0);
  const bool rolls = expression->operation.rolls;
  if (have_room(expression->device_, rolls, inputs, 0) &&
      (!nodes.inputs() || have_room(expression->device_, rolls, inputs, nodes.numbers())))
    return false;
  for (const auto* f = nodes.end(); f-- != nodes.begin();) {
    if (f->rep == expression || f->rep->roll || f->rep->view) continue;
    plan_size size(f->rep->home);
    size.add(f->rep);
    if (!have_room(f->rep->device_, f->rep->operation.rolls, size.inputs, size.numbers)) continue;
    evaluate_with(f->rep, {});
    return true;
  }
  return false;
}

/// False if something was computed, so that there is less below the expression now.
bool choose_names(const pending_nodes& nodes, std::span<array_rep* const> beside, kept_names& kept) {
  const array_rep* const expression = nodes.expression();
  for (const auto& f : nodes) {
    if (f.rep == expression) continue;
    const bool is_wanted = std::ranges::find(beside, f.rep) != beside.end() ||
                           (pending_nodes::lives_on(f) && !stays_pending(f.rep, kept.all()));
    if (!is_wanted) continue;
    if (kept.count >= room_for_stores(nodes) || recording_on(any_device) ||
        !stored_beside(f.rep, expression)) {
      evaluate_with(f.rep, {});  // not again with the expression, if both are results of one function
      return false;
    }
    kept.reps[kept.count++] = f.rep;
  }
  return true;
}

/// The expression as one kernel that stores the names below it and those beside it, too; false as
/// choose_names.
bool evaluate_together(array_rep* rep, std::span<array_rep* const> beside) {
  const pending_nodes nodes(rep, beside);
  const bool flat = is_flat(nodes, rep->shape);
  lay_out(nodes, flat, beside);
  if (compute_rolled(nodes) || compute_part(nodes)) return false;
  kept_names kept;
  if (!choose_names(nodes, beside, kept)) return false;
  const queue q = current_queue(rep->device_);
  new_results results(q);
  kept_result stored[max_stores];
  for (int k = 0; k < kept.count; ++k) stored[k] = {kept.reps[k], results.add(kept.reps[k])};
  std::byte* const data = results.add(rep);
  if (rep->size > 0) {
    enqueue(nodes, data, rep->type, rep->strides, rep->device_, flat,
            {stored, static_cast<std::size_t>(kept.count)});
    nodes.for_each_read([q](const array_rep* a) { record_use(a->memory, q); });
    note_unstored(nodes, kept.all());
  }
  results.publish();
  return true;
}

/// As evaluate(), with nothing else beside it.
void evaluate_with(array_rep* rep, std::span<array_rep* const> beside) {
  if (!is_pending(rep) || evaluate_with_rows(rep)) return;
  if (rep->computed_by && !is_constant(rep)) return rep->computed_by->compute(rep);
  if (rep->compute_alone && beside.empty()) return rep->compute_alone(rep);
  if (rep->view) {
    evaluate(rep->operation.arguments[0].array);
    return become_view(rep);
  }
  while (!evaluate_together(rep, beside)) {
  }
}

}  // namespace

void evaluate(array_rep* rep, std::span<array_rep* const> beside) {
  if (beside.empty() && compute_logged(rep, {&rep, 1})) return;
  if (rep->home && rep->home == own_pending_list() && !is_logged(rep)) compute_long_log(rep->home);
  const auto lock = hold_expression(rep);
  if (!is_pending(rep)) return;
  if (!beside.empty()) return evaluate_with(rep, beside);
  const any_array other = other_result(rep);
  array_rep* const others[] = {other.rep()};
  evaluate_with(rep, std::span(others).first(other.rep() ? 1 : 0));
}

namespace {

/// Whether a pending array may be written to where its caller wants it, by a kernel that writes others, too.
bool may_be_written_to(const array_rep* rep, const array_rep* like, const any_array& target) {
  return is_pending(rep) && rep->home == like->home && !rep->computed_by && !rep->compute_alone &&
         !rep->roll && !rep->view && !rep->loads_from.rep() && rep->operation.reductions == 0 &&
         !rep->operation.rolls && !is_copy(rep) && rep->type == target.rep()->type &&
         rep->shape == like->shape;
}

/// Whether elements that a kernel stores in packs are so at the same places of all targets, which lie alike.
bool have_packs_alike(std::span<const any_array> targets) {
  constexpr std::uintptr_t pack_bytes = 32;  // four float64: GPUs since 10.0 store them at once
  const array_rep* const first = targets[0].rep();
  return std::ranges::all_of(targets, [first](const any_array& target) {
    const array_rep* const to = target.rep();
    const auto item = static_cast<std::int64_t>(itemsize(to->type));
    const bool has_packs = std::ranges::find(to->strides, item) != to->strides.end();
    return !has_packs || static_cast<std::uintptr_t>(to->data - first->data) % pack_bytes == 0;
  });
}

/// The names below that are to be in memory; false if that has changed what is below.
bool are_names_computed(const pending_nodes& nodes, std::span<array_rep* const> results) {
  if (compute_part(nodes)) return false;
  for (const auto& f : nodes) {
    if (std::ranges::find(results, f.rep) != results.end()) continue;
    if (!f.rep->roll && (!pending_nodes::lives_on(f) || stays_pending(f.rep))) continue;
    evaluate_with(f.rep, {});
    return false;
  }
  return true;
}

}  // namespace

bool compute_into(std::span<const any_array> sources, std::span<const any_array> targets, int handles) {
  const std::size_t count = sources.size();
  const array_rep* const first = sources[0].rep();
  if (count > max_stores + 1 || !is_pending(first) || first->size == 0 || first->device_.is_cpu() ||
      first->home != own_pending_list() || recording_on(any_device) || !have_packs_alike(targets))
    return false;
  const auto lock = hold_expression(first);
  array_rep* reps[max_stores + 1];
  for (std::size_t k = 0; k < count; ++k) {
    reps[k] = sources[k].rep();
    if (std::find(reps, reps + k, reps[k]) != reps + k || !may_be_written_to(reps[k], first, targets[k]) ||
        (handles_of(reps[k]) > handles && !stays_pending(reps[k])))
      return false;
  }
  const std::span<array_rep* const> results(reps, count);
  array_rep* const root = pending_root(results);
  const array_rep* to = nullptr;
  kept_result stored[max_stores];
  array_rep* beside[max_stores];
  for (std::size_t k = 0, n = 0; k < count; ++k) {
    const array_rep* const target = targets[k].rep();
    if (reps[k] == root) {
      to = target;
    } else {
      beside[n] = reps[k];
      stored[n++] = {reps[k], target->data};
    }
  }
  for (;;) {
    if (!std::ranges::all_of(results, [](const array_rep* rep) { return is_pending(rep); })) return false;
    const pending_nodes nodes(root, {beside, count - 1});
    if (!are_names_computed(nodes, results)) continue;
    if (!have_room(root->device_, false, inputs_of(nodes) + static_cast<int>(count) - 1, nodes.numbers()))
      return false;
    jumping_plan plan;
    make_plan(plan, nodes, to->data, to->type, to->strides, to->c_contiguous && is_flat(nodes, root->shape),
              {stored, count - 1});
    // What is cut into pieces hands values on in memory that is side by side.
    if (plan.map.n_steps > max_kernel_steps) return false;
    const queue q = current_queue(root->device_);
    backend_of(root->device_).map(plan.map, q);
    record_use(to->memory, q);
    nodes.for_each_read([q](const array_rep* a) { record_use(a->memory, q); });
    note_unstored(nodes);
    return true;
  }
}

void compute_names(array_rep* rep) {
  if (!rep->pending.load(std::memory_order_acquire)) return;
  compute_rows_below(rep);
  for (bool again = true; again;) {
    again = false;
    const pending_nodes nodes(rep);
    if (compute_rolled(nodes) || compute_part(nodes)) {
      again = true;
      continue;
    }
    // The last one stores those below it.
    for (const auto* f = nodes.end(); f-- != nodes.begin() && !again;)
      if (f->rep != rep && pending_nodes::lives_on(*f) && !stays_pending(f->rep)) {
        evaluate(f->rep);
        again = true;
      }
    if (!again) note_unstored(nodes);
  }
}

const array_rep* computed(const any_array& a) {
  const array_rep* rep = described(a);
  if (rep->pending.load(std::memory_order_acquire)) evaluate(const_cast<array_rep*>(rep));
  return rep;
}

void run_into(const pending_nodes& nodes, std::byte* data, dtype type, const dims& strides, device on_device,
              bool is_contiguous) {
  enqueue(nodes, data, type, strides, on_device, is_contiguous && is_flat(nodes, nodes.expression()->shape),
          {});
}

void enqueue_into(array_rep* rep, std::byte* data) {
  if (rep->computed_by && !is_constant(rep)) return rep->computed_by->compute_into(rep, data);
  compute_names(rep);
  const pending_nodes nodes(rep);
  run_into(nodes, data, rep->type, c_strides(rep->shape, itemsize(rep->type)), rep->device_, true);
  record_uses(rep, current_queue(rep->device_));
}

}  // namespace core

const any_array& any_array::eval() const {
  core::computed(*this);
  return *this;
}

GPARRAY_END_NAMESPACE
