// hypot, and absolute of complex numbers: the numbers of a block are seldom so large or small that their
// squares must be scaled, so that is looked at once a block. Without scaling the bits are those of the
// functor.
#include <algorithm>

#include <host/map/fast_loops.hpp>
#include <host/support/clones.hpp>
#include <kernel/compare.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr std::int64_t block = 256;

/// Whether kernel::hypot scales (x, y), or an operand is not finite.
template<class R>
__attribute__((always_inline)) inline bool is_scaled(R x, R y) {
  using range = kernel::square_range<R>;
  const R size_x = kernel::fabs(x), size_y = kernel::fabs(y), larger = size_x > size_y ? size_x : size_y;
  // Not true for NaN in either.
  const bool in_range =
      ((larger >= range::small) | (larger == R(0))) & (larger <= range::large) & (size_x <= range::large);
  return !in_range;
}

/// Of the n pairs that x(i) and y(i) give.
template<class R, class X, class Y>
__attribute__((always_inline)) inline void lengths(R* r, std::int64_t n, X x, Y y) {
  R length[block];
  for (std::int64_t i = 0; i < n; i += block) {
    const std::int64_t count = std::min(block, n - i);
    int scaled = 0;
#pragma omp simd reduction(| : scaled)
    for (std::int64_t j = 0; j < count; ++j) {
      const R a = x(i + j), b = y(i + j);
      scaled |= is_scaled(a, b);
      length[j] = kernel::sqrt(a * a + b * b);
    }
    if (scaled != 0) {
#pragma omp simd
      for (std::int64_t j = 0; j < count; ++j) length[j] = kernel::hypot(x(i + j), y(i + j));
    }
    std::copy_n(length, count, r + i);  // the output may be an operand
  }
}

template<class R>
GPARRAY_CLONES void hypot_loop(const void* const* args, void* out, std::int64_t n) {
  const R *const a = static_cast<const R*>(args[0]), *const b = static_cast<const R*>(args[1]);
  lengths(
      static_cast<R*>(out), n, [a](std::int64_t i) __attribute__((always_inline)) { return a[i]; },
      [b](std::int64_t i) __attribute__((always_inline)) { return b[i]; });
}

template<class R>
GPARRAY_CLONES void modulus_loop(const void* const* args, void* out, std::int64_t n) {
  const R* const parts = static_cast<const R*>(args[0]);
  lengths(
      static_cast<R*>(out), n,
      [parts](std::int64_t i) __attribute__((always_inline)) { return parts[2 * i]; },
      [parts](std::int64_t i) __attribute__((always_inline)) { return parts[2 * i + 1]; });
}

}  // namespace

loop find_length_loop(ufunc op, dtype type) {
  const bool real = op == ufunc::hypot;
  switch (type) {
    case dtype::float32:
      return real ? &hypot_loop<float> : nullptr;
    case dtype::float64:
      return real ? &hypot_loop<double> : nullptr;
    case dtype::complex64:
      return real ? nullptr : &modulus_loop<float>;
    case dtype::complex128:
      return real ? nullptr : &modulus_loop<double>;
    default:
      return nullptr;
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
