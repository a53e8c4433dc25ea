// Sparse matrices combined element by element, and columns picked from them, which are merged with nothing.
#include <optional>

#include <cuda/sparse/sparse_launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

class merged_matrix final : public counted_matrix {
 public:
  merged_matrix(union_params p, std::int64_t entries, dtype type, dtype index, backend& owner, queue q)
      : context_(owner, q),
        type_(type),
        index_(index),
        tiles_(ceil_div(entries + p.rows, union_tile)),
        splits_(context_.memory(static_cast<std::size_t>(tiles_ + 1) * sizeof(union_split))),
        ends_(context_, tiles_),
        p_(p) {
    p_.items = entries + p_.rows;
    p_.tiles = tiles_;
    p_.splits = static_cast<union_split*>(splits_.data());
    p_.ends = ends_.counts();
    launch_threads(find_union_splits_kernel(index_), tiles_ + 1, p_, q);
    launch(sparse_operation, find_union_count_kernel(type_, index_), tiles_, sparse_threads, p_, q);
    count_ = ends_.add_up(context_);
    p_.ends = ends_.ends();
  }
  std::int64_t count() const override { return count_; }
  void write(void* indices, void* data) override {
    p_.indices = indices;
    p_.data = data;
    launch(sparse_operation, find_union_write_kernel(type_, index_), tiles_, sparse_threads, p_,
           context_.where());
  }

 private:
  call_context context_;
  dtype type_, index_;
  std::int64_t tiles_, count_ = 0;
  scratch splits_;
  entry_counts ends_;
  union_params p_;
};

std::optional<union_operation> union_operation_of(ufunc f, dtype type) {
  switch (f) {
    case ufunc::add:
      return union_operation::add;
    case ufunc::subtract:
      if (type == dtype::bool_) return {};
      return union_operation::subtract;
    case ufunc::multiply:
      return union_operation::multiply;
    case ufunc::maximum:
      return union_operation::maximum;
    case ufunc::minimum:
      return union_operation::minimum;
    default:
      return {};
  }
}

}  // namespace

std::unique_ptr<counted_matrix> cuda_sparse::combine(ufunc f, const compressed_rows& a,
                                                     const compressed_rows& b, void* indptr, queue q) {
  const auto operation = union_operation_of(f, a.type);
  if (!operation) return nullptr;
  union_params p{};
  p.a_indptr = a.indptr, p.a_indices = a.indices, p.a_data = a.data;
  p.b_indptr = b.indptr, p.b_indices = b.indices, p.b_data = b.data;
  p.rows = a.rows;
  p.indptr = indptr;
  p.operation = *operation;
  return std::make_unique<merged_matrix>(p, a.count + b.count, a.type, a.index, owner_, q);
}

std::unique_ptr<counted_matrix> cuda_sparse::slice_columns(const compressed_rows& a, std::int64_t first,
                                                           std::int64_t last, void* indptr, queue q) {
  union_params p{};
  p.a_indptr = a.indptr, p.a_indices = a.indices, p.a_data = a.data;
  p.rows = a.rows;
  p.indptr = indptr;
  p.operation = union_operation::slice;
  p.first = first;
  p.last = last;
  return std::make_unique<merged_matrix>(p, a.count, a.type, a.index, owner_, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
