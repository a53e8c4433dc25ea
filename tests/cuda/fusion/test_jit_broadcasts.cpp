// Maps that broadcast a row along all rows: the kernel that loads it once for several rows has the bits of a
// CPU.
#include <cuda/fusion/broadcasts.hpp>

#include "cuda/support/emulated_fusion.hpp"

using namespace twin;

namespace {

/// ((matrix - a) * b + c) for a matrix with a gap between rows, and operands whose strides along the outer
/// dimensions and a row are given in elements.
struct sample {
  dtype type;
  std::int64_t shape[3];
  std::int64_t gap;  // of the matrix, the elements between rows
  std::int64_t strides[3][3];
  bool stores;  // the difference
  bool expects;
};

std::vector<sample> samples() {
  return {{dtype::float32, {1, 4103, 1028}, 4, {{0, 0, 1}, {0, 1, 0}, {0, 0, 0}}, false, true},
          {dtype::float64, {3, 701, 1000}, 2, {{0, 0, 3}, {1, 5, 0}, {0, 0, 1}}, true, true},
          {dtype::int32, {40, 3, 35000}, 0, {{7, 0, 0}, {0, 0, 1}, {0, 35000, 1}}, false, true},
          {dtype::complex128, {1, 32771, 33}, 1, {{0, 0, 1}, {0, 1, 0}, {0, 0, 1}}, true, true},
          {dtype::int16, {1, 9000, 1000}, 8, {{0, 0, 1}, {0, 1, 0}, {0, 0, 0}}, false, true},
          // Rows that are not aligned, or not whole packs; nothing in common; fewer elements.
          {dtype::float32, {1, 4103, 1028}, 3, {{0, 0, 1}, {0, 1, 0}, {0, 0, 0}}, false, false},
          {dtype::float32, {1, 4103, 1030}, 2, {{0, 0, 1}, {0, 1, 0}, {0, 0, 0}}, false, false},
          {dtype::float32, {1, 4103, 1028}, 4, {{0, 1028, 1}, {0, 1, 0}, {0, 0, 0}}, false, false},
          {dtype::float32, {1, 1025, 1028}, 4, {{0, 0, 1}, {0, 1, 0}, {0, 0, 0}}, false, false}};
}

void place(input& in, dtype type, const std::byte* data, const std::int64_t* strides) {
  const auto item = static_cast<std::int64_t>(itemsize(type));
  in.kind = input_kind::array;
  in.type = type;
  in.data = data;
  for (int d = 0; d < 3; ++d) in.strides[d] = strides[d] * item;
}

map_plan plan_of(fixture& f, const sample& s) {
  const auto item = itemsize(s.type);
  map_plan plan;
  plan.ndim = 3;
  std::copy_n(s.shape, 3, plan.shape);
  plan.size = s.shape[0] * s.shape[1] * s.shape[2];
  const std::int64_t row = s.shape[2] + s.gap, matrix[3] = {row * s.shape[1], row, 1};
  const std::byte* const data = f.memory()(s.type, matrix[0] * s.shape[0]);
  plan.n_inputs = 4;
  place(plan.inputs[0], s.type, data, matrix);
  for (int i = 0; i < 3; ++i) place(plan.inputs[1 + i], s.type, data + (i + 1) * 64 * item, s.strides[i]);
  plan.n_steps = 3;
  plan.steps[0] = {ufunc::subtract, s.type, {0, 1, 0}};
  plan.steps[1] = {ufunc::multiply, s.type, {4, 2, 0}};
  plan.steps[2] = {ufunc::add, s.type, {5, 3, 0}};
  const auto bytes = static_cast<std::size_t>(plan.size) * item;
  const auto place_result = [&](void*& to, std::int64_t* strides) {
    to = f.allocate(bytes);
    fill_strides(3, plan.shape, static_cast<std::int64_t>(item), strides);
  };
  plan.out.type = s.type;
  place_result(plan.out.data, plan.out.strides);
  plan.n_stores = s.stores;
  if (s.stores) {
    plan.stores[0].value = 4;
    plan.stores[0].data = f.allocate(bytes);
  }
  return plan;
}

}  // namespace

TEST_CASE("maps of rows with operands in common have the bits of a CPU") {
  check_samples(samples(), cuda::kernel_form::broadcast, plan_of,
                [](fixture& f, const map_plan& map, const sample& s) {
                  check_as_on_cpu(f, map, map.out.data, s.type);
                  if (s.stores) check_as_on_cpu(f, map, map.stores[0].data, s.type);
                });
}
