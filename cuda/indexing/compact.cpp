#include <algorithm>
#include <vector>

#include <cuda/cub/cub_calls.hpp>
#include <cuda/device/index_params.hpp>
#include <cuda/device/operand_space.hpp>
#include <cuda/indexing/compact.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/scratch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "selecting elements by a mask";
// Enough blocks to fill a GPU, few enough that adding up the counts of those before it costs a block next to
// nothing.
constexpr std::int64_t wanted_chunks = 2048;
// From here on CUB is faster (docs/decisions/select.md).
constexpr std::int64_t cub_elements = 1 << 18;

/// Mask and input lie side by side.
bool is_for_cub(const compact_plan& plan, const loop_nest& nest, bool generated) {
  const std::int64_t item = generated ? 1 : static_cast<std::int64_t>(plan.item_bytes);
  return nest.size >= cub_elements && nest.size <= most_for_cub && nest.ndim == 1 &&
         nest.strides[0][0] == 1 && nest.strides[1][0] == item && has_cub();
}

}  // namespace

void run_compact(const compact_plan& plan, queue q, memory_pool& pool) {
  const bool generated = plan.in.kind == input_kind::iota;
  loop_nest nest;
  nest.n_operands = 2;
  for (int d = 0; d < plan.ndim; ++d) {
    const std::int64_t strides[] = {plan.mask_strides[d], plan.in.strides[d]};
    nest.append(plan.shape[d], strides);
  }
  if (is_for_cub(plan, nest, generated)) {
    const scratch count(pool, sizeof(std::int64_t), q.stream);
    return run_cub("cub::DeviceSelect", operation, q, pool, [&](cub_storage& storage) {
      return cub_select(storage, plan.item_bytes, generated ? nullptr : plan.in.data,
                        generated ? plan.in.first : 0, plan.mask, plan.out,
                        static_cast<std::int64_t*>(count.data()), nest.size, stream_of(q.stream));
    });
  }
  struct pass {
    compact_params params;
    std::int64_t chunks;
  };
  std::vector<pass> passes;
  std::int64_t n_chunks = 0;
  for_each_part(nest, [&](const loop_nest& part) {
    compact_params p;
    p.mask = static_cast<const char*>(plan.mask) + part.offsets[0];
    p.in = generated ? nullptr : static_cast<const char*>(plan.in.data) + part.offsets[1];
    p.first = generated ? plan.in.first + part.offsets[1] : 0;
    p.out = static_cast<char*>(plan.out);
    const std::int64_t rows = ceil_div(part.size, index_threads);
    const std::int64_t per_chunk = ceil_div(rows, std::min(rows, wanted_chunks)) * index_threads;
    p.per_chunk = static_cast<std::uint32_t>(per_chunk);
    p.first_chunk = static_cast<std::uint32_t>(n_chunks);
    p.size = static_cast<std::uint32_t>(part.size);
    p.space = space_of<2>(part);
    passes.push_back({p, ceil_div(part.size, per_chunk)});
    n_chunks += passes.back().chunks;
  });
  const scratch counts(pool, static_cast<std::size_t>(n_chunks) * sizeof(std::int64_t), q.stream);
  for (pass& each : passes) each.params.counts = static_cast<std::int64_t*>(counts.data());
  for (const pass& each : passes)
    launch(operation, count_kernel(), each.chunks, index_threads, each.params, q);
  for (const pass& each : passes)
    launch(operation, find_compact_kernel(plan.item_bytes), each.chunks, index_threads, each.params, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
