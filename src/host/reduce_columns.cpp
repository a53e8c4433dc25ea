#include <host/reduce_tree.hpp>
#include <host/scratch.hpp>
#include <host/thread_pool.hpp>

#include <memory>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// Computed elements of a block of rows stay in the second-level cache.
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
      : job_(job), map_(ordered(job.plan, columns)), program_(map_) {
    const core::reduce_plan& plan = job.plan;
    n_columns_ = program_.space().columns;
    n_outer_ = plan.n_out / n_columns_;
    item_ = static_cast<std::int64_t>(program_.result_size());
    state_size_ = static_cast<std::int64_t>(job.kernel.state_size);
    const core::input& in = map_.inputs[0];
    direct_ = map_.n_steps == 0 && in.kind == core::input_kind::array && in.strides[map_.ndim - 1] == item_;
    for (int d = 0; d < map_.ndim && direct_; ++d) direct_ = in.strides[d] % item_ == 0;
    direct_ = direct_ && reinterpret_cast<std::uintptr_t>(in.data) % static_cast<std::size_t>(item_) == 0;
    const std::int64_t block_rows = std::min(plan.n_reduced, reduce_block);
    if (direct_) width_ = columns_in_place(plan.n_reduced, n_columns_);
    else
      width_ = std::min({block_bytes / (block_rows * item_) / 64 * 64, program_.tile_size(), narrow_columns});
    width_ = std::min(std::max<std::int64_t>(width_, 64), n_columns_);
    pieces_ = (n_columns_ + width_ - 1) / width_;
  }

  void run() {
    const core::reduce_plan& plan = job_.plan;
    const std::int64_t chunks = job_.chunks(), tasks = n_outer_ * pieces_;
    const std::int64_t grain = 1 + serial_elements / (width_ * std::min(plan.n_reduced, reduce_chunk));
    if (chunks == 1) {
      parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t task = begin; task < end; ++task) {
          const char* const states = reduce_chunk_of(task, 0);
          const std::int64_t first = task % pieces_ * width_;
          char* const out =
              static_cast<char*>(plan.out.data) + outer_offset(task / pieces_) + first * out_stride_;
          job_.kernel.finish(states, width_of(task), plan.n_reduced, plan.ddof, out, out_stride_);
        }
      });
      return;
    }
    const std::int64_t row = plan.n_out * state_size_;
    const std::unique_ptr<std::max_align_t[]> memory(
        new std::max_align_t[static_cast<std::size_t>(chunks * row) / sizeof(std::max_align_t) + 1]);
    char* const partials = reinterpret_cast<char*>(memory.get());
    parallel_for(tasks * chunks, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t unit = begin; unit < end; ++unit) {
        const std::int64_t task = unit % tasks, chunk = unit / tasks;
        const char* const states = reduce_chunk_of(task, chunk);
        const std::int64_t number = outer_number(task / pieces_) + task % pieces_ * width_ * number_stride_;
        for (std::int64_t c = 0; c < width_of(task); ++c)
          __builtin_memcpy(partials + chunk * row + (number + c * number_stride_) * state_size_,
                           states + c * state_size_, job_.kernel.state_size);
      }
    });
    finish_chunks(job_, partials, chunks);
  }

 private:
  core::map_plan ordered(const core::reduce_plan& plan, int columns) {
    int order[core::max_ndim], count = 0;
    for (int d = 0; d < plan.n_kept; ++d)
      if (d != columns) kept_[n_kept_++] = order[count++] = d;
    for (int d = plan.n_kept; d < plan.map.ndim; ++d) order[count++] = d;
    order[count++] = columns;
    out_stride_ = plan.out.strides[columns];
    for (int d = columns + 1; d < plan.n_kept; ++d) number_stride_ *= plan.map.shape[d];
    return reordered(plan.map, order, count);
  }

  std::int64_t width_of(std::int64_t task) const {
    return std::min(width_, n_columns_ - task % pieces_ * width_);
  }

  /// Position of an outer index in the output.
  std::int64_t outer_offset(std::int64_t outer) const {
    std::int64_t offset = 0;
    for (int k = n_kept_ - 1; k >= 0; --k) {
      const std::int64_t size = job_.plan.map.shape[kept_[k]];
      offset += outer % size * job_.plan.out.strides[kept_[k]];
      outer /= size;
    }
    return offset;
  }

  /// Number, in C order of all kept dimensions, of the first column of an outer index.
  std::int64_t outer_number(std::int64_t outer) const {
    std::int64_t number = 0;
    for (int k = n_kept_ - 1; k >= 0; --k) {
      const core::reduce_plan& plan = job_.plan;
      const std::int64_t size = plan.map.shape[kept_[k]];
      std::int64_t stride = 1;
      for (int d = kept_[k] + 1; d < plan.n_kept; ++d) stride *= plan.map.shape[d];
      number += outer % size * stride;
      outer /= size;
    }
    return number;
  }

  /// The states of one task's columns over one chunk of the reduced index, in scratch.
  const char* reduce_chunk_of(std::int64_t task, std::int64_t chunk) const {
    struct levels_purpose;
    const std::int64_t begin = chunk * reduce_chunk,
                       end = std::min(begin + reduce_chunk, job_.plan.n_reduced);
    const std::int64_t columns = width_of(task), leaves = (end - begin + reduce_block - 1) / reduce_block;
    merge_tree tree(job_.kernel,
                    thread_scratch<levels_purpose>(
                        static_cast<std::size_t>(merge_tree::depth(leaves) * columns * state_size_)),
                    columns);
    char* const scratch = direct_ ? nullptr : program_.prepare();
    const void* rows[reduce_block];
    for (std::int64_t first = begin; first < end; first += reduce_block) {
      const std::int64_t n = std::min(reduce_block, end - first);
      find_rows(task, first, n, scratch, rows);
      job_.kernel.columns(tree.next(), rows, n, columns, first);
      tree.push();
    }
    return tree.root();
  }

  void find_rows(std::int64_t task, std::int64_t first, std::int64_t n, char* scratch,
                 const void** rows) const {
    const row_space& space = program_.space();
    const std::int64_t row = task / pieces_ * job_.plan.n_reduced + first, column = task % pieces_ * width_;
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
    const std::int64_t at_once = std::max<std::int64_t>(1, program_.tile_size() / columns);
    for (std::int64_t r = 0; r < n; r += at_once)
      program_.run({row + r, std::min(at_once, n - r), column, columns}, scratch,
                   elements + r * columns * item_);
    for (std::int64_t r = 0; r < n; ++r) rows[r] = elements + r * columns * item_;
  }

  const reduce_job& job_;
  int kept_[core::max_ndim], n_kept_ = 0;
  std::int64_t out_stride_ = 0, number_stride_ = 1;
  core::map_plan map_;
  tile_program program_;
  std::int64_t n_columns_, n_outer_, item_, state_size_, width_, pieces_;
  bool direct_;
};

}  // namespace

void reduce_columns_of(const reduce_job& job, int columns) { column_reducer(job, columns).run(); }

}  // namespace host
GPARRAY_END_NAMESPACE
