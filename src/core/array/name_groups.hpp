// Pending names in groups of what they are made of.
#pragma once
#include <span>
#include <unordered_map>
#include <vector>

#include <core/array/pending_list.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Names of a list, whose steps are held while this is made, in groups: those of different groups have no
/// pending step and no array in common. One walk over all of them finds that, where asking each name about
/// each other would take the square of their number.
class name_groups {
 public:
  /// So many had better be asked.
  static constexpr std::size_t few = 8;

  /// Names that others hold.
  explicit name_groups(std::span<array_rep* const> names);
  /// Those of a list that the program has handles of, held until this goes.
  explicit name_groups(pending_list* list);
  /// The names of a name's group, in the order given, of a list newest first; all, if they are few or it is
  /// in none.
  std::span<array_rep* const> group_of(const array_rep* name) const;
  /// Each name is in one of these, unless they are few; some have none.
  const std::vector<std::vector<array_rep*>>& groups() const { return groups_; }

 private:
  void divide();
  /// Everything below the name that no name before it has, and the names that have the rest.
  void walk(array_rep* rep, int name);
  int first_of(int name);

  std::vector<any_array> living_;
  std::vector<array_rep*> names_;
  std::vector<int> first_;                         // of each name's group; by way of others, while they join
  std::unordered_map<const array_rep*, int> has_;  // the first name that is made of it
  std::vector<std::vector<array_rep*>> groups_;    // by the number of their first name
};

}  // namespace core
GPARRAY_END_NAMESPACE
