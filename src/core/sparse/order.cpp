// The order of entries: sorting, duplicates, zeros.
#include <algorithm>

#include <core/array/arguments.hpp>
#include <core/reduction/typed.hpp>
#include <core/runtime/stream_state.hpp>
#include <core/sorting/typed.hpp>
#include <core/sparse/filter.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

const slice later(1, none), earlier(none, -1);

/// The number of each entry along the axis that is compressed; of coo its row.
any_array major_of(const sparse_parts& a) { return a.format == format::coo ? a.major : expanded(a); }

/// Whether an entry of the same row (of csc column) is before another that it should follow; with `strictly`
/// also if it is at the same position.
bool has_descent(const sparse_parts& a, bool strictly) {
  if (a.minor.size() < 2) return false;
  const auto known = sparse_engine_of(a.device()).ascends(view_of(a), strictly, current_queue(a.device()));
  if (known) {
    used({&a.data, &a.major, &a.minor});
    return !*known;
  }
  return with_index_of(a, [&]<class I>(I) {
    const ndarray<I> major(expanded(a)), minor(a.minor);
    const ndarray<bool> same_row = major(later) == major(earlier);
    if (strictly) return gparray::any(same_row & (minor(later) <= minor(earlier))).item();
    return gparray::any(same_row & (minor(later) < minor(earlier))).item();
  });
}

sparse_parts flipped(const sparse_parts& a) {
  sparse_parts p = compressed_across(a);
  p.sorted = true;
  p.canonical = a.canonical;
  return p;
}

}  // namespace

bool mostly_empty(std::int64_t axis, std::int64_t entries) {
  return axis / 16 > std::max<std::int64_t>(entries, 4096);
}

sparse_parts entries_in_order(const sparse_parts& a) {
  const any_array major = major_of(a);
  const index_array by_minor = gparray::argsort(as_index_array(a.minor));
  const index_array by_major = gparray::argsort(as_index_array(gathered(major, by_minor)));
  const index_array order(gathered(by_minor, by_major));
  sparse_parts p =
      make_parts(a.format, a.rows, a.columns, gathered(a.data, order),
                 a.format == format::coo ? gathered(major, order) : a.major, gathered(a.minor, order));
  if (a.format != format::coo) p.sorted = true;
  return p;
}

sparse_parts filtered(const sparse_parts& a, const ndarray<bool>& mask) {
  const std::int64_t count = count_of(mask);
  if (count == a.data.size()) return a;
  sparse_parts p = a;
  p.data = selected(a.data, mask, count);
  p.minor = selected(a.minor, mask, count);
  if (a.format == format::coo) {
    p.major = selected(a.major, mask, count);
  } else {
    const any_array kept_before = detail::cumulate(reduction::sum, named(mask), dtype::int64, none, true);
    p.major = contiguous(gathered(kept_before, as_index_array(a.major)), a.index_dtype());
  }
  return p;
}

sparse_parts without_duplicates(const sparse_parts& a) {
  const std::int64_t n = a.minor.size();
  sparse_parts p = a;
  p.sorted = true;
  if (a.format != format::coo) p.canonical = true;
  if (n >= 2) {
    const ndarray<bool> first = empty<bool>({n}, {.device = a.device()});
    first(slice(none, 1)) = true;
    with_index_of(a, [&]<class I>(I) {
      const ndarray<I> major(major_of(a)), minor(a.minor);
      first(later) = (major(later) != major(earlier)) | (minor(later) != minor(earlier));
    });
    const std::int64_t count = count_of(first);
    if (count < n) {
      p = filtered(p, first);
      const any_array starts =
          detail::join(detail::joining::concatenate,
                       std::initializer_list<any_array>{selected_indices(first, count),
                                                        full({1}, n, {.device = a.device()})},
                       0, dtype::int64);
      p.data = allocate(a.dtype(), count, a.device());
      sparse_engine_of(a.device())
          .reduce_rows(reduction::sum, a.dtype(), computed(a.data)->data, computed(starts)->data,
                       dtype::int64, count, p.data.rep()->data, current_queue(a.device()));
      used({&a.data, &starts, &p.data});
    }
  }
  return p;
}

entry_indices indices_of(const sparse_parts& a) {
  if (a.format == format::coo) return {as_index_array(a.major), as_index_array(a.minor)};
  const index_array major = as_index_array(expanded(a)), minor = as_index_array(a.minor);
  return {of_major(a.format, major, minor), of_minor(a.format, major, minor)};
}

}  // namespace core

namespace detail {

using namespace core;

bool sparse_is_sorted(const sparse_parts& a) {
  if (!a.sorted.known()) a.sorted = !has_descent(a, false);
  return a.sorted.yes();
}

bool sparse_is_canonical(const sparse_parts& a) {
  if (a.format == sparse::format::coo) {
    if (!a.sorted.known())
      a.sorted = a.data.size() < 2 || with_index_of(
                                          a,
                                          [&]<class I>(I) {
                                            const ndarray<I> row(a.major), column(a.minor);
                                            const ndarray<bool> same = row(later) == row(earlier);
                                            return !gparray::any((row(later) < row(earlier)) |
                                                                 (same & (column(later) <= column(earlier))))
                                                        .item();
                                          });
    return a.sorted.yes();
  }
  if (!a.canonical.known()) {
    a.canonical = !has_descent(a, true);
    if (a.canonical.yes()) a.sorted = true;
  }
  return a.canonical.yes();
}

sparse_parts sparse_sorted(const sparse_parts& a) {
  if (sparse_is_sorted(a)) return a;
  if (mostly_empty(minor_count(a), a.data.size())) return entries_in_order(a);
  sparse_parts p = flipped(flipped(a));
  p.sorted = true;
  return p;
}

sparse_parts sparse_canonical(const sparse_parts& a) {
  if (a.format == sparse::format::dia || sparse_is_canonical(a)) return a;
  if (a.format != sparse::format::coo) return without_duplicates(sparse_sorted(a));
  if (mostly_empty(a.rows, a.data.size())) return without_duplicates(entries_in_order(a));
  return sparse_convert(sparse_convert(a, sparse::format::csr), sparse::format::coo);
}

sparse_parts sparse_with_values(const sparse_parts& a, const any_array& values) {
  check_same_device("with_data", a.data, values);
  if (values.shape() != a.data.shape())
    fail<value_error>("the entries of a matrix have the shape {}, and new values the shape {}",
                      text(a.data.shape()), text(values.shape()));
  // What is pending is computed in C order; of dia it may be in another.
  const bool ordered = values.pending() ? values.ndim() == 1 : values.is_c_contiguous();
  return sparse_with_data(a, ordered ? values : contiguous(values, values.dtype()));
}

sparse_parts sparse_without_zeros(const sparse_parts& a) {
  return filtered(a, typed<bool>(any_array(astype(named(a.data), gparray::dtype::bool_, false).eval())));
}

std::int64_t sparse_nnz(const sparse_parts& a) {
  if (a.format != sparse::format::dia) return a.data.size();
  const std::int64_t width = std::min(a.columns, a.data.shape(1));
  const index_array offsets = diagonal_offsets(a);
  const index_array ends = a.rows + gparray::minimum(offsets, width - a.rows),
                    begins = gparray::maximum(offsets, 0);
  return gparray::sum(gparray::maximum(ends - begins, 0)).item();
}

}  // namespace detail
GPARRAY_END_NAMESPACE
