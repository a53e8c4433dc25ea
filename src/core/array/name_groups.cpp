#include <algorithm>
#include <numeric>

#include <core/array/name_groups.hpp>
#include <core/array/turns.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

name_groups::name_groups(std::span<array_rep* const> names) : names_(names.begin(), names.end()) { divide(); }

name_groups::name_groups(pending_list* list) : living_(living_names(list)) {
  for (const any_array& name : living_) names_.push_back(name.rep());
  divide();
}

void name_groups::divide() {
  const std::size_t n = names_.size();
  if (n <= few) return;
  first_.resize(n);
  std::iota(first_.begin(), first_.end(), 0);
  for (std::size_t i = 0; i < n; ++i) walk(names_[i], static_cast<int>(i));
  groups_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    groups_[static_cast<std::size_t>(first_of(static_cast<int>(i)))].push_back(names_[i]);
}

std::span<array_rep* const> name_groups::group_of(const array_rep* name) const {
  const auto found = has_.find(name);
  if (found == has_.end()) return names_;
  const int first = first_[static_cast<std::size_t>(found->second)];
  return groups_[static_cast<std::size_t>(first)];
}

void name_groups::walk(array_rep* rep, int name) {
  const auto [at, is_new] = has_.try_emplace(rep, name);
  if (!is_new) {
    const int a = first_of(name), b = first_of(at->second);
    first_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    return;
  }
  if (!is_pending(rep)) return;
  for (int i = 0; i < rep->operation.count; ++i)
    if (array_rep* const a = rep->operation.arguments[i].array) walk(a, name);
}

int name_groups::first_of(int name) {
  int& first = first_[static_cast<std::size_t>(name)];
  return first == name ? name : first = first_of(first);
}

}  // namespace core
GPARRAY_END_NAMESPACE
