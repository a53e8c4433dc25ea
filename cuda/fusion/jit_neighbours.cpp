// Reductions along rows of an expression: which neighbouring results a thread takes together, and how many.
#include <algorithm>
#include <optional>

#include <cuda/fusion/jit_params.hpp>
#include <cuda/fusion/jit_plan.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <cuda/fusion/reduce_source.hpp>
#include <cuda/runtime/direction.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// Copies of instructions that a loop of a kernel may have.
constexpr int max_copies = 1536;
/// Of the states of a thread.
constexpr std::int64_t max_state_bytes = 64;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

void append(loop_nest& nest, const reduce_plan& plan, int dimension, std::int64_t out_stride) {
  std::int64_t strides[loop_nest::max_operands] = {out_stride};
  for (int i = 0; i < plan.map.n_inputs; ++i) {
    const input& in = plan.map.inputs[i];
    strides[1 + i] = in.kind == input_kind::constant ? 0 : in.strides[dimension];
  }
  nest.append(plan.map.shape[dimension], strides);
}

/// A dimension of one element.
void append_one(loop_nest& nest) {
  nest.shape[nest.ndim] = 1;
  for (int i = 0; i < nest.n_operands; ++i) nest.strides[i][nest.ndim] = 0;
  ++nest.ndim;
}

/// Kept dimensions, at least one, and then one for the elements of a row.
bool fill_nest(loop_nest& nest, const reduce_plan& plan) {
  const dimension_order order = order_of(plan);
  nest.n_operands = 1 + plan.map.n_inputs;
  for (int k = 0; k < plan.n_kept; ++k) append(nest, plan, order.at[k], plan.out.strides[order.at[k]]);
  if (nest.ndim == 0) append_one(nest);
  const int n_kept = nest.ndim;
  if (n_kept > max_operand_dims) return false;
  // Results are apart, so that no kept dimension continues where the result stays the same.
  for (int k = plan.n_kept; k < plan.map.ndim; ++k) append(nest, plan, order.at[k], 0);
  if (nest.ndim == n_kept) append_one(nest);
  return nest.ndim == n_kept + 1 && nest.inner_size() < std::int64_t{1} << 31;
}

bool is_shared(const map_plan& map, const loop_nest& nest, int i, int dimension) {
  return map.inputs[i].kind == input_kind::constant || nest.strides[1 + i][dimension] == 0;
}

/// Whether packs of all rows are aligned; first_dimension 1: of rows that are interleaved along the first
/// one.
bool is_aligned(const map_plan& map, const loop_nest& nest, int i, int lanes, int first_dimension) {
  const input& in = map.inputs[i];
  return nest.inner_size() >= lanes &&
         has_aligned_packs(in.data, in.type, nest, 1 + i, lanes, first_dimension);
}

row_sharing sharing_of(const map_plan& map, const loop_nest& nest, int i, int lanes, int rows) {
  if (is_shared(map, nest, i, 0)) return row_sharing::same;
  const input& in = map.inputs[i];
  const auto size = static_cast<std::int64_t>(itemsize(in.type));
  return in.kind == input_kind::array && rows > 1 && nest.shape[0] == rows &&
                 nest.strides[1 + i][0] == size && nest.inner_stride(1 + i) == rows * size &&
                 is_aligned(map, nest, i, lanes, 1)
             ? row_sharing::interleaved
             : row_sharing::none;
}

/// Which operand that is interleaved has the one row of operand number i among its own, and which one that
/// is: vectors that meet each other are read as a whole, and by their components.
std::optional<row_component> component_of(const map_plan& map, const loop_nest& nest, const kernel_key& key,
                                          int i) {
  const input& in = map.inputs[i];
  if (in.kind != input_kind::array || key.sharing[i] != row_sharing::same) return std::nullopt;
  for (int j = 0; j < map.n_inputs; ++j) {
    const input& of = map.inputs[j];
    if (key.sharing[j] != row_sharing::interleaved || of.type != in.type) continue;
    const std::uintptr_t behind =
        reinterpret_cast<std::uintptr_t>(in.data) - reinterpret_cast<std::uintptr_t>(of.data);
    if (behind % itemsize(in.type) == 0 && behind / itemsize(in.type) < key.lanes &&
        std::equal(nest.strides[1 + i] + 1, nest.strides[1 + i] + nest.ndim, nest.strides[1 + j] + 1))
      return row_component{j, static_cast<int>(behind / itemsize(in.type))};
  }
  return std::nullopt;
}

/// Of an operand that is an array, without those that broadcasting repeats.
std::int64_t elements_of(const loop_nest& nest, int operand) {
  std::int64_t elements = 1;
  for (int d = 0; d < nest.ndim; ++d)
    if (nest.strides[operand][d] != 0) elements *= nest.shape[d];
  return elements;
}

std::int64_t bytes_read(const map_plan& map, const loop_nest& nest) {
  std::int64_t bytes = 0;
  for (int i = 0; i < map.n_inputs; ++i)
    if (map.inputs[i].kind == input_kind::array)
      bytes += elements_of(nest, 1 + i) * static_cast<std::int64_t>(itemsize(map.inputs[i].type));
  return bytes;
}

/// What neighbours have in common, in instructions.
struct common_work {
  int loads = 0, shared = 0, each = 0;

  common_work(const map_plan& map, const loop_nest& nest, int dimension) {
    bool common[max_inputs + max_steps];
    for (int i = 0; i < map.n_inputs; ++i) {
      common[i] = is_shared(map, nest, i, dimension);
      const std::int64_t stride = nest.inner_stride(1 + i);
      if (!common[i] || map.inputs[i].kind != input_kind::array || stride == 0) continue;
      loads += instructions_of_load(nest, 1 + i,
                                    stride == static_cast<std::int64_t>(itemsize(map.inputs[i].type)));
    }
    for (int s = 0; s < map.n_steps; ++s) {
      bool all = true;
      for (int a = 0; a < arity(map.steps[s]); ++a) all = all && common[map.steps[s].args[a]];
      common[map.n_inputs + s] = all;
      (all ? shared : each) += instructions_of(&map.steps[s], 1);
    }
  }
  /// An element that is not in a cache takes as long as so many.
  static int instructions_of_load(const loop_nest& nest, int operand, bool is_contiguous) {
    constexpr std::int64_t most_in_cache = std::int64_t{1} << 21;
    return elements_of(nest, operand) > most_in_cache ? 32 : is_contiguous ? 1 : 4;
  }
  int gain() const { return loads + shared; }
  int copies(int rows) const { return shared + rows * each; }
};

/// The results' dimension along which neighbours have most in common comes first; of several the slowest:
/// then warps stand along the others.
void put_neighbours_first(const map_plan& map, loop_nest& nest) {
  int best = 0, most = 0;
  for (int d = 0; d + 1 < nest.ndim; ++d) {
    const int gain = common_work(map, nest, d).gain();
    if (gain > most) best = d, most = gain;
  }
  std::rotate(nest.shape, nest.shape + best, nest.shape + best + 1);
  for (int i = 0; i < nest.n_operands; ++i)
    std::rotate(nest.strides[i], nest.strides[i] + best, nest.strides[i] + best + 1);
}

/// Whether an operand has elements of its own for each element of each row: those come from memory, which
/// then counts more than all else.
bool has_full_operand(const map_plan& map, const loop_nest& nest) {
  for (int i = 0; i < map.n_inputs; ++i)
    if (map.inputs[i].kind == input_kind::array &&
        std::all_of(nest.strides[1 + i], nest.strides[1 + i] + nest.ndim,
                    [](std::int64_t s) { return s != 0; }))
      return true;
  return false;
}

/// Whether the reduction adds up whole tiles of numbers before it converts them.
bool adds_tiles(const row_reduction& work) {
  const reduction op = work.plan.op;
  const std::size_t largest = is_floating(work.plan.element) ? 4 : 2;
  return (op == reduction::sum || op == reduction::mean) && !is_complex(work.plan.element) &&
         itemsize(work.plan.element) <= largest;
}

/// Bytes of states that a thread has for each row: reductions that take in whole tiles have one.
std::int64_t bytes_of_row(const row_reduction& work) {
  const bool one = adds_tiles(work) || work.state_bytes >= 16;
  return static_cast<std::int64_t>(work.state_bytes) * (one ? 1 : reduce_lanes(itemsize(work.plan.element)));
}

bool has_one_tile(const row_reduction& work, const loop_nest& nest, std::int64_t tile) {
  return work.log_group <= 5 && nest.inner_size() == tile << work.log_group;
}

int threads_of_row(const row_reduction& work, bool spreads) {
  return (spreads ? reduce_unroll(itemsize(work.plan.element)) : 1) << work.log_group;
}

/// Whether the packs of a row's tile have a thread each (reduce_tiles.cuh): threads load neighbouring packs
/// then, which counts where elements come from memory.
bool spreads_tile(const row_reduction& work, const loop_nest& nest, std::int64_t tile) {
  return adds_tiles(work) && is_floating(work.plan.element) && work.reductions.size() == 1 &&
         has_one_tile(work, nest, tile) && threads_of_row(work, true) <= 32 &&
         has_full_operand(work.plan.map, nest);
}

int rows_at_once(const row_reduction& work, const loop_nest& nest, const common_work& common, int lanes,
                 bool spreads) {
  // Of spread tiles each thread has one pack of each, and more of them are on their way at once.
  if (common.gain() == 0 && !spreads) return 1;
  const std::int64_t n = nest.shape[0],
                     others = nest.size / nest.inner_size() / n * threads_of_row(work, spreads);
  const std::int64_t limit = std::min<std::int64_t>(has_full_operand(work.plan.map, nest) ? 4 : 8,
                                                    max_state_bytes / bytes_of_row(work));
  for (const int rows : {8, 4, 3, 2}) {
    const std::int64_t tiles = ceil_div(n, rows);
    const bool few_in_vain = tiles * rows * 4 <= n * 5;
    if (rows <= limit && few_in_vain && tiles * others >= work.wanted_threads &&
        lanes * common.copies(rows) <= max_copies)
      return rows;
  }
  return 1;
}

}  // namespace

bool plan_neighbours(const row_reduction& work, int device, fused_plan& fused) {
  const map_plan& map = work.plan.map;
  kernel_key& key = fused.key;
  loop_nest& nest = fused.nest;
  if (!fill_nest(nest, work.plan)) {
    nest = loop_nest();
    return false;
  }
  put_neighbours_first(map, nest);
  set_structure(map, device, key);
  set_modes_along_rows(map, nest, key);
  key.form = kernel_form::neighbours;
  key.out = work.plan.element;
  key.set_reductions(work.reductions);
  const common_work common(map, nest, 0);
  const int lanes = reduce_lanes(itemsize(key.out)), unroll = reduce_unroll(itemsize(key.out));
  const std::int64_t n = nest.inner_size(), tile = lanes * unroll;
  key.spreads = spreads_tile(work, nest, tile);
  key.lanes = static_cast<std::uint8_t>(rows_at_once(work, nest, common, lanes, key.spreads));
  for (int i = 0; i < map.n_inputs; ++i) {
    key.inputs[i].aligned = key.inputs[i].mode == access::contiguous && is_aligned(map, nest, i, lanes, 0);
    key.sharing[i] = sharing_of(map, nest, i, lanes, key.lanes);
  }
  for (int i = 0; i < map.n_inputs; ++i)
    if (const auto component = component_of(map, nest, key, i)) {
      key.sharing[i] = row_sharing::component;
      key.inputs[i].row.leader = static_cast<std::uint8_t>(component->operand);
      key.inputs[i].row.places[0] = static_cast<std::uint8_t>(component->row);
    }
  const int copies = lanes * common.copies(key.lanes);
  const bool has_tiles = n >= tile;
  key.dims = static_cast<std::uint8_t>(!has_tiles ? 0 : copies * unroll <= max_copies ? unroll : 1);
  key.copies = copies_of(copies > max_copies);
  key.columns = static_cast<std::uint8_t>(n <= lanes ? n : has_one_tile(work, nest, tile) ? tile : 0);
  return true;
}

neighbour_launch launch_of(const row_reduction& work, const fused_plan& fused, std::int64_t result_unit) {
  const loop_nest& nest = fused.nest;
  const std::size_t item = itemsize(work.plan.element);
  neighbour_params p;
  p.out = static_cast<char*>(work.plan.out.data);
  p.n_reduced = work.plan.n_reduced;
  p.ddof = work.plan.ddof;
  p.n_packs = static_cast<std::uint32_t>(ceil_div(p.n_reduced, reduce_lanes(item)));
  p.packs_per_chunk = 16u * static_cast<std::uint32_t>(reduce_unroll(item)) << work.log_group;
  p.log_group = static_cast<std::uint32_t>(work.log_group);
  p.backwards = fused.key.spreads && goes_backwards(bytes_read(work.plan.map, nest));
  p.n_beside = static_cast<std::uint32_t>(nest.shape[0]);
  p.ndim = static_cast<std::uint32_t>(nest.ndim - 1);
  std::int64_t n_tiles = ceil_div(nest.shape[0], fused.key.lanes);
  for (int d = 0; d + 1 < nest.ndim; ++d) {
    p.shape[d] = fast_divisor(static_cast<std::uint32_t>(nest.shape[d]));
    p.out_strides[d] = nest.strides[0][d] / result_unit;
    if (d > 0) n_tiles *= nest.shape[d];
  }
  p.n_tiles = static_cast<std::uint32_t>(n_tiles);
  return {p, ceil_div(n_tiles, reduce_threads / threads_of_row(work, fused.key.spreads))};
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
