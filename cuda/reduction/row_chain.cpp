#include <algorithm>
#include <optional>

#include <cuda/device/row_chain_params.hpp>
#include <cuda/fusion/jit_kernels.hpp>
#include <cuda/fusion/jit_parameters.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <cuda/map/executor.hpp>
#include <cuda/reduction/reduce.hpp>
#include <cuda/reduction/row_chain.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/map_launch.hpp>
#include <cuda/runtime/scratch.hpp>
#include <gparray/runtime/jit.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

namespace {

// Of all that a row reads and writes: a few rows at a time fit the first-level cache, more the second.
constexpr std::int64_t longest_row = std::int64_t{1} << 18;
// Of one value: at most ten packs for each of a block's threads.
constexpr std::int64_t longest_cached_row = std::int64_t{10} * 16 * reduce_threads;

/// The chain with memory for its scratch values.
std::vector<row_stage> with_memory(const row_chain& chain, std::vector<scratch>& memory, memory_pool& pool,
                                   queue q) {
  for (int k = 0; k < chain.n_scratch; ++k) {
    const auto elements = static_cast<std::size_t>(chain.rows * chain.columns);
    memory.emplace_back(pool, elements * chain.scratch_items[k], q.stream);
  }
  std::vector<row_stage> stages = chain.stages;
  for (row_stage& stage : stages) {
    map_plan& map = stage.plan.map;
    for (int i = 0; i < map.n_inputs; ++i)
      if (const int k = chain.scratch_of(map.inputs[i].data); k >= 0)
        map.inputs[i].data = memory[static_cast<std::size_t>(k)].data();
    if (stage.reduces) continue;
    if (const int k = chain.scratch_of(map.out.data); k >= 0)
      map.out.data = memory[static_cast<std::size_t>(k)].data();
  }
  return stages;
}

/// The threads, as a power of two, that each reduction gives a row if it is alone; none if they differ.
std::optional<int> threads_of_row(const std::vector<row_stage>& stages) {
  std::optional<int> result;
  for (const row_stage& stage : stages) {
    if (!stage.reduces) continue;
    const std::optional<int> log = log_threads_of_row(stage.plan);
    if (!log || (result && *result != *log)) return std::nullopt;
    result = log;
  }
  return result;
}

// Packs of a row that a thread may have of each of its caches; and caches.
constexpr int cache_packs[] = {4, 8, 12};
constexpr std::size_t most_caches = 4;
// Of a block, which has 48 KB without asking for more.
constexpr int most_shared_bytes = 40 << 10;
// Threads of a block, which are whole rows: the fewer rows of a block, the less they wait for each other.
constexpr int least_log_threads = 7;
constexpr int most_unrolled_instructions = 4096;

std::int64_t row_stride(const input& in) { return in.kind == input_kind::constant ? 0 : in.strides[0]; }

/// Packs of the largest cache; none if a row is longer than that, or its values differ in size.
std::uint8_t packs_of_cache(const row_chain& chain, const chain_key& key, int log_group) {
  const auto item = static_cast<std::size_t>(chain.item_bytes);
  if (item == 0) return 0;
  const int lanes = reduce_lanes(item);
  for (const chain_stage_key& stage : key.stages) {
    const kernel_key& kernel = stage.kernel;
    if (kernel.form == kernel_form::strided) continue;
    if (itemsize(kernel.out) != item || (kernel.form == kernel_form::rows && kernel.lanes != lanes)) return 0;
  }
  const std::int64_t packs = ceil_div(ceil_div(chain.columns, lanes), std::int64_t{1} << log_group);
  for (const int size : cache_packs)
    if (packs <= size) return static_cast<std::uint8_t>(size);
  return 0;
}

/// A value that stages read from memory, or would: where it is, and who makes it.
struct row_value {
  const void* data;
  std::int64_t row_stride;
  dtype type;
  int stage;    // that makes it, or -1
  int operand;  // that reads it first
  int readers;
  int last;  // stage that reads it
};

/// Shared memory for caches, if there is enough: a value that a stage makes takes the place of one of its
/// type that it, or an earlier one, is the last to read, pack by pack.
void choose_slots(const std::vector<row_value>& values, chain_key& key) {
  std::vector<const row_value*> latest;     // of each slot
  for (const bool is_made : {false, true})  // others are there from the beginning
    for (std::size_t c = 0; c < values.size(); ++c) {
      const row_value& v = values[c];
      if ((v.stage >= 0) != is_made) continue;
      const auto free = std::ranges::find_if(
          latest, [&](const row_value* before) { return before->type == v.type && before->last <= v.stage; });
      key.caches[c].slot = static_cast<std::int8_t>(free - latest.begin());
      if (free == latest.end()) latest.push_back(&v);
      else *free = &v;
    }
  key.slots = static_cast<std::uint8_t>(latest.size());
  if (shared_bytes_of(key) > most_shared_bytes) key.slots = 0;
}

/// Gives caches to scratch values, and to arrays that several stages read.
bool choose_caches(const row_chain& chain, chain_key& key) {
  std::vector<row_value> values;
  const auto find = [&](const void* data, std::int64_t stride) {
    return std::ranges::find_if(values,
                                [&](const row_value& v) { return v.data == data && v.row_stride == stride; });
  };
  const auto for_each_operand = [&](auto visit) {
    int operand = 0;
    for (std::size_t k = 0; k < chain.stages.size(); ++k) {
      const map_plan& map = chain.stages[k].plan.map;
      for (int i = 0; i < map.n_inputs; ++i, ++operand)
        if (key.stages[k].kernel.inputs[i].mode == access::contiguous && map.inputs[i].strides[0] != 0)
          visit(k, i, operand, map.inputs[i]);
    }
  };
  for (std::size_t k = 0; k < chain.stages.size(); ++k) {
    const row_stage& stage = chain.stages[k];
    if (!stage.reduces && stage.plan.map.ndim > 1)
      values.push_back({stage.plan.map.out.data, stage.plan.map.out.strides[0], stage.plan.map.out.type,
                        static_cast<int>(k), -1, 0, -1});
  }
  for_each_operand([&](std::size_t k, int, int operand, const input& in) {
    const auto stage = static_cast<int>(k);
    if (const auto known = find(in.data, in.strides[0]); known != values.end())
      ++known->readers, known->last = stage;
    else values.push_back({in.data, in.strides[0], in.type, -1, operand, 1, stage});
  });
  std::erase_if(values, [](const row_value& v) { return v.readers < (v.stage < 0 ? 2 : 1); });
  for (const row_value& v : values) {
    if (v.stage >= 0)
      key.stages[static_cast<std::size_t>(v.stage)].kept = static_cast<std::int8_t>(key.caches.size());
    key.caches.push_back({v.type, static_cast<std::int8_t>(v.operand), 0});
  }
  for_each_operand([&](std::size_t k, int i, int, const input& in) {
    if (const auto known = find(in.data, in.strides[0]); known != values.end())
      key.stages[k].cached[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(known - values.begin());
  });
  if (values.empty() || values.size() > most_caches) return false;
  choose_slots(values, key);
  return true;
}

/// Operands that earlier stages have made for each row, of which each thread has the one of its row; and
/// which stages are read in memory.
void find_results(const row_chain& chain, chain_key& key) {
  const auto output_of = [](const row_stage& stage) {
    return stage.reduces ? &stage.plan.out : &stage.plan.map.out;
  };
  for (std::size_t k = 0; k < chain.stages.size(); ++k) {
    const map_plan& map = chain.stages[k].plan.map;
    for (int i = 0; i < map.n_inputs; ++i) {
      const input& in = map.inputs[i];
      std::int8_t& place = key.stages[k].cached[static_cast<std::size_t>(i)];
      if (in.kind != input_kind::array || place >= 0) continue;
      for (std::size_t made = 0; made < k; ++made) {
        const row_stage& stage = chain.stages[made];
        const auto& out = *output_of(stage);
        const bool of_rows = stage.reduces || stage.plan.map.ndim == 1;
        const std::int64_t bytes =
            chain.rows * (of_rows ? 1 : chain.columns) * static_cast<std::int64_t>(itemsize(out.type));
        const auto offset =
            reinterpret_cast<std::uintptr_t>(in.data) - reinterpret_cast<std::uintptr_t>(out.data);
        if (offset >= static_cast<std::uintptr_t>(bytes)) continue;
        if (of_rows && offset == 0 && in.type == out.type &&
            key.stages[k].kernel.inputs[i].mode == access::row_value &&
            in.strides[0] == static_cast<std::int64_t>(itemsize(out.type)))
          place = static_cast<std::int8_t>(-2 - static_cast<int>(made));
        else key.stages[made].is_read = true;
      }
    }
  }
}

/// Whether a row is as many packs as its threads have room for, and all of them are aligned in all operands
/// that lie along it and wherever stages leave theirs.
bool has_whole_rows(const row_chain& chain, const chain_key& key, int log_group) {
  const int lanes = reduce_lanes(static_cast<std::size_t>(chain.item_bytes));
  if (chain.columns != (std::int64_t{key.packs} * lanes) << log_group) return false;
  const auto are_aligned = [lanes](const void* data, std::int64_t stride, dtype type) {
    const std::size_t pack = itemsize(type) * static_cast<std::size_t>(lanes);
    return (reinterpret_cast<std::uintptr_t>(data) | static_cast<std::uintptr_t>(stride)) % pack == 0;
  };
  for (std::size_t k = 0; k < chain.stages.size(); ++k) {
    const row_stage& stage = chain.stages[k];
    const map_plan& map = stage.plan.map;
    for (int i = 0; i < map.n_inputs; ++i)
      if (key.stages[k].kernel.inputs[i].mode == access::contiguous &&
          chain.scratch_of(map.inputs[i].data) < 0 &&
          !are_aligned(map.inputs[i].data, map.inputs[i].strides[0], map.inputs[i].type))
        return false;
    if (!stage.reduces && map.ndim > 1 && chain.scratch_of(map.out.data) < 0 &&
        !are_aligned(map.out.data, 0, map.out.type))
      return false;
  }
  return true;
}

chain_key key_of(const row_chain& chain, int log_group, queue q) {
  chain_key key;
  key.device = static_cast<std::uint8_t>(q.device);
  const auto item_bytes = static_cast<std::size_t>(chain.item_bytes);
  for (const row_stage& stage : chain.stages) {
    chain_stage_key& of_stage = key.stages.emplace_back();
    of_stage.kernel = key_of_stage(stage, q.device);
    of_stage.cached.fill(-1);
    of_stage.kept = -1;
    of_stage.stores = stage.reduces || chain.scratch_of(stage.plan.map.out.data) < 0;
    of_stage.is_read = false;
  }
  const std::uint8_t packs = packs_of_cache(chain, key, log_group);
  chain_key cached = key;
  cached.packs = packs;
  cached.log_threads = static_cast<std::uint8_t>(std::max(log_group, least_log_threads));
  cached.pack_bytes = static_cast<std::uint8_t>(reduce_lanes(item_bytes) * item_bytes);
  if (packs > 0 && choose_caches(chain, cached)) {
    // What is in registers would have to be saved around calls.
    for (chain_stage_key& stage : cached.stages) {
      kernel_key& kernel = stage.kernel;
      const int copies = chain_copies(cached) * reduce_lanes(itemsize(kernel.out));
      kernel.copies =
          copies_of(instructions_of(kernel.steps, kernel.n_steps) * copies > most_unrolled_instructions);
    }
    find_results(chain, cached);
    if (has_whole_rows(chain, cached, log_group)) cached.log_row = static_cast<std::int8_t>(log_group);
    return cached;
  }
  for (chain_stage_key& stage : key.stages) {
    stage.stores = true;
    stage.is_read = &stage != &key.stages.back();
  }
  return key;
}

bool run_as_one(const row_chain& chain, queue q, memory_pool& pool) {
  const std::optional<int> log_group = threads_of_row(chain.stages);
  if (!log_group || chain.stages.size() > static_cast<std::size_t>(max_chain_stages)) return false;
  for (const row_stage& stage : chain.stages)
    if (stage.plan.map.has_more_numbers()) return false;
  int operand = 0;
  for (const row_stage& stage : chain.stages) operand += stage.plan.map.n_inputs;
  if (operand > max_chain_operands) return false;
  const chain_key key = key_of(chain, *log_group, q);
  const auto kernel = chain_kernels().find(key, is_captured(stream_of(q.stream)));
  if (!kernel) return false;
  std::vector<scratch> memory;
  const std::vector<row_stage>& stages = key.packs > 0 ? chain.stages : with_memory(chain, memory, pool, q);
  chain_params p;
  static_assert(sizeof p <= max_parameter_bytes);
  p.n_rows = static_cast<std::uint32_t>(chain.rows);
  p.n_columns = static_cast<std::uint32_t>(chain.columns);
  p.log_group = static_cast<std::uint32_t>(*log_group);
  p.backwards = goes_backwards(chain.rows * chain.row_bytes);
  operand = 0;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const row_stage& stage = stages[k];
    const map_plan& map = stage.plan.map;
    p.stages[k] = {static_cast<char*>(stage.reduces ? stage.plan.out.data : map.out.data),
                   stage.reduces ? stage.plan.ddof : 0};
    for (int i = 0; i < map.n_inputs; ++i) {
      const input& in = map.inputs[i];
      const std::int64_t distance = map.ndim > 1 && in.kind != input_kind::constant ? in.strides[1] : 0;
      p.operands[operand++] = {start_of(in, 0), row_stride(in), bits_of(in, distance)};
    }
  }
  const int threads = key.packs > 0 ? 1 << key.log_threads : reduce_threads;
  launch("a chain over rows", loaded(kernel->kernel), ceil_div(chain.rows, threads >> *log_group), threads, p,
         q);
  return true;
}

}  // namespace

row_use takes_rows(const row_chain& chain) {
  if (jit_mode() == jit::off || chain.row_bytes > longest_row || chain.rows > std::int64_t{1} << 30)
    return row_use::none;
  return chain.item_bytes > 0 && chain.columns * chain.item_bytes <= longest_cached_row ? row_use::keeps
                                                                                        : row_use::computes;
}

void run_rows(const row_chain& chain, queue q, memory_pool& pool, counter_store& counters) {
  if (run_as_one(chain, q, pool)) return;
  std::vector<scratch> memory;
  for (const row_stage& stage : with_memory(chain, memory, pool, q))
    if (stage.reduces) run_reduce(stage.plan, q, pool, counters);
    else run_map(stage.plan.map, q, pool);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
