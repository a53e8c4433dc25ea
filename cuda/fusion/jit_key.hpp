// What decides the text of a generated kernel: the structure of a plan, never its shapes or constants.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <cuda/device/short_row_params.hpp>
#include <cuda/fusion/jit_params.hpp>
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

enum class kernel_form : std::uint8_t {
  rows,         ///< a map, 16 bytes a thread along rows of the output (vector_map)
  strided,      ///< a map, one element a thread (strided_map)
  inner,        ///< a reduction whose threads walk along the reduced elements (reduce_inner)
  dense,        ///< the same of elements in memory that are side by side and aligned
  whole,        ///< the same of everything to one element, of packs side by side and aligned (reduce_whole)
  columns,      ///< a reduction whose threads stand side by side along kept elements (reduce_columns)
  neighbours,   ///< a reduction of rows, several neighbouring ones in each thread (reduce_neighbours)
  scan,         ///< a scan, by one of the kernels of scan_table.hpp
  scanned,      ///< a reduction of what is made of a scan, a thread for each line of both (reduce_scanned)
  interleaved,  ///< a map along rows, neighbouring threads at neighbouring elements (interleaved_map)
  jumping,      ///< a map, one element a thread, of operands that jump (jumping_map)
  short_rows,   ///< a map along rows of a few elements, whole rows in each thread (short_rows_map)
  stencil,      ///< a map of operands that are each other's next rows, some rows in a thread (stencil_map)
  broadcast     ///< a map along rows that have operands in common, some rows in a thread (broadcast_map)
};
inline constexpr int n_kernel_forms = 14;

constexpr bool is_map(kernel_form form) {
  return form <= kernel_form::strided || form >= kernel_form::interleaved;
}
constexpr bool may_jump(kernel_form form) {
  return form == kernel_form::interleaved || form == kernel_form::jumping;
}

enum class expression_copies : std::uint8_t {
  each,         ///< one for each element of a thread
  called,       ///< the expression is long: one, which is called
  side_by_side  ///< one that does each step for all elements of a thread before the next; of the form rows
};
constexpr expression_copies copies_of(bool is_long) {
  return is_long ? expression_copies::called : expression_copies::each;
}

struct operand_class {
  access mode;
  dtype type;
  bool aligned = false;    ///< of the forms neighbours and interleaved: packs side by side are
  std::uint8_t jumps = 0;  ///< bit d: along dimension d, counted from the innermost one
  /// Of the form short_rows; of an operand that is a component, which operand's and, as its place, which row;
  /// of the form stencil, as leader, which operand has its next rows, counted from 1.
  short_row_operand row = {};
};

/// The steps that are a loop, written once: as in looped_plan (plan/repetition.hpp).
struct loop_of_steps {
  std::uint16_t first, carried;
  std::uint16_t period;  ///< 0: there is no loop
  std::uint16_t count;
};

/// Plain bytes without gaps: compared and hashed as such.
struct kernel_key {
  kernel_form form;
  std::uint8_t device;
  dtype out;  ///< of the stored element, or of the reduced one
  /// Elements of a thread; of the forms neighbours and stencil, its rows.
  std::uint8_t lanes;
  /// Room for dimensions in the parameters of the form strided, and of jumping their number; of neighbours
  /// and columns, the packs of a tile that there are copies of the expression for; 0: there are no tiles. Of
  /// the form scan, which kernel. Of interleaved, how far a thread's elements are apart. Of short_rows, how
  /// many a row has. Of broadcast, the dimensions of which there are rows.
  std::uint8_t dims;
  bool flat;  ///< of a reduction: the operands have one dimension, or none
  expression_copies copies;
  std::uint8_t n_inputs, n_steps;    ///< none: of a reduction of elements in memory
  std::uint8_t n_reductions;         ///< of the forms that reduce; of a scan one, whose merge it is
  reduction reductions[max_joined];  ///< several are joined
  std::uint8_t n_stores;
  std::uint8_t stores[max_stores];  ///< values that are stored beside the result
  /// Of a row of the form neighbours, if a pack holds them, or of each thread's part of it, if that is a
  /// tile; of the form scanned, which step is the scan; else 0.
  std::uint8_t columns;
  bool spreads;  ///< of the form neighbours: each pack of a row's tile has a thread
  std::uint8_t no_gap[3];
  loop_of_steps loop;
  row_sharing sharing[max_operands];  ///< of the forms neighbours and broadcast
  operand_class inputs[max_inputs];
  kernel_step steps[max_kernel_steps];

  kernel_key() { std::memset(static_cast<void*>(this), 0, sizeof *this); }

  /// At most max_joined.
  void set_reductions(std::span<const reduction> list) {
    n_reductions = static_cast<std::uint8_t>(list.size());
    std::copy(list.begin(), list.end(), reductions);
  }
  bool in_memory() const { return n_inputs == 0; }
  /// Whether operands of a reduction jump.
  bool reduces_jumping() const {
    return n_reductions > 0 &&
           std::any_of(inputs, inputs + n_inputs, [](const operand_class& in) { return in.jumps != 0; });
  }

  bool operator==(const kernel_key& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }
  /// Room for operands in the parameters: few sizes, so that launch code is compiled for each.
  int slots() const {
    const int n = n_inputs + n_stores;
    return n <= 4 ? 4 : n <= 8 ? 8 : max_operands;
  }
  /// Inputs that have slots; those behind them are constants, as in a map_plan.
  int n_placed() const { return n_inputs + n_stores <= max_operands ? n_inputs : max_operands - n_stores; }
  bool has_more_numbers() const { return n_placed() < n_inputs; }
};

static_assert(std::has_unique_object_representations_v<kernel_key>);

/// Of reductions of elements in memory.
inline kernel_key key_of_stored(std::span<const reduction> reductions, dtype element, kernel_form form,
                                int device) {
  kernel_key key;
  key.form = form;
  key.device = static_cast<std::uint8_t>(device);
  key.out = element;
  key.set_reductions(reductions);
  return key;
}

struct kernel_key_hash {
  std::size_t operator()(const kernel_key& key) const noexcept {
    std::uint64_t hash = 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(&key);
    const auto add = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + i, std::min<std::size_t>(8, end - i));
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
      }
    };
    // What is not used is zero in every key.
    add(0, offsetof(kernel_key, inputs) + key.n_inputs * sizeof(operand_class));
    add(offsetof(kernel_key, steps), offsetof(kernel_key, steps) + key.n_steps * sizeof(kernel_step));
    return hash;
  }
};

/// A stage of a chain over rows: one that reduces has the form inner, one that maps has rows, and strided if
/// it has one element for each row.
struct chain_stage_key {
  kernel_key kernel;
  /// Where the operands are: in a cache; -1: in memory; -2 - k: the result that stage k has for each row.
  std::array<std::int8_t, max_operands> cached;
  std::int8_t kept;  // the cache of the value; -1: none
  bool stores;       // into memory
  bool is_read;      // there, by later stages

  bool operator==(const chain_stage_key&) const = default;
};

struct row_cache_key {
  dtype type;
  std::int8_t operand;  // of the kernel, that fills it at first; -1: none
  std::int8_t slot;     // of the block's shared memory, one after the other's if that is not needed any more

  bool operator==(const row_cache_key&) const = default;
};

struct chain_key {
  std::uint8_t device = 0;
  std::uint8_t packs = 0;  // of a row that each thread has of what is cached: room for so many
  std::uint8_t log_threads = 0, pack_bytes = 0;
  std::uint8_t slots = 0;  // of shared memory, for such packs of each thread; 0: the caches are in registers
  // The threads of a row, as a power of two, where each has all its packs, aligned in all that stages read
  // and write; else -1.
  std::int8_t log_row = -1;
  std::vector<row_cache_key> caches;
  std::vector<chain_stage_key> stages;

  bool operator==(const chain_key&) const = default;
};

/// The shared memory that a block has for its caches.
inline int shared_bytes_of(const chain_key& key) {
  return (key.slots * key.packs * key.pack_bytes) << key.log_threads;
}

/// The packs of a thread that a stage with caches has copies of its steps for.
inline int chain_copies(const chain_key& key) { return key.slots > 0 ? 4 : key.packs; }

struct chain_key_hash {
  std::size_t operator()(const chain_key& key) const noexcept {
    std::size_t hash = key.device +
                       (key.packs + (key.log_threads + key.slots * 16) * std::size_t{256}) * 256 +
                       static_cast<std::size_t>(key.log_row + 1) * 4096;
    for (const chain_stage_key& stage : key.stages)
      hash = hash * 0x9e3779b97f4a7c15u + kernel_key_hash()(stage.kernel);
    return hash;
  }
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
