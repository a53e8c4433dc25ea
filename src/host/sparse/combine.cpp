// Two canonical sparse matrices combined element by element: rows are merged.
#include <host/sparse/parts.hpp>
#include <host/sparse/sparse.hpp>
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

/// Writes what is not zero in f(a, b) of a row, and says how many. There is room for the entries of both.
/// What is next is chosen without branches, which no processor could guess.
template<class F, class T, class I>
std::int64_t merge_row(const rows_of<T, I>& a, const rows_of<T, I>& b, std::int64_t row, I* columns,
                       T* values) {
  I i = a.indptr[row], j = b.indptr[row];
  const I i_end = a.indptr[row + 1], j_end = b.indptr[row + 1];
  std::int64_t n = 0;
  const auto take = [&](I column, T x, T y) {
    const T value = F::of(x, y);
    columns[n] = column;
    values[n] = value;
    n += kernel::nonzero(value);
  };
  while (i < i_end && j < j_end) {
    const I p = a.indices[i], q = b.indices[j];
    const bool from_a = p <= q, from_b = q <= p;
    const T x = a.data[i], y = b.data[j];
    i += from_a;
    j += from_b;
    take(from_a ? p : q, from_a ? x : T{}, from_b ? y : T{});
  }
  for (; i < i_end; ++i) take(a.indices[i], a.data[i], T{});
  for (; j < j_end; ++j) take(b.indices[j], T{}, b.data[j]);
  return n;
}

/// Whether both have their entries of the row in the same positions.
template<class T, class I>
bool same_columns(const rows_of<T, I>& a, const rows_of<T, I>& b, std::int64_t row) {
  const I i = a.indptr[row], j = b.indptr[row], n = a.indptr[row + 1] - i;
  if (b.indptr[row + 1] - j != n) return false;
  bool same = true;
  for (I k = 0; k < n; ++k) same &= a.indices[i + k] == b.indices[j + k];
  return same;
}

/// merge_row of such a row.
template<class F, class T, class I>
std::int64_t pair_row(const rows_of<T, I>& a, const rows_of<T, I>& b, std::int64_t row, I* columns,
                      T* values) {
  const I i = a.indptr[row], j = b.indptr[row], count = a.indptr[row + 1] - i;
  std::int64_t n = 0;
  for (I k = 0; k < count; ++k) {
    columns[n] = a.indices[i + k];
    values[n] = F::of(a.data[i + k], b.data[j + k]);
    n += kernel::nonzero(values[n]);
  }
  return n;
}

/// The matrix of one function of any: what is done to some rows is a pointer.
template<class T, class I>
class combination final : public rows_in_parts<T, I> {
 public:
  using typename rows_in_parts<T, I>::part;
  using combine_rows = void (*)(combination& c, std::int64_t first, std::int64_t last, part& out);

  combination(const core::compressed_rows& a, const core::compressed_rows& b, I* indptr, combine_rows combine)
      : rows_in_parts<T, I>(a.rows, indptr), left_(a), right_(b) {
    const auto before = [&](std::int64_t row) { return left_.indptr[row] + right_.indptr[row]; };
    parallel_for(a.rows, fewest_entries * a.rows / (a.count + b.count + a.rows) + 1,
                 [&](std::int64_t first, std::int64_t last) {
                   // One more, for what is written and not kept.
                   this->make_part(first, before(last) - before(first) + 1,
                                   [&](part& out) { combine(*this, first, last, out); });
                 });
    this->add_up();
  }

  template<class F>
  static void rows(combination& c, std::int64_t first, std::int64_t last, part& out) {
    const rows_of<T, I> a = c.left_, b = c.right_;
    for (std::int64_t row = first; row < last; ++row)
      c.finish_row(
          row,
          (same_columns(a, b, row) ? pair_row<F, T, I> : merge_row<F, T, I>)(a, b, row, out.next_index(),
                                                                             out.next_data()),
          out);
  }

 private:
  rows_of<T, I> left_, right_;
};

template<class F>
std::unique_ptr<core::counted_matrix> combined(const core::compressed_rows& a, const core::compressed_rows& b,
                                               void* indptr) {
  const auto of_type = [&]<class T>(T) {
    return with_index(a.index, [&]<class I>(I) -> std::unique_ptr<core::counted_matrix> {
      using result = combination<T, I>;
      if constexpr (kernel::is_bool<T> && std::is_same_v<F, subtract_of>) return nullptr;
      else return std::make_unique<result>(a, b, static_cast<I*>(indptr), result::template rows<F>);
    });
  };
  if constexpr (std::is_same_v<F, maximum_of> || std::is_same_v<F, minimum_of>)
    return with_stored(a.type, of_type);
  else return with_summed(a.type, of_type);
}

}  // namespace

std::unique_ptr<core::counted_matrix> host_sparse::combine(ufunc f, const core::compressed_rows& a,
                                                           const core::compressed_rows& b, void* indptr,
                                                           queue) {
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
