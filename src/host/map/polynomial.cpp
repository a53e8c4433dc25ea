// Horner's rule over all coefficients, for as many elements at once as registers hold.
#include <algorithm>

#include <host/map/polynomial.hpp>
#include <host/support/clones.hpp>
#include <host/support/lane.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/functors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

struct coefficients {
  const char* first;
  std::int64_t stride, count;
};

/// As many elements as are worked on together.
template<class T>
constexpr std::int64_t tile = std::is_same_v<T, bool> ? 64 : 512 / sizeof(T);

/// A tile in vectors of so many bytes, eight of them at a time: more would not fit into registers, nor would
/// larger ones than these are.
template<int Bytes, class T>
__attribute__((always_inline)) inline void evaluate_in_vectors(const T* x, T* out, coefficients c) {
  using lane = lane_t<T>;
  typedef lane vector __attribute__((vector_size(Bytes)));
  typedef lane anywhere __attribute__((vector_size(Bytes), aligned(sizeof(lane)), may_alias));
  constexpr int n = 8;
  constexpr std::int64_t step = n * Bytes / static_cast<std::int64_t>(sizeof(T));
  static_assert(tile<T> % step == 0);
  for (std::int64_t i = 0; i < tile<T>; i += step) {
    const anywhere* const at = reinterpret_cast<const anywhere*>(x + i);
    vector y[n] = {};
    const char* from = c.first;
    for (std::int64_t j = 0; j < c.count; ++j, from += c.stride) {
      lane coefficient;
      __builtin_memcpy(&coefficient, from, sizeof coefficient);
#pragma GCC unroll 8
      for (int v = 0; v < n; ++v) y[v] = y[v] * at[v] + coefficient;
    }
#pragma GCC unroll 8
    for (int v = 0; v < n; ++v) reinterpret_cast<anywhere*>(out + i)[v] = y[v];
  }
}
#if defined(__x86_64__) && defined(__GNUC__)
template<class T>
__attribute__((target("avx512f,avx512bw,avx512dq"))) void evaluate_by_avx512(const T* x, T* out,
                                                                             coefficients c) {
  evaluate_in_vectors<64>(x, out, c);
}
#endif
template<class T>
GPARRAY_CLONES void evaluate_plainly(const T* x, T* out, coefficients c) {
  evaluate_in_vectors<32>(x, out, c);
}
template<class T>
void evaluate_tile(const T* x, T* out, coefficients c) {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                                 __builtin_cpu_supports("avx512dq");
  if (has_avx512) return evaluate_by_avx512(x, out, c);
#endif
  evaluate_plainly(x, out, c);
}
/// One coefficient more, for a tile of sums: a function of its own, for g++ 12 vectorises the loop wrongly
/// where the tile is a local array of complex numbers.
template<class T>
GPARRAY_CLONES void add_coefficient(const T* x, T* y, T coefficient) {
  for (std::int64_t i = 0; i < tile<T>; ++i)
    y[i] = kernel::invoke<kernel::add_op, T>(kernel::invoke<kernel::multiply_op, T>(y[i], x[i]), coefficient);
}
template<class T>
  requires(!kernel::is_real<T> && !kernel::is_integer<T>)
void evaluate_tile(const T* x, T* out, coefficients c) {
  T y[tile<T>] = {};
  const char* from = c.first;
  for (std::int64_t j = 0; j < c.count; ++j, from += c.stride)
    add_coefficient(x, y, *reinterpret_cast<const T*>(from));
  std::copy_n(y, tile<T>, out);
}

template<class T>
void evaluate(const core::polynomial_plan& p) {
  const coefficients c{static_cast<const char*>(p.coefficients), p.coefficient_stride, p.n_coefficients};
  const T* const x = static_cast<const T*>(p.x);
  T* const out = static_cast<T*>(p.out);
  const std::int64_t grain = std::max<std::int64_t>(serial_elements / (p.n_coefficients + 1), tile<T>);
  parallel_for(p.size, grain, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t i = begin;
    for (; i + tile<T> <= end; i += tile<T>) evaluate_tile(x + i, out + i, c);
    if (i == end) return;
    // What is left goes through the same code.
    T some[tile<T>] = {}, values[tile<T>];
    std::copy(x + i, x + end, some);
    evaluate_tile(some, values, c);
    std::copy_n(values, end - i, out + i);
  });
}

}  // namespace

void evaluate_polynomial(const core::polynomial_plan& plan) {
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return evaluate<kernel_type>(plan);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
