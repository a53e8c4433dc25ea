// Orders and collapses the dimensions of a reduction and chooses its kernel.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <span>

#include <cuda/device/reduce_params.hpp>
#include <cuda/fusion/jit_launch.hpp>
#include <cuda/fusion/persistent_trace.hpp>
#include <cuda/fusion/reduce_source.hpp>
#include <cuda/map/executor.hpp>
#include <cuda/reduction/reduce.hpp>
#include <cuda/reduction/reduce_table.hpp>
#include <cuda/runtime/direction.hpp>
#include <cuda/runtime/launch.hpp>
#include <gparray/runtime/jit.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

// As many blocks as a large GPU runs at once (three for each of 132 SMs), and not one more: it would run
// alone after them. A constant, because the order of additions must not depend on the device.
constexpr std::int64_t wanted_blocks = 3 * 132;
// Fewer tiles than this, about the multiprocessors of a large GPU, are cut into so many splits, down to one
// pack for each thread: all of them wait for memory at once.
constexpr std::int64_t one_wave = 128;
// Elements of a split are counted in 32 bits.
constexpr std::int64_t max_split_packs = std::int64_t{1} << 27;
// So few packs for each that a thread loads at once are reduced by one warp.
constexpr std::int64_t packs_of_few = 64;
// Narrower than a warp, the column kernel would leave lanes idle.
constexpr std::int64_t min_columns = 32;
// Where nothing but the length of a row decides, a split has at least so many tiles, and of columns so many
// steps: many rows are quick without any, and few long ones have enough of them.
constexpr std::int64_t least_split_tiles = 8;
constexpr std::int64_t least_split_steps = 32;
constexpr std::int64_t most_column_splits = 256;

index_space space_of(const dimension_list& dimensions) {
  index_space space;
  space.ndim = dimensions.size();
  for (int d = 0; d < space.ndim; ++d) {
    space.shape[d] = fast_divisor(static_cast<std::uint32_t>(dimensions[d].size));
    space.strides[d] = dimensions[d].in_stride;
  }
  return space;
}

std::size_t state_bytes(const reduce_plan& plan) {
  return find_reduce_kernels(plan.op, plan.element).state_bytes;
}

/// Room for a state that has those of all in it. Nothing in one is aligned to more than 16 bytes.
std::size_t joined_state_bytes(std::span<const reduce_plan* const> plans) {
  if (plans.size() == 1) return state_bytes(*plans.front());
  std::size_t bytes = 0;
  for (const reduce_plan* plan : plans) bytes += (state_bytes(*plan) + 15) / 16 * 16;
  return bytes;
}

/// Whether kernel::joined_states keeps one state for both.
bool share_state(const reduce_plan& a, const reduce_plan& b) {
  constexpr std::pair<reduction, reduction> pairs[] = {{reduction::sum, reduction::mean},
                                                       {reduction::var, reduction::std},
                                                       {reduction::nanvar, reduction::nanstd}};
  if (a.op == b.op) return true;
  for (const auto& [first, second] : pairs)
    if (a.op == first && b.op == second) return first != reduction::sum || is_inexact(a.element);
  return false;
}

/// How many of the plans, from the first on, one kernel joins.
std::size_t joined_at_once(std::span<const reduce_plan* const> plans) {
  const auto columns = static_cast<std::size_t>(columns_per_thread(itemsize(plans.front()->element)));
  std::size_t bytes = 0, count = 0;
  for (; count < std::min<std::size_t>(plans.size(), max_joined); ++count) {
    const auto shared = [&](const reduce_plan* before) { return share_state(*before, *plans[count]); };
    if (std::ranges::none_of(plans.first(count), shared)) bytes += state_bytes(*plans[count]);
    if (count > 0 && bytes * columns > max_joined_states) break;
  }
  return count;
}

/// The kept dimension along which threads stand side by side; -1 if they walk along the reduced elements.
int column_dimension(const reduce_plan& plan, const reduce_source& source) {
  const auto element_size = static_cast<std::int64_t>(itemsize(plan.element));
  const bool is_any = plan.order == element_order::any;
  if (plan.order == element_order::rows) return -1;
  if (is_any && !source.reduced.empty() && source.reduced.back().in_stride == element_size) return -1;
  if (source.type != plan.element || plan.n_reduced > std::int64_t{1} << 30) return -1;
  for (int d = 0; d < source.kept.size(); ++d)
    if (source.kept[d].in_stride == element_size && (!is_any || source.kept[d].size >= min_columns)) return d;
  return -1;
}

/// So many threads for a row that each has about two tiles, of which it loads one while it adds the other;
/// the whole block if there are too few rows to keep all blocks busy. No n_out: for any number of rows.
int log_group_of(std::int64_t n_packs, std::optional<std::int64_t> n_out, int unroll) {
  const auto log_of = [](std::int64_t threads) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(threads - 1)));
  };
  if (n_packs <= packs_of_few * unroll) return std::min(5, log_of(ceil_div(n_packs, unroll)));
  const int log = std::clamp(log_of(ceil_div(2 * n_packs, 5 * unroll)), 5, log_reduce_threads);
  return !n_out || *n_out << log >= wanted_blocks * reduce_threads ? log : log_reduce_threads;
}

/// The results that decide how each of them is computed.
std::optional<std::int64_t> deciding_results(const reduce_plan& plan, std::int64_t n_out) {
  return plan.order == element_order::any ? std::optional(n_out) : std::nullopt;
}

/// States that a warp merges in registers, eight in each thread.
constexpr std::size_t max_whole_state = 16;

/// Whether everything goes into one element, which whole blocks do, and is side by side.
bool is_whole(const reduce_plan& plan, const reduce_source& source) {
  const std::size_t element = itemsize(plan.element);
  const int lanes = reduce_lanes(element);
  const bool is_row = source.kept.empty() && source.reduced.size() == 1 && source.type == plan.element &&
                      source.reduced[0].in_stride == static_cast<std::int64_t>(element);
  return is_row && source.in % (element * static_cast<std::size_t>(lanes)) == 0 &&
         log_group_of(ceil_div(source.reduced[0].size, lanes), deciding_results(plan, 1),
                      reduce_unroll(element)) == log_reduce_threads &&
         state_bytes(plan) <= max_whole_state;
}

/// How the packs of each of n_out results, or of each of any number of them, are shared out.
struct row_work {
  row_work(std::int64_t n_packs, std::optional<std::int64_t> n_out, int unroll)
      : log_group(log_group_of(n_packs, n_out, unroll)), packs_per_split(n_packs) {
    const std::int64_t tile = static_cast<std::int64_t>(unroll) << log_group,
                       n_tiles = ceil_div(n_packs, tile);
    packs_per_chunk = 16 * tile;
    if (log_group != log_reduce_threads) return;
    const std::int64_t wanted = ceil_div(n_tiles * n_out.value_or(1), wanted_blocks),
                       least = n_out ? 1 : least_split_tiles;
    packs_per_split = std::clamp(wanted, least, max_split_packs / tile) * tile;
    if (n_out == 1 && n_tiles > 1 && n_tiles < one_wave)
      packs_per_split = ceil_div(ceil_div(n_packs, reduce_threads), one_wave) * reduce_threads;
    n_splits = ceil_div(n_packs, packs_per_split);
  }

  int log_group;
  std::int64_t n_splits = 1, packs_per_split, packs_per_chunk;
};

/// One reduction, or several of the same elements. How elements are combined is decided by their size and
/// number, never by the reduction: so joined ones have the bits that each has alone.
class reducer {
 public:
  reducer(std::span<const reduce_plan* const> plans, queue q, memory_pool& pool, counter_store& counters)
      : plan_(*plans.front()), plans_(plans), q_(q), pool_(pool), counters_(counters) {
    for (const reduce_plan* plan : plans) reductions_[n_reductions_++] = plan->op;
  }

  /// More outputs than 32-bit indices count are reduced in halves. False if the kernel that joins the
  /// reductions is not there now: then what has been written, if anything, has to be written again.
  bool run(const reduce_source& source) {
    std::int64_t n_out = 1;
    int largest = 0;
    for (int d = 0; d < source.kept.size(); ++d) {
      n_out *= source.kept[d].size;
      if (source.kept[d].size > source.kept[largest].size) largest = d;
    }
    if (n_out > std::int64_t{1} << 30) {
      reduce_source part = source;
      const std::int64_t half = source.kept[largest].size / 2;
      part.kept[largest].size = half;
      if (!run(part)) return false;
      part.kept[largest].size = source.kept[largest].size - half;
      part.in += static_cast<std::uintptr_t>(half * source.kept[largest].in_stride);
      part.out += half * source.kept[largest].out_stride;
      return run(part);
    }
    const int columns = column_dimension(plan_, source);
    return columns >= 0 ? run_columns(source, columns, n_out) : run_inner(source, n_out);
  }

 private:
  std::int64_t element_size() const { return static_cast<std::int64_t>(itemsize(plan_.element)); }
  bool is_joined() const { return n_reductions_ > 1; }
  std::span<const reduction> reductions() const { return {reductions_, n_reductions_}; }
  /// What kernels count results in: bytes, or the results of each reduction.
  std::int64_t result_unit() const {
    return is_joined() ? static_cast<std::int64_t>(result_bytes(plan_.op, plan_.element)) : 1;
  }

  template<class Params>
  void set_kept(Params& p, const dimension_list& kept) const {
    p.kept = space_of(kept);
    for (int d = 0; d < kept.size(); ++d) p.out_strides[d] = kept[d].out_stride / result_unit();
  }

  /// Memory for partial states, if several blocks share an output.
  void share(split_reduction& split, std::int64_t n_shared, std::int64_t states, std::int64_t n_splits) {
    split.n_splits = static_cast<std::uint32_t>(n_splits);
    split.partials = nullptr;
    split.counters = nullptr;
    if (n_splits == 1) return;
    partials_ = scratch(pool_, static_cast<std::size_t>(states) * joined_state_bytes(plans_), q_.stream);
    split.partials = partials_.data();
    split.counters = counters_.get(static_cast<std::size_t>(n_shared), q_.stream, own_counters_);
  }

  /// Whether there is a kernel that computes what it reduces; else the values of one reduction have been
  /// computed into memory.
  bool fuse(reduce_source& source, fused_reduction& generated) {
    if (!source.computed) return false;
    generated.map = &source.computed->map;
    generated.jumps = source.computed->all_jumps();
    if (jit_mode() != jit::off && plan_fused(plans_, source, in_loop(), q_.device, generated.plan) &&
        find_fused_reduction(generated, q_))
      return true;
    if (is_joined()) return false;
    if (!values_.data()) {
      values_ = scratch(pool_, static_cast<std::size_t>(source.computed->map.size) * itemsize(plan_.element),
                        q_.stream);
      materialise(*source.computed, values_.data(), plan_.element, q_, pool_);
    }
    source.in += reinterpret_cast<std::uintptr_t>(values_.data());
    return false;
  }

  /// Whether there is a kernel that joins reductions of elements in memory.
  bool join(kernel_form form, fused_reduction& generated) {
    if (jit_mode() == jit::off) return false;
    generated.plan.key = key_of_stored(reductions(), plan_.element, form, q_.device);
    return find_fused_reduction(generated, q_);
  }

  /// A loop that may become one kernel, which has some forms only.
  bool in_loop() const { return persistent_trace::of(q_) != nullptr; }

  bool run_inner(reduce_source source, std::int64_t n_out) {
    const int lanes = reduce_lanes(itemsize(plan_.element)), unroll = reduce_unroll(itemsize(plan_.element));
    dimension_list outer = source.reduced;
    reduce_dimension inner{1, element_size(), 0};
    if (!outer.empty()) {
      inner = outer.back();
      outer.pop_back();
    }
    const std::int64_t packs_per_row = ceil_div(inner.size, lanes),
                       n_packs = packs_per_row * (plan_.n_reduced / inner.size);
    const row_work work(n_packs, deciding_results(plan_, n_out), unroll);
    fused_reduction generated;
    bool is_generated = fuse(source, generated);
    if (is_generated && generated.plan.key.form == kernel_form::neighbours) {
      const neighbour_launch launch = launch_of(
          {plan_, reductions(), work.log_group, joined_state_bytes(plans_)}, generated.plan, result_unit());
      launch_fused(generated, launch.params, results_from(source), launch.n_blocks, q_);
      return true;
    }
    inner_params p;
    p.in = reinterpret_cast<const char*>(source.in);
    p.out = source.out;
    p.inner_stride = inner.in_stride;
    p.n_inner = inner.size;
    p.n_outputs = static_cast<std::uint32_t>(n_out);
    p.packs_per_row = fast_divisor(outer.empty() ? 1u : static_cast<std::uint32_t>(packs_per_row));
    p.n_packs = n_packs;
    if (!outer.empty() && std::max(p.n_packs, inner.size) >= std::int64_t{1} << 31)
      throw value_error(
          "reductions of more than 2^31 strided elements are not supported on a GPU; copy the array first");
    p.n_reduced = plan_.n_reduced;
    p.ddof = plan_.ddof;
    p.in_type = source.type;
    p.contiguous = source.type == plan_.element && inner.in_stride == element_size();
    p.reduced = space_of(outer);
    set_kept(p, source.kept);

    const std::int64_t n_splits = work.n_splits;
    p.log_group = static_cast<std::uint8_t>(work.log_group);
    p.packs_per_chunk = static_cast<std::uint32_t>(work.packs_per_chunk);
    p.packs_per_split = static_cast<std::uint32_t>(work.packs_per_split);
    const bool dense = is_dense(p);
    if (is_joined() && !source.computed)
      is_generated = join(dense ? kernel_form::dense : kernel_form::inner, generated);
    if (is_joined() && !is_generated) return false;
    share(p.split, n_out, n_out * n_splits, n_splits);
    const std::int64_t groups = ceil_div(n_out, reduce_threads >> p.log_group);
    const void* kernel = dense ? kernels().dense : kernels().inner;
    const kernel_form form = is_generated                              ? generated.plan.key.form
                             : !is_joined() && is_whole(plan_, source) ? kernel_form::whole
                             : dense                                   ? kernel_form::dense
                                                                       : kernel_form::inner;
    enqueue(source, is_generated ? &generated : nullptr, kernel, form, p, groups * n_splits);
    return true;
  }

  /// Whether all packs are side by side and aligned.
  bool is_dense(const inner_params& p) const {
    const std::size_t element = itemsize(plan_.element), pack = element * reduce_lanes(element);
    auto all = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(p.in));
    for (int d = 0; d < p.kept.ndim; ++d) all |= static_cast<std::uint64_t>(p.kept.strides[d]);
    return p.contiguous && p.reduced.ndim == 0 && all % pack == 0;
  }

  bool run_columns(reduce_source source, int columns, std::int64_t n_out) {
    fused_reduction generated;
    bool is_generated = fuse(source, generated);
    if (is_joined() && !source.computed) is_generated = join(kernel_form::columns, generated);
    if (is_joined() && !is_generated) return false;
    column_params p;
    dimension_list kept = source.kept;
    const reduce_dimension along = kept[columns];
    kept.erase(columns);
    p.in = reinterpret_cast<const char*>(source.in);
    p.out = source.out;
    p.out_stride = along.out_stride / result_unit();
    p.n_columns = static_cast<std::uint32_t>(along.size);
    p.n_rows = static_cast<std::uint32_t>(plan_.n_reduced);
    p.ddof = plan_.ddof;
    p.reduced = space_of(source.reduced);
    set_kept(p, kept);

    p.log_lanes = static_cast<std::uint32_t>(log_lanes_of_columns(plan_, n_out));
    const std::int64_t thread_rows = reduce_threads >> p.log_lanes,
                       tile_columns = std::int64_t{columns_per_thread(itemsize(plan_.element))}
                                      << p.log_lanes,
                       column_tiles = ceil_div(along.size, tile_columns);
    p.column_tiles = fast_divisor(static_cast<std::uint32_t>(column_tiles));
    std::int64_t n_tiles = column_tiles;
    for (const reduce_dimension& d : kept) n_tiles *= d.size;
    const std::int64_t row_steps = ceil_div(p.n_rows, thread_rows),
                       steps_per_split = split_steps(row_steps, ceil_div(n_out, tile_columns)),
                       n_splits = ceil_div(row_steps, steps_per_split);
    p.rows_per_chunk = static_cast<std::uint32_t>(chunk_steps(steps_per_split, n_splits) * thread_rows);
    note_forwards(n_out * plan_.n_reduced * element_size());
    share(p.split, n_tiles * counters_of_splits(static_cast<std::uint32_t>(n_splits)),
          n_tiles * n_splits * tile_columns, n_splits);
    enqueue(source, is_generated ? &generated : nullptr, kernels().columns, kernel_form::columns, p,
            n_tiles * n_splits);
    return true;
  }

  /// Of the rows of columns: splits of equal size, whole tiles of 4 steps; a few rows are not worth a second
  /// pass over partials. `n_tiles` is as if all columns were side by side: where they lie in memory must not
  /// decide how their rows are added.
  std::int64_t split_steps(std::int64_t row_steps, std::int64_t n_tiles) const {
    const bool is_any = plan_.order == element_order::any;
    const std::int64_t wanted =
                           is_any ? std::max<std::int64_t>(wanted_blocks / n_tiles, 1) : most_column_splits,
                       least = !is_any           ? least_split_steps
                               : row_steps <= 16 ? 16
                                                 : 8;
    return std::max(ceil_div(ceil_div(row_steps, wanted), 4) * 4, least);
  }

  /// Of the chunks that go round the splits: several for each split, and the same number for all but a
  /// sixteenth of its steps.
  static std::int64_t chunk_steps(std::int64_t steps_per_split, std::int64_t n_splits) {
    if (n_splits == 1) return steps_of_chunk;
    if (steps_per_split <= steps_of_chunk) return steps_per_split;
    for (std::int64_t n = std::max<std::int64_t>(5, ceil_div(steps_per_split, steps_of_chunk));; --n) {
      const std::int64_t steps = ceil_div(ceil_div(steps_per_split, n), 4) * 4;
      if (n * steps <= steps_per_split + steps_per_split / 16) return steps;
    }
  }

  const reduce_kernels& kernels() const { return find_reduce_kernels(plan_.op, plan_.element); }

  template<class Params>
  void enqueue(const reduce_source& source, const fused_reduction* generated, const void* kernel,
               kernel_form form, const Params& p, std::int64_t n_blocks) {
    const joined_results joined = results_from(source);
    const auto enqueue_as = [&](const auto& of_form) {
      if (persistent_trace* trace = persistent_trace::of(q_))
        trace->add(plans_, generated, of_form, joined, form, n_blocks, joined_state_bytes(plans_));
      if (generated) launch_fused(*generated, of_form, joined, n_blocks, q_);
    };
    if (form != kernel_form::whole) enqueue_as(p);
    else if constexpr (std::is_base_of_v<whole_params, Params>)
      enqueue_as(static_cast<const whole_params&>(p));
    if (!generated) launch(name(plan_.op), kernel, n_blocks, reduce_threads, p, q_);
  }

  joined_results results_from(const reduce_source& source) const {
    const std::int64_t first = (source.out - static_cast<char*>(plan_.out.data)) / result_unit();
    joined_results results{};
    if (!is_joined()) return results;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      const auto bytes = static_cast<std::int64_t>(result_bytes(plans_[i]->op, plan_.element));
      results.outs[i] = static_cast<char*>(plans_[i]->out.data) + first * bytes;
      results.ddofs[i] = plans_[i]->ddof;
    }
    return results;
  }

  const reduce_plan& plan_;
  std::span<const reduce_plan* const> plans_;
  reduction reductions_[max_joined];
  std::size_t n_reductions_ = 0;
  queue q_;
  memory_pool& pool_;
  counter_store& counters_;
  scratch values_, partials_, own_counters_;
};

}  // namespace

kernel_form form_of(const reduce_plan& plan, const reduce_source& source) {
  if (column_dimension(plan, source) >= 0) return kernel_form::columns;
  return is_whole(plan, source) ? kernel_form::whole : kernel_form::inner;
}

int log_lanes_of_columns(const reduce_plan& plan, std::int64_t n_out) {
  constexpr int least = 3;
  if (plan.order != element_order::any) return log_column_lanes;
  int log_lanes = log_column_lanes;
  for (const int columns = columns_per_thread(itemsize(plan.element));
       log_lanes > least && n_out <= columns << (log_lanes - 1);)
    --log_lanes;
  return log_lanes;
}

namespace {

/// Of a source without other reduced dimensions than that of rows, each of which is one block's work or less.
std::optional<int> log_threads_of_row(const reduce_plan& plan, const reduce_source& source) {
  if (form_of(plan, source) != kernel_form::inner || source.reduced.size() > 1) return std::nullopt;
  const std::size_t element = itemsize(plan.element);
  const row_work work(ceil_div(plan.n_reduced, reduce_lanes(element)), deciding_results(plan, plan.n_out),
                      reduce_unroll(element));
  if (work.n_splits > 1) return std::nullopt;
  return work.log_group;
}

std::int64_t n_results(const reduce_source& source) {
  std::int64_t n = 1;
  for (const reduce_dimension& d : source.kept) n *= d.size;
  return n;
}

}  // namespace

std::optional<int> log_threads_of_row(const reduce_plan& plan) {
  jumping_plan ordered;
  const reduce_source source = make_source(plan, ordered);
  if (source.reduced.empty()) return std::nullopt;
  return log_threads_of_row(plan, source);
}

bool plan_fused(std::span<const reduce_plan* const> plans, const reduce_source& source, bool in_loop,
                int device, fused_plan& fused) {
  const reduce_plan& plan = *plans.front();
  if (plan.map.n_steps > max_kernel_steps || plan.map.has_more_numbers()) return false;
  // Kernels read operands that jump by packs along rows, and those of a persistent loop have none.
  if (source.computed->n_jumps > 0 &&
      (in_loop || source.reduced.empty() ||
       source.reduced.back().in_stride != static_cast<std::int64_t>(itemsize(plan.element))))
    return false;
  reduction list[max_joined];
  for (std::size_t i = 0; i < plans.size(); ++i) list[i] = plans[i]->op;
  const std::span<const reduction> reductions(list, plans.size());
  kernel_form form = form_of(plan, source);
  if (form == kernel_form::whole && plans.size() > 1) form = kernel_form::inner;
  if (form == kernel_form::inner && !in_loop && n_results(source) == plan.n_out &&
      source.computed->n_jumps == 0)
    if (const std::optional<int> log_group = log_threads_of_row(plan, source))
      if (plan_neighbours({plan, reductions, *log_group, joined_state_bytes(plans)}, device, fused))
        return true;
  return plan_source(*source.computed, reductions, plan.element, form, device, fused);
}

namespace {

bool run_group(std::span<const reduce_plan* const> plans, queue q, memory_pool& pool,
               counter_store& counters) {
  jumping_plan ordered;
  const reduce_source source = make_source(*plans.front(), ordered);
  return reducer(plans, q, pool, counters).run(source);
}

}  // namespace

void run_reduce(const reduce_plan& plan, queue q, memory_pool& pool, counter_store& counters) {
  const reduce_plan* const plans[] = {&plan};
  run_group(plans, q, pool, counters);
}

void run_reduce_together(std::span<const reduce_plan* const> plans, queue q, memory_pool& pool,
                         counter_store& counters) {
  // In whatever order they come, the same reductions have the same kernel.
  std::vector<const reduce_plan*> list(plans.begin(), plans.end());
  std::ranges::stable_sort(list, {}, &reduce_plan::op);
  for (std::span<const reduce_plan* const> rest(list); !rest.empty();) {
    const auto group = rest.first(joined_at_once(rest));
    rest = rest.subspan(group.size());
    if (run_group(group, q, pool, counters)) continue;
    for (const reduce_plan* plan : group) run_reduce(*plan, q, pool, counters);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
