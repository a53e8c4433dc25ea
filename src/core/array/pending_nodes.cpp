#include <algorithm>

#include <core/array/loads.hpp>
#include <core/array/pending_nodes.hpp>
#include <core/array/plan_size.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

pending_nodes::pending_nodes(array_rep* expression, std::span<array_rep* const> beside)
    : walk_(expression->home ? ++expression->home->walks : 0) {
  for (array_rep* rep : beside)
    if (is_pending(rep)) find(rep);
  if (is_pending(expression)) ++find(expression).uses;  // by what wants it
}

/// That of a pending rep, which is added if it has not been found before, behind what it is made of.
pending_nodes::found& pending_nodes::find(array_rep* rep) {
  if (rep->mark == walk_) return nodes_[rep->position];
  rep->mark = walk_;
  for (int i = 0; i < rep->operation.count; ++i) {
    array_rep* const a = rep->operation.arguments[i].array;
    if (!a) ++n_numbers_;
    else if (!is_pending(a)) note_leaf(a);
    else if (is_apart(a, rep)) continue;
    else if (a->mark == walk_) ++nodes_[a->position].uses;
    else ++find(a).uses;
  }
  at_places_ = at_places_ || rep->roll || rep->view || rep->places;
  n_numbers_ += static_cast<int>(ends_of_rows(rep).size());
  loads_ = loads_ || rep->operation.op == ufunc::load;
  rep->position = count_;
  found& added = nodes_[count_++];
  added = {rep, 0};
  return added;
}

void pending_nodes::note_leaf(const array_rep* a) {
  const int known = std::min(n_leaves_, max_operands);
  if (std::find(leaves_, leaves_ + known, a) != leaves_ + known) return;
  if (known < max_operands) leaves_[known] = a;
  ++n_leaves_;
}

int pending_nodes::count_numbers() const {
  const node_argument* known[max_numbers];
  int count = 0;
  const auto add = [&](const node_argument& a) {
    const auto is_it = [&a](const node_argument* k) { return is_same_constant(*k, a); };
    if (count < max_numbers && std::none_of(known, known + count, is_it)) known[count++] = &a;
  };
  for (const found& f : *this) {
    for (int i = 0; i < f.rep->operation.count; ++i)
      if (!f.rep->operation.arguments[i].array) add(f.rep->operation.arguments[i]);
    for (const node_argument& end : ends_of_rows(f.rep)) add(end);
  }
  return count;
}

}  // namespace core
GPARRAY_END_NAMESPACE
