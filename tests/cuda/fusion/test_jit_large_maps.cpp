// Maps that leave many bytes go to and fro over their arrays, and what they store beside a long function's
// result is there whether the function is called or not.
#include <string>

#include "cuda/support/emulated_fusion.hpp"

using namespace twin;

namespace {

/// a / b, its root, and so on, `n_steps` of them, in rows of so many; the first is stored beside the last.
map_plan quotients(fixture& f, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                   int n_steps) {
  constexpr std::int64_t item = sizeof(float);
  map_plan plan;
  plan.ndim = 2;
  plan.shape[0] = rows;
  plan.shape[1] = columns;
  plan.size = rows * columns;
  plan.n_inputs = 2;
  for (int i = 0; i < 2; ++i) {
    input& in = plan.inputs[i];
    in.kind = input_kind::array;
    in.type = dtype::float32;
    in.data = f.memory()(dtype::float32, rows * row_stride);
    in.strides[0] = row_stride * item;
    in.strides[1] = item;
  }
  plan.n_steps = 0;
  for (int k = 0; k < n_steps; ++k) {
    const auto before = static_cast<std::uint16_t>(k == 0 ? 0 : plan.n_inputs + k - 1);
    plan.steps[plan.n_steps++] = {k % 2 ? ufunc::sqrt : ufunc::divide, dtype::float32, {before, 1, 0}};
  }
  plan.n_stores = 1;
  plan.stores[0] = {plan.n_inputs, f.allocate(static_cast<std::size_t>(plan.size * item))};
  plan.out.type = dtype::float32;
  plan.out.data = f.allocate(static_cast<std::size_t>(plan.size * item));
  fill_strides(2, plan.shape, item, plan.out.strides);
  return plan;
}

std::set<bool> ways;  // that kernels have gone: backwards, or not

void note_way(const fake_cuda::launch_record& r) {
  ways.insert(static_cast<const cuda::vector_params<4>*>(r.params)->backwards);
  emulate(r);
}

}  // namespace

TEST_CASE("large maps go to and fro, and leave the same") {
  fixture f;
  // One row of 8 MiB, with packs that are not whole; rows with gaps.
  map_plan plans[] = {quotients(f, 1, (1 << 21) + 5, (1 << 21) + 5, 3), quotients(f, 1050, 2001, 2003, 9)};
  cuda::fused_plan fused[2];
  for (int k = 0; k < 2; ++k) {
    REQUIRE(cuda::plan_map(plans[k], 0, fused[k]));
    f.program.add(fused[k].key);
  }
  // Long functions are called, and get addresses of values that are copied then.
  CHECK(cuda::kernel_source(fused[1].key).find("call_apart(") != std::string::npos);
  f.program.build();
  fake_cuda::model.on_launch = note_way;
  for (std::size_t k = 0; k < 2; ++k) {
    CAPTURE(k);
    f.bind(fused[k].key, f.program.kernel(k));
    const map_plan& map = plans[k];
    const std::size_t bytes = static_cast<std::size_t>(map.size) * sizeof(float);
    ways.clear();
    for (int turn = 0; turn < 2; ++turn) {
      CAPTURE(turn);
      std::vector<std::byte> stored, expected_stored(bytes);
      const auto result = bytes_after(map.out.data, bytes, [&] {
        stored = bytes_after(map.stores[0].data, bytes, [&] { f.gpu->map(map, {}); });
      });
      const auto expected = bytes_after(map.out.data, bytes, [&] {
        expected_stored =
            bytes_after(map.stores[0].data, bytes, [&] { host_backend().map(map, {0, cpu_order}); });
      });
      CHECK(same(dtype::float32, sizeof(float), expected, result));
      CHECK(same(dtype::float32, sizeof(float), expected_stored, stored));
    }
    CHECK(ways == std::set{false, true});
  }
  CHECK(n_missed == 0);
}
