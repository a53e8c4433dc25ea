// The text of kernels that take rows through several stages.
#include <algorithm>

#include <fmt/format.h>

#include <cuda/device/reduce_params.hpp>
#include <cuda/fusion/jit_source.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// What a stage that has one result for each row leaves.
std::string result_type(const chain_stage_key& stage) {
  const kernel_key& kernel = stage.kernel;
  return kernel.form == kernel_form::inner ? reduction_type(kernel) + "::result" : type_name(kernel.out);
}

bool is_row_value(const chain_stage_key& stage) { return stage.kernel.form != kernel_form::rows; }

std::string caches_struct(const chain_key& key) {
  std::string members, caches, results;
  const auto get = [](std::string& getters, const char* name, std::size_t number) {
    getters += fmt::format("    {0}if constexpr (I == {1}) return ({2}_{1});\n",
                           getters.empty() ? "" : "else ", number, name);
  };
  for (std::size_t c = 0; c < key.caches.size(); ++c) {
    const char* type = type_name(key.caches[c].type);
    members += key.slots > 0
                   ? fmt::format("  shared_cache<{}, {}> cache_{};\n", type, 1 << key.log_threads, c)
                   : fmt::format("  register_cache<{}, packs> cache_{};\n", type, c);
    get(caches, "cache", c);
  }
  for (std::size_t k = 0; k < key.stages.size(); ++k) {
    if (!is_row_value(key.stages[k])) continue;
    members += fmt::format("  {} result_{};\n", result_type(key.stages[k]), k);
    get(results, "result", k);
  }
  return fmt::format(
      "struct row_caches {{\n  static constexpr int packs = {}, copies = {}, map_copies = {}, log_row = "
      "{};\n{}"
      "  template<int I>\n  __device__ __forceinline__ auto& cache() {{\n{}  }}\n"
      "  template<int I>\n  __device__ __forceinline__ auto& result() {{\n{}  }}\n}};\n",
      key.packs, chain_copies(key), key.slots > 0 ? chain_copies(key) / 2 : key.packs, key.log_row, members,
      caches, results);
}

/// Blocks that a multiprocessor has room for. If a pack of one cache takes four registers of a thread and all
/// else some thirty: so many wait for memory while others compute. In shared memory there are rows for as
/// many threads as have forty registers each.
int blocks_of_chain(const chain_key& key) {
  const int packs = key.packs;
  if (packs == 0) return 4;
  const int threads = 1 << key.log_threads;
  if (key.slots == 0) return (packs <= 4 ? 5 : packs <= 8 ? 4 : 3) * reduce_threads / threads;
  constexpr int most_threads = 1536, shared_bytes = 224 << 10, of_block = 1 << 10;
  return std::min(most_threads / threads, shared_bytes / (shared_bytes_of(key) + of_block));
}

/// The caches, filled as far as operands are cached.
std::string fill_calls(const chain_key& key) {
  std::string text = "  row_caches caches;\n", wait;
  const int packs = key.packs << key.log_threads;
  if (key.slots > 0)
    text += fmt::format("  __shared__ pack<std::uint32_t, {}> packs[{}];\n", key.pack_bytes / 4,
                        key.slots * packs);
  for (std::size_t c = 0; c < key.caches.size(); ++c) {
    if (key.slots > 0)
      text += fmt::format("  caches.cache_{}.use(packs + {});\n", c, key.caches[c].slot * packs);
    if (key.caches[c].operand < 0) continue;
    text += fmt::format("  fill_cache<row_caches>(caches.cache_{}, p, {});\n", c, key.caches[c].operand);
    if (key.slots > 0) wait = "  wait_for_copies();\n";
  }
  return text + wait;
}

/// What a stage does, in a kernel with caches or without.
std::string stage_call(const chain_key& key, std::size_t number, int operand) {
  const chain_stage_key& stage = key.stages[number];
  const kernel_key& kernel = stage.kernel;
  const bool reduces = kernel.form == kernel_form::inner;
  std::string types = reduces ? reduction_type(kernel) + ", " : "";
  types += fmt::format("stage_{}", number);
  if (key.packs == 0) {
    const char* columns = reduces ? "" : kernel.form == kernel_form::rows ? ", p.n_columns" : ", 1";
    return fmt::format("  {}_rows<{}>(p, {}, {}{});\n", reduces ? "reduce" : "map", types, number, operand,
                       columns);
  }
  std::string cached;
  for (int i = 0; i < kernel.n_inputs; ++i)
    cached += fmt::format("{}{}", i ? ", " : "", stage.cached[static_cast<std::size_t>(i)]);
  types += fmt::format(", cached_operands<{}>", cached);
  if (reduces)
    return fmt::format("  caches.result_{0} = reduce_cached<{1}, {0}>(p, {2}, caches);\n", number, types,
                       operand);
  if (is_row_value(stage))
    return fmt::format("  caches.result_{0} = map_row_value<{1}, {0}, {2}>(p, {3}, caches);\n", number, types,
                       stage.stores, operand);
  return fmt::format("  map_cached<{}, {}, {}>(p, {}, {}, caches);\n", types, stage.kept, stage.stores,
                     number, operand);
}

}  // namespace

std::string chain_source(const chain_key& key) {
  constexpr int threads_of_turing = 1024;  // that a multiprocessor has at most
  std::string structs, calls;
  if (key.packs > 0) {
    structs = caches_struct(key);
    calls = fill_calls(key);
  }
  int operand = 0;
  for (std::size_t k = 0; k < key.stages.size(); ++k) {
    structs += kernel_struct(key.stages[k].kernel, fmt::format("stage_{}", k));
    calls += stage_call(key, k, operand);
    // What a stage leaves of a row in memory is read by all threads of the row's.
    if (key.stages[k].is_read) calls += "  __syncthreads();\n";
    operand += key.stages[k].kernel.n_inputs;
  }
  const int threads = key.packs > 0 ? 1 << key.log_threads : reduce_threads, blocks = blocks_of_chain(key);
  return kernel_includes(kernel_form::inner) + "#include <cuda/reduction/row_chain.cuh>\n" +
         "\nnamespace gparray::core::cuda {\n" + structs +
         fmt::format("__global__ void __launch_bounds__({}, __CUDA_ARCH__ < 800 ? {} : {})\n", threads,
                     std::min(blocks, threads_of_turing / threads), blocks) +
         "    row_chain(const __grid_constant__ chain_params p) {\n"
         "  wait_for_prior_grids();\n" +
         calls + "}\n}  // namespace gparray::core::cuda\n";
}

compile_request kernel_request(const chain_key& key, const std::string& architecture) {
  return request_of(chain_source(key), "gparray::core::cuda::row_chain", architecture);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
