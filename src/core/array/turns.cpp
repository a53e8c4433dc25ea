#include <algorithm>
#include <vector>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/pending_nodes.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/program_order.hpp>
#include <core/array/step_log.hpp>
#include <core/array/turns.hpp>
#include <core/array/unstored_names.hpp>
#include <plan/repetition.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Steps of its shape alone, which may read rolled arrays.
inline bool is_steps(const array_rep* rep) {
  return is_pending(rep) && !rep->computed_by && !rep->roll && !rep->view && rep->operation.reductions == 0 &&
         rep->size > 0;
}

/// What one kernel may compute with others that read rolled arrays, or do not, as it does.
bool shares_kernels(const array_rep* rep) {
  return is_steps(rep) && (!rep->operation.rolls || rep->device_.is_cuda());
}

/// What goes into one plan with others.
bool is_plain(const array_rep* rep) { return is_steps(rep) && !rep->operation.rolls; }

/// In the place of a leading statement: no temporaries of the line of the next name are in the way of ending
/// the turn there, as they are at the name that led. No statement is this.
constexpr std::uint64_t next_name_ends = 1;

constexpr int fewest_inputs_to_count = 4, fewest_steps_to_count = 8, fewest_steps_to_look = 64;

/// What there is room for beside all that is pending, where a loop has made `turns` names of one line.
class room_for_turns {
 public:
  room_for_turns(const pending_list& list, const array_rep* name, int turns)
      : list_(list), all_(list.all), name_(name->operation), on_(name->device_), turns_(turns) {}

  /// For more of each, and for what the step that is being built needs itself.
  bool has_inputs(int more, int more_numbers) const {
    const int beside = name_.rolls ? 1 : usual_stores;  // most rolled ones store little
    return have_room(on_, name_.rolls, inputs() + more + beside, all_.numbers + more_numbers);
  }
  bool has(int more_inputs, int more_numbers, int more_steps) const {
    return has_inputs(more_inputs, more_numbers) &&
           all_.steps + more_steps + steps_of_line <= (name_.rolls ? max_kernel_steps : most_steps(list_));
  }
  bool has_inputs_of_turn() const {
    if (on_.is_cpu() || name_.rolls)  // there is room for so many of both
      return has_inputs(
          of_a_turn(inputs() + all_.numbers, list_.inputs_of_first_turn + list_.numbers_of_first_turn), 0);
    return has_inputs(of_a_turn(inputs(), list_.inputs_of_first_turn),
                      of_a_turn(all_.numbers, list_.numbers_of_first_turn));
  }
  bool has_turn() const { return has_inputs_of_turn() && has(0, 0, (all_.steps + turns_ - 1) / turns_); }

 private:
  int inputs() const { return all_.inputs - all_.inputs_apart; }
  /// Of what a kernel has so many of, and had when the first turn ended.
  int of_a_turn(int all, int of_first) const {
    if (name_.statement != list_.leader) return (all + turns_ - 1) / turns_;
    return (std::max(all - of_first, 0) + turns_ - 2) / (turns_ - 1);
  }

  const pending_list& list_;
  const everything_pending& all_;
  const node& name_;
  device on_;
  int turns_;
};

/// Whether the same line made one of the names below a pending one.
bool repeats(array_rep* name) {
  if (name->repeats_nothing) return false;  // nor will it: there are no more names below it than there were
  const pending_nodes below(name);
  name->repeats_nothing = std::ranges::none_of(below, [&](const pending_nodes::found& f) {
    return f.rep != name && f.rep->operation.statement == name->operation.statement &&
           f.rep->list.load(std::memory_order_relaxed);
  });
  return !name->repeats_nothing;
}

/// Adds a rep of a locked list and the pending ones below it, each once, with no uses counted yet.
/// `since`: not those that are older, nor what is below them.
void collect(array_rep* rep, std::uint32_t search, std::vector<array_rep*>& seen, std::uint64_t since = 0) {
  if (!is_pending(rep) || std::exchange(rep->seen, search) == search) return;
  if (rep->birth != 0 && rep->birth < since) return;
  rep->uses = 0;
  seen.push_back(rep);
  for (int i = 0; i < rep->operation.count; ++i)
    if (array_rep* const a = rep->operation.arguments[i].array) collect(a, search, seen, since);
}

/// All of a locked list.
std::vector<array_rep*> all_pending(pending_list& list) {
  std::vector<array_rep*> seen;
  ++list.searches;
  for (array_rep* rep = list.newest; rep; rep = rep->next) collect(rep, list.searches, seen);
  return seen;
}

/// How a pending rep stands to another one, whose graph has been marked with a walk's number.
constexpr std::uint64_t no_walk = ~std::uint64_t{0};
struct relation {
  bool shares = false, has_it_below = false;
  std::span<const array_rep* const> arrays = {};  // computed ones that it shares, too, if it reads them
};
void relate(array_rep* rep, const array_rep* to, std::uint64_t marked, std::uint64_t walk, relation& found) {
  if (!is_pending(rep)) {
    found.shares = found.shares || std::ranges::find(found.arrays, rep) != found.arrays.end();
    return;
  }
  if (rep->mark == walk) return;
  if (rep == to) {
    found.has_it_below = true;
    return;
  }
  if (rep->mark == marked) {
    found.shares = true;
    return;
  }
  // What is older than it cannot have it below.
  if (marked == no_walk && to && rep->birth != 0 && rep->birth < to->birth) return;
  rep->mark = walk;
  for (int i = 0; i < rep->operation.count; ++i)
    if (array_rep* const a = rep->operation.arguments[i].array) relate(a, to, marked, walk, found);
}

/// The reps of `candidates` that one plan computes with `rep`: made of the same values or arrays, and not of
/// rep itself.
std::vector<array_rep*> relatives(array_rep* rep, std::span<array_rep* const> candidates) {
  std::vector<array_rep*> result;
  if (!shares_kernels(rep) || rep->operation.op == ufunc::cast) return result;  // its value may be another's
  std::vector<const array_rep*> arrays;  // of its shape, so that to read them takes as long as to store it
  pending_nodes(rep).for_each_leaf([&](const array_rep* a) {
    if (a->shape == rep->shape) arrays.push_back(a);
  });
  plan_size size(rep->home);
  size.add(rep);
  const std::uint64_t marked = rep->home->walks;
  for (array_rep* other : candidates) {
    if (result.size() == static_cast<std::size_t>(most_stores(rep))) break;
    if (other == rep || !shares_kernels(other) || other->home != rep->home || other->shape != rep->shape ||
        other->device_ != rep->device_ || other->operation.rolls != rep->operation.rolls)
      continue;
    relation found{.arrays = arrays};
    relate(other, rep, marked, ++rep->home->walks, found);
    if (!found.shares || found.has_it_below) continue;
    // As many as have room: each takes an operand for its memory.
    size.add(other);
    const int stores = static_cast<int>(result.size()) + 1;
    if (!have_room(rep->device_, false, size.inputs + stores, size.numbers) ||
        size.steps > most_steps(*rep->home))
      break;
    result.push_back(other);
  }
  return result;
}

std::vector<array_rep*> reps_of(std::span<const any_array> arrays) {
  std::vector<array_rep*> result;
  for (const any_array& a : arrays) result.push_back(a.rep());
  return result;
}

/// Those of living names that one plan computes with a name, oldest first, and that are worth it.
std::vector<array_rep*> carried_with(const array_rep* name, std::span<const any_array> living) {
  std::vector<array_rep*> carried;
  for (std::size_t k = living.size(); k-- > 0;) {
    array_rep* const rep = living[k].rep();
    if (is_plain(rep) && rep->shape == name->shape && rep->device_ == name->device_ &&
        !is_cheap_above(rep, carried))
      carried.push_back(rep);
  }
  return carried;
}

/// What the kernel takes that computes a name and the others that it carries.
plan_size size_of_kernel(const array_rep* name, std::span<array_rep* const> carried) {
  plan_size size(name->home);
  size.add(name);
  for (const array_rep* rep : carried) size.add(rep);
  return size;
}

/// Counts the arrays that are read by names which no kernel computes with this one, such as rolled ones that
/// the program has kept.
void count_what_is_apart(everything_pending& all, const array_rep* name) {
  const std::vector<any_array> living = living_names(name->home);
  all.inputs_apart = std::max(all.inputs - size_of_kernel(name, carried_with(name, living)).inputs, 0);
}

/// Whether a kernel that goes round a loop computes what is pending below a name, and all other names.
bool is_a_loop(const array_rep* name) {
  const std::vector<any_array> living = living_names(name->home);
  const std::vector<array_rep*> carried = carried_with(name, living);
  // Names that nothing has been made of yet may read more than one plan has room for.
  const plan_size size = size_of_kernel(name, carried);
  if (!have_room(name->device_, false, size.inputs, size.numbers)) return false;
  map_plan plan;
  plan_builder builder(plan, name->shape);
  builder.steps_in_order(in_program_order(pending_nodes(const_cast<array_rep*>(name), carried)));
  int value = builder.expression(name);
  for (const array_rep* rep : carried) value = builder.expression(rep);
  builder.store_to(nullptr, builder.type(value), c_strides(name->shape, itemsize(builder.type(value))));
  builder.finish(value);
  return find_repetition(plan, 0, plan.n_steps).has_value();
}

}  // namespace

std::vector<array_rep*> pending_with_uses(pending_list& list) {
  std::vector<array_rep*> seen = all_pending(list);
  for (const array_rep* rep : seen)
    for (int i = 0; i < rep->operation.count; ++i)
      if (array_rep* const a = rep->operation.arguments[i].array; a && is_pending(a)) ++a->uses;
  return seen;
}

std::vector<any_array> living_names(pending_list* list) {
  std::vector<any_array> result;
  const list_lock lock(*list);
  pending_with_uses(*list);
  for (array_rep* rep = list->newest; rep; rep = rep->next)
    if (rep->references.load(std::memory_order_relaxed) > rep->uses && retain_unless_dropped(rep))
      result.push_back(any_array::adopt(rep));
  return result;
}

void count_anew(pending_list* own) {
  everything_pending& all = own->all;
  const list_lock lock(*own);
  // What has been added since is counted, too: of nothing that has left there is less.
  const std::uint32_t left = own->left.load(std::memory_order_relaxed);
  const bool is_counted = all.walked == all.number && all.left_before == left;
  if (is_counted && !(own->log && own->log->is_in_use())) {
    all.note_counted();
    return;
  }
  count_nothing(all);
  all.walked = all.number;
  all.left_before = left;
  if (own->log) count_logged(*own);
  for (const array_rep* rep : all_pending(*own)) {
    if (is_logged(rep)) continue;
    const node& n = rep->operation;
    if (rep->view) {  // its steps are computed anew
      all.inputs += n.inputs;
      all.numbers += n.numbers;
      all.steps += n.steps;
      continue;
    }
    ++all.steps;
    if (rep->places) ++all.inputs;
    for (int i = 0; i < n.count; ++i) {
      const node_argument& a = n.arguments[i];
      if (!a.array) count_constant(all, a);
      else if (rep->roll) ++all.inputs;
      else if (!is_pending(a.array) || is_apart(a.array, rep)) count_array(all, a.array);
      if (!rep->computed_by && a.type != wanted_dtype(n, i)) ++all.steps;
    }
  }
  all.note_counted();
}

void compute_with_relatives(array_rep* rep, std::optional<name_groups>& names) {
  if (!is_pending(rep)) return;
  if (!shares_kernels(rep)) return evaluate(rep);
  if (!names) names.emplace(rep->home);
  evaluate(rep, relatives(rep, names->group_of(rep)));
}

void compute_with_unused_names(array_rep* rep) {
  if (!is_pending(rep)) return;
  if (rep->device_.is_cpu() || !shares_kernels(rep)) return evaluate(rep);
  std::vector<any_array> living = living_names(rep->home);
  std::erase_if(living, [](const any_array& name) { return name.rep()->uses > 0; });
  evaluate(rep, relatives(rep, reps_of(living)));
}

bool begin_turn(const pending_list& list, array_rep* name) noexcept {
  const std::uint64_t statement = name->operation.statement;
  const int turns = list.names_of(statement).load(std::memory_order_relaxed);
  if (statement != list.leader || turns <= 1 || !is_worth_a_look(name)) return false;
  return name->begins_turn = room_for_turns(list, name, turns).has_turn();
}

void end_turns(array_rep* name) {
  if (name->begins_turn) return;  // the turn that goes on has room
  pending_list* const list = name->home;
  const everything_pending& all = list->all;
  const std::uint64_t statement = name->operation.statement;
  const int turns = list->names_of(statement).load(std::memory_order_relaxed);
  std::uint64_t& leader = list->leader;
  if (turns <= 1) {
    if (statement == leader) {
      list->inputs_of_first_turn = all.inputs;
      list->numbers_of_first_turn = all.numbers;
    }
    return;
  }
  if (is_worth_a_look(name) && is_steps(name)) {
    const bool rolls = name->operation.rolls;
    const room_for_turns room(*list, name, turns);
    bool leads_better = false;
    const bool has_leader = leader != 0 && leader != next_name_ends;
    if (has_leader && statement != leader) {
      // One of another loop leads no more, and neither does one that is made several times in a turn where
      // this is made once.
      const int led = list->names_of(leader).load(std::memory_order_relaxed);
      if (led == 0 && turns > 2) leader = 0;
      leads_better = led >= 2 * turns && !is_constant(name);
      if (leads_better) leader = statement;
    }
    if (has_leader && leader != 0 && statement != leader && room.has(0, 0, 0)) return;
    bool may_go_on = room.has_turn();
    // A walk for each name of a turn would take longer than its steps: what has been dropped since the last
    // one is little, but for operands, which each rolled array is.
    const auto may_be_less = [&] {
      return rolls || all.steps - all.steps_when_counted >= fewest_steps_to_count ||
             all.inputs - all.inputs_when_counted >= fewest_inputs_to_count;
    };
    if (!may_go_on && may_be_less()) {
      count_anew(list);
      if (!room.has_inputs_of_turn() && !is_logged(name)) count_what_is_apart(list->all, name);
      may_go_on = room.has_turn();
    }
    // Only where steps are what there is no room for, and not again for each name of a turn.
    const bool is_full = !may_go_on && room.has_inputs_of_turn();
    if (is_full && !rolls && !list->repeats && list->births - list->looked_at >= fewest_steps_to_look) {
      list->looked_at = list->births;
      list->repeats = is_logged(name) ? is_logged_loop(*list) : is_a_loop(name);
      may_go_on = room.has_turn();
    }
    if (may_go_on && (leads_better || leader == 0) && !is_constant(name)) {
      leader = statement;
      list->inputs_of_first_turn = all.inputs;
      list->numbers_of_first_turn = all.numbers;
    }
    name->begins_turn = may_go_on && statement == leader;
    if (may_go_on || (statement != leader && leader != next_name_ends && room.has(0, 0, 0))) return;
    // Lines that look alike are no loop, as the two slopes of a picture.
    if (!is_logged(name) && !repeats(name)) return;
  } else if (!repeats(name)) {
    return;
  }
  const bool leads = std::exchange(leader, statement) == statement;
  if (!compute_logged(name, {})) {
    if (leads && is_logged(name) && room_for_turns(*list, name, turns).has(0, 0, 0)) {
      leader = next_name_ends;  // a graph of what is logged may have a thousand steps and arrays
      return;
    }
    write_out(list);
    const std::vector<any_array> living = living_names(list);
    const std::vector<array_rep*> carried = carried_with(name, living);
    if (carried.empty()) evaluate(name);
    else compute_together(carried);
  }
  list->repeats = list->keeps_graph = false;
  count_anew(list);
}

array_rep* pending_root(std::span<array_rep* const> reps) {
  array_rep* root = nullptr;
  for (array_rep* rep : reps) {
    if (!is_pending(rep)) continue;
    if (!root) {
      root = rep;
      continue;
    }
    relation found;
    relate(rep, root, no_walk, ++root->home->walks, found);
    if (found.has_it_below) root = rep;
  }
  return root;
}

void compute_together(std::span<array_rep* const> wanted) {
  const auto compute = [](std::span<array_rep* const> group) {
    while (array_rep* const root = pending_root(group)) evaluate(root, relatives(root, group));
  };
  if (wanted.size() <= name_groups::few) return compute(wanted);
  const name_groups names(wanted);
  for (const std::vector<array_rep*>& group : names.groups()) compute(group);
}

void compute_small_names(array_rep* operand, bool is_temporary) {
  pending_list* const list = operand->home;
  const std::vector<any_array> living = living_names(list);
  const std::uint64_t below = ++list->walks;
  relation own;
  relate(operand, nullptr, no_walk, below, own);
  std::vector<array_rep*> names;
  const auto may_join = [&](const array_rep* rep) {
    return is_plain(rep) && rep->device_ == operand->device_ && (!is_temporary || rep != operand);
  };
  for (array_rep* rep : reps_of(living))
    if (rep->mark == below && rep->size <= operand->size && may_join(rep)) names.push_back(rep);
  const std::size_t n_below = names.size();
  for (array_rep* rep : reps_of(living)) {
    const auto has_its_shape = [&](const array_rep* name) { return name->shape == rep->shape; };
    if (rep->mark == below || !may_join(rep) ||
        std::none_of(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(n_below), has_its_shape))
      continue;
    relation found;
    relate(rep, operand, below, ++list->walks, found);
    if (found.shares) names.push_back(rep);
  }
  compute_together(names);
}

int handles_of(const array_rep* rep) {
  pending_list* const own = own_pending_list();
  std::vector<array_rep*> seen;
  int steps = 0;
  const list_lock lock(*own);
  ++own->searches;
  // What is older than it does not read it.
  const std::uint64_t since = is_pending(rep) ? rep->birth : 0;
  for (array_rep* r = own->newest; r && (r->birth == 0 || r->birth >= since); r = r->next)
    collect(r, own->searches, seen, since);
  for (const array_rep* r : seen)
    for (int i = 0; i < r->operation.count && !r->view; ++i) steps += r->operation.arguments[i].array == rep;
  if (own->log) steps += references_of_log(*own, rep);
  return rep->references.load(std::memory_order_relaxed) - steps;
}

}  // namespace core

namespace detail {

using namespace core;

void eval_together(std::span<const any_array* const> arrays) {
  pending_list* const own = own_pending_list();
  {
    const std::unique_lock held(own->steps);
    std::vector<array_rep*> names;
    for (const any_array* a : arrays)
      if (array_rep* const rep = a->rep(); rep && shares_kernels(rep) && rep->home == own)
        names.push_back(rep);
    if (names.size() > 1 && !compute_logged(names[0], names)) {
      write_out(own);
      compute_together(names);
    }
  }
  // The first of several joined reductions computes all of them.
  for (const any_array* a : arrays) a->eval();
}

}  // namespace detail
GPARRAY_END_NAMESPACE
