// Rows: of each entry, of given numbers, of stored diagonals; and the diagonals of rows.
#include <algorithm>
#include <limits>

#include <cuda/sparse/sparse_launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

bool counts_up_to(dtype index, std::int64_t count) {
  return index == dtype::int64 || count <= std::numeric_limits<std::int32_t>::max();
}

class taken_rows final : public counted_matrix {
 public:
  taken_rows(const compressed_rows& a, const std::int64_t* numbers, std::int64_t n, void* indptr,
             backend& owner, queue q)
      : context_(owner, q), index_(a.index), item_bytes_(itemsize(a.type)), ends_(context_, n) {
    p_ = {a.indptr, a.indices, a.data, numbers, n, 0, ends_.counts(), nullptr, indptr, nullptr, nullptr};
    launch_threads(find_take_count_kernel(index_), n, p_, q);
    p_.count = ends_.add_up(context_);
  }
  std::int64_t count() const override { return p_.count; }
  void write(void* indices, void* data) override {
    const queue q = context_.where();
    const row_ends_params starts{ends_.ends(), p_.to_indptr, p_.n};
    launch_threads(find_write_starts_kernel(index_), p_.n, starts, q);
    const scratch tile_rows = rows_of_tiles(context_, p_.to_indptr, index_, p_.n, p_.count);
    p_.tile_rows = static_cast<const std::int64_t*>(tile_rows.data());
    p_.to_indices = indices;
    p_.to_data = data;
    launch(sparse_operation, find_take_write_kernel(index_, item_bytes_), ceil_div(p_.count, copy_tile),
           sparse_threads, p_, q);
  }

 private:
  call_context context_;
  dtype index_;
  std::size_t item_bytes_;
  entry_counts ends_;
  take_params p_;
};

class rows_of_diagonals final : public counted_matrix {
 public:
  rows_of_diagonals(const stored_diagonals& a, dtype index, void* indptr, backend& owner, queue q)
      : context_(owner, q),
        type_(a.type),
        index_(index),
        addresses_(addresses_of(context_, a)),
        ends_(context_, a.rows) {
    p_ = {static_cast<const diagonal_address*>(addresses_.data()),
          static_cast<std::int64_t>(a.each.size()),
          a.rows,
          a.width,
          ends_.counts(),
          indptr,
          nullptr,
          nullptr};
    launch_threads(find_diagonals_count_kernel(type_), p_.rows, p_, q);
    count_ = ends_.add_up(context_);
    p_.ends = ends_.ends();
  }
  std::int64_t count() const override { return count_; }
  void write(void* indices, void* data) override {
    p_.indices = indices;
    p_.data = data;
    launch_threads(find_diagonals_write_kernel(type_, index_), p_.rows, p_, context_.where());
  }

 private:
  call_context context_;
  dtype type_, index_;
  scratch addresses_;
  entry_counts ends_;
  diagonals_params p_;
  std::int64_t count_ = 0;
};

}  // namespace

void cuda_sparse::expand(const void* indptr, std::int64_t rows, std::int64_t count, dtype index, void* row,
                         queue q) {
  const call_context context(owner_, q);
  const scratch tile_rows = rows_of_tiles(context, indptr, index, rows, count);
  const expand_params p{indptr, static_cast<const std::int64_t*>(tile_rows.data()), row, count};
  launch(sparse_operation, find_expand_kernel(index), ceil_div(count, copy_tile), sparse_threads, p, q);
}

bool cuda_sparse::diagonal(const compressed_rows& a, std::int64_t k, void* out, queue q) {
  const call_context context(owner_, q);
  const std::int64_t first = std::max<std::int64_t>(0, -k), last = std::min(a.rows, a.columns - k);
  const diagonal_params p{a.indptr, a.indices, a.data, out, first, last - first, k};
  launch_threads(find_diagonal_kernel(a.type, a.index), p.count, p, q);
  return true;
}

std::optional<bool> cuda_sparse::ascends(const compressed_rows& a, bool strictly, queue q) {
  const call_context context(owner_, q);
  std::uint64_t count = 0;
  const scratch descents = context.memory(sizeof count);
  owner_.fill_zero(descents.data(), sizeof count, q);
  const descents_params p{a.indptr, a.indices, static_cast<unsigned long long*>(descents.data()),
                          a.rows,   a.count,   strictly};
  launch(sparse_operation, find_descents_kernel(a.index), ceil_div(std::max(a.rows, a.count), copy_tile),
         sparse_threads, p, q);
  context.read(&count, descents.data(), sizeof count);
  return count == 0;
}

std::unique_ptr<counted_matrix> cuda_sparse::take_rows(const compressed_rows& a, const std::int64_t* rows,
                                                       std::int64_t n, void* indptr, queue q) {
  auto taken = std::make_unique<taken_rows>(a, rows, n, indptr, owner_, q);
  if (!counts_up_to(a.index, taken->count())) return nullptr;
  return taken;
}

std::unique_ptr<counted_matrix> cuda_sparse::diagonals_to_rows(const stored_diagonals& a, dtype index,
                                                               void* indptr, queue q) {
  auto rows = std::make_unique<rows_of_diagonals>(a, index, indptr, owner_, q);
  if (!counts_up_to(index, rows->count())) return nullptr;
  return rows;
}

void cuda_sparse::diagonals_times_dense(const stored_diagonals& a, std::int64_t width, const void* x, void* y,
                                        queue q) {
  const call_context context(owner_, q);
  const scratch addresses = addresses_of(context, a);
  const diagonals_product_params p{static_cast<const diagonal_address*>(addresses.data()),
                                   static_cast<std::int64_t>(a.each.size()),
                                   a.rows,
                                   a.width,
                                   width,
                                   x,
                                   y};
  launch_threads(find_diagonals_product_kernel(a.type), a.rows * width, p, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
