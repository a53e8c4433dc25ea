#include <cstdlib>
#include <cstring>
#include <vector>

#include <host/reduction/reduce_lanes.hpp>
#include <host/reduction/reduce_tree.hpp>
#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  extern const reduce_kernel* const reductions_##name;
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE

const reduce_kernel& find_reduction(reduction op, dtype element) {
  static const reduce_kernel* const* const tables[] = {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) &reductions_##name,
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  };
  return (*tables[static_cast<int>(element)])[static_cast<int>(op)];
}

void fold_columns(const column_fold& fold, char* values, std::int64_t lane, int step) {
  if (step == fold.lanes) return fold.leaf(fold.context, values, lane);
  fold_columns(fold, values, lane, 2 * step);
  if (lane + step >= fold.rows) return;  // an identity
  char* const next = values + fold.row_size;
  fold_columns(fold, next, lane + step, 2 * step);
  fold.merge(fold.context, values, next);
}

core::map_plan reordered(const core::map_plan& map, const int* dimensions, int count) {
  core::map_plan result;
  result.ndim = std::max(count, 1);
  result.n_inputs = map.n_inputs;
  result.n_steps = map.n_steps;
  result.size = map.size;
  std::copy_n(map.steps, map.n_steps, result.steps);
  result.shape[0] = 1;
  for (int d = 0; d < count; ++d) result.shape[d] = map.shape[dimensions[d]];
  for (int v = 0; v < map.n_inputs; ++v) {
    const core::input& from = map.inputs[v];
    core::input& to = result.inputs[v];
    to.kind = from.kind;
    to.type = from.type;
    to.data = from.data;
    to.first = from.first;
    to.value = from.value;
    to.strides[0] = 0;
    for (int d = 0; d < count; ++d) to.strides[d] = from.strides[dimensions[d]];
  }
  return result;
}

bool are_stored(const core::map_plan& map) {
  const core::input& in = map.inputs[0];
  const auto item = static_cast<std::int64_t>(itemsize(in.type));
  if (map.n_steps != 0 || in.kind != core::input_kind::array) return false;
  if (map.shape[map.ndim - 1] > 1 && in.strides[map.ndim - 1] != item) return false;
  for (int d = 0; d < map.ndim; ++d)
    if (in.strides[d] % item != 0) return false;
  return reinterpret_cast<std::uintptr_t>(in.data) % static_cast<std::uintptr_t>(item) == 0;
}

std::int64_t result_offset(const core::reduce_plan& plan, std::int64_t number) {
  std::int64_t offset = 0;
  for (int d = plan.n_kept - 1; d >= 0; --d) {
    offset += number % plan.map.shape[d] * plan.out.strides[d];
    number /= plan.map.shape[d];
  }
  return offset;
}

namespace {

bool same_kernel(const reduce_kernel& a, const reduce_kernel& b) {
  return a.block == b.block && a.columns == b.columns && a.merge == b.merge;
}

}  // namespace

reduce_job::reduce_job(std::span<const core::reduce_plan* const> plans) {
  for (const core::reduce_plan* plan : plans) {
    const reduce_kernel& kernel = find_reduction(plan->op, plan->element);
    std::size_t state = 0;
    while (state < n_states_ && !same_kernel(*states_[state], kernel)) ++state;
    if (state == n_states_) states_[n_states_++] = &kernel;
    results_[n_results_++] = {plan, &kernel, state};
  }
}

chunk_states::chunk_states(const reduce_job& job) : n_out_(job.plan().n_out) {
  constexpr auto unit = static_cast<std::int64_t>(sizeof(std::max_align_t));
  const std::int64_t count = job.chunks() * n_out_;
  std::int64_t units = 0, begins[reduce_job::capacity];
  for (std::size_t s = 0; s < job.states().size(); ++s) {
    sizes_[s] = static_cast<std::int64_t>(job.states()[s]->state_size);
    begins[s] = units;
    units += (count * sizes_[s] + unit - 1) / unit;
  }
  memory_.reset(new std::max_align_t[static_cast<std::size_t>(units)]);
  for (std::size_t s = 0; s < job.states().size(); ++s)
    begins_[s] = reinterpret_cast<char*>(memory_.get() + begins[s]);
}

void finish_chunks(const reduce_job& job, const chunk_states& partials) {
  const std::int64_t n_out = job.plan().n_out, chunks = job.chunks();
  parallel_for(n_out, serial_elements / chunks, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t o = begin; o < end; ++o) {
      alignas(16) char roots[reduce_job::capacity][max_state_size];
      for (std::size_t s = 0; s < job.states().size(); ++s) {
        const reduce_kernel& kernel = *job.states()[s];
        alignas(16) char levels[merge_tree::max_depth * max_state_size];
        merge_tree tree(kernel, levels, 1);
        for (std::int64_t c = 0; c < chunks; ++c) {
          std::memcpy(tree.next(), partials.at(s, c, o), kernel.state_size);
          tree.push();
        }
        std::memcpy(roots[s], tree.root(), kernel.state_size);
      }
      for (const reduce_job::result& r : job.results()) {
        char* const out = static_cast<char*>(r.plan->out.data) + result_offset(*r.plan, o);
        r.kernel->finish(roots[r.state], 1, r.plan->n_reduced, r.plan->ddof, out, 0);
      }
    }
  });
}

namespace {

// From this many on, one call over columns costs less than one call for each result.
constexpr std::int64_t few_columns = 16;
constexpr std::int64_t few_elements = 16;

/// The kept dimension to run along, or -1 to reduce row by row: the direction in which the elements are
/// closer.
int choose_columns(const core::reduce_plan& plan) {
  const core::map_plan& map = plan.map;
  const core::input* array = nullptr;
  for (int v = 0; v < map.n_inputs && !array; ++v)
    if (map.inputs[v].kind == core::input_kind::array) array = &map.inputs[v];
  const auto distance = [&](int d) { return array ? std::abs(array->strides[d]) : std::int64_t{0}; };
  int closest = -1;
  for (int d = plan.n_kept - 1; d >= 0; --d) {
    if (map.shape[d] < few_columns) continue;
    if (closest < 0 || (distance(d) > 0 && distance(d) < distance(closest))) closest = d;
  }
  if (closest < 0) return -1;
  if (plan.n_reduced < few_elements) return closest;
  for (int d = map.ndim - 1; d >= plan.n_kept; --d)
    if (map.shape[d] > 1) return distance(closest) < distance(d) ? closest : -1;
  return closest;
}

}  // namespace

void reduce(std::span<const core::reduce_plan* const> plans) {
  for (std::size_t done = 0; done < plans.size(); done += reduce_job::capacity) {
    const reduce_job job(plans.subspan(done, std::min(reduce_job::capacity, plans.size() - done)));
    if (const int columns = choose_columns(job.plan()); columns >= 0) reduce_columns_of(job, columns);
    else reduce_rows(job);
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
