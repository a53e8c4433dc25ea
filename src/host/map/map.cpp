// Element-wise plans on the CPU: the first way that takes the plan, else tile by tile.
#include <memory>

#include <host/map/cost.hpp>
#include <host/map/map_direct.hpp>
#include <host/map/parallel_tiles.hpp>
#include <host/map/strided_tiles.hpp>
#include <host/support/operations.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

namespace {

/// A plan with stores whose results do not lie side by side: each of them as a plan of its own.
void map_each(const core::map_plan& plan) {
  for (int k = 0; k < plan.n_stores; ++k) {
    const core::stored_value& stored = plan.stores[k];
    const auto alone = std::make_unique<core::map_plan>(plan);
    alone->n_stores = 0;
    alone->n_steps = stored.value - plan.n_inputs + 1;
    alone->out.data = stored.data;
    alone->out.type = plan.value_type(stored.value);
    for (int d = 0; d < plan.ndim; ++d) alone->out.strides[d] = plan.store_stride(k, d);
    map(*alone);
  }
  const auto last = std::make_unique<core::map_plan>(plan);
  last->n_stores = 0;
  map(*last);
}

}  // namespace

void map(const core::map_plan& plan) {
  if (plan.n_steps == 0 && plan.inputs[0].kind == core::input_kind::array) return copy(plan);
  if (plan.n_stores == 0 && (map_direct(plan) || map_rows(plan))) return;
  const tile_program program(plan);
  const row_space& space = program.space();
  const auto size = static_cast<std::int64_t>(program.result_size());
  char* const out = static_cast<char*>(plan.out.data);
  const std::int64_t column = space.column_stride(plan.out.strides), row = space.row_stride(plan.out.strides);
  const bool dense = space.dense(plan.out.strides, size);
  if (plan.n_stores > 0 && !dense) return map_each(plan);
  const bool streamed = program.streamed();

  parallel_tiles(
      space, program.tile_size(), fewest_elements(program.cost() + traffic_cost(size)),
      [&] { return program.prepare(); },
      [&](const tile& t, char* scratch) {
        if (dense) {
          char* const target = out + (t.row * space.columns + t.column) * size;
          if (streamed) {
            stream_copy(target, program.run(t, scratch, nullptr), static_cast<std::size_t>(t.size() * size));
            stream_fence();
          } else {
            program.run(t, scratch, target);
          }
          return;
        }
        const void* values = nullptr;
        space.for_runs(t.row, t.rows, plan.out.strides,
                       [&](std::int64_t offset, std::int64_t rows, std::int64_t done) {
                         char* const target = out + offset + t.column * column;
                         if (t.rows == 1 && (column == size || t.columns == 1)) {
                           program.run(t, scratch, target);
                           return;
                         }
                         if (!values) values = program.run(t, scratch, nullptr);
                         scatter(target, static_cast<const char*>(values) + done * t.columns * size,
                                 {rows, t.columns, row, column}, static_cast<std::size_t>(size));
                       });
      });
}

}  // namespace host
GPARRAY_END_NAMESPACE
