// Maps of rolled bytes, whose threads load words from any address, as g++ compiles them: what the CPU backend
// computes.
#include <cuda/device/jump_params.hpp>

#include "cuda/support/emulated_fusion.hpp"

using namespace twin;

namespace {

/// a + roll(a, 1, 0) + roll(a, 1, 1) + roll(a, -1, 1) of bytes, from `begin` on; times numbers of a dtype
/// that is wider, if it is.
jumping_plan byte_stencil(fixture& f, std::int64_t rows, std::int64_t columns, std::int64_t begin,
                          dtype wide) {
  const bool has_more = wide != dtype::int8;
  jumping_plan plan;
  map_plan& map = plan.map;
  map.ndim = 2;
  map.size = rows * columns;
  map.shape[0] = rows;
  map.shape[1] = columns;
  map.n_inputs = has_more ? 5 : 4;
  const std::byte* const a = f.memory()(dtype::int8, map.size + begin) + begin;
  const std::int64_t from[] = {0, -columns, -1, 1};
  for (int i = 0; i < 4; ++i) {
    map.inputs[i].kind = input_kind::array;
    map.inputs[i].type = dtype::int8;
    map.inputs[i].data = a + from[i];
    fill_strides(2, map.shape, 1, map.inputs[i].strides);
  }
  plan.jumps[0] = {1, 0, 1, rows, rows * columns};
  plan.jumps[1] = {2, 1, 1, columns, columns};
  plan.jumps[2] = {3, 1, 0, columns - 1, -columns};
  plan.n_jumps = 3;
  const auto last = static_cast<std::uint16_t>(map.n_inputs);
  map.steps[0] = {ufunc::add, dtype::int8, {0, 1}};
  map.steps[1] = {ufunc::add, dtype::int8, {last, 2}};
  map.steps[2] = {ufunc::add, dtype::int8, {static_cast<std::uint16_t>(last + 1), 3}};
  map.n_steps = 3;
  map.out.type = dtype::int8;
  if (has_more) {
    input& numbers = map.inputs[4];
    numbers.kind = input_kind::array;
    numbers.type = wide;
    numbers.data = f.memory()(wide, map.size);
    fill_strides(2, map.shape, static_cast<std::int64_t>(itemsize(wide)), numbers.strides);
    map.steps[3] = {ufunc::cast, wide, {static_cast<std::uint16_t>(last + 2)}};
    map.steps[4] = {ufunc::multiply, wide, {static_cast<std::uint16_t>(last + 3), 4}};
    map.n_steps = 5;
    map.out.type = wide;
  }
  const auto item = static_cast<std::int64_t>(itemsize(map.out.type));
  map.out.data = f.allocate(static_cast<std::size_t>(map.size * item));
  fill_strides(2, map.shape, item, map.out.strides);
  return plan;
}

}  // namespace

TEST_CASE("maps of operands that jump store what is made of them, too") {
  struct sample {
    std::int64_t rows, columns, begin;
    dtype wide;
    std::int64_t shift;  // of what is stored, in elements
  };
  // By packs, of neighbouring threads' elements, and without rows; stored where packs are aligned and not.
  constexpr sample samples[] = {{7, 64, 0, dtype::int8, 0},     {5, 44, 2, dtype::float32, 0},
                                {5, 42, 0, dtype::float32, 0},  {7, 67, 0, dtype::int8, 0},
                                {3, 256, 0, dtype::float32, 1}, {40, 9, 0, dtype::float32, 0}};
  fixture f;
  std::vector<jumping_plan> plans;
  std::vector<cuda::fused_plan> fused(std::size(samples));
  for (std::size_t i = 0; i < std::size(samples); ++i) {
    const sample& s = samples[i];
    plans.push_back(byte_stencil(f, s.rows, s.columns, s.begin, s.wide));
    map_plan& map = plans.back().map;
    map.n_stores = s.wide != dtype::int8 ? 2 : 1;
    for (int k = 0; k < map.n_stores; ++k) {
      map.stores[k].value = map.n_inputs + 1 + 2 * k;
      const std::size_t item = itemsize(map.value_type(map.stores[k].value));
      map.stores[k].data = f.allocate(static_cast<std::size_t>(map.size + 1) * item) +
                           s.shift * static_cast<std::int64_t>(item);
    }
    REQUIRE(cuda::plan_map(plans.back(), 0, fused[i]));
    f.program.add(fused[i].key);
  }
  f.program.build();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    CAPTURE(i);
    f.bind(fused[i].key, f.program.kernel(i));
    const map_plan& map = plans[i].map;
    const auto all_after = [&](auto work) {
      std::vector<std::vector<std::byte>> found;
      const auto bytes = [&](dtype type) { return static_cast<std::size_t>(map.size) * itemsize(type); };
      found.push_back(bytes_after(map.out.data, bytes(map.out.type), [&] {
        found.push_back(bytes_after(map.stores[0].data, bytes(map.value_type(map.stores[0].value)), [&] {
          if (map.n_stores == 1) return work();
          found.push_back(bytes_after(map.stores[1].data, bytes(map.value_type(map.stores[1].value)), work));
        }));
      }));
      return found;
    };
    const auto expected = all_after([&] { host_backend().map_jumping(plans[i], {0, cpu_order}); });
    CHECK((all_after([&] { f.gpu->map_jumping(plans[i], {}); }) == expected));
  }
  CHECK(n_emulated == static_cast<int>(plans.size()));
  CHECK(n_missed == 0);
}

TEST_CASE("bytes of operands that jump come as words, where all that is wider is aligned") {
  struct sample {
    std::int64_t rows, columns, begin;
    dtype wide;
    int lanes, distance;
  };
  constexpr int apart = cuda::interleave_distance;
  // Rows that end in the middle of a thread's elements, a thread of its own, more than a block's; rows not
  // aligned.
  constexpr sample samples[] = {{7, 64, 0, dtype::int8, 8, 1},     {3, 4096, 1, dtype::int8, 8, 1},
                                {5, 40, 3, dtype::int8, 8, 1},     {3, 64, 1, dtype::float32, 8, 1},
                                {5, 44, 2, dtype::float32, 4, 1},  {2, 2052, 0, dtype::float32, 4, 1},
                                {7, 67, 0, dtype::int8, 4, apart}, {5, 42, 0, dtype::float32, 4, apart},
                                {5, 42, 1, dtype::float64, 2, 1},  {3, 41, 1, dtype::complex128, 1, 1}};
  fixture f;
  std::vector<jumping_plan> plans;
  std::vector<cuda::fused_plan> fused(std::size(samples));
  for (std::size_t i = 0; i < std::size(samples); ++i) {
    const sample& s = samples[i];
    CAPTURE(i);
    plans.push_back(byte_stencil(f, s.rows, s.columns, s.begin, s.wide));
    REQUIRE(cuda::plan_map(plans.back(), 0, fused[i]));
    CHECK((fused[i].key.form == cuda::kernel_form::interleaved));
    CHECK(fused[i].key.lanes == s.lanes);
    CHECK(fused[i].key.dims == s.distance);
    f.program.add(fused[i].key);
  }
  f.program.build();
  for (std::size_t i = 0; i < plans.size(); ++i) f.bind(fused[i].key, f.program.kernel(i));
  for (const jumping_plan& plan : plans) {
    const map_plan& map = plan.map;
    CAPTURE(map.shape[1]);
    const std::size_t item = itemsize(map.out.type), bytes = static_cast<std::size_t>(map.size) * item;
    const auto expected =
        bytes_after(map.out.data, bytes, [&] { host_backend().map_jumping(plan, {0, cpu_order}); });
    const auto actual = bytes_after(map.out.data, bytes, [&] { f.gpu->map_jumping(plan, {}); });
    CHECK(same(map.out.type, static_cast<std::int64_t>(item), expected, actual));
  }
  CHECK(n_emulated == static_cast<int>(plans.size()));
  CHECK(n_missed == 0);
}
