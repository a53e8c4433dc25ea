// Writes a map_plan: operands broadcast to one shape, casts inserted, dimensions ordered and collapsed.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include <core/array/pending_view.hpp>
#include <plan/convert_scalar.hpp>
#include <plan/jumping_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A shape seen as rows: its first axes together are one, and the others.
struct row_layout {
  row_layout() = default;
  row_layout(const dims& of, int row_axes);

  struct stride_pair {
    std::int64_t row, column;
  };
  /// Strides of an array that broadcasts to the shape; none if its rows or columns are no even distance
  /// apart.
  std::optional<stride_pair> strides(const dims& of, const dims& bytes) const;
  /// Whether the axes of the columns are 1.
  bool has_one_per_row(const dims& of) const;

  dims shape;
  int n_row_axes = 0;
  std::int64_t rows = 0, columns = 0;
};

/// Value numbers in a finished plan count inputs first, so steps refer to inputs by 0.. and to steps by
/// step_base.. until finish() renumbers them.
class plan_builder {
 public:
  plan_builder(map_plan& plan, const dims& shape);
  /// For arrays and an output that are all C-contiguous and of one shape: a plan of one dimension at once.
  static plan_builder flat(map_plan& plan, std::int64_t size) { return plan_builder(plan, dims(size), true); }
  /// For arrays that lie in these rows: a plan of (rows, columns), or of (rows), which stays as it is.
  plan_builder(map_plan& plan, const row_layout& rows, bool has_columns);

  /// Rolled arrays may occur below expressions; their jumps are listed.
  void set_jumps(jump_list& jumps) { jumping_ = &jumps; }
  /// This pending scan is a step, the value of which stands for its results.
  void set_scan(const array_rep* scan) { scan_ = scan; }
  /// Which one, once the expression is there.
  int scan_step() const { return scan_step_; }

  /// A computed array, which broadcasts to the shape. The same array twice is one input.
  int array(const array_rep* rep);
  int constant(dtype type, const scalar_bits& value);
  /// The int64 first + sum(index[d] * units[d]).
  int iota(std::int64_t first, const dims& units);
  /// A step on values; values of other dtypes than the loop wants are cast.
  int apply(ufunc op, dtype loop, std::initializer_list<int> values);
  int apply(ufunc op, dtype loop, const int* values, int count, const detail::user_loop* user = nullptr);
  int cast(int value, dtype to) { return type(value) == to ? value : converted(value, to); }
  /// The value that the next step will be.
  int next_step() const { return step_base + plan_.n_steps; }
  /// A step as it will stand in the plan, with a result of this dtype; the arguments are the caller's to
  /// write, as values of the dtypes that it wants.
  step& add(const step& like, dtype result) {
    types_[plan_.n_steps] = result;
    return plan_.steps[plan_.n_steps++] = like;
  }
  /// The same of several whose arguments are such values already. The dtypes of all but the last are not
  /// asked for.
  void add(std::span<const step> steps, dtype result_of_last) {
    std::copy(steps.begin(), steps.end(), plan_.steps + plan_.n_steps);
    plan_.n_steps += static_cast<int>(steps.size());
    types_[plan_.n_steps - 1] = result_of_last;
  }
  /// The operations below a pending rep, whose evaluation is held, down to arrays and constants. A rep that
  /// is met twice is one step.
  int expression(const array_rep* rep);
  /// The operations of pending reps, before those of any expression, in the order given: each behind those
  /// that it is made of.
  void steps_in_order(std::span<const array_rep* const> reps);
  /// Has the value of a step stored beside the plan's.
  void store(int value, std::byte* data);
  dtype type(int value) const {
    return value < step_base ? plan_.inputs[value].type : types_[value - step_base];
  }

  /// Of an axis only `count` blocks of `block` elements from `first` on; in its place are two axes, of the
  /// blocks and of the elements of each. Behind the expression, and before a reduction is finished.
  void cut_axis(int axis, std::int64_t first, std::int64_t block, std::int64_t count);

  void store_to(std::byte* data, dtype type, const dims& strides);
  /// Fixes the value to store and the dimensions: sorted by output stride, flipped to be positive, merged.
  void finish(int value);
  /// The same of a plan of rows, whose results lie side by side.
  void store_rows_to(std::byte* data, dtype type);
  void finish_rows(int value);
  /// finish() for a reduction: axes in the order given, the first n_kept never merge with the others. With
  /// `any_order` the reduced axes, too, may be sorted, and walked along backwards. What is sorted by is how
  /// the value lies in memory, or would if it were stored: `layout`, its strides. So elements are combined in
  /// one order, whether an expression is fused into its reduction or computed before. Returns the number of
  /// kept dimensions after merging.
  int finish_reduction(int value, const dims& axes, int n_kept, bool any_order, const dims& layout,
                       output& out);

 private:
  static constexpr int step_base = max_inputs;

  plan_builder(map_plan& plan, const dims& shape, bool flat);

  int next_input() {
    if (plan_.n_inputs == max_inputs) [[unlikely]]
      throw_no_room();
    return plan_.n_inputs++;
  }
  [[noreturn]] static void throw_no_room();
  bool jump_alike(int i, int last);
  std::span<jump> jumps() { return jumping_ ? jumping_->all_jumps() : std::span<jump>(); }
  int rolled_array(const array_rep* rep);
  int view_of(const array_rep* rep);
  /// The steps of a rep that has not been met.
  int value_of(const array_rep* rep);
  /// Whether a rep can be marked as met: it is in the list of the first one.
  bool joins_walk(const array_rep* rep);
  /// Whether it has been: its position is its value.
  bool is_met(const array_rep* rep) const { return home_ && rep->home == home_ && rep->mark == walk_; }
  int converted(int value, dtype to);
  int add_step(ufunc op, dtype loop, const int* values, int count, const detail::user_loop* user);
  /// The same input as one before, of which the last one is a copy; else the last one.
  int once(int last);
  /// A rep's value at the places of a view: the map is from its index to the plan's.
  int expression_at(const array_rep* rep, const index_map& map);
  int steps_at(const array_rep* rep, const index_map& map);
  int array_at(const array_rep* rep, const index_map& map);
  /// Of loads of rows: that of their elements, where a row begins at the value.
  int address_in_row(int row, const array_rep& rep);
  int address_in_row(int row, const row_places& places, const index_map& map);
  int number_at(const row_places& places, const index_map& map);
  int number_of_range(const array_rep& rep);
  int number_of_range(const array_rep& rep, const index_map& map);
  int step_of(const node& n, const int* values);
  int constant_as(const node_argument& a, dtype wanted);
  void renumber(int value);
  void permute(const dims& axes);
  void flip(int d);
  template<class Merges>
  void merge(Merges allowed);

  map_plan& plan_;
  dims shape_;
  bool flat_;
  bool ordered_ = false;  // all steps have been made, and marked as met
  const row_layout* rows_ = nullptr;
  jump_list* jumping_ = nullptr;
  const array_rep* scan_ = nullptr;
  int scan_step_ = -1;
  output* out_ = nullptr;
  std::int64_t* layout_ = nullptr;  // of a reduction's map
  pending_list* home_ = nullptr;    // of the reps met
  std::uint64_t walk_ = 0;          // by which they are marked: their position is their value
  /// What several steps have in common at the same places is computed once.
  struct value_at_places {
    const array_rep* rep;
    index_map map;
    int value;
  };
  std::vector<value_at_places> at_places_;
  const array_rep* arrays_[max_inputs];
  dtype types_[max_steps];  // of the steps' values
};

}  // namespace core
GPARRAY_END_NAMESPACE
