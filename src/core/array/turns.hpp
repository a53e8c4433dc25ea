// Loops of the program, and names that one kernel computes together.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include <core/array/name_groups.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Called with a pending name that becomes an operand, while the steps of its list are held. Where the same
/// line made one of the names below it, the program goes round a loop: then the turns so far are computed,
/// with all names that the program still has of them, if one more has no room in a kernel. So kernels end at
/// the same place of a turn.
void end_turns(array_rep* name);
/// The same of a name that is logged, where that does no more than to begin another turn, which it leads;
/// else false, and nothing has changed.
bool begin_turn(const pending_list& list, array_rep* name) noexcept;

/// The reps that are pending in a locked list, those below them too, each once, and behind those that are
/// made of it: with `uses`, the references that the others have.
std::vector<array_rep*> pending_with_uses(pending_list& list);
/// Pending reps of a list, whose steps are held, newest first: those that the program has a handle of, held
/// until this goes.
std::vector<any_array> living_names(pending_list* list);

/// A line of the program has about so many steps.
inline constexpr int steps_of_line = 8;
/// Whether there is room for one more step of a loop on a device, whose line is not the first one of a turn.
inline bool has_room_for_step(const pending_list& list, device on) {
  return list.leader != 0 && have_room(on, false, list.all.inputs + usual_stores, list.all.numbers) &&
         list.all.steps + steps_of_line <= most_steps(list);
}

/// One of some reps of one list, whose steps are held, that is pending and below no other of them; null if
/// none is pending.
array_rep* pending_root(std::span<array_rep* const> reps);
/// Computes reps of one list, whose steps are held: those that are made of the same values in one pass. They
/// are pending or not.
void compute_together(std::span<array_rep* const> wanted);
/// Computes a rep, whose list's steps are held, with all other names of the list that are made of the same
/// values. `names` are the list's, looked up where they are first asked for: who computes one rep after the
/// other keeps them.
void compute_with_relatives(array_rep* rep, std::optional<name_groups>& names);
/// Computes a rep of a GPU with those names that nothing has used yet: they will be wanted, too, while others
/// may be no more than what these are made of.
void compute_with_unused_names(array_rep* rep);

/// Computes the names that an operand is made of, as far as they have no more elements than it, itself if it
/// is one, and those of their shapes that are made of the same values: before it is computed alone, to be
/// broadcast. Their list's steps are held.
void compute_small_names(array_rep* operand, bool is_temporary);

/// Whether passes over the array's memory cost more than to find out how to spare them: not of a small one on
/// the CPU, which is in a cache.
inline bool is_worth_a_look(const array_rep* rep) {
  constexpr std::int64_t fewest_bytes = 1 << 16;
  return rep->device_.is_cuda() || rep->size * static_cast<std::int64_t>(itemsize(rep->type)) >= fewest_bytes;
}

/// Whether an argument that is said to be a temporary is one, so that nothing but what is made of it computes
/// it. What its caller has kept is a name.
inline bool is_temporary(const detail::argument& a, const array_rep* rep) {
  return a.fuse && rep->references.load(std::memory_order_acquire) == 1;
}

/// How many arrays of the program, handles and views, refer to a rep of this thread; too many if other
/// threads' steps may, too.
int handles_of(const array_rep* rep);

}  // namespace core
GPARRAY_END_NAMESPACE
