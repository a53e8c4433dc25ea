#include <algorithm>

#include <core/array/pending_nodes.hpp>

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
    if (!a) continue;
    if (!is_pending(a)) note_leaf(a);
    else if (is_apart(a, rep)) continue;
    else if (a->mark == walk_) ++nodes_[a->position].uses;
    else ++find(a).uses;
  }
  loads_ = loads_ || rep->operation.op == ufunc::load;
  rep->position = count_;
  found& added = nodes_[count_++];
  added = {rep, 0};
  return added;
}

void pending_nodes::note_leaf(const array_rep* a) {
  const int known = std::min(n_leaves_, max_inputs);
  if (std::find(leaves_, leaves_ + known, a) != leaves_ + known) return;
  if (known < max_inputs) leaves_[known] = a;
  ++n_leaves_;
}

}  // namespace core
GPARRAY_END_NAMESPACE
