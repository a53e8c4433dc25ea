// Convolution and correlation: several vectors of sums are kept in registers while the taps go by.
#include <algorithm>
#include <memory>
#include <type_traits>

#include <host/map/cost.hpp>
#include <host/support/clones.hpp>
#include <host/support/lane.hpp>
#include <host/support/operations.hpp>
#include <host/support/stored_types.hpp>
#include <host/support/thread_pool.hpp>
#include <plan/correlation_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Products of this many taps are added up in their order, then the sums of such blocks, so that rounding
/// errors grow slowly, and every sum has one order.
constexpr std::int64_t block = 64;

/// Sums that are computed side by side.
template<class T>
constexpr std::int64_t tile = kernel::is_real<T> || kernel::is_integer<T> ? 256 / sizeof(T) : 8;

/// sum[j] += w[i] * x[i + j], for a tile of sums. Vectors of more bytes than registers have go through
/// memory.
template<int Bytes, class T>
__attribute__((always_inline)) inline void add_taps_in_vectors(const T* x, const T* w, std::int64_t taps,
                                                               T* sum) {
  using lane = lane_t<T>;
  typedef lane vector __attribute__((vector_size(Bytes)));
  typedef lane anywhere __attribute__((vector_size(Bytes), aligned(sizeof(lane)), may_alias));
  constexpr int n = static_cast<int>(tile<T> * sizeof(T)) / Bytes;
  anywhere* const to = reinterpret_cast<anywhere*>(sum);
  vector s[n];
#pragma GCC unroll 8
  for (int v = 0; v < n; ++v) s[v] = to[v];
  for (std::int64_t i = 0; i < taps; ++i) {
    const lane factor = static_cast<lane>(w[i]);
    const anywhere* const from = reinterpret_cast<const anywhere*>(x + i);
#pragma GCC unroll 8
    for (int v = 0; v < n; ++v) s[v] += from[v] * factor;
  }
#pragma GCC unroll 8
  for (int v = 0; v < n; ++v) to[v] = s[v];
}
#if defined(__x86_64__) && defined(__GNUC__)
template<class T>
__attribute__((target("avx512f"))) void add_taps_avx512(const T* x, const T* w, std::int64_t taps, T* sum) {
  add_taps_in_vectors<64>(x, w, taps, sum);
}
#endif
template<class T>
GPARRAY_CLONES void add_taps_plainly(const T* x, const T* w, std::int64_t taps, T* sum) {
  add_taps_in_vectors<32>(x, w, taps, sum);
}
template<class T>
void add_taps(const T* x, const T* w, std::int64_t taps, T* sum) {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool has_avx512 = __builtin_cpu_supports("avx512f");
  if (has_avx512) return add_taps_avx512(x, w, taps, sum);
#endif
  add_taps_plainly(x, w, taps, sum);
}
template<class T>
  requires(!kernel::is_real<T> && !kernel::is_integer<T>)
GPARRAY_CLONES void add_taps(const T* x, const T* w, std::int64_t taps, T* sum) {
  for (std::int64_t i = 0; i < taps; ++i)
    for (std::int64_t j = 0; j < tile<T>; ++j) sum[j] = kernel::add(sum[j], kernel::multiply(w[i], x[i + j]));
}

template<class T>
class correlator {
 public:
  correlator(const core::correlation_plan& p, const T* weights)
      : x_(static_cast<const T*>(p.x)), w_(weights), size_(p.size), width_(p.width), before_(p.before) {}

  /// Elements [begin, end) of the result.
  void run(std::int64_t begin, std::int64_t end, T* out) const {
    if (end - begin < tile<T>) {
      for (std::int64_t k = begin; k < end; ++k) out[k] = single(k);
      return;
    }
    // The last tile may overlap the one before.
    for (std::int64_t k = begin; k < end; k += tile<T>) {
      const std::int64_t at = std::min(k, end - tile<T>);
      if (width_ <= block && first_tap(at) == 0 && end_tap(at + tile<T> - 1) == width_) {
        T sums[tile<T>]{};
        add_taps(x_ + at - before_, w_, width_, sums);
        std::copy_n(sums, tile<T>, out + at);
      } else {
        many(at, out + at);
      }
    }
  }

 private:
  std::int64_t first_tap(std::int64_t k) const { return std::max<std::int64_t>(0, before_ - k); }
  std::int64_t end_tap(std::int64_t k) const { return std::min(width_, size_ + before_ - k); }

  T sum_of(std::int64_t k, std::int64_t first, std::int64_t last, T sum) const {
    for (std::int64_t i = first; i < last; ++i)
      sum = kernel::add(sum, kernel::multiply(w_[i], x_[k - before_ + i]));
    return sum;
  }

  /// Sums of whole blocks are computed side by side: an addition waits for the one before it.
  T single(std::int64_t k) const {
    constexpr std::int64_t side_by_side = 8;
    const std::int64_t first = first_tap(k), last = end_tap(k);
    T sum{};
    for (std::int64_t i = first; i < last;) {
      if (i % block == 0 && i + side_by_side * block <= last) {
        const T *w = w_ + i, *x = x_ + k - before_ + i;
        T partial[side_by_side]{};
        for (std::int64_t j = 0; j < block; ++j)
          for (std::int64_t b = 0; b < side_by_side; ++b)
            partial[b] = kernel::add(partial[b], kernel::multiply(w[b * block + j], x[b * block + j]));
        for (const T& p : partial) sum = kernel::add(sum, p);
        i += side_by_side * block;
      } else {
        const std::int64_t next = std::min(last, (i / block + 1) * block);
        sum = kernel::add(sum, sum_of(k, i, next, T{}));
        i = next;
      }
    }
    return sum;
  }

  /// A tile of sums; taps that only some of them have are added to these alone.
  void many(std::int64_t k, T* out) const {
    constexpr std::int64_t n = tile<T>;
    const std::int64_t first = first_tap(k + n - 1), last = end_tap(k);
    const std::int64_t all_first = first_tap(k), all_last = end_tap(k + n - 1);
    T sums[n]{};
    for (std::int64_t i = first; i < last;) {
      const std::int64_t next = std::min(last, (i / block + 1) * block);
      const std::int64_t from = std::clamp(all_first, i, next), to = std::clamp(all_last, from, next);
      T partial[n]{};
      if (i < from) each(k, i, from, partial);
      if (from < to) add_taps(x_ + k - before_ + from, w_ + from, to - from, partial);
      if (to < next) each(k, to, next, partial);
      for (std::int64_t j = 0; j < n; ++j) sums[j] = kernel::add(sums[j], partial[j]);
      i = next;
    }
    std::copy_n(sums, n, out);
  }

  void each(std::int64_t k, std::int64_t first, std::int64_t last, T* sums) const {
    for (std::int64_t j = 0; j < tile<T>; ++j)
      sums[j] = sum_of(k + j, std::max(first, first_tap(k + j)), std::min(last, end_tap(k + j)), sums[j]);
  }

  const T *x_, *w_;
  std::int64_t size_, width_, before_;
};

template<class T>
void correlate_as(const core::correlation_plan& p) {
  const T* weights = static_cast<const T*>(p.weights);
  std::unique_ptr<T[]> reversed_weights;
  if (p.reversed) {
    reversed_weights.reset(new T[static_cast<std::size_t>(p.width)]);
    std::reverse_copy(weights, weights + p.width, reversed_weights.get());
    weights = reversed_weights.get();
  }
  const correlator<T> s(p, weights);
  const std::int64_t picoseconds = 15 * static_cast<std::int64_t>(sizeof(T)) * (p.width + 4);
  parallel_for(p.count, std::max(tile<T>, fewest_elements(picoseconds)),
               [&](std::int64_t begin, std::int64_t end) { s.run(begin, end, static_cast<T*>(p.out)); });
}

}  // namespace

void correlate(const core::correlation_plan& p) {
  with_stored(p.type, [&]<class T>(T) { correlate_as<T>(p); });
}

}  // namespace host
GPARRAY_END_NAMESPACE
