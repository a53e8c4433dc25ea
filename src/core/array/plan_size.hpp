// How large the plan of pending expressions will be, so that it is cut while it is built.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include <core/array/loads.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/pending_view.hpp>
#include <core/array/row_fusion.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The dtype that a step's argument must have; of a cast whatever it has.
inline dtype wanted_dtype(const node& n, int argument) {
  if (n.op == ufunc::cast) return n.arguments[argument].type;
  return n.user ? n.loop : input_dtype(n.op, argument, n.loop);
}

inline bool is_same_constant(const node_argument& a, const node_argument& b) {
  return a.type == b.type && std::memcmp(&a.value, &b.value, itemsize(a.type)) == 0;
}

/// The operands and steps of the plan of several expressions together, where those that they share count
/// once. All pending reps are of one list, whose steps are held.
class plan_size {
 public:
  explicit plan_size(pending_list* home) : walk_(++home->walks) {}

  int inputs = 0, steps = 0;  // inputs but numbers
  int numbers = 0;

  void add(const array_rep* rep) {
    if (!rep->pending.load(std::memory_order_acquire)) return add_array(rep);
    if (!first_seen(rep)) return;
    if (rep->roll) {  // an input of its own, whatever else reads that array
      ++inputs;
      return;
    }
    if (rep->view) return add_at_places(rep->operation.arguments[0].array, rep->view->counted_from_end());
    const node& n = rep->operation;
    ++steps;
    if (rep->places) {
      index_map map(static_cast<int>(rep->shape.size()));
      for (int d = 0; d < map.ndim; ++d) map.at[d] = {d + max_ndim - map.ndim, 1, 0};
      add_places(rep, map);
      if (is_range(rep)) return;
    }
    for (int i = 0; i < n.count; ++i) add(n, i, rep);
  }
  /// Argument number i of a step; `rep` is the one that it makes.
  void add(const node& n, int i, const array_rep* rep) {
    const node_argument& a = n.arguments[i];
    if (!a.array) return add_constant(a);
    if (a.type != wanted_dtype(n, i)) ++steps;
    if (!is_apart(a.array, rep)) add(a.array);
    else if (!a.array->pending.load(std::memory_order_acquire)) add_array(a.array);
    else if (first_seen(a.array)) ++inputs;
  }

 private:
  bool first_seen(const array_rep* rep) {
    auto* const seen = const_cast<array_rep*>(rep);
    return std::exchange(seen->mark, walk_) != walk_;
  }
  /// What is below a view: the map is from the rep's index to that of the plan.
  void add_at_places(const array_rep* rep, const index_map& map) {
    if (!rep->pending.load(std::memory_order_acquire)) return add_array_at(rep, map);
    if (rep->references.load(std::memory_order_relaxed) > 1) {
      const auto is_it = [&](const at_places& known) { return known.rep == rep && known.map == map; };
      if (std::ranges::any_of(at_places_, is_it)) return;
      at_places_.push_back({rep, map});
    }
    const node& n = rep->operation;
    if (rep->computed_by || n.count == 0) {
      ++inputs;
      return;
    }
    if (rep->view) return add_at_places(n.arguments[0].array, rep->view->after(map));
    ++steps;
    if (rep->places) add_places(rep, map);
    if (is_range(rep)) return;
    for (int i = 0; i < n.count; ++i) {
      const array_rep* const a = n.arguments[i].array;
      if (!a) {
        add_constant(n.arguments[i]);
        continue;
      }
      add_at_places(a, map.of_operand(a->shape));
      if (n.arguments[i].type != wanted_dtype(n, i)) ++steps;
    }
  }
  void add_array_at(const array_rep* rep, const index_map& map) {
    add_input_at(rep->type, reinterpret_cast<std::int64_t>(rep->data), rep->strides, map);
  }
  /// Where loads of rows find their elements; the numbers of a range.
  void add_places(const array_rep* rep, const index_map& map) {
    add_input_at(dtype::int64, rep->places->first, rep->places->strides, map);
    if (!is_range(rep)) steps += steps_to_places;
    for (const node_argument& end : ends_of_rows(rep)) add_constant(end);
  }
  void add_input_at(dtype type, std::int64_t first, const dims& strides, const index_map& map) {
    places_read of{type, first + map.offset(strides), {}};
    for (int d = 0; d < map.ndim; ++d)
      if (map.at[d].axis >= 0)
        of.strides[static_cast<std::size_t>(map.at[d].axis)] =
            strides[static_cast<std::size_t>(d)] * map.at[d].step;
    if (std::ranges::find(arrays_at_places_, of) != arrays_at_places_.end()) return;
    arrays_at_places_.push_back(of);
    ++inputs;
  }
  // Beyond the bounds of a plan the exact numbers do not matter.
  void add_array(const array_rep* rep) {
    for (int k = 0; k < std::min(n_arrays_, max_operands); ++k)
      if (arrays_[k] == rep) return;
    if (n_arrays_ < max_operands) arrays_[n_arrays_] = rep;
    ++n_arrays_;
    ++inputs;
  }
  void add_constant(const node_argument& a) {
    for (int k = 0; k < std::min(numbers, max_numbers); ++k)
      if (is_same_constant(*constants_[k], a)) return;
    if (numbers < max_numbers) constants_[numbers] = &a;
    ++numbers;
  }

  std::uint64_t walk_;
  int n_arrays_ = 0;
  struct at_places {
    const array_rep* rep;
    index_map map;
  };
  std::vector<at_places> at_places_;
  struct places_read {
    dtype type;
    std::int64_t first;
    std::array<std::int64_t, max_ndim> strides;
    friend bool operator==(const places_read&, const places_read&) = default;
  };
  std::vector<places_read> arrays_at_places_;
  const array_rep* arrays_[max_operands];
  const node_argument* constants_[max_numbers];
};

/// Counts an array that an expression reads, or a constant, into what its thread has pending.
inline void count_array(everything_pending& all, const array_rep* rep) {
  auto& counted = const_cast<array_rep*>(rep)->counted;
  if (counted.load(std::memory_order_relaxed) == all.number) return;
  counted.store(all.number, std::memory_order_relaxed);
  ++all.inputs;
}
inline void count_constant(everything_pending& all, const node_argument& a) {
  const int known = std::min(all.numbers, max_numbers);
  for (int k = 0; k < known; ++k)
    if (is_same_constant(all.seen[k], a)) return;
  if (known < max_numbers) all.seen[known] = a;
  ++all.numbers;
}
/// Starts a new count.
inline void count_nothing(everything_pending& all) {
  ++all.number;
  all.inputs = all.steps = all.numbers = all.inputs_apart = 0;
  all.note_counted();
}
/// The same if nothing is pending.
inline void begin_count(pending_list* own) {
  if (own->n_names.load(std::memory_order_relaxed) != 0) return;
  count_nothing(own->all);
  own->repeats = own->keeps_graph = false;
}
/// Counts again what is pending, while its steps are held.
void count_anew(pending_list* own);

}  // namespace core
GPARRAY_END_NAMESPACE
