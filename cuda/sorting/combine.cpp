// Chooses how values are added onto the places that numbers name.
#include <algorithm>
#include <bit>

#include <cuda/cub/cub_calls.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/scratch.hpp>
#include <cuda/sorting/combine_params.hpp>
#include <cuda/sorting/radix_sorter.hpp>
#include <cuda/sorting/sort.hpp>
#include <gparray/runtime/reproducible.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "adding at indices";
// Values of a chunk at least, and chunks at most: constants, since the order of additions follows from them.
constexpr std::int64_t min_chunk = 4096, most_chunks = 1024;
// With fewer values for each place buckets would be nearly empty.
constexpr std::int64_t values_per_place = 4;

void add_in_order(const combine_plan& plan, const combine_kernels& kernels, queue q, memory_pool& pool) {
  const auto n = static_cast<std::uint32_t>(plan.n), n_bins = static_cast<std::uint32_t>(plan.n_bins);
  chunk_params p{};
  p.numbers = plan.numbers;
  p.values = plan.values;
  p.out = plan.out;
  p.n = n;
  p.n_bins = n_bins;
  p.chunk = static_cast<std::uint32_t>(
      std::max(min_chunk, ceil_div(ceil_div(plan.n, most_chunks), combine_threads) * combine_threads));
  const std::int64_t n_chunks = ceil_div(n, p.chunk);
  scratch keys, sorted_keys, sorted_values, edges;
  if (plan.n_bins > bucket_bins) {
    const auto numbers = [&](std::size_t count) {
      return scratch(pool, count * sizeof(std::uint32_t), q.stream);
    };
    keys = numbers(n);
    sorted_keys = numbers(n);
    sorted_values = scratch(pool, n * itemsize(plan.type), q.stream);
    const key_params of_keys{plan.numbers, static_cast<std::uint32_t*>(keys.data()), plan.n, plan.n_bins};
    launch(operation, find_key_kernel(), ceil_div(n, combine_threads), combine_threads, of_keys, q);
    run_cub("cub::DeviceRadixSort", operation, q, pool, [&](cub_storage& storage) {
      return cub_sort_pairs(storage, of_keys.keys, static_cast<std::uint32_t*>(sorted_keys.data()),
                            itemsize(plan.type), plan.values, sorted_values.data(), n, bucket_bits,
                            static_cast<int>(std::bit_width(n_bins - 1)), stream_of(q.stream));
    });
    keys = scratch();
    const std::uint32_t n_edges = (n_bins - 1) / bucket_bins + 2;
    edges = numbers(n_edges);
    p.keys = static_cast<const std::uint32_t*>(sorted_keys.data());
    p.edges = static_cast<const std::uint32_t*>(edges.data());
    p.values = sorted_values.data();
    launch(operation, find_edge_kernel(), ceil_div(n_edges, combine_threads / 32), combine_threads,
           edge_params{p.keys, static_cast<std::uint32_t*>(edges.data()), n, n_edges}, q);
  }
  const scratch partials(pool, static_cast<std::size_t>(2 * n_chunks) * bucket_bins * kernels.state_bytes,
                         q.stream);
  p.partials = partials.data();
  launch(operation, kernels.chunks, n_chunks, kernels.threads, p, q);
  if (n_chunks > 1) launch(operation, kernels.finish, ceil_div(n_bins, finished_bins), combine_threads, p, q);
}

bool add_in_any_order(const combine_plan& plan, queue q) {
  // Complex numbers are added part by part.
  const bool complex = is_complex(plan.type);
  const void* const kernel = find_atomic_kernel(real_dtype(plan.type));
  if (!kernel || (is_inexact(plan.type) && reproducible())) return false;
  const std::int64_t inner = complex ? 2 * plan.inner : plan.inner, size = plan.n * inner;
  if (size > std::int64_t{1} << 38) return false;
  const atomic_params p{plan.numbers, plan.values, plan.out, size, plan.n_bins, inner};
  launch(operation, kernel, ceil_div(size, combine_threads), combine_threads, p, q);
  return true;
}

}  // namespace

bool run_combine(const combine_plan& plan, queue q, memory_pool& pool) {
  if (plan.op != ufunc::add) return false;
  if (plan.n == 0) return true;
  const combine_kernels kernels = find_combine_kernels(plan.type);
  const bool in_order = kernels.chunks && plan.inner == 1 && plan.n < largest_sort;
  // Few places would make atomic additions wait for each other.
  const bool in_one_bucket = in_order && plan.n_bins <= bucket_bins;
  if (!in_one_bucket && add_in_any_order(plan, q)) return true;
  const bool sorts = in_order && has_cub() && plan.n_bins < largest_sort &&
                     (itemsize(plan.type) == 4 || itemsize(plan.type) == 8) &&
                     plan.n / values_per_place >= plan.n_bins;
  if (!in_one_bucket && !sorts) return false;
  add_in_order(plan, kernels, q, pool);
  return true;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
