// Maps along rows of a few elements, and loads of whole rows that an index array picks, as g++ compiles them:
// what the CPU backend computes.
#include <cuda/device/short_row_params.hpp>

#include "cuda/support/emulated_fusion.hpp"

using namespace twin;

namespace {

constexpr std::int64_t n_rows = (1 << 17) + 3;

/// Records of up to four elements, of which a map reads components.
struct records {
  dtype type;
  std::int64_t width;
  const std::byte* data;
};

void set_array(input& in, dtype type, const std::byte* data, std::int64_t row, std::int64_t column) {
  in.kind = input_kind::array;
  in.type = type;
  in.data = data;
  in.strides[0] = row;
  in.strides[1] = column;
}

/// A map of rows of so many columns, of components, vectors and rolled vectors of two kinds of records.
jumping_plan random_rows(fixture& f, std::int64_t columns, bool rolls, int n_stores) {
  jumping_plan plan;
  map_plan& map = plan.map;
  map.ndim = columns > 1 ? 2 : 1;
  map.shape[0] = n_rows;
  map.shape[1] = columns;
  map.size = n_rows * columns;
  const dtype types[] = {dtype::float32, dtype::uint8, dtype::int16, dtype::float64};
  const auto below = [&f](std::int64_t n) {
    return static_cast<std::int64_t>(f.random() * static_cast<double>(n));
  };
  records of[2];
  for (records& r : of) {
    r.type = types[below(rolls ? 1 : columns == 2 ? 4 : 3)];
    r.width = rolls || r.type == dtype::float64 ? columns : std::max<std::int64_t>(columns, 2 + below(3));
    r.data = f.memory()(r.type, n_rows * r.width);
  }
  for (int i = 0; i < 5; ++i) {
    input& in = map.inputs[map.n_inputs = i];
    const records& r = of[below(2)];
    const auto item = static_cast<std::int64_t>(itemsize(r.type));
    const bool is_vector = columns > 1 && below(2) == 0;
    const std::int64_t first = is_vector ? below(r.width - columns + 1) : below(r.width);
    set_array(in, r.type, r.data + first * item, r.width * item, is_vector ? item : 0);
    if (!rolls || !is_vector) continue;
    const std::int64_t by = 1 + below(columns - 1);
    in.data = r.data + by * item;
    plan.jumps[plan.n_jumps++] = {static_cast<std::uint8_t>(i), 1, 0, columns - by, -columns * item};
  }
  // One for each row, one for each column, and a number.
  set_array(map.inputs[5], dtype::float32, f.memory()(dtype::float32, n_rows), sizeof(float), 0);
  set_array(map.inputs[6], dtype::float32, f.memory()(dtype::float32, columns), 0, sizeof(float));
  map.inputs[7].kind = input_kind::constant;
  map.inputs[7].type = dtype::float32;
  const float third = 1 / 3.f;
  std::memcpy(&map.inputs[7].value, &third, sizeof third);
  for (int d = 0; d < 2; ++d) map.inputs[7].strides[d] = 0;
  map.n_inputs = 8;
  map.n_steps = 0;
  const auto step = [&](ufunc op, int a, int b) {
    map.steps[map.n_steps++] = {
        op, dtype::float32, {static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)}};
    return map.n_inputs + map.n_steps - 1;
  };
  int value = 7;
  for (int i = 0; i < 7; ++i) {
    constexpr ufunc functions[] = {ufunc::add, ufunc::multiply, ufunc::subtract, ufunc::maximum};
    const int operand = map.inputs[i].type == dtype::float32 ? i : step(ufunc::cast, i, 0);
    const int root = i == 2 ? step(ufunc::sqrt, operand, 0) : operand;
    value = step(i == 4 ? ufunc::divide : functions[below(4)], value, root);
  }
  map.out.type = dtype::float32;
  map.out.data = f.allocate(static_cast<std::size_t>(map.size) * sizeof(float));
  fill_strides(map.ndim, map.shape, sizeof(float), map.out.strides);
  map.n_stores = n_stores;
  for (int k = 0; k < n_stores; ++k)
    map.stores[k] = {map.n_inputs + map.n_steps - 3 - k,
                     f.allocate(static_cast<std::size_t>(map.size) * sizeof(float))};
  return plan;
}

}  // namespace

TEST_CASE("maps along rows of a few elements take them whole") {
  fixture f;
  std::vector<jumping_plan> plans;
  for (const std::int64_t columns : {1, 2, 3, 3, 4}) {
    for (int n = 0; n < 3; ++n) plans.push_back(random_rows(f, columns, false, n));
    if (columns > 1) plans.push_back(random_rows(f, columns, true, 0));
  }
  std::vector<cuda::fused_plan> fused(plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    CAPTURE(i);
    REQUIRE((plans[i].n_jumps > 0 ? cuda::plan_map(plans[i], 0, fused[i])
                                  : cuda::plan_map(plans[i].map, 0, fused[i])));
    CHECK((fused[i].key.form == cuda::kernel_form::short_rows));
    f.program.add(fused[i].key);
  }
  f.program.include("cuda/map/short_rows.cuh");
  f.program.build();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    CAPTURE(i);
    CAPTURE(cuda::kernel_source(fused[i].key));
    f.bind(fused[i].key, f.program.kernel(i));
    const map_plan& map = plans[i].map;
    const auto run = [&](backend& on, queue q) {
      if (plans[i].n_jumps > 0) on.map_jumping(plans[i], q);
      else on.map(map, q);
    };
    const std::size_t bytes = static_cast<std::size_t>(map.size) * sizeof(float);
    std::vector<std::vector<std::byte>> stored;
    const auto after = [&](backend& on, queue q) {
      const auto bytes_of_stores = [&](auto&& self, int k) -> void {
        if (k == map.n_stores) return run(on, q);
        stored.push_back(bytes_after(map.stores[k].data, bytes, [&] { self(self, k + 1); }));
      };
      return bytes_after(map.out.data, bytes, [&] { bytes_of_stores(bytes_of_stores, 0); });
    };
    const auto expected = after(host_backend(), {0, cpu_order}), actual = after(*f.gpu, {});
    CHECK(same(dtype::float32, sizeof(float), expected, actual));
    for (int k = 0; k < map.n_stores; ++k)
      CHECK(same(dtype::float32, sizeof(float), stored[static_cast<std::size_t>(k)],
                 stored[static_cast<std::size_t>(map.n_stores + k)]));
  }
  CHECK(n_emulated == static_cast<int>(plans.size()));
  CHECK(n_missed == 0);
}

TEST_CASE("elements of rows that an index array picks are loaded in packs, if they are aligned") {
  struct sample {
    std::int64_t columns, begin;  // of the rows, and where in the table's they begin
    bool is_pack;
  };
  constexpr sample samples[] = {{64, 0, true}, {64, 4, true}, {64, 1, false}, {66, 0, false}, {40, 8, true}};
  constexpr std::int64_t rows = 50, table_rows = 30, table_columns = 80;
  fixture f;
  const std::byte* const table = f.memory()(dtype::float32, table_rows * table_columns);
  auto* const index = reinterpret_cast<std::int64_t*>(f.allocate(rows * sizeof(std::int64_t)));
  for (std::int64_t i = 0; i < rows; ++i) index[i] = (i * 7 + 3) % table_rows;
  std::vector<map_plan> plans(std::size(samples));
  std::vector<cuda::fused_plan> fused(std::size(samples));
  for (std::size_t i = 0; i < std::size(samples); ++i) {
    map_plan& map = plans[i];
    map.ndim = 2;
    map.shape[0] = rows;
    map.shape[1] = samples[i].columns;
    map.size = rows * samples[i].columns;
    const auto number = [&](int v, std::int64_t value) {
      input& in = map.inputs[v];
      in.kind = input_kind::constant;
      in.type = dtype::int64;
      std::memcpy(&in.value, &value, sizeof value);
      in.strides[0] = in.strides[1] = 0;
    };
    const auto first = reinterpret_cast<std::int64_t>(table);
    set_array(map.inputs[0], dtype::int64, reinterpret_cast<const std::byte*>(index), sizeof(std::int64_t),
              0);
    number(1, table_columns * static_cast<std::int64_t>(sizeof(float)));
    input& in_row = map.inputs[2];
    in_row.kind = input_kind::iota;
    in_row.type = dtype::int64;
    in_row.data = nullptr;
    in_row.first = first + samples[i].begin * static_cast<std::int64_t>(sizeof(float));
    in_row.strides[0] = 0;
    in_row.strides[1] = sizeof(float);
    number(3, first);
    number(4, first + (table_rows * table_columns - 1) * static_cast<std::int64_t>(sizeof(float)));
    map.n_inputs = 5;
    map.steps[0] = {ufunc::multiply, dtype::int64, {0, 1}};
    map.steps[1] = {ufunc::add, dtype::int64, {5, 2}};
    map.steps[2] = {ufunc::clip, dtype::int64, {6, 3, 4}};
    map.steps[3] = {ufunc::load, dtype::float32, {7}};
    map.steps[4] = {ufunc::add, dtype::float32, {8, 8}};
    map.n_steps = 5;
    map.out.type = dtype::float32;
    map.out.data = f.allocate(static_cast<std::size_t>(map.size) * sizeof(float));
    fill_strides(2, map.shape, sizeof(float), map.out.strides);
    REQUIRE(cuda::plan_map(map, 0, fused[i]));
    CAPTURE(i);
    CHECK((fused[i].key.steps[3].args[1] == 1) == samples[i].is_pack);
    f.program.add(fused[i].key);
  }
  f.program.build();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    CAPTURE(i);
    f.bind(fused[i].key, f.program.kernel(i));
    const map_plan& map = plans[i];
    const std::size_t bytes = static_cast<std::size_t>(map.size) * sizeof(float);
    const auto expected = bytes_after(map.out.data, bytes, [&] { host_backend().map(map, {0, cpu_order}); });
    CHECK((bytes_after(map.out.data, bytes, [&] { f.gpu->map(map, {}); }) == expected));
  }
  CHECK(n_emulated == static_cast<int>(plans.size()));
  CHECK(n_missed == 0);
}
