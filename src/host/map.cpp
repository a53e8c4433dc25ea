#include <host/gather.hpp>
#include <host/operations.hpp>
#include <host/parallel_tiles.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

void map(const core::map_plan& plan) {
  if (plan.n_steps == 0 && plan.inputs[0].kind == core::input_kind::array) return copy(plan);
  const tile_program program(plan);
  const row_space& space = program.space();
  const auto size = static_cast<std::int64_t>(program.result_size());
  char* const out = static_cast<char*>(plan.out.data);
  const std::int64_t column = space.column_stride(plan.out.strides), row = space.row_stride(plan.out.strides);
  const bool dense = space.dense(plan.out.strides, size);

  parallel_tiles(
      space, program.tile_size(), [&] { return program.prepare(); },
      [&](const tile& t, char* scratch) {
        if (dense) {
          // Written through the caches: stores that bypass them made functions of libm up to twice as slow.
          program.run(t, scratch, out + (t.row * space.columns + t.column) * size);
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
