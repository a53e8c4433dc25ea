#include <memory>

#include <host/reduction/reduce_tree.hpp>
#include <host/support/scratch.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// Elements of a block of rows that are computed, or read more than once, stay in the second-level cache.
constexpr std::int64_t block_bytes = std::int64_t{1} << 19;

// All levels of partial values of so many stay in the first-level cache.
constexpr std::int64_t narrow_columns = 512;

/// How many columns are reduced at once where they lie. Memory is read fastest in long pieces of rows; but
/// all levels of partial values of short columns should stay in the first-level cache, and threads want work.
std::int64_t columns_in_place(std::int64_t n_reduced, std::int64_t n_columns) {
  constexpr std::int64_t many_rows = 512;
  if (n_reduced < many_rows) return narrow_columns;
  const std::int64_t threads = num_threads();
  if (threads == 1) return reduce_columns;
  return std::clamp(n_columns / (2 * threads) / 64 * 64, narrow_columns, reduce_columns);
}

/// Rows of columns as the map's dimensions are ordered here: other kept dimensions, reduced dimensions,
/// columns.
class column_reducer {
 public:
  column_reducer(const reduce_job& job, int columns)
      : job_(job), map_(ordered(job.plan(), columns)), program_(map_) {
    const core::reduce_plan& plan = job.plan();
    n_columns_ = program_.space().columns;
    n_outer_ = plan.n_out / n_columns_;
    item_ = static_cast<std::int64_t>(program_.result_size());
    direct_ = are_stored(map_);
    const std::int64_t block_rows = std::min(plan.n_reduced, reduce_block);
    // Joined reductions read a block once each, so it has to stay in the cache.
    const std::int64_t of_block = block_bytes / (block_rows * item_) / 64 * 64;
    width_ = direct_ ? columns_in_place(plan.n_reduced, n_columns_)
                     : std::min(program_.tile_size(), narrow_columns);
    if (!direct_ || job.states().size() > 1) width_ = std::min(of_block, width_);
    width_ = std::min(std::max<std::int64_t>(width_, 64), n_columns_);
    pieces_ = (n_columns_ + width_ - 1) / width_;
  }

  void run() {
    const core::reduce_plan& plan = job_.plan();
    const std::int64_t chunks = job_.chunks(), tasks = n_outer_ * pieces_;
    const std::int64_t grain = 1 + serial_elements / (width_ * std::min(plan.n_reduced, reduce_chunk));
    if (chunks == 1) {
      parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t task = begin; task < end; ++task) {
          state_addresses states;
          reduce_chunk_of(task, 0, states);
          for (const reduce_job::result& r : job_.results()) {
            const std::int64_t stride = r.plan->out.strides[columns_];
            char* const out = static_cast<char*>(r.plan->out.data) + outer_offset(*r.plan, task / pieces_) +
                              task % pieces_ * width_ * stride;
            r.kernel->finish(states[r.state], width_of(task), plan.n_reduced, r.plan->ddof, out, stride);
          }
        }
      });
      return;
    }
    const chunk_states partials(job_);
    parallel_for(tasks * chunks, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t unit = begin; unit < end; ++unit) {
        const std::int64_t task = unit % tasks, chunk = unit / tasks;
        state_addresses states;
        reduce_chunk_of(task, chunk, states);
        const std::int64_t number = outer_number(task / pieces_) + task % pieces_ * width_ * number_stride_;
        for (std::size_t s = 0; s < job_.states().size(); ++s) {
          const std::size_t size = job_.states()[s]->state_size;
          for (std::int64_t c = 0; c < width_of(task); ++c)
            __builtin_memcpy(partials.at(s, chunk, number + c * number_stride_),
                             states[s] + c * static_cast<std::int64_t>(size), size);
        }
      }
    });
    finish_chunks(job_, partials);
  }

 private:
  /// For each kind of state, those of a task's columns.
  using state_addresses = const char * [reduce_job::capacity];

  core::map_plan ordered(const core::reduce_plan& plan, int columns) {
    int order[core::max_ndim], count = 0;
    for (int d = 0; d < plan.n_kept; ++d)
      if (d != columns) kept_[n_kept_++] = order[count++] = d;
    for (int d = plan.n_kept; d < plan.map.ndim; ++d) order[count++] = d;
    order[count++] = columns;
    columns_ = columns;
    for (int d = columns + 1; d < plan.n_kept; ++d) number_stride_ *= plan.map.shape[d];
    return reordered(plan.map, order, count);
  }

  std::int64_t width_of(std::int64_t task) const {
    return std::min(width_, n_columns_ - task % pieces_ * width_);
  }

  /// Position of an outer index in the output of a plan.
  std::int64_t outer_offset(const core::reduce_plan& plan, std::int64_t outer) const {
    std::int64_t offset = 0;
    for (int k = n_kept_ - 1; k >= 0; --k) {
      const std::int64_t size = plan.map.shape[kept_[k]];
      offset += outer % size * plan.out.strides[kept_[k]];
      outer /= size;
    }
    return offset;
  }

  /// Number, in C order of all kept dimensions, of the first column of an outer index.
  std::int64_t outer_number(std::int64_t outer) const {
    std::int64_t number = 0;
    for (int k = n_kept_ - 1; k >= 0; --k) {
      const core::reduce_plan& plan = job_.plan();
      const std::int64_t size = plan.map.shape[kept_[k]];
      std::int64_t stride = 1;
      for (int d = kept_[k] + 1; d < plan.n_kept; ++d) stride *= plan.map.shape[d];
      number += outer % size * stride;
      outer /= size;
    }
    return number;
  }

  /// The states of one task's columns over one chunk of the reduced index, in scratch.
  void reduce_chunk_of(std::int64_t task, std::int64_t chunk, state_addresses& states) const {
    struct levels_purpose;
    const std::int64_t begin = chunk * reduce_chunk,
                       end = std::min(begin + reduce_chunk, job_.plan().n_reduced);
    const std::int64_t columns = width_of(task), leaves = (end - begin + reduce_block - 1) / reduce_block;
    const std::size_t room = static_cast<std::size_t>(merge_tree::depth(leaves) * columns),
                      n_states = job_.states().size();
    std::size_t ends[reduce_job::capacity], bytes = 0;
    for (std::size_t s = 0; s < n_states; ++s)
      ends[s] = bytes += (room * job_.states()[s]->state_size + 63) / 64 * 64;
    char* const levels = thread_scratch<levels_purpose>(bytes);
    merge_tree trees[reduce_job::capacity];
    for (std::size_t s = 0; s < n_states; ++s)
      trees[s] = merge_tree(*job_.states()[s], levels + (s ? ends[s - 1] : 0), columns);
    char* const scratch = direct_ ? nullptr : program_.prepare();
    const void* rows[reduce_block];
    for (std::int64_t first = begin; first < end; first += reduce_block) {
      const std::int64_t n = std::min(reduce_block, end - first);
      find_rows(task, first, n, scratch, rows);
      for (std::size_t s = 0; s < n_states; ++s) {
        job_.states()[s]->columns(trees[s].next(), rows, n, columns, first);
        trees[s].push();
      }
    }
    for (std::size_t s = 0; s < n_states; ++s) states[s] = trees[s].root();
  }

  void find_rows(std::int64_t task, std::int64_t first, std::int64_t n, char* scratch,
                 const void** rows) const {
    const row_space& space = program_.space();
    const std::int64_t row = task / pieces_ * job_.plan().n_reduced + first, column = task % pieces_ * width_;
    if (direct_) {
      const core::input& in = map_.inputs[0];
      const char* const base = static_cast<const char*>(in.data) + column * item_;
      const std::int64_t stride = space.row_stride(in.strides);
      space.for_runs(row, n, in.strides, [&](std::int64_t offset, std::int64_t run, std::int64_t done) {
        for (std::int64_t r = 0; r < run; ++r) rows[done + r] = base + offset + r * stride;
      });
      return;
    }
    struct elements_purpose;
    const std::int64_t columns = width_of(task);
    char* const elements = thread_scratch<elements_purpose>(static_cast<std::size_t>(n * columns * item_));
    // Parts of rows that are long enough are read in place one by one; together they would be copied first.
    constexpr std::int64_t shortest_part = 128;
    const bool one_by_one = columns < space.columns && columns >= shortest_part && program_.exact();
    const std::int64_t at_once = one_by_one ? 1 : std::max<std::int64_t>(1, program_.tile_size() / columns);
    for (std::int64_t r = 0; r < n; r += at_once)
      program_.run({row + r, std::min(at_once, n - r), column, columns}, scratch,
                   elements + r * columns * item_);
    for (std::int64_t r = 0; r < n; ++r) rows[r] = elements + r * columns * item_;
  }

  const reduce_job& job_;
  int kept_[core::max_ndim], n_kept_ = 0;
  int columns_ = 0;
  std::int64_t number_stride_ = 1;
  core::map_plan map_;
  tile_program program_;
  std::int64_t n_columns_, n_outer_, item_, width_, pieces_;
  bool direct_;
};

}  // namespace

void reduce_columns_of(const reduce_job& job, int columns) { column_reducer(job, columns).run(); }

}  // namespace host
GPARRAY_END_NAMESPACE
