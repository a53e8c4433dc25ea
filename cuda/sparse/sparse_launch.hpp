// What launches of kernels for sparse matrices share.
#pragma once
#include <cuda/runtime/launch.hpp>
#include <cuda/sparse/sparse.hpp>
#include <cuda/sparse/sparse_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr const char* sparse_operation = "working on a sparse matrix";

/// One thread for each of n.
template<class Params>
void launch_threads(const void* kernel, std::int64_t n, const Params& params, queue q) {
  launch(sparse_operation, kernel, ceil_div(n, sparse_threads), sparse_threads, params, q);
}

/// How many entries each row, or tile, has; then how many there are up to its end.
class entry_counts {
 public:
  entry_counts(const call_context& context, std::int64_t n)
      : n_(n), counts_(context.memory(bytes())), ends_(context.memory(bytes())) {}

  std::int64_t* counts() const { return static_cast<std::int64_t*>(counts_.data()); }
  std::int64_t* ends() const { return static_cast<std::int64_t*>(ends_.data()); }
  /// Of counts that a kernel has been launched for. Waits for their sum, and returns it.
  std::int64_t add_up(const call_context& context) {
    scan_plan plan;
    plan.op = scan::sum;
    plan.type = dtype::int64;
    plan.ndim = 1;
    plan.shape[0] = n_;
    plan.in = counts();
    plan.out = ends();
    plan.in_strides[0] = plan.out_strides[0] = sizeof(std::int64_t);
    context.scan(plan);
    counts_.release();
    std::int64_t total = 0;
    context.read(&total, ends() + n_ - 1, sizeof total);
    return total;
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(n_) * sizeof(std::int64_t); }
  std::int64_t n_;
  scratch counts_, ends_;
};

/// The row of the first entry of every tile of `copy_tile` entries, and of the last entry.
inline scratch rows_of_tiles(const call_context& context, const void* indptr, dtype index, std::int64_t rows,
                             std::int64_t count) {
  const std::int64_t tiles = ceil_div(count, copy_tile);
  scratch memory = context.memory(static_cast<std::size_t>(tiles + 1) * sizeof(std::int64_t));
  const tile_rows_params p{indptr, rows, count, tiles, static_cast<std::int64_t*>(memory.data())};
  launch_threads(find_tile_rows_kernel(index), tiles + 1, p, context.where());
  return memory;
}

/// The addresses of diagonals, where kernels find them.
inline scratch addresses_of(const call_context& context, const stored_diagonals& a) {
  std::vector<diagonal_address> list;
  for (const stored_diagonal& d : a.each) list.push_back({d.offset, d.data});
  scratch memory = context.memory(list.size() * sizeof(diagonal_address));
  context.copy(memory.data(), list.data(), list.size() * sizeof(diagonal_address));
  return memory;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
