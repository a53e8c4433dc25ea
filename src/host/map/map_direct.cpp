// One loop over operands that lie in memory as the result does: no tiles, no gathering.
#include <cstring>

#include <host/map/cost.hpp>
#include <host/map/map_direct.hpp>
#include <host/map/masked_store.hpp>
#include <host/map/rows.hpp>
#include <host/map/strided_tiles.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr std::size_t largest_item = 16;
// Constants are repeated so often; results that go past the caches are made so many at a time.
constexpr std::int64_t piece = 1024;

struct direct_loop {
  loop function;
  int arity;
  bool exact, streamed, has_constant = false;
  struct operand {
    const char* data;  // null: a constant
    const core::scalar_bits* value;
    std::int64_t item;
  } operands[3];
  char* out;
  std::int64_t item;

  /// Fills `at` with where the operands of elements from `begin` on are; constants are at `repeated`.
  void find(std::int64_t begin, char (*repeated)[piece * largest_item], const void** at) const {
    for (int a = 0; a < arity; ++a)
      at[a] = operands[a].data ? operands[a].data + begin * operands[a].item : repeated[a];
  }

  // The last elements of a loop that is not exact are computed with copies of the last one up to a whole
  // vector, so that they have the bits of the vector code.
  void run_tail(std::int64_t begin, std::int64_t n) const {
    alignas(64) char padded[4][padding * largest_item];
    const void* at[3] = {};
    for (int a = 0; a < arity; ++a) {
      const operand& o = operands[a];
      at[a] = padded[a];
      const std::size_t item_bytes = static_cast<std::size_t>(o.item);
      if (!o.data) {
        fill(padded[a], o.value->bytes, padding, item_bytes);
        continue;
      }
      const char* const from = o.data + begin * o.item;
      std::memcpy(padded[a], from, static_cast<std::size_t>(n) * item_bytes);
      fill(padded[a] + n * o.item, from + (n - 1) * o.item, padding - n, item_bytes);
    }
    function(at, padded[3], padding);
    std::memcpy(out + begin * item, padded[3], static_cast<std::size_t>(n * item));
  }

  void run(std::int64_t begin, std::int64_t end) const {
    const std::int64_t last = exact ? end : begin + (end - begin) / padding * padding;
    const void* at[3] = {};
    if (!has_constant && !streamed) {
      find(begin, nullptr, at);
      if (last > begin) function(at, out + begin * item, last - begin);
    } else {
      run_pieces(begin, last);
    }
    if (last < end) run_tail(last, end - last);
  }

  void run_pieces(std::int64_t begin, std::int64_t end) const {
    alignas(64) char repeated[3][piece * largest_item], made[piece * largest_item];
    for (int a = 0; a < arity; ++a)
      if (!operands[a].data)
        fill(repeated[a], operands[a].value->bytes, std::min(piece, end - begin),
             static_cast<std::size_t>(operands[a].item));
    for (std::int64_t i = begin; i < end; i += piece) {
      const std::int64_t n = std::min(piece, end - i);
      const void* at[3] = {};
      find(i, repeated, at);
      char* const target = out + i * item;
      function(at, streamed ? made : target, n);
      if (streamed) stream_copy(target, made, static_cast<std::size_t>(n * item));
    }
    if (streamed) stream_fence();
  }
};

}  // namespace

bool map_direct(const core::map_plan& plan) {
  if (plan.n_steps != 1 || plan.ndim > 1) return false;
  const core::step& step = plan.steps[0];
  if (step.op == ufunc::user) return false;  // its loop takes whole blocks
  const bool one = plan.ndim == 0;
  direct_loop l;
  l.item = static_cast<std::int64_t>(itemsize(plan.out.type));
  l.out = static_cast<char*>(plan.out.data);
  if (!(one || plan.out.strides[0] == l.item) || !aligned(l.out, static_cast<std::size_t>(l.item)))
    return false;
  l.arity = arity(step.op);
  std::int64_t bytes = l.item;
  for (int a = 0; a < l.arity; ++a) {
    const core::input& in = plan.inputs[step.args[a]];
    const std::size_t item = itemsize(in.type);
    const bool constant = in.kind == core::input_kind::constant;
    const bool dense = in.kind == core::input_kind::array && aligned(in.data, item) &&
                       (one || in.strides[0] == static_cast<std::int64_t>(item));
    if (!constant && !dense) return false;
    l.operands[a] = {constant ? nullptr : static_cast<const char*>(in.data), &in.value,
                     static_cast<std::int64_t>(item)};
    l.has_constant = l.has_constant || constant;
    if (dense) bytes += static_cast<std::int64_t>(item);
  }
  l.function = find_loop(step, plan.inputs[step.args[0]].type);
  if (step.op == ufunc::where && l.operands[2].data == l.out && l.operands[2].item == l.item) {
    const auto& [flags, value, target] = l.operands;
    if (store_where({flags.data, flags.value->bytes, value.data, value.value->bytes, l.out, l.item, plan.size,
                     find_loop(step.op, step.loop)}))
      return true;
  }
  l.exact = is_exact(step.op, step.loop);
  l.streamed = l.exact && plan.size * l.item >= streamed_bytes;
  if (plan.size < padding * 16) {  // without the division that the cost takes
    l.run(0, plan.size);
    return true;
  }
  // Whole vectors, so that there is one tail.
  const std::int64_t grain = fewest_elements(step_cost(step.op, step.loop) + traffic_cost(bytes));
  parallel_for((plan.size + padding - 1) / padding, grain / padding,
               [&](std::int64_t begin, std::int64_t end) {
                 l.run(begin * padding, std::min(end * padding, plan.size));
               });
  return true;
}

}  // namespace host
GPARRAY_END_NAMESPACE
