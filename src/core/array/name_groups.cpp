#include <algorithm>
#include <numeric>

#include <core/array/evaluate.hpp>
#include <core/array/name_groups.hpp>
#include <core/array/turns.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// So few are asked one by one.
constexpr std::size_t few_names = 8;

}  // namespace

name_groups::name_groups(std::span<array_rep* const> names) : names_(names.begin(), names.end()) { divide(); }

name_groups::name_groups(pending_list* list) : living_(living_names(list)) {
  for (const any_array& name : living_) names_.push_back(name.rep());
  divide();
}

void name_groups::divide() {
  const std::size_t n = names_.size();
  if (n <= few_names) {
    groups_.assign(1, names_);
    return;
  }
  first_.resize(n);
  std::iota(first_.begin(), first_.end(), 0);
  for (std::size_t i = 0; i < n; ++i) walk(names_[i], static_cast<int>(i));
  std::vector<std::vector<array_rep*>> of(n);
  for (std::size_t i = 0; i < n; ++i)
    of[static_cast<std::size_t>(first_of(static_cast<int>(i)))].push_back(names_[i]);
  groups_.resize(n);
  auto* end = names_.data();
  for (std::size_t i = 0; i < n; ++i) {
    auto* const begin = end;
    end = std::copy(of[i].begin(), of[i].end(), begin);
    groups_[i] = {begin, end};
  }
}

std::span<array_rep* const> name_groups::group_of(const array_rep* name) const {
  const auto found = has_.find(name);
  if (found == has_.end()) return names_;
  int first = found->second;
  while (first_[static_cast<std::size_t>(first)] != first) first = first_[static_cast<std::size_t>(first)];
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
