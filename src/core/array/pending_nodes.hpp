// What is pending below an expression, where names share steps: a graph, not a tree.
#pragma once
#include <algorithm>
#include <optional>
#include <span>

#include <core/array/pending_list.hpp>
#include <core/array/row_fusion.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The pending reps below an expression that are steps of its plan, each once, operands before what is made
/// of them, the expression itself last, after those beside it. Their evaluation is held, so that nothing here
/// changes.
class pending_nodes {
 public:
  struct found {
    array_rep* rep;
    int uses;  // by nodes of the graph
  };

  explicit pending_nodes(array_rep* expression, std::span<array_rep* const> beside = {});

  const found* begin() const { return nodes_; }
  const found* end() const { return nodes_ + count_; }
  array_rep* expression() const { return nodes_[count_ - 1].rep; }
  /// Calls visit(rep) for each computed array that the graph reads; if they are more than a plan has room
  /// for, for one with several uses several times.
  template<class Visit>
  void for_each_leaf(Visit visit) const {
    if (n_leaves_ <= max_operands) {
      for (int k = 0; k < n_leaves_; ++k) visit(leaves_[k]);
      return;
    }
    for (const found& f : *this)
      for (int i = 0; i < f.rep->operation.count; ++i) {
        const array_rep* a = f.rep->operation.arguments[i].array;
        if (a && !a->pending.load(std::memory_order_acquire)) visit(a);
      }
  }
  /// The operands of its plan, the arrays that the graph reads. None if some are read at the places of views
  /// or of rolled arrays, of which several may be one operand.
  std::optional<int> inputs() const {
    if (at_places_) return std::nullopt;
    return n_leaves_;
  }
  /// The numbers in it; if a plan has room for some more, at least as many.
  int numbers() const {
    return n_leaves_ + n_numbers_ + max_stores <= max_operands ? n_numbers_ : count_numbers();
  }
  /// The same, and for each that gathers in the graph load from: all that its plan reads.
  template<class Visit>
  void for_each_read(Visit visit) const {
    for_each_leaf(visit);
    if (!loads_) return;
    for (const found& f : *this)
      if (const array_rep* a = f.rep->loads_from.rep()) visit(a);
  }
  /// Whether this is a name that something else than the graph has, too: its elements will be asked for.
  /// Temporaries that were fused are in no list, and have their handles until the end of the line.
  static bool lives_on(const found& f) {
    return f.rep->list.load(std::memory_order_relaxed) &&
           f.rep->references.load(std::memory_order_acquire) > f.uses;
  }

 private:
  found& find(array_rep* rep);
  void note_leaf(const array_rep* a);
  /// Each once.
  int count_numbers() const;

  std::uint64_t walk_;
  int count_ = 0, n_leaves_ = 0;
  int n_numbers_ = 0;  // each as often as it is an argument
  bool loads_ = false, at_places_ = false;
  const array_rep* leaves_[max_operands];
  found nodes_[max_steps + max_inputs + 1];  // each is at least one step, or a rolled array
};

}  // namespace core
GPARRAY_END_NAMESPACE
