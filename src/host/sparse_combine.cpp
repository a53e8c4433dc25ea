// Two canonical sparse matrices combined element by element: rows are merged twice, to count what is not zero
// and to write it.
#include <host/sparse.hpp>
#include <host/sparse_types.hpp>
#include <kernel/compare.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

#define GPARRAY_COMBINATION(name)             \
  struct name##_of {                          \
    template<class T>                         \
    GPARRAY_KERNEL_FN static T of(T a, T b) { \
      return kernel::name(a, b);              \
    }                                         \
  };
GPARRAY_COMBINATION(add)
GPARRAY_COMBINATION(subtract)
GPARRAY_COMBINATION(multiply)
GPARRAY_COMBINATION(maximum)
GPARRAY_COMBINATION(minimum)
#undef GPARRAY_COMBINATION

/// visit(column, value) for what is not zero in a row.
template<class F, class T, class I, class Visit>
GPARRAY_KERNEL_FN void merge_row(const rows_of<T, I>& a, const rows_of<T, I>& b, std::int64_t row,
                                 Visit visit) {
  I i = a.indptr[row], j = b.indptr[row];
  const I i_end = a.indptr[row + 1], j_end = b.indptr[row + 1];
  const auto take = [&](I column, T x, T y) {
    const T value = F::of(x, y);
    if (kernel::nonzero(value)) visit(column, value);
  };
  while (i < i_end && j < j_end) {
    const I p = a.indices[i], q = b.indices[j];
    if (p == q) take(p, a.data[i++], b.data[j++]);
    else if (p < q) take(p, a.data[i++], T{});
    else take(q, T{}, b.data[j++]);
  }
  for (; i < i_end; ++i) take(a.indices[i], a.data[i], T{});
  for (; j < j_end; ++j) take(b.indices[j], T{}, b.data[j]);
}

template<class F, class T, class I>
class combination final : public core::counted_matrix {
 public:
  combination(const core::compressed_rows& a, const core::compressed_rows& b, I* indptr)
      : a_(a), b_(b), indptr_(indptr) {
    rows([&](std::int64_t row) {
      I n = 0;
      merge_row<F>(a_, b_, row, [&](I, T) { ++n; });
      indptr_[row + 1] = n;
    });
    indptr_[0] = 0;
    for (std::int64_t row = 0; row < a_.rows; ++row) indptr_[row + 1] += indptr_[row];
  }
  std::int64_t count() const override { return indptr_[a_.rows]; }
  void write(void* indices, void* data) override {
    rows([&](std::int64_t row) {
      I* to_index = static_cast<I*>(indices) + indptr_[row];
      T* to = static_cast<T*>(data) + indptr_[row];
      merge_row<F>(a_, b_, row, [&](I column, T value) { *to_index++ = column, *to++ = value; });
    });
  }

 private:
  template<class Body>
  void rows(Body body) {
    parallel_for(a_.rows, fewest_entries * a_.rows / (a_.count + b_.count + a_.rows) + 1,
                 [&](std::int64_t first, std::int64_t last) {
                   for (std::int64_t row = first; row < last; ++row) body(row);
                 });
  }

  rows_of<T, I> a_, b_;
  I* indptr_;
};

template<class F>
std::unique_ptr<core::counted_matrix> combined(const core::compressed_rows& a, const core::compressed_rows& b,
                                               void* indptr) {
  const auto of_type = [&]<class T>(T) {
    return with_index(a.index, [&]<class I>(I) -> std::unique_ptr<core::counted_matrix> {
      if constexpr (kernel::is_bool<T> && std::is_same_v<F, subtract_of>) return nullptr;
      else return std::make_unique<combination<F, T, I>>(a, b, static_cast<I*>(indptr));
    });
  };
  if constexpr (std::is_same_v<F, maximum_of> || std::is_same_v<F, minimum_of>)
    return with_stored(a.type, of_type);
  else return with_summed(a.type, of_type);
}

}  // namespace

std::unique_ptr<core::counted_matrix> sparse_combine(ufunc f, const core::compressed_rows& a,
                                                     const core::compressed_rows& b, void* indptr) {
  switch (f) {
    case ufunc::add:
      return combined<add_of>(a, b, indptr);
    case ufunc::subtract:
      return combined<subtract_of>(a, b, indptr);
    case ufunc::multiply:
      return combined<multiply_of>(a, b, indptr);
    case ufunc::maximum:
      return combined<maximum_of>(a, b, indptr);
    case ufunc::minimum:
      return combined<minimum_of>(a, b, indptr);
    default:
      return nullptr;
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
