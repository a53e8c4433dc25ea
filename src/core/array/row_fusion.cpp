// Which of the pending values below one another go through memory, and the plans of those that a backend
// takes row by row.
#include <algorithm>
#include <bit>
#include <vector>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/pending_nodes.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/reduction_plan.hpp>
#include <core/array/row_fusion.hpp>
#include <core/array/unstored_names.hpp>
#include <core/runtime/stream_state.hpp>
#include <plan/row_chain.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Fewer elements are not worth a second look.
constexpr std::int64_t fewest_elements = 4096;
/// So many cheap steps are computed again rather than stored; on a GPU, where memory is what takes time,
/// more.
constexpr int most_recomputed = 3, most_recomputed_on_gpu = 12;
/// Which of larger numbers it is makes no difference, and names that are used several times have more than
/// any int.
constexpr int too_many_steps = most_recomputed_on_gpu + 1;

/// The axes of `shape` from the first to be one in `per_row` on are 1 there, and the others equal.
bool has_element_per_row(const dims& per_row, const dims& shape) {
  if (per_row.size() != shape.size()) return false;
  std::size_t d = 0;
  while (d < shape.size() && per_row[d] == shape[d]) ++d;
  return std::all_of(per_row.begin() + d, per_row.end(), [](std::int64_t n) { return n == 1; });
}

/// Whether a reduction has gone along the last axes of its source, and these are no axes of it.
bool drops_last_axes(const array_rep* reduction) {
  const std::size_t left = reduction->shape.size(),
                    all = reduction->operation.arguments[0].array->shape.size();
  return left < all && reduction->reduced.axes >> left == (std::uint32_t{1} << (all - left)) - 1 &&
         (reduction->reduced.axes & ((std::uint32_t{1} << left) - 1)) == 0;
}

/// Whether an array of all its elements is read for a value, and not rows and columns that it has in common
/// with others: for those there are kernels of one reduction.
bool reads_all_elements(const array_rep* value, const dims& shape, int depth = 6) {
  if (!is_pending(value)) return value->shape == shape;
  for (int i = 0; depth > 0 && i < value->operation.count; ++i)
    if (const array_rep* const a = value->operation.arguments[i].array;
        a && reads_all_elements(a, shape, depth - 1))
      return true;
  return false;
}

/// The pending reps below another one, through reductions and smaller shapes, and which of them are computed
/// into memory: the stages. The others are computed where they are used.
class row_graph {
 public:
  explicit row_graph(array_rep* top) {
    add(top);
    for (const found& f : nodes_)
      for_each_operand(f.rep, [&](const array_rep* a) {
        has_several_plans_ = has_several_plans_ || (is_pending(a) && !is_step_of(a, f.rep));
      });
  }

  /// Computes the ranges, which are rows to a chain, and what are views of them; false if there are none.
  bool compute_ranges() {
    bool any = false;
    for (const found& f : nodes_) {
      const auto is_of_range = [&] {
        return f.rep->view && any && !is_pending(f.rep->operation.arguments[0].array);
      };
      if (!is_pending(f.rep) || !(is_range(f.rep) || is_of_range())) continue;
      evaluate(f.rep);
      any = true;
    }
    return any;
  }
  /// Whether there is more than the steps of one plan.
  bool has_several_plans() const { return has_several_plans_; }
  /// All stages in one call of the backend; false if it or the shapes are not made for that.
  bool compute_row_by_row();
  /// The reduction of what is made of a scan along the same axis, neither of which is stored; false if it is
  /// none, or the backend does not take it.
  bool reduce_scanned();
  /// The stages that are pending, one after the other. Those below the last reductions alone if `whole` is
  /// false.
  void compute_one_by_one(bool whole) {
    choose_stages(nodes_.back().rep->device_.is_cuda());
    for (const found& f : nodes_) {
      if (!f.is_stage || !is_pending(f.rep) || (!whole && &f == &nodes_.back())) continue;
      if (is_reduction(f.rep)) f.rep->computed_by->reduce_without_names(f.rep);
      else evaluate(f.rep);
    }
  }

  planned_stages stages() {
    row_chain chain;
    std::vector<const array_rep*> read;
    planned_stages result{{}, plan_rows(chain, read)};
    if (!result.row_by_row) choose_stages(nodes_.back().rep->device_.is_cuda());
    for (const found& f : nodes_) {
      if (f.rep->computed_by) f.rep->strides = c_strides(f.rep->shape, itemsize(f.rep->type));
      else f.rep->strides = strides_of(f.rep);
      if (f.is_stage) result.reps.push_back(f.rep);
    }
    return result;
  }

 private:
  struct found {
    array_rep* rep;
    int uses = 1;
    int steps = 0;  // that computing it anew takes, from stored values on
    bool is_heavy = false;
    bool is_stage = false;
    int stage = -1;              // that it is computed in
    bool is_shared = false;      // by several stages
    bool drops_columns = false;  // has the axes of the rows alone: the top, and what it is made of
  };

  /// Whether it is a name that is to be stored.
  static bool is_wanted(const found& f) {
    return pending_nodes::lives_on({f.rep, f.uses}) && !stays_pending(f.rep);
  }
  std::size_t index_of(const array_rep* rep) const {
    return static_cast<std::size_t>(std::ranges::find(nodes_, rep, &found::rep) - nodes_.begin());
  }
  void add(array_rep* rep) {
    if (!is_pending(rep)) return;
    if (const std::size_t known = index_of(rep); known < nodes_.size()) {
      ++nodes_[known].uses;
      return;
    }
    for_each_operand(rep, [this](array_rep* a) { add(a); });
    nodes_.push_back({rep});
  }
  template<class Visit>
  static void for_each_operand(const array_rep* rep, Visit visit) {
    for (int i = 0; i < rep->operation.count; ++i)
      if (array_rep* const a = rep->operation.arguments[i].array) visit(a);
  }
  /// Whether the operand is computed where the rep is.
  static bool is_step_of(const array_rep* operand, const array_rep* rep) {
    return is_pending(operand) && (is_reduction(rep) ? !operand->computed_by : !is_apart(operand, rep));
  }

  /// `recomputes`: rather than store what takes a few steps, whatever they are.
  void measure(bool recomputes) {
    for (found& f : nodes_) {
      if (f.rep->computed_by) continue;
      const node& n = f.rep->operation;
      f.steps = 1;
      f.is_heavy = n.op == ufunc::user || (!recomputes && !detail::is_exact(n.op, n.loop));
      for_each_operand(f.rep, [&](const array_rep* a) {
        if (!is_step_of(a, f.rep)) return;
        f.steps = std::min(f.steps + nodes_[index_of(a)].steps, too_many_steps);
        f.is_heavy = f.is_heavy || nodes_[index_of(a)].is_heavy;
      });
      f.is_heavy = f.is_heavy || f.steps > (recomputes ? most_recomputed_on_gpu : most_recomputed);
    }
  }

  void choose_stages(bool recomputes) {
    measure(recomputes);
    for (found& f : nodes_) {
      f.is_stage = f.is_shared = false;
      f.stage = -1;
    }
    nodes_.back().is_stage = true;
    for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {
      found& f = nodes_[static_cast<std::size_t>(i)];
      f.is_stage =
          f.is_stage || f.rep->computed_by || is_wanted(f) || (f.is_shared && f.is_heavy && has_place(f.rep));
      for_each_operand(f.rep, [&](const array_rep* a) {
        if (!is_pending(a)) return;
        found& operand = nodes_[index_of(a)];
        if (!is_step_of(a, f.rep)) {
          operand.is_stage = true;
          return;
        }
        const int stage = f.is_stage ? i : f.stage;
        operand.is_shared = operand.is_shared || (operand.stage >= 0 && operand.stage != stage) ||
                            (!f.is_stage && f.is_shared);
        operand.stage = stage;
      });
    }
  }

  /// Those below the top that stay pending.
  void note_used_names() const {
    for (const found& f : nodes_)
      if (f.rep != nodes_.back().rep && !f.rep->computed_by && pending_nodes::lives_on({f.rep, f.uses}))
        f.rep->was_used.store(true, std::memory_order_relaxed);
  }
  std::size_t n_stages() const {
    return static_cast<std::size_t>(std::ranges::count(nodes_, true, &found::is_stage));
  }
  /// Chooses the stages and says what they read, if all can be computed row by row.
  bool plan_rows(row_chain& chain, std::vector<const array_rep*>& read);
  bool find_rows();
  bool find_dropped_columns();
  bool lies_in_rows() const;
  bool is_row(const array_rep* rep) const { return rep->shape == rows_.shape; }
  const row_layout& layout_of(const found& f) const { return f.drops_columns ? row_axes_ : rows_; }
  /// Whether the rep may be a stage: another one is computed where it is broadcast, and goes into no memory.
  bool has_place(const array_rep* rep) const {
    return rows_.rows == 0 || is_row(rep) || (row_axes_.rows > 0 && rep->shape == row_axes_.shape) ||
           (has_element_per_row(rep->shape, rows_.shape) && rows_.has_one_per_row(rep->shape));
  }

  std::vector<found> nodes_;    // operands before what is made of them
  row_layout rows_, row_axes_;  // the latter if some have no others
  bool has_several_plans_ = false;
};

/// The one shape that all reductions reduce along the same axes, its last ones.
bool row_graph::find_rows() {
  const array_rep* first = nullptr;
  for (const found& f : nodes_) {
    if (!is_reduction(f.rep)) continue;
    const array_rep* source = f.rep->operation.arguments[0].array;
    if (!first) {
      first = f.rep;
      const int ndim = static_cast<int>(source->shape.size());
      rows_ = row_layout(source->shape, std::countr_zero(f.rep->reduced.axes));
      if (f.rep->reduced.axes >> rows_.n_row_axes != (std::uint32_t{1} << (ndim - rows_.n_row_axes)) - 1)
        return false;
    }
    if (source->shape != rows_.shape || f.rep->reduced.axes != first->reduced.axes) return false;
  }
  return first && rows_.rows > 1 && rows_.columns > 1 && find_dropped_columns();
}

/// Which reps have the axes of the rows alone. False if that is not the top with the steps and the reductions
/// that it is made of, or if these alone are as quick: one, or of what all rows have in common.
bool row_graph::find_dropped_columns() {
  row_axes_ = {};
  for (found& f : nodes_) f.drops_columns = false;
  const array_rep* const top = nodes_.back().rep;
  if (is_reduction(top) || top->shape.size() == rows_.shape.size())
    return std::ranges::none_of(nodes_, [top](const found& f) {
      return f.rep != top && is_reduction(f.rep) && drops_last_axes(f.rep);
    });
  const auto n_row_axes = static_cast<std::size_t>(rows_.n_row_axes);
  dims shape;
  for (std::size_t d = 0; d < n_row_axes; ++d) shape.push_back(rows_.shape[d]);
  if (top->shape != shape) return false;
  row_axes_ = row_layout(shape, rows_.n_row_axes);
  nodes_.back().drops_columns = true;
  int reductions = 0;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const found& f = nodes_[i];
    if (f.drops_columns && f.rep->shape != shape) return false;
    if (!is_reduction(f.rep)) {
      for_each_operand(f.rep, [&](const array_rep* a) {
        if (is_pending(a))
          nodes_[index_of(a)].drops_columns = nodes_[index_of(a)].drops_columns || f.drops_columns;
      });
      continue;
    }
    if (f.drops_columns != drops_last_axes(f.rep)) return false;
    ++reductions;
  }
  // What is below a reduction, too, is read along the rows.
  for (const found& f : nodes_) {
    if (f.drops_columns && !is_reduction(f.rep)) continue;
    bool mixed = false;
    for_each_operand(f.rep, [&](const array_rep* a) {
      mixed = mixed || (is_pending(a) && nodes_[index_of(a)].drops_columns);
    });
    if (mixed) return false;
  }
  return reductions > 1;
}

/// Lays all values out as they would lie alone, and looks whether that is row after row; so with the arrays.
bool row_graph::lies_in_rows() const {
  for (const found& f : nodes_) {
    array_rep* const rep = f.rep;
    if (rep->roll || rep->view || rep->places || rep->loads_from.rep()) return false;
    if (rep->computed_by) {
      if (!is_reduction(rep)) return false;
      rep->strides = c_strides(rep->shape, itemsize(rep->type));
    } else {
      if (!has_place(rep) && (is_wanted(f) || &f == &nodes_.back())) return false;
      rep->strides = strides_of(rep);
      if (!is_c_contiguous(rep->shape, rep->strides, itemsize(rep->type))) return false;
    }
    bool fits = true;
    for_each_operand(rep, [&](const array_rep* a) {
      if (!is_pending(a))
        fits = fits && (is_reduction(rep) ? rows_ : layout_of(f)).strides(a->shape, a->strides);
    });
    if (!fits) return false;
  }
  return true;
}

/// While reps are pending, their data are where a chain's plans find them.
class planned_values {
 public:
  ~planned_values() {
    for (array_rep* rep : reps_) rep->data = nullptr;
  }
  void add(array_rep* rep, std::byte* data) {
    reps_.push_back(rep);
    rep->data = data;
  }

 private:
  std::vector<array_rep*> reps_;
};

bool row_graph::plan_rows(row_chain& chain, std::vector<const array_rep*>& read) {
  if (recording_on(any_device) || !find_rows() || !lies_in_rows()) return false;
  chain.rows = rows_.rows;
  chain.columns = rows_.columns;
  chain.row_bytes = 0;
  chain.item_bytes = -1;
  const auto count_bytes = [&](const array_rep* rep) {
    if (!is_row(rep)) return;
    const auto item = static_cast<std::int64_t>(itemsize(rep->type));
    chain.row_bytes += rows_.columns * item;
    chain.item_bytes = chain.item_bytes < 0 || chain.item_bytes == item ? item : 0;
  };
  for (const found& f : nodes_) {
    if (&f == &nodes_.back() || is_wanted(f)) count_bytes(f.rep);
    for_each_operand(f.rep, [&](const array_rep* a) {
      if (is_pending(a) || std::ranges::find(read, a) != read.end()) return;
      read.push_back(a);
      count_bytes(a);
    });
  }
  const row_use use = backend_of(nodes_.back().rep->device_).takes_rows(chain);
  if (use == row_use::none) return false;
  choose_stages(use == row_use::computes);
  return n_stages() <= row_chain::most_stages;
}

bool row_graph::compute_row_by_row() {
  row_chain chain;
  std::vector<const array_rep*> read;
  if (!plan_rows(chain, read)) return false;
  const array_rep* const top = nodes_.back().rep;
  const queue q = current_queue(top->device_);
  chain.stages.reserve(n_stages());
  std::vector<std::pair<array_rep*, any_array>> results;
  {
    planned_values planned;
    for (const found& f : nodes_) {
      if (!f.is_stage) continue;
      array_rep* const rep = f.rep;
      std::byte* data;
      if (is_row(rep) && rep != top && !is_wanted(f)) {
        chain.scratch_items[chain.n_scratch] = itemsize(rep->type);
        data = &chain.marks[chain.n_scratch++];
      } else {
        results.emplace_back(rep, allocate(rep->type, rep->shape, rep->device_));
        data = results.back().second.rep()->data;
      }
      row_stage& stage = chain.stages.emplace_back();
      stage.reduces = is_reduction(rep);
      if (stage.reduces) {
        make_reduce_plan(stage.plan, rep, rows_, data);
      } else {
        plan_builder builder(stage.plan.map, layout_of(f), is_row(rep));
        const int value = builder.expression(rep);
        builder.store_rows_to(data, rep->type);
        builder.finish_rows(value);
      }
      planned.add(rep, data);
    }
    backend_of(top->device_).compute_rows(chain, q);
  }
  for (const array_rep* a : read) record_use(a->memory, q);
  note_used_names();
  for (const auto& [rep, elements] : results) publish(rep, elements);
  return true;
}

bool row_graph::reduce_scanned() {
  array_rep* const top = nodes_.back().rep;
  if (!is_reduction(top) || recording_on(any_device)) return false;
  const array_rep* scan = nullptr;
  std::vector<const array_rep*> read;
  for (const found& f : nodes_) {
    for_each_operand(f.rep, [&](const array_rep* a) {
      if (!is_pending(a)) read.push_back(a);
    });
    if (const array_rep* const a = f.rep->loads_from.rep()) read.push_back(a);
    if (f.rep == top) continue;
    if (is_wanted(f) || (f.rep->computed_by && (scan || !is_scan(f.rep)))) return false;
    if (is_scan(f.rep)) scan = f.rep;
  }
  const array_rep* const source = top->operation.arguments[0].array;
  if (!scan || scan->reduced.axes != top->reduced.axes || scan->shape != source->shape) return false;
  const array_rep* const scanned = scan->operation.arguments[0].array;
  const int inputs = is_pending(scanned) ? scanned->operation.inputs : 1,
            numbers = is_pending(scanned) ? scanned->operation.numbers : 0,
            steps = is_pending(scanned) ? scanned->operation.steps : 0;
  if (source->operation.inputs + inputs + source->operation.numbers + numbers > max_operands ||
      source->operation.steps + steps + 2 > max_kernel_steps)
    return false;
  const any_array results = allocate(top->type, top->shape, top->device_);
  reduce_plan plan;
  const int step = make_reduce_plan(plan, top, scan, results.rep()->data);
  const queue q = current_queue(top->device_);
  if (!backend_of(top->device_).reduce_scanned(plan, step, q)) return false;
  for (const array_rep* a : read) record_use(a->memory, q);
  note_used_names();
  publish(top, results);
  return true;
}

}  // namespace

int reductions_in(const array_rep* rep) {
  return is_pending(rep) ? rep->operation.reductions + (is_reduction(rep) || is_scan(rep) ? 1 : 0) : 0;
}

bool can_wait(const array_rep* reduction) {
  if (is_scan(reduction)) return true;
  if (!is_reduction(reduction)) return false;
  const array_rep* source = reduction->operation.arguments[0].array;
  if (source->size < fewest_elements || reduction->size <= 1) return false;
  if (has_element_per_row(reduction->shape, source->shape)) return true;
  constexpr std::int64_t fewest_columns = 32;
  return reduction->device_.is_cuda() && source->size >= fewest_columns * reduction->size &&
         reductions_in(source) == 0 && drops_last_axes(reduction) &&
         reads_all_elements(source, source->shape);
}

bool feeds_rows(const array_rep* operand, const dims& shape) {
  return has_element_per_row(operand->shape, shape) && reductions_in(operand) > 0;
}

bool evaluate_with_rows(array_rep* rep) {
  if (rep->operation.reductions == 0) return false;
  row_graph graph(rep);
  if (!graph.has_several_plans()) return false;
  if (graph.compute_ranges()) return evaluate_with_rows(rep);
  if (!graph.compute_row_by_row() && !graph.reduce_scanned()) graph.compute_one_by_one(true);
  return true;
}

planned_stages stages_of(array_rep* rep) { return row_graph(rep).stages(); }

void compute_rows_below(array_rep* rep) {
  if (rep->operation.reductions == 0) return;
  row_graph graph(rep);
  if (graph.has_several_plans()) graph.compute_one_by_one(false);
}

}  // namespace core
GPARRAY_END_NAMESPACE
