#include <bit>

#include <cuda/sorting/radix_sorter.hpp>
#include <cuda/sorting/sort.hpp>
#include <cuda/sparse/sparse_launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

class shared_memory_product final : public counted_matrix {
 public:
  shared_memory_product(const compressed_rows& a, const compressed_rows& b, void* indptr, backend& owner,
                        queue q)
      : context_(owner, q), type_(a.type), index_(a.index), ends_(context_, a.rows) {
    p_ = {a.indptr, a.indices, a.data,         b.indptr, b.indices, b.data,
          a.rows,   b.columns, ends_.counts(), indptr,   nullptr,   nullptr};
    launch(sparse_operation, find_product_count_kernel(index_), p_.rows, sparse_threads, p_, q);
    count_ = ends_.add_up(context_);
    p_.ends = ends_.ends();
    check_product_count(count_, a.index);
  }
  std::int64_t count() const override { return count_; }
  void write(void* indices, void* data) override {
    p_.indices = indices;
    p_.data = data;
    launch(sparse_operation, find_product_write_kernel(type_, index_), p_.rows, sparse_threads, p_,
           context_.where());
  }

 private:
  call_context context_;
  dtype type_, index_;
  entry_counts ends_;
  product_params p_;
  std::int64_t count_ = 0;
};

}  // namespace

std::unique_ptr<counted_matrix> short_row_product(const compressed_rows& a, const compressed_rows& b,
                                                  void* indptr, backend& owner, queue q) {
  const auto bytes = static_cast<std::int64_t>(itemsize(a.type)) * b.columns + (b.columns + 127) / 128 * 16;
  if (bytes > product_shared_bytes || a.rows > 0x7fffffff) return nullptr;
  return std::make_unique<shared_memory_product>(a, b, indptr, owner, q);
}

void cuda_sparse::compress(const numbered_entries& e, void* indptr, void* others, void* data, queue q) {
  const call_context context(owner_, q);
  check_sort_size(e.count);
  const auto size = static_cast<std::size_t>(e.count);
  const scratch keys = context.memory(size * itemsize(e.index)),
                numbers = context.memory(size * sizeof(std::uint32_t));
  radix_task task{};
  task.operation = sparse_operation;
  task.size = static_cast<std::uint32_t>(e.count);
  task.bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(e.n_numbers - 1)));
  task.keys_are_64_bit = e.index == dtype::int64;
  task.source.items = e.number;
  task.source.item_bytes = task.result.item_bytes = static_cast<int>(itemsize(e.index));
  task.with_numbers = true;
  task.result.items = keys.data();
  task.result.numbers = static_cast<std::uint32_t*>(numbers.data());
  radix_sort(task, q, context.pool());
  const reorder_params move{task.result.numbers, e.other, e.data, others, data, e.count};
  launch_threads(find_reorder_kernel(e.index, e.item_bytes), e.count, move, q);
  starts(keys.data(), e.count, e.n_numbers, e.index, indptr, q);
}

void cuda_sparse::starts(const void* numbers, std::int64_t count, std::int64_t n_numbers, dtype index,
                         void* indptr, queue q) {
  const call_context context(owner_, q);
  const starts_params p{numbers, indptr, count, n_numbers};
  launch_threads(find_starts_kernel(index), count + 1, p, q);
}

void cuda_sparse::search(const std::int64_t* keys, std::int64_t n_keys, const std::int64_t* numbers,
                         std::int64_t n, bool after, std::int64_t* positions, queue q) {
  const call_context context(owner_, q);
  run_search({dtype::int64, after, n_keys, n, keys, numbers, positions}, q);
}

void cuda_sparse::reduce_rows(reduction op, dtype type, const void* values, const void* indptr, dtype index,
                              std::int64_t rows, void* out, queue q) {
  const call_context context(owner_, q);
  const reduce_rows_params p{values, indptr, out, rows,
                             op == reduction::sum   ? reduce_rows_params::sum
                             : op == reduction::min ? reduce_rows_params::least
                                                    : reduce_rows_params::largest};
  launch_threads(find_reduce_rows_kernel(type, index), rows, p, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
