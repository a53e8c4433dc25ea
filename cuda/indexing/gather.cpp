#include <cuda/device/index_params.hpp>
#include <cuda/device/operand_space.hpp>
#include <cuda/indexing/gather.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/runtime.hpp>
#include <cuda/runtime/scratch.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// Whether a dimension of a scatter is the index array's, which may repeat its elements with stride 0.
bool picks_along(const index_plan& plan, int d) { return plan.to_strides[d] == 0; }

/// The same plan of longer items, where those of a row lie side by side on both sides and are picked
/// together: a row is moved by up to 16 bytes at once.
index_plan of_long_items(index_plan plan) {
  constexpr std::size_t longest = 16;
  const int last = plan.ndim - 1;
  const auto item = static_cast<std::int64_t>(plan.item_bytes);
  if (last < 1 || plan.to_strides[last] != item || plan.from_strides[last] != item ||
      plan.index_strides[last] != 0)
    return plan;
  auto bits = reinterpret_cast<std::uintptr_t>(plan.to) | reinterpret_cast<std::uintptr_t>(plan.from) |
              static_cast<std::uintptr_t>(plan.stride) |
              static_cast<std::uintptr_t>(plan.shape[last] * item) | longest;
  for (int d = 0; d < last; ++d)
    bits |=
        static_cast<std::uintptr_t>(plan.to_strides[d]) | static_cast<std::uintptr_t>(plan.from_strides[d]);
  const std::uintptr_t bytes = bits & (~bits + 1);
  if (bytes <= plan.item_bytes) return plan;
  const auto items = static_cast<std::int64_t>(bytes / plan.item_bytes);
  plan.item_bytes = bytes;
  plan.shape[last] /= items;
  plan.size /= items;
  plan.to_strides[last] = plan.from_strides[last] = static_cast<std::int64_t>(bytes);
  return plan;
}

/// Operands: to, from, index, and the rank of an element among the index array's, in elements.
loop_nest nest_of(const index_plan& plan) {
  std::int64_t ranks[max_ndim], rank = 1;
  for (int d = plan.ndim - 1; d >= 0; --d) {
    ranks[d] = picks_along(plan, d) ? rank : 0;
    if (picks_along(plan, d)) rank *= plan.shape[d];
  }
  loop_nest nest;
  nest.n_operands = 4;
  for (int d = 0; d < plan.ndim; ++d) {
    const std::int64_t strides[] = {plan.to_strides[d], plan.from_strides[d], plan.index_strides[d],
                                    ranks[d]};
    nest.append(plan.shape[d], strides);
  }
  return nest;
}

/// Its last two fields are set for each launch, of which there may be several.
number_check check_of(const index_plan& plan) { return {plan.first, plan.count, nullptr, nullptr}; }

void move(const char* operation, const index_plan& plan, bool scatters, const unsigned* winners,
          const number_check& check, queue q) {
  std::int64_t left = plan.size;
  for_each_part(nest_of(plan), [&](const loop_nest& part) {
    left -= part.size;
    index_params p;
    p.to = static_cast<char*>(plan.to) + part.offsets[0];
    p.from = static_cast<const char*>(plan.from) + part.offsets[1];
    p.index = reinterpret_cast<const char*>(plan.index) + part.offsets[2];
    p.wrap = plan.wrap;
    p.stride = plan.stride;
    p.check = check;
    if (left > 0) p.check.any_outside = nullptr;
    p.rank = part.offsets[3] + 1;
    p.winners = winners;
    p.size = static_cast<std::uint32_t>(part.size);
    p.space = space_of<4>(part);
    launch(operation, find_index_kernel(plan.item_bytes, scatters), ceil_div(part.size, index_threads),
           index_threads, p, q);
  });
}

/// Numbers and results that lie side by side, and one dimension to pick from.
bool is_line(const index_plan& plan) {
  return plan.ndim == 1 && plan.size <= max_launch_size && plan.from_strides[0] == 0 &&
         plan.to_strides[0] == static_cast<std::int64_t>(plan.item_bytes) &&
         plan.index_strides[0] == sizeof(std::int64_t);
}

/// Values along one dimension that go to places of which nearly each has one: a value read in no order costs
/// the memory 32 bytes, one written so twice as much, and its number has to be read again.
bool is_placed(const index_plan& plan) {
  constexpr std::int64_t places_of_a_value = 4;
  return plan.ndim == 1 && picks_along(plan, 0) && plan.count <= max_launch_size &&
         plan.count / places_of_a_value <= plan.size;
}

/// The last element that goes to each place.
void find_winners(const char* operation, const index_plan& plan, unsigned* winners, queue q) {
  loop_nest indices;
  indices.n_operands = 1;
  for (int d = 0; d < plan.ndim; ++d)
    if (picks_along(plan, d)) indices.append(plan.shape[d], &plan.index_strides[d]);
  if (indices.size > max_launch_size)
    throw value_error("writing through more than 2^30 indices at once is not supported on a GPU");
  winner_params p;
  p.index = reinterpret_cast<const char*>(plan.index);
  p.wrap = plan.wrap;
  p.first = plan.first;
  p.winners = winners;
  p.size = static_cast<std::uint32_t>(indices.size);
  p.space = space_of<1>(indices);
  const bool in_line = plan.ndim == 1 && plan.index_strides[0] == sizeof(std::int64_t);
  launch(operation, in_line ? line_winner_kernel() : winner_kernel(),
         ceil_div(indices.size, index_threads * (in_line ? line_items : 1)), index_threads, p, q);
}

void place(const char* operation, const index_plan& plan, const unsigned* winners, queue q) {
  const placing_params p{static_cast<char*>(plan.to) + plan.first * plan.stride,
                         static_cast<const char*>(plan.from),
                         plan.stride,
                         plan.from_strides[0],
                         winners,
                         static_cast<std::uint32_t>(plan.count)};
  launch(operation, find_placing_kernel(plan.item_bytes), ceil_div(plan.count, index_threads * line_items),
         index_threads, p, q);
}

}  // namespace

void run_gather(const index_plan& of_elements, queue q, counter_store& counters) {
  const index_plan plan = of_long_items(of_elements);
  constexpr const char* operation = "gathering elements";
  number_check check = check_of(plan);
  scratch own;
  if (plan.any_outside) {
    check.counters = counters.get(2, q.stream, own);
    check.any_outside = plan.any_outside;
  }
  if (!is_line(plan)) return move(operation, plan, false, nullptr, check, q);
  line_params p{plan.to, static_cast<const char*>(plan.from), plan.index, plan.wrap, plan.stride, check, 0};
  p.size = static_cast<std::uint32_t>(plan.size);
  launch(operation, find_line_kernel(plan.item_bytes), ceil_div(plan.size, index_threads * line_items),
         index_threads, p, q);
}

void run_scatter(const index_plan& of_elements, queue q, memory_pool& pool) {
  const index_plan plan = of_long_items(of_elements);
  constexpr const char* operation = "scattering elements";
  if (plan.unique) return move(operation, plan, true, nullptr, check_of(plan), q);
  const std::size_t bytes = static_cast<std::size_t>(plan.count) * sizeof(unsigned);
  const scratch winners(pool, bytes, q.stream);
  auto* const table = static_cast<unsigned*>(winners.data());
  call<&rt::cudaMemsetAsync>(operation, table, 0, bytes, stream_of(q.stream));
  find_winners(operation, plan, table, q);
  if (is_placed(plan)) place(operation, plan, table, q);
  else move(operation, plan, true, table, check_of(plan), q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
