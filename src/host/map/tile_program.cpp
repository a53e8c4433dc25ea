#include <bitset>
#include <cstring>

#include <host/map/cost.hpp>
#include <host/map/strided_tiles.hpp>
#include <host/map/tile_program.hpp>
#include <host/support/clones.hpp>
#include <host/support/scratch.hpp>
#include <support/checked_numbers.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

namespace {

constexpr std::uint16_t no_slot = 0xffff;
// What all slots together may take of the first-level cache.
constexpr std::int64_t cache_share = 32768;
constexpr std::int64_t smallest_row_tile = 128;
constexpr std::int64_t smallest_tile = 256, largest_tile = 4096, largest_direct_tile = 16384;

/// Whether all elements are one that lies in memory.
bool is_one_number(const core::map_plan& plan, const core::input& in) {
  if (in.kind != core::input_kind::array || plan.size <= 1) return false;
  for (int d = 0; d < plan.ndim; ++d)
    if (plan.shape[d] > 1 && in.strides[d] != 0) return false;
  return true;
}

constexpr std::int64_t round_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

tile_program::tile_program(const core::map_plan& plan)
    : plan_(plan), space_(plan.shape, plan.ndim), result_size_(itemsize(plan.value_type(plan.last_value()))) {
  bool direct = plan.n_inputs > 0, rows_in_place = false;
  for (int v = 0; v < plan.n_inputs; ++v) {
    const core::input& in = plan.inputs[v];
    sizes_[v] = static_cast<std::uint8_t>(itemsize(in.type));
    dense_[v] = in.kind == core::input_kind::array && space_.dense(in.strides, sizes_[v]);
    filled_[v] = in.kind == core::input_kind::constant || is_one_number(plan, in);
    direct = direct && dense_[v];
    if (in.kind == core::input_kind::array) cost_ += traffic_cost(sizes_[v]);
    rows_in_place = rows_in_place || (in.kind == core::input_kind::array && !dense_[v] &&
                                      space_.column_stride(in.strides) == sizes_[v]);
  }
  for (int s = 0; s < plan.n_steps; ++s) {
    const core::step& step = plan.steps[s];
    operation& o = operations_[s];
    o.function = find_loop(step, plan.value_type(step.args[0]));
    o.arity = static_cast<std::uint16_t>(arity(step));
    std::copy_n(step.args.begin(), o.arity, o.args);
    exact_ = exact_ && is_exact(step.op, step.loop);
    cost_ += step_cost(step.op, step.loop);
    sizes_[plan.n_inputs + s] = static_cast<std::uint8_t>(itemsize(output_dtype(step)));
  }
  for (int k = 0; k < plan.n_stores; ++k) cost_ += traffic_cost(sizes_[plan.stores[k].value]);
  streamed_ = exact_ && plan.size * static_cast<std::int64_t>(result_size_) >= streamed_bytes;
  choose_slots();
  std::int64_t largest = 1;
  for (int v = 0; v < plan.n_inputs + plan.n_steps; ++v) largest = std::max<std::int64_t>(largest, sizes_[v]);
  if (direct && plan.n_steps <= 1) tile_size_ = largest_direct_tile;
  else tile_size_ = cache_share / (largest * std::max(slot_count_, 1)) / padding * padding;
  tile_size_ = direct && plan.n_steps <= 1 ? tile_size_ : std::clamp(tile_size_, smallest_tile, largest_tile);
  if (plan.size < tile_size_) tile_size_ = round_up(plan.size, padding);
  // Rows that are long enough pay for a tile of their own: then shifted views are read in place, not
  // gathered.
  if (exact_ && rows_in_place && space_.columns >= smallest_row_tile)
    tile_size_ = std::min(tile_size_, round_up(std::min(space_.columns, tile_size_), padding));
  slot_bytes_ = tile_size_ * largest;
}

// Every input has a slot, for even one that is dense may have to be padded. A step may take over the slot of
// an operand that dies with it if the elements have the same size: the loops allow an output that is one of
// the inputs exactly.
void tile_program::choose_slots() {
  const int n_values = plan_.n_inputs + plan_.n_steps;
  int last_use[core::max_inputs + core::max_steps];
  for (int v = 0; v < n_values; ++v) last_use[v] = -1;
  for (int s = 0; s < plan_.n_steps; ++s)
    for (int a = 0; a < operations_[s].arity; ++a) last_use[operations_[s].args[a]] = s;

  std::bitset<core::max_inputs + core::max_steps> used;
  const auto take = [&] {
    std::size_t slot = 0;
    while (used[slot]) ++slot;
    used[slot] = true;
    slot_count_ = std::max(slot_count_, static_cast<int>(slot) + 1);
    return static_cast<std::uint16_t>(slot);
  };
  for (int v = 0; v < plan_.n_inputs; ++v) slots_[v] = take();
  // Numbers are filled in once for all tiles, so nothing may overwrite them.
  const auto reusable = [&](int v) { return v >= plan_.n_inputs || !filled_[v]; };
  for (int s = 0; s < plan_.n_steps; ++s) {
    const int value = plan_.n_inputs + s;
    slots_[value] = no_slot;
    const operation& o = operations_[s];
    for (int a = 0; a < o.arity && slots_[value] == no_slot; ++a) {
      const int v = o.args[a];
      if (last_use[v] == s && reusable(v) && sizes_[v] == sizes_[value]) slots_[value] = slots_[v];
    }
    if (slots_[value] == no_slot) slots_[value] = take();
    for (int a = 0; a < o.arity; ++a) {
      const int v = o.args[a];
      if (last_use[v] == s && reusable(v) && slots_[v] != slots_[value]) used[slots_[v]] = false;
    }
  }
}

char* tile_program::prepare() const {
  struct purpose;
  char* const scratch = thread_scratch<purpose>(static_cast<std::size_t>(slot_count_ * slot_bytes_));
  for (int v = 0; v < plan_.n_inputs; ++v) {
    if (!filled_[v]) continue;
    const core::input& in = plan_.inputs[v];
    fill(slot(scratch, v), in.kind == core::input_kind::constant ? in.value.bytes : in.data, tile_size_,
         sizes_[v]);
  }
  return scratch;
}

namespace {

/// first, first + step, ... modulo 2^64.
GPARRAY_CLONES void count_up(std::int64_t* to, std::int64_t n, std::uint64_t first, std::uint64_t step) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i)
    to[i] = static_cast<std::int64_t>(first + static_cast<std::uint64_t>(i) * step);
}

}  // namespace

const void* tile_program::load(int v, const tile& t, char* scratch, std::int64_t padded) const {
  const core::input& in = plan_.inputs[v];
  char* const buffer = slot(scratch, v);
  if (filled_[v]) return buffer;
  const std::int64_t size = t.size();
  const std::int64_t column = space_.column_stride(in.strides), row = space_.row_stride(in.strides);
  if (in.kind == core::input_kind::iota) {
    auto* to = reinterpret_cast<std::int64_t*>(buffer);
    space_.for_runs(t.row, t.rows, in.strides, [&](std::int64_t offset, std::int64_t rows, std::int64_t) {
      // Modulo 2^64: from one integer to another is further than an integer can say.
      using core::wrapping_sum, core::wrapping_product;
      std::int64_t first = wrapping_sum(in.first, wrapping_sum(offset, wrapping_product(t.column, column)));
      for (std::int64_t r = 0; r < rows; ++r, first = wrapping_sum(first, row)) {
        count_up(to, t.columns, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(column));
        to += t.columns;
      }
    });
  } else {
    const auto itemsize = static_cast<std::int64_t>(sizes_[v]);
    const char* const base = static_cast<const char*>(in.data) + t.column * column;
    const bool whole = padded == size;
    if (dense_[v] && whole && (t.rows == 1 || t.columns == space_.columns)) {
      const char* const here = base + t.row * space_.columns * itemsize;
      if (aligned(here, sizes_[v])) return here;
    }
    char* to = buffer;
    const void* in_place = nullptr;
    space_.for_runs(t.row, t.rows, in.strides, [&](std::int64_t offset, std::int64_t rows, std::int64_t) {
      const bool contiguous = t.rows == 1 && (column == itemsize || t.columns == 1);
      if (whole && contiguous && aligned(base + offset, sizes_[v])) {
        in_place = base + offset;
      } else {
        gather(to, base + offset, {rows, t.columns, row, column}, sizes_[v]);
        to += rows * t.columns * itemsize;
      }
    });
    if (in_place) return in_place;
  }
  if (padded > size) {
    // Copies of the last element: no worse for the functions than the elements themselves.
    char* const end = buffer + size * sizes_[v];
    fill(end, end - sizes_[v], padded - size, sizes_[v]);
  }
  return buffer;
}

char* tile_program::stored(int value, const tile& t) const {
  for (int k = 0; k < plan_.n_stores; ++k)
    if (plan_.stores[k].value == value)
      return static_cast<char*>(plan_.stores[k].data) + (t.row * space_.columns + t.column) * sizes_[value];
  return nullptr;
}

const void* tile_program::run(const tile& t, char* scratch, void* target) const {
  const std::int64_t size = t.size();
  const std::int64_t padded = exact_ ? size : round_up(size, padding);
  const void* values[core::max_inputs + core::max_steps];
  for (int v = 0; v < plan_.n_inputs; ++v) values[v] = load(v, t, scratch, padded);
  for (int s = 0; s < plan_.n_steps; ++s) {
    const operation& o = operations_[s];
    const int value = plan_.n_inputs + s;
    char* const beside = plan_.n_stores > 0 ? stored(value, t) : nullptr;
    void* const wanted = s == plan_.n_steps - 1 ? target : streamed_ ? nullptr : beside;
    const bool in_place = wanted && padded == size && aligned(wanted, sizes_[value]);
    void* const out = in_place ? wanted : slot(scratch, value);
    const void* args[max_arity] = {};
    for (int a = 0; a < o.arity; ++a) args[a] = values[o.args[a]];
    o.function(args, out, padded);
    values[value] = out;
    if (!beside || out == beside) continue;
    const auto bytes = static_cast<std::size_t>(size * sizes_[value]);
    if (streamed_) stream_copy(beside, out, bytes);
    else std::memcpy(beside, out, bytes);
  }
  const void* const result = values[plan_.last_value()];
  if (!target || result == target) return result;
  std::memcpy(target, result, static_cast<std::size_t>(size) * result_size_);
  return target;
}

}  // namespace host
GPARRAY_END_NAMESPACE
