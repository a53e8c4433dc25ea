#include <algorithm>

#include <cuda/device/jump_params.hpp>
#include <cuda/device/loop_nest.hpp>
#include <cuda/device/row_chain_params.hpp>
#include <cuda/fusion/broadcasts.hpp>
#include <cuda/fusion/jit_params.hpp>
#include <cuda/fusion/jit_plan.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <cuda/fusion/pack_loads.hpp>
#include <cuda/fusion/short_rows.hpp>
#include <cuda/fusion/stencils.hpp>
#include <cuda/fusion/word_source.hpp>
#include <cuda/runtime/map_launch.hpp>
#include <gparray/error.hpp>
#include <plan/user_functions.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// `nest` is new: it is large, and not worth a copy.
void fill_nest(loop_nest& nest, const map_plan& plan, const std::int64_t* out_strides) {
  const int n_placed = plan.n_placed();
  nest.n_operands = 1 + n_placed + plan.n_stores;
  for (int d = 0; d < plan.ndim; ++d) {
    std::int64_t strides[loop_nest::max_operands] = {out_strides[d]};
    for (int i = 0; i < n_placed; ++i)
      strides[1 + i] = plan.inputs[i].kind == input_kind::constant ? 0 : plan.inputs[i].strides[d];
    for (int k = 0; k < plan.n_stores; ++k) strides[1 + n_placed + k] = plan.store_stride(k, d);
    nest.append(plan.shape[d], strides);
  }
}

access mode_along_row(const input& in, std::int64_t stride) {
  if (in.kind == input_kind::constant) return access::constant_bits;
  if (in.kind == input_kind::iota) return access::iota;
  if (stride == 0) return access::row_value;
  return stride == static_cast<std::int64_t>(itemsize(in.type)) ? access::contiguous : access::strided;
}

access mode_of_element(const input& in) {
  if (in.kind == input_kind::constant) return access::constant_bits;
  return in.kind == input_kind::iota ? access::iota : access::row_value;
}

/// Whether packs of the map's values are packs of every operand too.
bool is_side_by_side(const map_plan& plan, const kernel_key& key, dtype element) {
  const auto lanes = static_cast<std::uintptr_t>(reduce_lanes(itemsize(element)));
  for (int i = 0; i < plan.n_inputs; ++i) {
    const input& in = plan.inputs[i];
    if (key.inputs[i].mode == access::contiguous &&
        reinterpret_cast<std::uintptr_t>(in.data) % (lanes * itemsize(in.type)) != 0)
      return false;
  }
  return key.flat;
}

}  // namespace

void set_structure(const map_plan& plan, int device, kernel_key& key) {
  if (plan.n_steps > max_kernel_steps) throw value_error("plan: a kernel has no room for so many steps");
  key.device = static_cast<std::uint8_t>(device);
  key.n_inputs = static_cast<std::uint8_t>(plan.n_inputs);
  key.n_steps = static_cast<std::uint8_t>(plan.n_steps);
  for (int i = 0; i < plan.n_inputs; ++i) key.inputs[i].type = plan.inputs[i].type;
  key.n_stores = static_cast<std::uint8_t>(plan.n_stores);
  for (int k = 0; k < plan.n_stores; ++k) key.stores[k] = static_cast<std::uint8_t>(plan.stores[k].value);
  for (int s = 0; s < plan.n_steps; ++s) {
    // Arguments beyond the arity are anything.
    kernel_step& to = key.steps[s];
    to.op = plan.steps[s].op;
    to.loop = plan.steps[s].loop;
    to.user = to.op == ufunc::user ? kept_text(*plan.steps[s].user) : nullptr;
    std::transform(plan.steps[s].args.begin(), plan.steps[s].args.begin() + arity(to), to.args.begin(),
                   [](std::uint16_t v) { return static_cast<std::uint8_t>(v); });
  }
}

bool has_aligned_packs(const void* data, dtype type, const loop_nest& nest, int operand, int lanes,
                       int first_dimension, std::span<const jump> jumps) {
  auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(data));
  for (int d = first_dimension; d + 1 < nest.ndim; ++d)
    bits |= static_cast<std::uint64_t>(nest.strides[operand][d]);
  for (const jump& j : jumps)
    if (1 + j.input == operand && j.dim + 1 < nest.ndim) bits |= static_cast<std::uint64_t>(j.bytes);
  return bits % (static_cast<std::size_t>(lanes) * itemsize(type)) == 0;
}

bool stores_aligned_packs(const map_plan& plan, const fused_plan& fused) {
  const kernel_key& key = fused.key;
  if (!has_aligned_packs(plan.out.data, key.out, fused.nest, 0, key.lanes)) return false;
  for (int k = 0; k < plan.n_stores; ++k)
    if (!has_aligned_packs(plan.stores[k].data, plan.value_type(plan.stores[k].value), fused.nest,
                           1 + plan.n_inputs + k, key.lanes))
      return false;
  return true;
}

bool is_same_in_rows(const loop_nest& nest, int operand) {
  const std::int64_t* const strides = nest.strides[operand];
  return nest.ndim > 1 &&
         std::all_of(strides, strides + nest.ndim - 1, [](std::int64_t s) { return s == 0; });
}

void set_modes_along_rows(const map_plan& plan, const loop_nest& nest, kernel_key& key) {
  const int n_placed = plan.n_placed();
  for (int i = 0; i < n_placed; ++i)
    key.inputs[i].mode = mode_along_row(plan.inputs[i], nest.inner_stride(1 + i));
  for (int i = n_placed; i < plan.n_inputs; ++i) key.inputs[i].mode = access::constant_bits;
}

namespace {

/// Whether the packs of most operands are not aligned where those of the output are, so that their elements
/// would be loaded one by one.
bool are_aligned_otherwise(const map_plan& plan, const kernel_key& key, const loop_nest& nest) {
  const auto out_size = static_cast<std::int64_t>(itemsize(key.out));
  int contiguous = 0, otherwise = 0;
  for (int i = 0; i < plan.n_inputs; ++i) {
    if (key.inputs[i].mode != access::contiguous) continue;
    const auto size = static_cast<std::int64_t>(itemsize(key.inputs[i].type));
    const auto differs = [&](std::int64_t in, std::int64_t out) {
      return in % size != 0 || (in / size - out / out_size) % key.lanes != 0;
    };
    bool differs_somewhere =
        differs(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(plan.inputs[i].data)),
                static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(plan.out.data)));
    for (int d = 0; d + 1 < nest.ndim; ++d)
      differs_somewhere = differs_somewhere || differs(nest.strides[1 + i][d], nest.strides[0][d]);
    ++contiguous;
    otherwise += differs_somewhere;
  }
  return 2 * otherwise > contiguous;
}

/// What an operand's elements count for: of one row that all rows of the output have, which is in a cache, no
/// more than four bytes, for its packs may well be two accesses.
std::size_t width_of(const kernel_key& key, const loop_nest& nest, int i) {
  const std::size_t size = itemsize(key.inputs[i].type);
  return is_same_in_rows(nest, 1 + i) && size == 8 ? 4 : size;
}

void set_lanes(const map_plan& plan, const loop_nest& nest, kernel_key& key) {
  std::size_t widest = itemsize(key.out);
  for (int i = 0; i < plan.n_inputs; ++i)
    if (key.inputs[i].mode == access::contiguous) widest = std::max(widest, width_of(key, nest, i));
  for (int k = 0; k < plan.n_stores; ++k)
    widest = std::max(widest, itemsize(plan.value_type(plan.stores[k].value)));
  key.lanes = static_cast<std::uint8_t>(lanes_for(widest));
}

/// Which operands have aligned packs of so many elements as a thread has. False: what is wider than a byte
/// does not.
bool align_packs(const map_plan& plan, std::span<const jump> jumps, fused_plan& fused) {
  kernel_key& key = fused.key;
  bool by_packs = stores_aligned_packs(plan, fused);
  for (int i = 0; i < plan.n_inputs; ++i) {
    const input& in = plan.inputs[i];
    operand_class& operand = key.inputs[i];
    if (operand.mode == access::contiguous) {
      operand.aligned = has_aligned_packs(in.data, in.type, fused.nest, 1 + i, key.lanes, 0, jumps);
      by_packs = by_packs && (operand.aligned || itemsize(in.type) == 1);
    } else {
      by_packs = by_packs && operand.mode != access::strided;
    }
  }
  return by_packs;
}

/// A kernel whose threads have neighbouring elements if nothing but bytes is not aligned as the output is,
/// for those come in words from any address; else neighbouring threads have them.
void interleave(const map_plan& plan, std::span<const jump> jumps, fused_plan& fused) {
  kernel_key& key = fused.key;
  key.form = kernel_form::interleaved;
  if (align_packs(plan, jumps, fused)) {
    key.dims = 1;
    // Bytes are computed so quickly that a thread needs as long to find its elements.
    if (key.lanes == 4 && has_words(key)) {
      key.lanes = 8;
      if (!align_packs(plan, jumps, fused)) {
        key.lanes = 4;
        align_packs(plan, jumps, fused);
      }
    }
    return;
  }
  for (int i = 0; i < plan.n_inputs; ++i) key.inputs[i].aligned = false;
  key.dims = interleave_distance;
  // They are loaded one by one: no more than these are on their way.
  key.lanes = std::min<std::uint8_t>(key.lanes, 4);
}

void set_modes_of_elements(const map_plan& plan, kernel_key& key) {
  for (int i = 0; i < plan.n_inputs; ++i) key.inputs[i].mode = mode_of_element(plan.inputs[i]);
  key.lanes = 1;
}

}  // namespace

namespace {

/// Whether all inputs behind those that have slots are constants.
bool are_numbers_behind(const map_plan& plan) {
  return std::all_of(plan.inputs + plan.n_placed(), plan.inputs + plan.n_inputs,
                     [](const input& in) { return in.kind == input_kind::constant; });
}

}  // namespace

bool plan_map(const map_plan& plan, int device, fused_plan& fused, bool is_launch) {
  const bool has_more = plan.has_more_numbers();
  if (plan.n_steps > max_kernel_steps || (has_more && !are_numbers_behind(plan))) return false;
  kernel_key& key = fused.key;
  loop_nest& nest = fused.nest;
  fill_nest(nest, plan, plan.out.strides);
  set_structure(plan, device, key);
  key.out = plan.out.type;
  if (has_rows(nest, key.out)) {
    key.form = kernel_form::rows;
    set_modes_along_rows(plan, nest, key);
    if (plan.loads_within_rows) key.lanes = 1;
    else set_lanes(plan, nest, key);
    if (is_launch && plan.n_stores == 0 && !has_more && are_aligned_otherwise(plan, key, nest) &&
        !plan_stencil(plan, fused))
      interleave(plan, {}, fused);
  } else if (is_launch && nest.ndim <= max_jump_dims && !has_more) {
    // Its threads have several elements at once, and it knows how many dimensions there are.
    key.form = kernel_form::jumping;
    set_modes_of_elements(plan, key);
    key.dims = static_cast<std::uint8_t>(nest.ndim);
  } else {
    key.form = kernel_form::strided;
    set_modes_of_elements(plan, key);
    key.dims = static_cast<std::uint8_t>(nest.ndim <= 4 ? 4 : nest.ndim <= 8 ? 8 : max_ndim);
    if (key.dims > 8 && key.slots() > 8) return false;
  }
  if (is_launch && plan_short_rows(plan, {}, fused)) return true;
  key.copies = copies_of(is_long(plan.steps, plan.n_steps, key.lanes));
  if (is_launch && key.form == kernel_form::rows && key.lanes > 1 && gains_side_by_side(key)) {
    key.copies = expression_copies::side_by_side;
    key.lanes = side_by_side_lanes;
  } else if (has_more && key.copies == expression_copies::called) {
    // A call would hand on each number through memory of the thread's own.
    key.copies = expression_copies::each;
    key.lanes = 1;
  }
  if (is_launch && key.form == kernel_form::rows && !has_more) set_pack_loads(plan, fused);
  if (is_launch && key.form == kernel_form::rows && !has_more && key.copies == expression_copies::each)
    plan_broadcast(plan, fused);
  return true;
}

bool plan_map(const looped_plan& plan, int device, fused_plan& fused) {
  if (!plan_map(plan.map, device, fused, false)) return false;
  kernel_key& key = fused.key;
  key.loop = {static_cast<std::uint16_t>(plan.first), static_cast<std::uint16_t>(plan.carried),
              static_cast<std::uint16_t>(plan.period), static_cast<std::uint16_t>(plan.count)};
  for (int s = plan.first; s < plan.first + plan.carried; ++s)
    key.steps[s].args[1] = static_cast<std::uint8_t>(plan.map.steps[s].args[1]);
  // A loop is much work for an element, and one behind the other: more threads have more of them at once.
  constexpr std::int64_t enough_threads = std::int64_t{1} << 17;
  const bool side_by_side = key.form == kernel_form::rows && key.lanes > 1 && gains_side_by_side(key) &&
                            fused.nest.size >= side_by_side_lanes * enough_threads;
  key.lanes = side_by_side ? side_by_side_lanes : 1;
  key.copies = side_by_side ? expression_copies::side_by_side : expression_copies::each;
  return true;
}

namespace {

/// `out_strides`: those of the map's value.
bool set_jumping_structure(const jumping_plan& plan, const std::int64_t* out_strides, int device,
                           fused_plan& fused) {
  const map_plan& map = plan.map;
  kernel_key& key = fused.key;
  loop_nest& nest = fused.nest;
  if (map.ndim > max_jump_dims || map.size > max_launch_size || map.has_more_numbers()) return false;
  // Dimensions stay as they are: jumps are counted along them.
  nest.n_operands = 1 + map.n_inputs + map.n_stores;
  nest.ndim = map.ndim;
  nest.size = map.size;
  for (int d = 0; d < map.ndim; ++d) {
    nest.shape[d] = map.shape[d];
    nest.strides[0][d] = out_strides[d];
    for (int i = 0; i < map.n_inputs; ++i)
      nest.strides[1 + i][d] = map.inputs[i].kind == input_kind::constant ? 0 : map.inputs[i].strides[d];
    for (int k = 0; k < map.n_stores; ++k) nest.strides[1 + map.n_inputs + k][d] = map.store_stride(k, d);
  }
  set_structure(map, device, key);
  for (const jump& j : plan.all_jumps())
    key.inputs[j.input].jumps |= static_cast<std::uint8_t>(1u << (map.ndim - 1 - j.dim));
  return true;
}

void set_jumping_modes_along_rows(const map_plan& map, const loop_nest& nest, kernel_key& key) {
  set_modes_along_rows(map, nest, key);
  // One element for each row is not one if it jumps along the row.
  for (int i = 0; i < map.n_inputs; ++i)
    if (key.inputs[i].mode == access::row_value && (key.inputs[i].jumps & 1) != 0)
      key.inputs[i].mode = access::strided;
}

}  // namespace

bool plan_map(const jumping_plan& plan, int device, fused_plan& fused) {
  const map_plan& map = plan.map;
  kernel_key& key = fused.key;
  loop_nest& nest = fused.nest;
  if (!set_jumping_structure(plan, map.out.strides, device, fused)) return false;
  key.out = map.out.type;
  if (has_rows(nest, key.out)) {
    set_jumping_modes_along_rows(map, nest, key);
    set_lanes(map, nest, key);
    interleave(map, plan.all_jumps(), fused);
  } else {
    key.form = kernel_form::jumping;
    set_modes_of_elements(map, key);
    key.dims = static_cast<std::uint8_t>(map.ndim);
  }
  if (plan_short_rows(map, plan.all_jumps(), fused)) return true;
  key.copies = copies_of(is_long(map.steps, map.n_steps, key.lanes));
  return true;
}

namespace {

/// plan_source() of inputs that jump.
bool plan_jumping_source(const jumping_plan& plan, dtype element, const std::int64_t* strides, int device,
                         fused_plan& fused) {
  const map_plan& map = plan.map;
  kernel_key& key = fused.key;
  const int lanes = reduce_lanes(itemsize(element));
  if (!set_jumping_structure(plan, strides, device, fused) || map.shape[map.ndim - 1] % lanes != 0)
    return false;
  set_jumping_modes_along_rows(map, fused.nest, key);
  key.form = kernel_form::inner;
  key.copies = copies_of(is_long(map.steps, map.n_steps, lanes * reduce_unroll(itemsize(element))));
  // Of rows that can be cut into runs, sums of words are computed_runs.cuh's.
  const bool by_runs =
      itemsize(element) == 1 && map.shape[map.ndim - 1] % bytes_of_run == 0 && has_words(key);
  for (int i = 0; i < map.n_inputs; ++i)
    key.inputs[i].aligned = key.inputs[i].mode == access::contiguous &&
                            has_aligned_packs(map.inputs[i].data, map.inputs[i].type, fused.nest, 1 + i,
                                              by_runs ? bytes_of_run : lanes, 0, plan.all_jumps());
  return true;
}

}  // namespace

bool plan_source(const jumping_plan& jumping, std::span<const reduction> reductions, dtype element,
                 kernel_form form, int device, fused_plan& fused) {
  const map_plan& plan = jumping.map;
  if (plan.n_steps > max_kernel_steps || plan.has_more_numbers()) return false;
  std::int64_t strides[max_ndim];
  contiguous_strides(plan.ndim, plan.shape, itemsize(element), strides);
  kernel_key& key = fused.key;
  loop_nest& nest = fused.nest;
  if (jumping.n_jumps > 0) {
    key.out = element;
    key.set_reductions(reductions);
    return form != kernel_form::columns && plan_jumping_source(jumping, element, strides, device, fused);
  }
  fill_nest(nest, plan, strides);
  if (nest.ndim > max_operand_dims || (nest.ndim > 1 && plan.size >= std::int64_t{1} << 31)) return false;
  set_structure(plan, device, key);
  set_modes_along_rows(plan, nest, key);
  key.out = element;
  key.set_reductions(reductions);
  key.flat = nest.ndim <= 1;
  key.form = form == kernel_form::whole && !is_side_by_side(plan, key, element) ? kernel_form::inner : form;
  // What the kernels hold at once, in each of two variants: whole packs and single elements.
  if (form == kernel_form::columns) {
    const int pack = columns_per_thread(itemsize(element));
    // Four copies may be twice as long as elsewhere: in a loop of one copy the values of a tile go through
    // memory of the thread's own.
    key.dims = static_cast<std::uint8_t>(is_long(plan.steps, plan.n_steps, 2 * pack) ? 1 : 4);
    key.copies = copies_of(is_long(plan.steps, plan.n_steps, pack));
  } else {
    const int copies = reduce_lanes(itemsize(element)) * reduce_unroll(itemsize(element));
    key.copies = copies_of(is_long(plan.steps, plan.n_steps, copies));
  }
  return true;
}

bool plan_scan(const scan_plan& plan, const map_plan& elements, int device, fused_plan& fused) {
  if (elements.n_steps > max_kernel_steps || elements.n_stores > 0 || elements.has_more_numbers())
    return false;
  loop_nest& nest = fused.nest;
  nest.n_operands = 1 + elements.n_inputs;
  const auto strides_in = [&](int d, std::int64_t* strides) {
    strides[0] = plan.out_strides[d];
    for (int i = 0; i < elements.n_inputs; ++i) {
      const input& in = elements.inputs[i];
      strides[1 + i] = in.kind == input_kind::constant ? 0 : in.strides[d];
    }
  };
  std::int64_t strides[loop_nest::max_operands];
  for (int d = 0; d + 1 < plan.ndim; ++d) {
    strides_in(d, strides);
    nest.append(plan.shape[d], strides);
  }
  const std::int64_t n = plan.shape[plan.ndim - 1];
  if (nest.ndim >= max_operand_dims || nest.size > max_launch_size || n > max_launch_size) return false;
  // A dimension of its own, even where rows follow each other.
  strides_in(plan.ndim - 1, strides);
  for (int i = 0; i < nest.n_operands; ++i) nest.strides[i][nest.ndim] = strides[i];
  nest.shape[nest.ndim++] = n;
  nest.size *= n;
  kernel_key& key = fused.key;
  set_structure(elements, device, key);
  set_modes_along_rows(elements, nest, key);
  key.form = kernel_form::scan;
  key.out = plan.type;
  constexpr reduction merges[] = {reduction::sum, reduction::prod, reduction::nansum, reduction::nanprod};
  key.set_reductions({&merges[static_cast<int>(plan.op)], 1});
  return true;
}

void set_scan_kernel(const map_plan& elements, scan_kernel kernel, fused_plan& fused) {
  kernel_key& key = fused.key;
  key.dims = static_cast<std::uint8_t>(kernel);
  const std::size_t element = itemsize(key.out);
  const bool along_lines = kernel >= scan_kernel::columns;
  const int copies = along_lines ? scan_depth(element) : scan_lanes(element) * scan_unroll(element);
  key.copies = copies_of(is_long(elements.steps, elements.n_steps, copies));
}

scan_plan lines_of(const reduce_plan& plan) {
  scan_plan lines;
  lines.op = scan::sum;
  lines.type = plan.element;
  lines.ndim = plan.map.ndim;
  std::copy_n(plan.map.shape, plan.map.ndim, lines.shape);
  std::copy_n(plan.out.strides, plan.n_kept, lines.out_strides);
  lines.out_strides[plan.n_kept] = 0;
  lines.out = plan.out.data;
  return lines;
}

bool plan_scanned(const reduce_plan& plan, int scanned, int device, fused_plan& fused) {
  // The steps are written out for each of a thread's rows.
  constexpr int most_instructions = 64;
  if (instructions_of(plan.map.steps, plan.map.n_steps) > most_instructions ||
      !plan_scan(lines_of(plan), plan.map, device, fused))
    return false;
  kernel_key& key = fused.key;
  key.form = kernel_form::scanned;
  key.columns = static_cast<std::uint8_t>(scanned);
  key.set_reductions({&plan.op, 1});
  return true;
}

kernel_key key_of_stage(const row_stage& stage, int device) {
  const map_plan& map = stage.plan.map;
  kernel_key key;
  set_structure(map, device, key);
  const bool has_columns = map.ndim > 1;
  for (int i = 0; i < map.n_inputs; ++i)
    key.inputs[i].mode = mode_along_row(map.inputs[i], has_columns ? map.inputs[i].strides[1] : 0);
  key.out = stage.reduces ? stage.plan.element : map.out.type;
  key.form = stage.reduces ? kernel_form::inner : has_columns ? kernel_form::rows : kernel_form::strided;
  std::size_t widest = itemsize(key.out);
  for (int i = 0; i < map.n_inputs; ++i)
    if (key.inputs[i].mode == access::contiguous) widest = std::max(widest, itemsize(key.inputs[i].type));
  key.lanes = static_cast<std::uint8_t>(has_columns ? lanes_for(widest) : 1);
  int copies = key.lanes * chain_unroll;
  if (stage.reduces) {
    key.set_reductions({&stage.plan.op, 1});
    copies = reduce_lanes(itemsize(key.out)) * reduce_unroll(itemsize(key.out));
  }
  key.copies = copies_of(is_long(map.steps, map.n_steps, copies));
  return key;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
