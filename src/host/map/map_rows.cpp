// One loop over short rows where they lie: operands may be broadcast along or across them.
#include <host/map/cost.hpp>
#include <host/map/map_direct.hpp>
#include <host/map/rows.hpp>
#include <host/map/strided_tiles.hpp>
#include <host/support/scratch.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// Shorter rows are gathered into tiles; longer ones have tiles of their own.
constexpr std::int64_t fewest_columns = 16, most_columns = 1024;

struct row_operand {
  const char* data;
  std::int64_t step;  // bytes from row to row
  std::int64_t item;
  bool repeated;  // one element for a whole row
};

}  // namespace

bool map_rows(const core::map_plan& plan) {
  if (plan.n_steps != 1 || plan.ndim != 2) return false;
  const core::step& step = plan.steps[0];
  const auto item = static_cast<std::int64_t>(itemsize(plan.out.type));
  if (step.op == ufunc::user || !is_exact(step.op, step.loop) || plan.size * item >= streamed_bytes)
    return false;
  const std::int64_t rows = plan.shape[0], columns = plan.shape[1];
  if (columns < fewest_columns || columns > most_columns || plan.out.strides[1] != item) return false;
  const int n_operands = arity(step.op);
  row_operand operands[max_arity];
  // A row of an operand that may not be read in place, as of an array over a user's bytes, is left to the
  // tiles.
  const auto aligned = [](const void* p, std::int64_t stride, std::int64_t size) {
    const auto unit = static_cast<std::uintptr_t>(std::min<std::int64_t>(size, alignof(double)));
    return reinterpret_cast<std::uintptr_t>(p) % unit == 0 && static_cast<std::uintptr_t>(stride) % unit == 0;
  };
  if (!aligned(plan.out.data, plan.out.strides[0], item)) return false;
  std::int64_t bytes = item, largest = 1;
  for (int a = 0; a < n_operands; ++a) {
    const core::input& in = plan.inputs[step.args[a]];
    const auto size = static_cast<std::int64_t>(itemsize(in.type));
    const bool constant = in.kind == core::input_kind::constant;
    if (constant) {
      operands[a] = {reinterpret_cast<const char*>(in.value.bytes), 0, size, true};
    } else {
      const bool repeated = in.strides[1] == 0;
      if (in.kind != core::input_kind::array || !(repeated || in.strides[1] == size) ||
          !aligned(in.data, in.strides[0], size))
        return false;
      operands[a] = {static_cast<const char*>(in.data), in.strides[0], size, repeated};
    }
    bytes += size;
    largest = std::max(largest, size);
  }
  const loop function = find_loop(step, plan.inputs[step.args[0]].type);
  const std::int64_t grain = fewest_elements(step_cost(step.op, step.loop) + traffic_cost(bytes)) / columns;
  parallel_for(rows, std::max<std::int64_t>(grain, 1), [&](std::int64_t begin, std::int64_t end) {
    struct purpose;
    char* const scratch = thread_scratch<purpose>(static_cast<std::size_t>(max_arity * columns * largest));
    const void* at[max_arity] = {};
    for (std::int64_t row = begin; row < end; ++row) {
      for (int a = 0; a < n_operands; ++a) {
        const row_operand& o = operands[a];
        const char* const here = o.data + row * o.step;
        at[a] = here;
        if (!o.repeated) continue;
        char* const buffer = scratch + a * columns * largest;
        at[a] = buffer;
        if (row == begin || o.step != 0) fill(buffer, here, columns, static_cast<std::size_t>(o.item));
      }
      function(at, static_cast<char*>(plan.out.data) + row * plan.out.strides[0], columns);
    }
  });
  return true;
}

}  // namespace host
GPARRAY_END_NAMESPACE
