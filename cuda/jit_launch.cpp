#include "jit_launch.hpp"

#include <gparray/error.hpp>
#include <gparray/jit.hpp>

#include "jit_params.hpp"
#include "map_launch.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr std::size_t max_parameter_bytes = 4096;

/// Where the part of an operand begins that the nest covers: an address, or the first number of an iota.
const char* start_of(const input& in, std::int64_t offset) {
  if (in.kind == input_kind::constant) return nullptr;
  if (in.kind == input_kind::iota) return reinterpret_cast<const char*>(in.first + offset);
  return static_cast<const char*>(in.data) + offset;
}

/// The bits that go with an operand: the constant, or the distance along a row.
scalar_bits bits_of(const input& in, std::int64_t distance) {
  if (in.kind == input_kind::constant) return in.value;
  scalar_bits bits;
  std::memcpy(&bits, &distance, sizeof distance);
  return bits;
}

template<int Slots>
void launch_rows(const map_plan& plan, const kernel_key& key, const loop_nest& nest, const void* kernel,
                 queue q) {
  vector_params<Slots> p;
  static_assert(sizeof p <= max_parameter_bytes);
  const std::int64_t blocks = set_rows(p, nest, plan.out.data, key.lanes);
  for (int i = 0; i < plan.n_inputs; ++i) {
    p.in[i] = start_of(plan.inputs[i], nest.offsets[1 + i]);
    p.constants[i] = bits_of(plan.inputs[i], nest.inner_stride(1 + i));
  }
  launch("a fused expression", kernel, blocks, map_threads, p, q);
}

template<int Slots, int Dims>
void launch_strided(const map_plan& plan, const loop_nest& nest, const void* kernel, queue q) {
  strided_params<Slots, Dims> p;
  static_assert(sizeof p <= max_parameter_bytes);
  const std::int64_t blocks = set_strided(p, nest, plan.out.data);
  for (int i = 0; i < plan.n_inputs; ++i) {
    const input& in = plan.inputs[i];
    p.in[i] = in.kind == input_kind::array ? start_of(in, nest.offsets[1 + i]) : nullptr;
    p.first[i] = in.kind == input_kind::iota ? in.first + nest.offsets[1 + i] : 0;
    if (in.kind == input_kind::constant) p.constants[i] = in.value;
  }
  launch("a fused expression", kernel, blocks, map_threads, p, q);
}

template<int Slots>
void launch_part(const map_plan& plan, const kernel_key& key, const loop_nest& nest, const void* kernel,
                 queue q) {
  if (key.form == kernel_form::rows) return launch_rows<Slots>(plan, key, nest, kernel, q);
  if (key.dims == 4) return launch_strided<Slots, 4>(plan, nest, kernel, q);
  if (key.dims == 8) return launch_strided<Slots, 8>(plan, nest, kernel, q);
  if constexpr (Slots <= 8) launch_strided<Slots, max_ndim>(plan, nest, kernel, q);
}

template<class Params, int Slots>
void launch_computed(const fused_reduction& fused, const Params& params, std::int64_t n_blocks, queue q) {
  computed_params<Params, Slots> p;
  static_assert(sizeof p <= max_parameter_bytes);
  static_cast<Params&>(p) = params;
  const loop_nest& nest = fused.plan.nest;
  p.operands.ndim = static_cast<std::uint32_t>(nest.ndim);
  // A flat nest is not divided, and may be longer than a divisor can be.
  if (nest.ndim > 1)
    for (int d = 0; d < nest.ndim; ++d)
      p.operands.shape[d] = fast_divisor(static_cast<std::uint32_t>(nest.shape[d]));
  for (int i = 0; i < fused.map.n_inputs; ++i) {
    p.operands.in[i] = start_of(fused.map.inputs[i], 0);
    p.operands.constants[i] = bits_of(fused.map.inputs[i], nest.inner_stride(1 + i));
    for (int d = 0; d + 1 < nest.ndim; ++d) p.operands.strides[i][d] = nest.strides[1 + i][d];
  }
  launch("a fused reduction", fused.kernel->kernel, n_blocks, reduce_threads, p, q);
}

}  // namespace

bool run_fused(const map_plan& plan, queue q) {
  const bool required = plan.has_user_step();
  if (jit_mode() == jit::off && !required) return false;
  fused_plan fused;
  if (!plan_map(plan, q.device, fused)) {
    if (!required) return false;
    throw value_error(
        "an expression of more than 8 operands in more than 8 dimensions that calls a function of "
        "the program's own does not fit one kernel; compute a part of it with eval() first");
  }
  const auto found = fused_kernels().find(fused.key, is_captured(stream_of(q.stream)), required);
  if (!found) return false;
  for_each_part(fused.nest, [&](const loop_nest& part) {
    switch (fused.key.slots()) {
      case 4:
        return launch_part<4>(plan, fused.key, part, found->kernel, q);
      case 8:
        return launch_part<8>(plan, fused.key, part, found->kernel, q);
      default:
        return launch_part<max_inputs>(plan, fused.key, part, found->kernel, q);
    }
  });
  return true;
}

std::unique_ptr<fused_reduction> find_fused_reduction(const map_plan& map, reduction op, dtype element,
                                                      kernel_form form, queue q) {
  if (jit_mode() == jit::off) return nullptr;
  auto fused = std::make_unique<fused_reduction>(fused_reduction{map, {}, nullptr});
  if (!plan_source(map, op, element, form, q.device, fused->plan)) return nullptr;
  fused->kernel =
      fused_kernels().find(fused->plan.key, is_captured(stream_of(q.stream)), map.has_user_step());
  return fused->kernel ? std::move(fused) : nullptr;
}

template<class Params>
void launch_fused(const fused_reduction& fused, const Params& params, std::int64_t n_blocks, queue q) {
  switch (fused.plan.key.slots()) {
    case 4:
      return launch_computed<Params, 4>(fused, params, n_blocks, q);
    case 8:
      return launch_computed<Params, 8>(fused, params, n_blocks, q);
    default:
      return launch_computed<Params, max_inputs>(fused, params, n_blocks, q);
  }
}
template void launch_fused(const fused_reduction&, const inner_params&, std::int64_t, queue);
template void launch_fused(const fused_reduction&, const column_params&, std::int64_t, queue);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
