#include <algorithm>
#include <cstring>

#include <core/array/layout.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/plain_step.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/step_log.hpp>
#include <core/array/turns.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// What of the operands was pending when that was asked: another thread's write may compute temporaries.
struct pending_operands {
  const array_rep* like = nullptr;  // one of them
  unsigned which = 0;               // bit i: argument i
  unsigned named = 0;               // of these, those that other threads may compute

  bool has(std::size_t i) const { return (which >> i & 1) != 0; }
  bool is_named(std::size_t i) const { return (named >> i & 1) != 0; }
};

/// None if the step is not one for this.
pending_operands find_pending(std::span<const detail::argument> arguments) {
  pending_operands found;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const any_array* const array = arguments[i].array;
    if (!array) continue;
    if (!array->rep()) return {};
    if (!is_pending(array->rep())) continue;
    found.like = array->rep();
    found.which |= 1u << i;
    if (!is_temporary(arguments[i], array->rep())) found.named |= 1u << i;
  }
  return found;
}

bool is_plain(const array_rep* rep, const array_rep* like) {
  const node& n = rep->operation;
  return !rep->computed_by && !rep->of_unknown_shape && n.reductions == 0 && !n.rolls &&
         (rep == like ||
          (rep->home == like->home && rep->device_ == like->device_ && rep->shape == like->shape));
}

/// Ends turns of loops that have no room for another one. False if that, or another thread, has computed
/// operands.
bool end_turns_of(std::span<const detail::argument> arguments, const pending_operands& pending) {
  const everything_pending& all = pending.like->home->all;
  const std::uint64_t counted = all.number;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!pending.is_named(i)) continue;
    array_rep* const rep = arguments[i].array->rep();
    if (!is_pending(rep) || !is_plain(rep, pending.like)) return false;
    end_turns(rep);
  }
  if (all.number == counted) return true;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (pending.has(i) && !is_pending(arguments[i].array->rep())) return false;
  return true;
}

/// Whether a loop has gone round so often that it is worth while to log its steps.
bool goes_round(std::span<const detail::argument> arguments, const pending_operands& pending) {
  // Turns that read arrays of their own soon have no room for more in a graph, but may have in a log.
  constexpr int many_arrays = 6;
  const everything_pending& all = pending.like->home->all;
  const int fewest_turns = all.inputs >= many_arrays ? 2 : 4;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!pending.is_named(i)) continue;
    array_rep* const rep = arguments[i].array->rep();
    const auto& turns = rep->home->names_of(rep->operation.statement);
    if (turns.load(std::memory_order_relaxed) >= fewest_turns && is_worth_a_look(rep)) return true;
  }
  return false;
}

bool converts(ufunc f, dtype loop, const detail::argument& a, std::size_t i) {
  return f != ufunc::cast && a.type != input_dtype(f, static_cast<int>(i), loop);
}

/// What becomes of a step's operands.
struct written_operands {
  std::span<array_rep* const> fused() const { return {fused_, n_fused_}; }
  void fuse(array_rep* rep) { fused_[n_fused_++] = rep; }
  bool in_memory = false;  // some are

 private:
  std::size_t n_fused_ = 0;
  array_rep* fused_[max_arity];
};

/// Writes the node of a new rep, which is counted into what is pending. False if an operand is not plain, or
/// if there may be no room.
bool write_node(array_rep* rep, ufunc f, dtype loop, std::span<const detail::argument> arguments,
                const pending_operands& pending, written_operands& written) {
  everything_pending& all = rep->home->all;
  node& n = rep->operation;
  n.op = f;
  n.loop = loop;
  n.user = nullptr;
  int own_steps = 1, inputs = 0, numbers = 0, steps = 0;
  bool c_order = true;
  std::uint64_t statement = statement_of(f, loop, nullptr);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const detail::argument& a = arguments[i];
    node_argument& to = n.arguments[i];
    to.type = a.type;
    if (!a.array) {
      to.array = nullptr;
      std::memcpy(&to.value, a.value, sizeof to.value);
      n.count = static_cast<int>(i) + 1;
      count_constant(all, to);
      ++numbers;
      statement = mixed(statement, part_of_statement(a, nullptr));
      continue;
    }
    array_rep* const array = a.array->rep();
    own_steps += converts(f, loop, a, i);
    if (pending.has(i)) {
      const bool is_named = pending.is_named(i);
      if (!is_named) {
        if (!is_plain(array, pending.like)) return false;
        written.fuse(array);
      }
      inputs += array->operation.inputs;
      numbers += array->operation.numbers;
      steps += array->operation.steps;
      c_order = c_order && array->operation.c_order;
      statement = mixed(statement, part_of_statement(a, is_named ? nullptr : array));
    } else {
      if (array->device_ != rep->device_ || is_exposed(array->memory)) return false;
      if (!broadcasts_to(array->shape, rep->shape)) return false;
      if (array->shape.size() == rep->shape.size() && !array->c_contiguous)
        c_order = c_order && leaves_c_order(array->shape, array->strides);
      note_reader(array->memory, rep->home);
      written.in_memory = true;
      count_array(all, array);
      ++inputs;
      statement = mixed(statement, part_of_statement(a, nullptr));
    }
    retain(array);
    to.array = array;
    n.count = static_cast<int>(i) + 1;
  }
  n.c_order = c_order;
  n.statement = statement;
  const int more = static_cast<int>(arguments.size()) - 1;  // than needed, as in expression.cpp
  if (!have_room(rep->device_, false, all.inputs + more, all.numbers + more) ||
      all.steps + own_steps + more >= most_steps(*rep->home))
    return false;
  all.steps += own_steps;
  n.inputs = std::min(inputs, all.inputs);
  n.numbers = std::min(numbers, all.numbers);
  n.steps = std::min(steps + own_steps, all.steps);
  return true;
}

}  // namespace

any_array plain_step(pending_list* own, ufunc f, dtype loop, std::span<const detail::argument> arguments) {
  any_array owner;
  const pending_operands pending = find_pending(arguments);
  const array_rep* const like = pending.like;
  if (!like) return owner;
  if (like->home != own || own->n_names.load(std::memory_order_relaxed) == 0) return owner;
  constexpr std::int64_t most_elements = std::int64_t{1} << 56;  // bytes of any dtype are a number
  if (like->size == 0 || like->size > most_elements) return owner;
  std::unique_lock<std::recursive_mutex> held;
  bool is_logging = is_in_log(*own);
  if (pending.named != 0 || is_logging) {
    held = std::unique_lock(own->steps);
    if (!is_logging && !own->keeps_graph && goes_round(arguments, pending)) is_logging = begin_log(own, like);
    if (!end_turns_of(arguments, pending)) return owner;
    if (is_logging) {
      if (array_rep* const logged = log_step(*own, f, loop, arguments, true)) return any_array::adopt(logged);
      write_out(own);
    }
  }
  array_rep* const rep = new_rep(output_dtype(f, loop), like->device_, like->shape, like->size);
  const any_array made = any_array::adopt(rep);
  rep->home = own;
  written_operands written;
  if (!write_node(rep, f, loop, arguments, pending, written)) return owner;
  rep->birth = ++own->births;
  rep->pending.store(true, std::memory_order_relaxed);
  enlist(rep, written.fused());
  if (held) held.unlock();
  if (written.in_memory && std::ranges::any_of(arguments, is_exposed_now)) [[unlikely]]
    evaluate(rep);
  return made;
}

}  // namespace core
GPARRAY_END_NAMESPACE
