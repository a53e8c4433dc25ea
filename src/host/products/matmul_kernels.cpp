// The inner loops of real_product: as many sums in registers as there are, each operand loaded once a step.
#include <host/products/matmul_real.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

GPARRAY_BEGIN_NAMESPACE
namespace host {

#if defined(__x86_64__)
namespace {

// The same body for each kind of vector: functions with a target cannot be inlined into templates without it.
#define GPARRAY_MATMUL_KERNELS(level, target_text, T, vector, prefix, suffix, n_rows)                      \
  namespace level {                                                                                        \
  constexpr std::int64_t width_##T = sizeof(vector) / sizeof(T);                                           \
  template<int Vectors>                                                                                    \
  __attribute__((target(target_text))) void multiply_##T(std::int64_t depth, const T* a, const T* b, T* c, \
                                                         std::int64_t ldc, bool add) {                     \
    vector sum[n_rows][Vectors];                                                                           \
    _Pragma("GCC unroll 8") for (int i = 0; i < n_rows; ++i) {                                             \
      __builtin_prefetch(c + i * ldc, 1);                                                                  \
      __builtin_prefetch(c + i * ldc + Vectors * width_##T - 1, 1);                                        \
      _Pragma("GCC unroll 3") for (int j = 0; j < Vectors; ++j) sum[i][j] = prefix##_setzero_##suffix();   \
    }                                                                                                      \
    for (std::int64_t p = 0; p < depth; ++p, a += n_rows, b += Vectors * width_##T) {                      \
      vector right[Vectors];                                                                               \
      _Pragma("GCC unroll 3") for (int j = 0; j < Vectors; ++j) right[j] =                                 \
          prefix##_loadu_##suffix(b + j * width_##T);                                                      \
      _Pragma("GCC unroll 8") for (int i = 0; i < n_rows; ++i) {                                           \
        const vector left = prefix##_set1_##suffix(a[i]);                                                  \
        _Pragma("GCC unroll 3") for (int j = 0; j < Vectors; ++j) sum[i][j] =                              \
            prefix##_fmadd_##suffix(left, right[j], sum[i][j]);                                            \
      }                                                                                                    \
    }                                                                                                      \
    _Pragma("GCC unroll 8") for (int i = 0; i < n_rows; ++i)                                               \
        _Pragma("GCC unroll 3") for (int j = 0; j < Vectors; ++j) {                                        \
      T* const at = c + i * ldc + j * width_##T;                                                           \
      prefix##_storeu_##suffix(                                                                            \
          at, add ? prefix##_add_##suffix(prefix##_loadu_##suffix(at), sum[i][j]) : sum[i][j]);            \
    }                                                                                                      \
  }                                                                                                        \
  constexpr matmul_kernel<T> kernel_##T{                                                                   \
      width_##T, n_rows, {multiply_##T<1>, multiply_##T<2>, multiply_##T<3>}};                             \
  }

GPARRAY_MATMUL_KERNELS(avx512, "avx512f", float, __m512, _mm512, ps, 8)
GPARRAY_MATMUL_KERNELS(avx512, "avx512f", double, __m512d, _mm512, pd, 8)
GPARRAY_MATMUL_KERNELS(avx2, "avx2,fma", float, __m256, _mm256, ps, 4)
GPARRAY_MATMUL_KERNELS(avx2, "avx2,fma", double, __m256d, _mm256, pd, 4)
#undef GPARRAY_MATMUL_KERNELS

enum class level { none, avx2, avx512 };

level processor() {
  static const level found = [] {
    if (__builtin_cpu_supports("avx512f")) return level::avx512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? level::avx2 : level::none;
  }();
  return found;
}

}  // namespace

template<>
const matmul_kernel<float>* find_matmul_kernel() {
  const level l = processor();
  return l == level::avx512 ? &avx512::kernel_float : l == level::avx2 ? &avx2::kernel_float : nullptr;
}

template<>
const matmul_kernel<double>* find_matmul_kernel() {
  const level l = processor();
  return l == level::avx512 ? &avx512::kernel_double : l == level::avx2 ? &avx2::kernel_double : nullptr;
}

#else
template<>
const matmul_kernel<float>* find_matmul_kernel() {
  return nullptr;
}
template<>
const matmul_kernel<double>* find_matmul_kernel() {
  return nullptr;
}
#endif

}  // namespace host
GPARRAY_END_NAMESPACE
