// What takes few lines, and the engine.
#include <host/sparse/sparse.hpp>
#include <host/sparse/types.hpp>
#include <kernel/compare.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// The position for `number` at or after `from`, where it is if numbers ascend: steps double from there.
std::int64_t find_from(const std::int64_t* keys, std::int64_t n, std::int64_t from, std::int64_t number,
                       bool after) {
  const auto before = [&](std::int64_t key) { return after ? key <= number : key < number; };
  std::int64_t step = 1, low = from, high = from;
  while (high < n && before(keys[high])) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = std::min(high, n);
  return std::partition_point(keys + low, keys + high, before) - keys;
}

template<class T, class Reduce>
void reduce_values(const T* values, std::int64_t begin, std::int64_t end, T& out, Reduce reduce) {
  T result{};
  if (begin < end) result = values[begin];
  for (std::int64_t k = begin + 1; k < end; ++k) result = reduce(result, values[k]);
  out = result;
}

}  // namespace

void host_sparse::starts(const void* numbers, std::int64_t count, std::int64_t n_numbers, dtype index,
                         void* indptr, queue) {
  with_index(index, [&]<class I>(I) {
    const I* const number = static_cast<const I*>(numbers);
    // An entry is where those begin that are above the number before it, and not above its own.
    parallel_for(count + 1, fewest_entries, [&](std::int64_t first, std::int64_t last) {
      std::int64_t next = first > 0 ? number[first - 1] + std::int64_t{1} : 0;
      for (std::int64_t k = first; k < last; ++k)
        for (const std::int64_t own = k < count ? number[k] : n_numbers; next <= own; ++next)
          static_cast<I*>(indptr)[next] = static_cast<I>(k);
    });
  });
}

void host_sparse::expand(const void* indptr, std::int64_t rows, std::int64_t, dtype index, void* row, queue) {
  with_index(index, [&]<class I>(I) {
    const I* const starts = static_cast<const I*>(indptr);
    for_rows(starts, rows, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t r = first; r < last; ++r)
        std::fill(static_cast<I*>(row) + starts[r], static_cast<I*>(row) + starts[r + 1], static_cast<I>(r));
    });
  });
}

void host_sparse::search(const std::int64_t* keys, std::int64_t n_keys, const std::int64_t* numbers,
                         std::int64_t n, bool after, std::int64_t* positions, queue) {
  parallel_for(n, fewest_entries, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t at = 0, last = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      if (i == begin || numbers[i] < last) at = 0;
      last = numbers[i];
      positions[i] = at = find_from(keys, n_keys, at, last, after);
    }
  });
}

void host_sparse::reduce_rows(reduction op, dtype type, const void* values, const void* indptr, dtype index,
                              std::int64_t rows, void* out, queue) {
  with_stored(type, [&]<class T>(T) {
    with_index(index, [&]<class I>(I) {
      const I* const starts = static_cast<const I*>(indptr);
      const T* const from = static_cast<const T*>(values);
      T* const to = static_cast<T*>(out);
      for_rows(starts, rows, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t r = first; r < last; ++r) {
          const auto reduce = [&](auto f) { reduce_values(from, starts[r], starts[r + 1], to[r], f); };
          if (op == reduction::sum) reduce([](T a, T b) { return kernel::add(a, b); });
          else if (op == reduction::max) reduce([](T a, T b) { return kernel::maximum(a, b); });
          else reduce([](T a, T b) { return kernel::minimum(a, b); });
        }
      });
    });
  });
}

core::sparse_engine& sparse() {
  static auto* const engine = new host_sparse;  // never destroyed, as the backend that owns it
  return *engine;
}

}  // namespace host
GPARRAY_END_NAMESPACE
