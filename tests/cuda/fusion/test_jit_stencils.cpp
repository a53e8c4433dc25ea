// Maps whose operands are each other's next rows: the kernel that loads each element once has the bits of a
// CPU.
#include <cuda/fusion/stencils.hpp>

#include "cuda/support/emulated_fusion.hpp"

using namespace twin;

namespace {

/// Sums, and with `divides` a quotient, of places of an array that are so many outer and inner rows and
/// columns apart from the first.
struct place {
  std::int64_t outer, row, column;
};
struct sample {
  dtype type;
  std::int64_t shape[3];
  std::vector<place> places;
  bool divides;
  bool expects;
};

const std::vector<place> box = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 0, 1}, {0, 1, 1},
                                {0, 2, 1}, {0, 0, 2}, {0, 1, 2}, {0, 2, 2}},
                         cross = {{0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {0, 1, 2}, {0, 2, 1}},
                         across = {{0, 1, 0}, {0, 1, 1}, {0, 1, 2}},
                         cube = {{0, 1, 1}, {1, 0, 1}, {1, 1, 1}, {1, 2, 1}, {2, 1, 1}, {1, 1, 2}};

std::vector<sample> samples() {
  return {{dtype::float32, {1, 2051, 259}, box, true, true},  // the last band is not whole
          {dtype::float64, {1, 600, 900}, cross, false, true},
          {dtype::int32, {3, 41, 4300}, cube, false, true},  // bands end with each outer index
          {dtype::complex64, {1, 4099, 128}, box, false, true},
          {dtype::float32, {1, 2048, 260}, across, false, false},
          {dtype::int16, {1, 2048, 260}, box, false, false},
          {dtype::float32, {1, 16384, 40}, box, false, false},
          {dtype::float32, {1, 600, 260}, box, false, false}};
}

map_plan plan_of(fixture& f, const sample& s) {
  const auto item = static_cast<std::int64_t>(itemsize(s.type));
  const std::int64_t row = s.shape[2] + 3, outer = row * (s.shape[1] + 2);
  map_plan plan;
  plan.ndim = 3;
  std::copy_n(s.shape, 3, plan.shape);
  plan.size = s.shape[0] * s.shape[1] * s.shape[2];
  const std::byte* const data = f.memory()(s.type, outer * (s.shape[0] + 2));
  plan.n_inputs = 0;
  for (const place& p : s.places) {
    input& in = plan.inputs[plan.n_inputs++];
    in.kind = input_kind::array;
    in.type = s.type;
    in.data = data + (p.outer * outer + p.row * row + p.column) * item;
    in.strides[0] = outer * item;
    in.strides[1] = row * item;
    in.strides[2] = item;
  }
  plan.n_steps = 0;
  for (int i = 1; i < plan.n_inputs; ++i) {
    const auto before = static_cast<std::uint16_t>(i == 1 ? 0 : plan.n_inputs + i - 2);
    const bool last = i + 1 == plan.n_inputs;
    plan.steps[plan.n_steps++] = {last && s.divides ? ufunc::divide
                                  : i % 2           ? ufunc::add
                                                    : ufunc::multiply,
                                  s.type,
                                  {before, static_cast<std::uint16_t>(i), 0}};
  }
  plan.n_stores = 0;
  plan.out.type = s.type;
  plan.out.data = f.allocate(static_cast<std::size_t>(plan.size * item));
  fill_strides(3, plan.shape, item, plan.out.strides);
  return plan;
}

}  // namespace

TEST_CASE("stencils whose operands share rows have the bits of a CPU") {
  check_samples(samples(), cuda::kernel_form::stencil, plan_of,
                [](fixture& f, const map_plan& map, const sample& s) {
                  // Forwards and backwards.
                  for (int turn = 0; turn < 2; ++turn) check_as_on_cpu(f, map, map.out.data, s.type);
                });
}
