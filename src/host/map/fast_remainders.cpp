// Remainders of real numbers by division, where the processor can subtract a product without rounding it.
#include <algorithm>

#include <host/map/fast_loops.hpp>
#include <host/support/clones.hpp>
#include <kernel/divided_rest.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr std::int64_t block = 256;

/// fmod of a block, and whether all of it is right.
template<class T>
__attribute__((always_inline)) inline bool divide_block(const T* a, const T* b, T* rest, std::int64_t n) {
  int wrong = 0;
#pragma omp simd reduction(| : wrong)
  for (std::int64_t j = 0; j < n; ++j) {
    const kernel::divided_rest<T> divided(a[j], b[j]);
    wrong |= !divided.fits;
    rest[j] = divided.rest;
  }
  return wrong == 0;
}

template<class T, ufunc Op>
GPARRAY_CLONES void remainder_loop(const void* const* args, void* out, std::int64_t n) {
  const T* const a = static_cast<const T*>(args[0]);
  const T* const b = static_cast<const T*>(args[1]);
  T* const r = static_cast<T*>(out);
  T rest[block];
  for (std::int64_t i = 0; i < n; i += block) {
    const std::int64_t count = std::min(block, n - i);
    if (!divide_block(a + i, b + i, rest, count))
      for (std::int64_t j = 0; j < count; ++j) rest[j] = kernel::fmod(a[i + j], b[i + j]);
#pragma omp simd
    for (std::int64_t j = 0; j < count; ++j) {
      if constexpr (Op == ufunc::fmod) r[i + j] = rest[j];
      else if constexpr (Op == ufunc::remainder) r[i + j] = kernel::remainder_of(rest[j], b[i + j]);
      else r[i + j] = kernel::floored_quotient(rest[j], a[i + j], b[i + j]);
    }
  }
}

template<class T>
loop find_typed(ufunc op) {
  switch (op) {
    case ufunc::fmod:
      return &remainder_loop<T, ufunc::fmod>;
    case ufunc::remainder:
      return &remainder_loop<T, ufunc::remainder>;
    case ufunc::floor_divide:
      return &remainder_loop<T, ufunc::floor_divide>;
    default:
      return nullptr;
  }
}

}  // namespace

loop find_remainder_loop(ufunc op, dtype type) {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool has_fused = __builtin_cpu_supports("fma");
  if (!has_fused) return nullptr;  // the C library would do it, slower than its fmod
  if (type == dtype::float32) return find_typed<float>(op);
  if (type == dtype::float64) return find_typed<double>(op);
#endif
  return nullptr;
}

}  // namespace host
GPARRAY_END_NAMESPACE
