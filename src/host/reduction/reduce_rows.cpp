#include <atomic>
#include <cstring>
#include <limits>

#include <host/map/cost.hpp>
#include <host/reduction/products.hpp>
#include <host/reduction/reduce_tree.hpp>
#include <host/reduction/short_rows.hpp>
#include <host/support/scratch.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// Results finished by one call.
constexpr std::int64_t group = 64;

/// Elements of results, wherever they are or computed into scratch.
class row_reader {
 public:
  row_reader(const tile_program& program, std::int64_t n_reduced)
      : program_(program), n_reduced_(n_reduced), item_(static_cast<std::int64_t>(program.result_size())) {
    struct purpose;
    scratch_ = program.prepare();
    elements_ = thread_scratch<purpose>(static_cast<std::size_t>(reduce_block * item_));
  }

  /// `n` elements of a result from index `first` on.
  const char* read(std::int64_t result, std::int64_t first, std::int64_t n) {
    // Several short results are computed at once.
    if (n == n_reduced_ && result >= cached_ && result < cached_end_)
      return cached_at_ + (result - cached_) * n * item_;
    const std::int64_t columns = program_.space().columns;
    const std::int64_t position = result * n_reduced_ + first;
    std::int64_t row = position / columns, column = position % columns;
    for (std::int64_t done = 0; done < n;) {
      const std::int64_t left = n - done;
      tile t{row, 1, column, std::min({columns - column, left, program_.tile_size()})};
      if (column == 0 && left > columns && columns <= program_.tile_size())
        t.rows = std::min(left / columns, program_.tile_size() / columns);
      if (t.size() == n) return static_cast<const char*>(program_.run(t, scratch_, nullptr));
      program_.run(t, scratch_, elements_ + done * item_);
      done += t.size();
      column += t.columns;
      if (column == columns) {
        column = 0;
        row += t.rows;
      }
    }
    return elements_;
  }

  /// Before results [begin, end) are read whole.
  void read_ahead(std::int64_t begin, std::int64_t end) {
    const std::int64_t columns = program_.space().columns;
    const std::int64_t at_once = std::min(program_.tile_size() / n_reduced_, end - begin);
    if (at_once < 2 || begin < cached_end_) return;
    const tile t{begin * (n_reduced_ / columns), at_once * (n_reduced_ / columns), 0, columns};
    cached_at_ = static_cast<const char*>(program_.run(t, scratch_, nullptr));
    cached_ = begin;
    cached_end_ = begin + at_once;
  }
  /// How many results from this one on have been read so, one behind the other.
  std::int64_t read_from(std::int64_t result) const {
    return result >= cached_ ? std::max<std::int64_t>(cached_end_ - result, 0) : 0;
  }
  std::int64_t bytes_of_result() const { return n_reduced_ * item_; }

 private:
  const tile_program& program_;
  std::int64_t n_reduced_, item_;
  std::int64_t cached_ = 0, cached_end_ = 0;
  const char* cached_at_ = nullptr;
  char *scratch_, *elements_;
};

/// The state of a range of elements, which come block by block.
class range_state {
 public:
  range_state() {}  // NOLINT: one of many, most of which are not used

  void begin(const reduce_kernel& kernel, char* state) {
    kernel_ = &kernel;
    state_ = state;
    decided_ = false;
    if (kernel.running) kernel.identity(state, 1);
    else tree_ = merge_tree(kernel, levels_, 1);
  }

  /// Of a sum, which is never decided, the block that make(state) makes.
  template<class Make>
  void add_block(Make&& make) {
    make(tree_.next());
    tree_.push();
  }

  /// Whether more elements can change it.
  bool add(const char* elements, std::int64_t n, std::int64_t first) {
    if (decided_) return false;
    if (kernel_->running) {
      kernel_->block(state_, elements, n, first);
      decided_ = kernel_->decided && kernel_->decided(state_);
      return !decided_;
    }
    char* const leaf = tree_.next();
    kernel_->block(leaf, elements, n, first);
    decided_ = kernel_->decided && kernel_->decided(leaf);
    if (decided_) std::memcpy(state_, leaf, kernel_->state_size);
    else tree_.push();
    return !decided_;
  }

  void end() {
    if (!kernel_->running && !decided_) std::memcpy(state_, tree_.root(), kernel_->state_size);
  }

 private:
  const reduce_kernel* kernel_;
  char* state_;
  bool decided_;
  merge_tree tree_;
  alignas(16) char levels_[merge_tree::max_depth * max_state_size];
};

/// Where the states of one result go, for each kind of state.
using state_addresses = char * [reduce_job::capacity];

/// The states of elements [begin, end) of a result, begin at a block's start. Stops early once all are
/// decided.
void reduce_range(const reduce_job& job, row_reader& reader, std::int64_t result, std::int64_t begin,
                  std::int64_t end, const state_addresses& addresses) {
  const std::size_t n_states = job.states().size();
  range_state states[reduce_job::capacity];
  for (std::size_t s = 0; s < n_states; ++s) states[s].begin(*job.states()[s], addresses[s]);
  bool open = true;
  for (std::int64_t i = begin; open && i < end; i += reduce_block) {
    const std::int64_t n = std::min(reduce_block, end - i);
    const char* const elements = reader.read(result, i, n);
    open = false;
    for (std::size_t s = 0; s < n_states; ++s) open |= states[s].add(elements, n, i);
  }
  for (std::size_t s = 0; s < n_states; ++s) states[s].end();
}

void reduce_range(const product_terms& terms, const reduce_job& job, std::int64_t result, std::int64_t begin,
                  std::int64_t end, char* address) {
  range_state state;
  state.begin(*job.states()[0], address);
  for (std::int64_t i = begin; i < end; i += reduce_block)
    state.add_block([&](char* leaf) { terms.block(leaf, result, i, std::min(reduce_block, end - i)); });
  state.end();
}

/// The loops that make the states of several rows by one call, for each kind of state. Without one of them,
/// none.
class row_loops {
 public:
  row_loops(const reduce_job& job, const core::map_plan& map) {
    const std::int64_t n = job.plan().n_reduced;
    if (n > reduce_block) return;
    for (const reduce_job::result& r : job.results()) {
      rows_loop& loop = loops_[r.state];
      if (!loop) loop = find_short_rows(r.plan->op, r.plan->element, n);
      if (!loop) loop = r.kernel->rows;
      if (!loop) return;
    }
    complete_ = true;
    stored_ = map.shape[map.ndim - 1] == n && are_stored(map);
  }
  explicit operator bool() const { return complete_; }
  /// Whether the elements of each result are a row of an array.
  bool from_memory() const { return stored_; }
  rows_loop operator[](std::size_t state) const { return loops_[state]; }

 private:
  rows_loop loops_[reduce_job::capacity] = {};
  bool complete_ = false, stored_ = false;
};

void reduce_short(const reduce_job& job, const core::map_plan& map, const tile_program& program) {
  const core::reduce_plan& plan = job.plan();
  const row_loops loops(job, map);
  // Shorter rows are multiplied several at once, if there are several.
  constexpr std::int64_t shortest = 256;
  const product_terms terms(job, map);
  const bool by_products = terms && (plan.n_reduced >= shortest || plan.n_out == 1);
  const core::input& in = map.inputs[0];
  const int last = plan.n_kept - 1;
  // Results that lie a fixed distance apart are finished together.
  const std::int64_t length = last < 0 ? 1 : plan.map.shape[last];
  parallel_for(plan.n_out, 1 + serial_elements / plan.n_reduced, [&](std::int64_t begin, std::int64_t end) {
    row_reader reader(program, plan.n_reduced);
    alignas(16) char states[reduce_job::capacity][group * max_state_size];
    for (std::int64_t o = begin; o < end;) {
      const std::int64_t count = std::min({group, end - o, length - o % length});
      const auto state = [&](std::size_t s, std::int64_t i) {
        return states[s] + i * static_cast<std::int64_t>(job.states()[s]->state_size);
      };
      for (std::size_t s = 0; loops.from_memory() && s < job.states().size(); ++s) {
        const row_space& space = program.space();
        space.for_runs(o, count, in.strides, [&](std::int64_t offset, std::int64_t run, std::int64_t done) {
          loops[s](state(s, done), static_cast<const char*>(in.data) + offset, space.row_stride(in.strides),
                   run, plan.n_reduced);
        });
      }
      for (std::int64_t i = 0; by_products && i < count; ++i)
        reduce_range(terms, job, o + i, 0, plan.n_reduced, state(0, i));
      for (std::int64_t i = 0; !by_products && !loops.from_memory() && i < count;) {
        reader.read_ahead(o + i, end);
        if (const std::int64_t run = std::min(reader.read_from(o + i), count - i); loops && run > 0) {
          const char* const elements = reader.read(o + i, 0, plan.n_reduced);
          for (std::size_t s = 0; s < job.states().size(); ++s)
            loops[s](state(s, i), elements, reader.bytes_of_result(), run, plan.n_reduced);
          i += run;
          continue;
        }
        state_addresses addresses;
        for (std::size_t s = 0; s < job.states().size(); ++s) addresses[s] = state(s, i);
        reduce_range(job, reader, o + i, 0, plan.n_reduced, addresses);
        ++i;
      }
      for (const reduce_job::result& r : job.results())
        r.kernel->finish(states[r.state], count, plan.n_reduced, r.plan->ddof,
                         static_cast<char*>(r.plan->out.data) + result_offset(*r.plan, o),
                         last < 0 ? 0 : r.plan->out.strides[last]);
      o += count;
    }
  });
}

constexpr std::int64_t no_chunk = std::numeric_limits<std::int64_t>::max();

/// The number from which on chunks cannot change any of the results, which have these states after `chunk`.
std::int64_t decided_after(const reduce_job& job, const state_addresses& addresses, std::int64_t chunk) {
  std::int64_t first = 0;
  for (std::size_t s = 0; s < job.states().size(); ++s) {
    const reduce_kernel& kernel = *job.states()[s];
    if (!kernel.decided || !kernel.decided(addresses[s])) return no_chunk;
    // Where elements have numbers, earlier ones count.
    if (kernel.running) first = chunk + 1;
  }
  return first;
}

void reduce_long(const reduce_job& job, const core::map_plan& map, const tile_program& program) {
  const core::reduce_plan& plan = job.plan();
  const product_terms terms(job, map);
  const std::int64_t units = job.chunks() * plan.n_out;
  const chunk_states partials(job);
  std::atomic<std::int64_t> first_decided{no_chunk};
  const std::int64_t cost = program.cost() + traffic_cost(static_cast<std::int64_t>(program.result_size()));
  parallel_for(units, 1 + fewest_elements(cost) / reduce_chunk / 2,
               [&](std::int64_t begin, std::int64_t end) {
                 row_reader reader(program, plan.n_reduced);
                 for (std::int64_t unit = begin; unit < end; ++unit) {
                   const std::int64_t chunk = unit / plan.n_out, number = unit % plan.n_out;
                   // Asked once: another thread may decide at any moment, and every state has to be written.
                   const bool is_needed = chunk < first_decided.load(std::memory_order_relaxed);
                   state_addresses addresses;
                   for (std::size_t s = 0; s < job.states().size(); ++s) {
                     addresses[s] = partials.at(s, chunk, number);
                     if (!is_needed) job.states()[s]->identity(addresses[s], 1);
                   }
                   if (!is_needed) continue;
                   const std::int64_t first = chunk * reduce_chunk;
                   const std::int64_t last = std::min(first + reduce_chunk, plan.n_reduced);
                   if (terms) reduce_range(terms, job, number, first, last, addresses[0]);
                   else reduce_range(job, reader, number, first, last, addresses);
                   if (plan.n_out != 1) continue;
                   const std::int64_t after = decided_after(job, addresses, chunk);
                   for (std::int64_t before = first_decided.load(); after < before;)
                     if (first_decided.compare_exchange_weak(before, after)) break;
                 }
               });
  finish_chunks(job, partials);
}

}  // namespace

void reduce_rows(const reduce_job& job) {
  const core::reduce_plan& plan = job.plan();
  int order[core::max_ndim] = {}, count = 0;
  for (int d = 0; d < plan.map.ndim; ++d)
    if (d < plan.n_kept || plan.map.shape[d] != 1) order[count++] = d;
  core::map_plan map = reordered(plan.map, order, count);
  // The last dimension must be a reduced one, even if all of those have size 1.
  if (count == plan.n_kept && count > 0) {
    map.shape[map.ndim] = 1;
    for (int v = 0; v < map.n_inputs; ++v) map.inputs[v].strides[map.ndim] = 0;
    ++map.ndim;
  }
  const tile_program program(map);
  if (job.chunks() == 1) reduce_short(job, map, program);
  else reduce_long(job, map, program);
}

}  // namespace host
GPARRAY_END_NAMESPACE
