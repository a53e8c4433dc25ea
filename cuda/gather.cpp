#include "gather.hpp"

#include <gparray/error.hpp>

#include "index_params.hpp"
#include "launch.hpp"
#include "operand_space.hpp"
#include "runtime.hpp"
#include "scratch.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// Whether a dimension of a scatter is the index array's, which may repeat its elements with stride 0.
bool picks_along(const index_plan& plan, int d) { return plan.to_strides[d] == 0; }

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

void move(const char* operation, const index_plan& plan, bool scatters, const unsigned* winners, queue q) {
  for_each_part(nest_of(plan), [&](const loop_nest& part) {
    index_params p;
    p.to = static_cast<char*>(plan.to) + part.offsets[0];
    p.from = static_cast<const char*>(plan.from) + part.offsets[1];
    p.index = reinterpret_cast<const char*>(plan.index) + part.offsets[2];
    p.wrap = plan.wrap;
    p.stride = plan.stride;
    p.first = plan.first;
    p.rank = part.offsets[3] + 1;
    p.winners = winners;
    p.size = static_cast<std::uint32_t>(part.size);
    p.space = space_of<4>(part);
    launch(operation, find_index_kernel(plan.item_bytes, scatters), ceil_div(part.size, index_threads),
           index_threads, p, q);
  });
}

}  // namespace

void run_gather(const index_plan& plan, queue q) { move("gathering elements", plan, false, nullptr, q); }

void run_scatter(const index_plan& plan, queue q, memory_pool& pool) {
  constexpr const char* operation = "scattering elements";
  if (plan.unique) return move(operation, plan, true, nullptr, q);
  loop_nest indices;
  indices.n_operands = 1;
  for (int d = 0; d < plan.ndim; ++d)
    if (picks_along(plan, d)) indices.append(plan.shape[d], &plan.index_strides[d]);
  if (indices.size > max_launch_size)
    throw value_error("writing through more than 2^30 indices at once is not supported on a GPU");
  const std::size_t bytes = static_cast<std::size_t>(plan.count) * sizeof(unsigned);
  const scratch winners(pool, bytes, q.stream);
  call<&rt::cudaMemsetAsync>(operation, winners.data(), 0, bytes, stream_of(q.stream));
  winner_params p;
  p.index = reinterpret_cast<const char*>(plan.index);
  p.wrap = plan.wrap;
  p.first = plan.first;
  p.winners = static_cast<unsigned*>(winners.data());
  p.size = static_cast<std::uint32_t>(indices.size);
  p.space = space_of<1>(indices);
  launch(operation, winner_kernel(), ceil_div(indices.size, index_threads), index_threads, p, q);
  move(operation, plan, true, p.winners, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
