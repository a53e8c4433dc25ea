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

// Blocks look at all numbers where these are so few, and times elements of the result so few; a block takes
// as long as a few thousand numbers do.
constexpr std::int64_t most_few = 1 << 15, most_looks = std::int64_t{1} << 31, few_looks = 4096;

/// Numbers and values, sorted by the bits of the numbers from `first_bit` on.
struct sorted_by_place {
  scratch keys, values;
  const std::uint32_t* first_key() const { return static_cast<const std::uint32_t*>(keys.data()); }
};

sorted_by_place sort_by_place(const combine_plan& plan, int first_bit, queue q, memory_pool& pool) {
  const auto n = static_cast<std::uint32_t>(plan.n);
  const auto numbers = [&] { return scratch(pool, n * sizeof(std::uint32_t), q.stream); };
  const scratch keys = numbers();
  sorted_by_place sorted{numbers(), scratch(pool, n * itemsize(plan.type), q.stream)};
  const key_params of_keys{plan.numbers, static_cast<std::uint32_t*>(keys.data()), plan.n, plan.n_bins};
  launch(operation, find_key_kernel(), ceil_div(n, combine_threads), combine_threads, of_keys, q);
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(plan.n_bins - 1)));
  run_cub("cub::DeviceRadixSort", operation, q, pool, [&](cub_storage& storage) {
    return cub_sort_pairs(storage, of_keys.keys, static_cast<std::uint32_t*>(sorted.keys.data()),
                          itemsize(plan.type), plan.values, sorted.values.data(), n, first_bit,
                          std::max(bits, first_bit + 1), stream_of(q.stream));
  });
  return sorted;
}

void combine_few(const combine_plan& plan, const combine_kernels& kernels, queue q) {
  const auto n_out = static_cast<std::uint32_t>(plan.n_bins * plan.inner);
  const few_params p{plan.numbers,
                     plan.values,
                     plan.out,
                     plan.n_bins,
                     static_cast<std::uint32_t>(plan.n),
                     n_out,
                     static_cast<std::uint32_t>(plan.inner)};
  launch(operation, kernels.few, ceil_div(n_out, few_places), few_threads, p, q);
}

/// Places that have few values each.
void combine_runs(const combine_plan& plan, const combine_kernels& kernels, queue q, memory_pool& pool) {
  const sorted_by_place sorted = sort_by_place(plan, 0, q, pool);
  const std::int64_t n_tiles = ceil_div(plan.n, std::int64_t{sorted_tile});
  const scratch partials(pool, static_cast<std::size_t>(2 * n_tiles) * kernels.state_bytes, q.stream);
  const sorted_params p{sorted.first_key(), sorted.values.data(), plan.out, partials.data(),
                        static_cast<std::uint32_t>(plan.n)};
  const std::int64_t n_blocks = ceil_div(n_tiles, combine_threads / 32);
  launch(operation, kernels.sorted, n_blocks, combine_threads, p, q);
  if (n_tiles > 1) launch(operation, kernels.finish_sorted, n_blocks, combine_threads, p, q);
}

/// Places that have many, and additions alone.
void add_in_buckets(const combine_plan& plan, const combine_kernels& kernels, queue q, memory_pool& pool) {
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
  sorted_by_place sorted;
  scratch edges;
  if (plan.n_bins > bucket_bins) {
    sorted = sort_by_place(plan, bucket_bits, q, pool);
    const std::uint32_t n_edges = (n_bins - 1) / bucket_bins + 2;
    edges = scratch(pool, n_edges * sizeof(std::uint32_t), q.stream);
    p.keys = sorted.first_key();
    p.edges = static_cast<const std::uint32_t*>(edges.data());
    p.values = sorted.values.data();
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
  if (plan.n == 0) return true;
  const combine_kernels kernels = find_combine_kernels(plan.op, plan.type);
  if (!kernels.few) return false;
  // Few places would make atomic additions wait for each other.
  const bool in_one_bucket =
      kernels.chunks && plan.inner == 1 && plan.n < largest_sort && plan.n_bins <= bucket_bins;
  if (plan.op == ufunc::add && !in_one_bucket && add_in_any_order(plan, q)) return true;
  const std::int64_t n_out = plan.n_bins * plan.inner;
  if (!in_one_bucket && plan.n <= most_few && n_out <= most_looks / std::max(plan.n, few_looks)) {
    combine_few(plan, kernels, q);
    return true;
  }
  const bool sorts = has_cub() && plan.inner == 1 && std::max(plan.n, plan.n_bins) < largest_sort &&
                     (itemsize(plan.type) == 4 || itemsize(plan.type) == 8);
  if (!in_one_bucket && !sorts) return false;
  if (in_one_bucket || (kernels.chunks && plan.n / values_per_place >= plan.n_bins))
    add_in_buckets(plan, kernels, q, pool);
  else combine_runs(plan, kernels, q, pool);
  return true;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
