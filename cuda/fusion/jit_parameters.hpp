// Fills the parameter blocks of generated kernels.
#pragma once
#include <algorithm>
#include <cstring>

#include <cuda/device/jump_params.hpp>
#include <cuda/fusion/jit_params.hpp>
#include <cuda/fusion/jit_plan.hpp>
#include <cuda/fusion/short_rows.hpp>
#include <cuda/runtime/map_launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr std::size_t max_parameter_bytes = 4096;

/// Where the part of an operand begins that the nest covers: an address, or the first number of an iota.
inline const char* start_of(const input& in, std::int64_t offset) {
  if (in.kind == input_kind::constant) return nullptr;
  if (in.kind == input_kind::iota) return reinterpret_cast<const char*>(in.first + offset);
  return static_cast<const char*>(in.data) + offset;
}

/// The bits that go with an operand: the constant, or the distance along a row.
inline scalar_bits bits_of(const input& in, std::int64_t distance) {
  if (in.kind == input_kind::constant) return in.value;
  scalar_bits bits;
  std::memcpy(&bits, &distance, sizeof distance);
  return bits;
}

/// The addresses of what is stored beside the result stand behind those of the inputs.
inline void set_stores(const char** in, const map_plan& plan, const loop_nest& nest) {
  const int n_placed = plan.n_placed();
  for (int i = n_placed; i < n_placed + plan.n_stores; ++i)
    in[i] = static_cast<const char*>(plan.stores[i - n_placed].data) + nest.offsets[1 + i];
}

template<int Slots, int Numbers = 0, class Use>
void use_row_parameters(const map_plan& plan, const kernel_key& key, const loop_nest& nest, Use&& use) {
  vector_params<Slots, Numbers> p;
  static_assert(sizeof p <= max_parameter_bytes);
  const std::int64_t blocks = set_rows(p, nest, plan.out.data, key.lanes,
                                       key.form == kernel_form::broadcast ? common_rows : two_rows);
  const int n_placed = plan.n_placed();
  for (int i = n_placed; i < plan.n_inputs; ++i) p.constants[i] = plan.inputs[i].value;
  for (int i = 0; i < n_placed; ++i) {
    p.in[i] = start_of(plan.inputs[i], nest.offsets[1 + i]);
    p.constants[i] = bits_of(plan.inputs[i], nest.inner_stride(1 + i));
  }
  set_stores(p.in, plan, nest);
  use(p, blocks);
}

template<int Slots, int Dims, int Numbers = 0, class Use>
void use_strided_parameters(const map_plan& plan, const loop_nest& nest, Use&& use) {
  strided_params<Slots, Dims, Numbers> p;
  static_assert(sizeof p <= max_parameter_bytes);
  const std::int64_t blocks = set_strided(p, nest, plan.out.data);
  const int n_placed = plan.n_placed();
  for (int i = n_placed; i < plan.n_inputs; ++i) p.constants[i] = plan.inputs[i].value;
  for (int i = 0; i < n_placed; ++i) {
    const input& in = plan.inputs[i];
    p.in[i] = in.kind == input_kind::array ? start_of(in, nest.offsets[1 + i]) : nullptr;
    p.first[i] = in.kind == input_kind::iota ? in.first + nest.offsets[1 + i] : 0;
    if (in.kind == input_kind::constant) p.constants[i] = in.value;
  }
  set_stores(p.in, plan, nest);
  use(p, blocks);
}

/// The jumps of operands, whose rows have so many columns, and dimensions counted from the innermost one.
template<int Slots>
void set_jumps(jump_ranges<Slots>& p, const map_plan& plan, std::span<const jump> jumps) {
  p.even_begin = 0;
  p.even_end = static_cast<std::int32_t>(plan.shape[plan.ndim - 1]);
  for (const jump& j : jumps) {
    p.jumps[j.input][plan.ndim - 1 - j.dim] = {static_cast<std::uint32_t>(j.begin),
                                               static_cast<std::uint32_t>(j.end - j.begin), j.bytes};
    if (j.dim != plan.ndim - 1) continue;
    p.even_begin = std::max(p.even_begin, static_cast<std::int32_t>(j.begin));
    p.even_end = std::min(p.even_end, static_cast<std::int32_t>(j.end));
  }
}

template<int Slots, class Use>
void use_interleaved_parameters(const map_plan& plan, const kernel_key& key, const loop_nest& nest,
                                std::span<const jump> jumps, Use&& use) {
  use_row_parameters<Slots>(plan, key, nest, [&](const vector_params<Slots>& rows, std::int64_t) {
    jump_params<vector_params<Slots>> p;
    static_assert(sizeof p <= max_parameter_bytes);
    static_cast<vector_params<Slots>&>(p) = rows;
    std::reverse(p.outer, p.outer + p.n_outer);
    std::reverse(p.out_strides, p.out_strides + p.n_outer);
    for (int i = 0; i < plan.n_inputs + plan.n_stores; ++i)
      std::reverse(p.in_strides[i], p.in_strides[i] + p.n_outer);
    set_jumps(p, plan, jumps);
    if (key.dims == 1) p.even_end -= bytes_behind;
    use(p, set_interleaved(p, key.lanes));
  });
}

template<int Slots, class Use>
void use_stencil_parameters(const map_plan& plan, const kernel_key& key, const loop_nest& nest, Use&& use) {
  use_row_parameters<Slots>(plan, key, nest, [&](const vector_params<Slots>& rows, std::int64_t) {
    stencil_params<Slots> p;
    static_assert(sizeof p <= max_parameter_bytes);
    static_cast<vector_params<Slots>&>(p) = rows;
    p.distance = 0;
    for (int i = 0; i < plan.n_inputs; ++i)
      if (key.inputs[i].mode == access::contiguous) p.distance = p.in_strides[i][p.n_outer - 1];
    use(p, set_stencil(p, key.lanes));
  });
}

template<int Slots, class Use>
void use_jumping_parameters(const map_plan& plan, const loop_nest& nest, std::span<const jump> jumps,
                            Use&& use) {
  use_strided_parameters<Slots, 4>(plan, nest, [&](const strided_params<Slots, 4>& strided, std::int64_t n) {
    jump_params<strided_params<Slots, 4>> p;
    static_assert(sizeof p <= max_parameter_bytes);
    static_cast<strided_params<Slots, 4>&>(p) = strided;
    std::reverse(p.shape, p.shape + p.ndim);
    std::reverse(p.out_strides, p.out_strides + p.ndim);
    for (int i = 0; i < plan.n_inputs + plan.n_stores; ++i)
      std::reverse(p.in_strides[i], p.in_strides[i] + p.ndim);
    set_jumps(p, plan, jumps);
    // Blocks of few elements end before their loads have kept the memory busy.
    constexpr std::int64_t plenty = 8192;
    p.turns = n >= plenty ? jumping_lanes : 1;
    use(p, ceil_div(n, p.turns));
  });
}

template<int Slots, class Use>
void use_short_row_parameters(const map_plan& plan, const kernel_key& key, const loop_nest& nest,
                              std::span<const jump> jumps, Use&& use) {
  short_row_params<Slots> p;
  p.out = static_cast<char*>(plan.out.data);
  p.n_rows = static_cast<std::uint32_t>(nest.shape[0]);
  for (int i = 0; i < plan.n_inputs; ++i) {
    const std::int64_t distance = nest.ndim > 1 ? nest.strides[1 + i][1] : 0;
    p.in[i] = short_rows_begin(plan, i, key.inputs[i], jumps);
    p.constants[i] = bits_of(plan.inputs[i], distance);
  }
  set_stores(p.in, plan, nest);
  use(p, ceil_div(p.n_rows, short_rows_per_thread * map_threads));
}

template<int Slots, class Use>
void use_parameters(const map_plan& plan, const kernel_key& key, const loop_nest& nest,
                    std::span<const jump> jumps, Use&& use) {
  if (key.form == kernel_form::interleaved)
    return use_interleaved_parameters<Slots>(plan, key, nest, jumps, use);
  if (key.form == kernel_form::stencil) return use_stencil_parameters<Slots>(plan, key, nest, use);
  if (key.form == kernel_form::short_rows)
    return use_short_row_parameters<Slots>(plan, key, nest, jumps, use);
  if (key.form == kernel_form::jumping) return use_jumping_parameters<Slots>(plan, nest, jumps, use);
  if (key.form == kernel_form::rows || key.form == kernel_form::broadcast)
    return use_row_parameters<Slots>(plan, key, nest, use);
  if (key.dims == 4) return use_strided_parameters<Slots, 4>(plan, nest, use);
  if (key.dims == 8) return use_strided_parameters<Slots, 8>(plan, nest, use);
  if constexpr (Slots <= 8) use_strided_parameters<Slots, max_ndim>(plan, nest, use);
}

/// The same of a plan with numbers for which there are no slots: of the forms rows, and strided of at most 8
/// dimensions.
template<class Use>
void use_parameters_of_many(const map_plan& plan, const kernel_key& key, const loop_nest& nest, Use&& use) {
  if (key.form == kernel_form::rows)
    return use_row_parameters<max_operands, max_numbers>(plan, key, nest, use);
  if (key.dims == 4) return use_strided_parameters<max_operands, 4, max_numbers>(plan, nest, use);
  use_strided_parameters<max_operands, 8, max_numbers>(plan, nest, use);
}

/// Calls use(parameters, n_blocks) for one part of a map, whose inputs may jump.
template<class Use>
void use_map_parameters(const map_plan& plan, const kernel_key& key, const loop_nest& part,
                        std::span<const jump> jumps, Use&& use) {
  if (key.has_more_numbers()) return use_parameters_of_many(plan, key, part, use);
  switch (key.slots()) {
    case 4:
      return use_parameters<4>(plan, key, part, jumps, use);
    case 8:
      return use_parameters<8>(plan, key, part, jumps, use);
    default:
      return use_parameters<max_operands>(plan, key, part, jumps, use);
  }
}

template<int Slots>
void set_operands(row_operands<Slots>& operands, const map_plan& map, const loop_nest& nest) {
  for (int i = 0; i < map.n_inputs; ++i) {
    operands.in[i] = start_of(map.inputs[i], 0);
    operands.constants[i] = bits_of(map.inputs[i], nest.inner_stride(1 + i));
  }
}

/// Of all dimensions but that of the row.
template<class Block>
void set_strides(Block& operands, const map_plan& map, const loop_nest& nest) {
  for (int i = 0; i < map.n_inputs; ++i)
    for (int d = 0; d + 1 < nest.ndim; ++d) operands.strides[i][d] = nest.strides[1 + i][d];
}

template<int Slots>
void set_operands(operand_block<Slots>& operands, const map_plan& map, const loop_nest& nest) {
  set_operands(static_cast<row_operands<Slots>&>(operands), map, nest);
  operands.ndim = static_cast<std::uint32_t>(nest.ndim);
  // A flat nest is not divided, and may be longer than a divisor can be.
  if (nest.ndim > 1)
    for (int d = 0; d < nest.ndim; ++d)
      operands.shape[d] = fast_divisor(static_cast<std::uint32_t>(nest.shape[d]));
  set_strides(operands, map, nest);
}

template<int Slots>
void set_operands(row_blocks<Slots>& operands, const map_plan& map, const loop_nest& nest) {
  set_operands(static_cast<row_operands<Slots>&>(operands), map, nest);
  set_strides(operands, map, nest);
}

template<int Slots>
void set_operands(jumping_block<Slots>& operands, const map_plan& map, const loop_nest& nest,
                  std::span<const jump> jumps) {
  set_operands(static_cast<row_operands<Slots>&>(operands), map, nest);
  operands.ndim = static_cast<std::uint32_t>(nest.ndim);
  for (int d = 0; d < nest.ndim; ++d)
    operands.shape[d] = fast_divisor(static_cast<std::uint32_t>(nest.shape[d]));
  set_strides(operands, map, nest);
  set_jumps(operands, map, jumps);
  operands.even_end -= bytes_behind;
}

template<class Params, int Slots>
computed_params<Params, Slots> with_operands(const map_plan& map, std::span<const jump> jumps,
                                             const loop_nest& nest, const Params& params) {
  computed_params<Params, Slots> p;
  static_assert(sizeof p <= max_parameter_bytes);
  static_cast<Params&>(p) = params;
  if constexpr (std::is_same_v<Params, jumping_inner_params>) set_operands(p.operands, map, nest, jumps);
  else set_operands(p.operands, map, nest);
  return p;
}

/// Calls use(parameters) for a reduction that computes what it reduces. Params: inner_params,
/// whole_params, neighbour_params or column_params.
template<class Params, class Use>
void use_computed_parameters(const map_plan& map, std::span<const jump> jumps, const fused_plan& fused,
                             const Params& params, Use&& use) {
  switch (fused.key.slots()) {
    case 4:
      return use(with_operands<Params, 4>(map, jumps, fused.nest, params));
    case 8:
      return use(with_operands<Params, 8>(map, jumps, fused.nest, params));
    default:
      return use(with_operands<Params, max_operands>(map, jumps, fused.nest, params));
  }
}

template<class Params>
joined_params<Params> with_results(const Params& params, const joined_results& joined) {
  joined_params<Params> p;
  static_assert(sizeof p <= max_parameter_bytes);
  static_cast<Params&>(p) = params;
  static_cast<joined_results&>(p) = joined;
  return p;
}

/// Calls use(parameters) for a generated reduction, or joined ones, of which `joined` says where they go.
/// `map`: null if what is reduced is in memory. Its inputs jump in kernels of the form inner alone.
template<class Params, class Use>
void use_reduction_parameters(const map_plan* map, std::span<const jump> jumps, const fused_plan& fused,
                              const Params& params, const joined_results& joined, Use&& use) {
  const auto complete = [&](const auto& p) {
    if (fused.key.n_reductions == 1) use(p);
    else use(with_results(p, joined));
  };
  if constexpr (std::is_same_v<Params, inner_params>)
    if (!jumps.empty())
      return use_computed_parameters(*map, jumps, fused, jumping_inner_params{params}, complete);
  if (map) use_computed_parameters(*map, jumps, fused, params, complete);
  else complete(params);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
