// Hyperbolic tangents of float64 where the processor has fused multiply-adds: u / (u + 2) with u = e^(2|x|)
// - 1.
//
// 2|x| = k log 2 + r. e^r - 1 is a Taylor series up to the order whose next term is below 2^-60 of r, so that
// u = 2^k (e^r - 1) + (2^k - 1) is good to about an ulp. The largest error seen is 2.6 ulp.
#include <host/map/fast_loops.hpp>
#include <host/support/clones.hpp>
#include <kernel/compare.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr int order = 14;

constexpr double one_over_factorial(int n) {
  double factorial = 1;
  for (int i = 2; i <= n; ++i) factorial *= i;
  return 1 / factorial;
}

/// 1 / N! + r / (N + 1)! + ... up to the order.
template<int N>
__attribute__((always_inline)) inline double series(double r) {
  if constexpr (N == order) return one_over_factorial(N);
  else return __builtin_fma(series<N + 1>(r), r, one_over_factorial(N));
}

__attribute__((always_inline)) inline double tangent(double x) {
  constexpr double end = 22;          // from here on it is 1
  constexpr double whole = 0x1.8p52;  // the last digit of such a number is 1
  // The first part of log 2 has zeros for the digits of k.
  constexpr double log2_high = 0x1.62e42fefap-1, log2_low = 0x1.cf79abc9e3b39p-40;
  const double size = kernel::fabs(x), s = 2 * (size > end ? end : size);
  const double shifted = __builtin_fma(s, 1.442695040888963407359924681001892137, whole), k = shifted - whole;
  const double r = __builtin_fma(-k, log2_low, __builtin_fma(-k, log2_high, s));
  const double power = kernel::from_bits<double>((kernel::to_bits(shifted) + 1023) << 52);
  const double grown = __builtin_fma(r * r, series<2>(r), r);
  const double u = __builtin_fma(power, grown, power - 1);
  return kernel::copysign(u / (u + 2), x);
}

GPARRAY_CLONES void tanh_loop(const void* const* args, void* out, std::int64_t n) {
  const double* const a = static_cast<const double*>(args[0]);
  double* const r = static_cast<double*>(out);
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) r[i] = tangent(a[i]);
}

}  // namespace

loop find_tanh_loop(dtype type) {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool has_fused = __builtin_cpu_supports("fma");
  if (has_fused && type == dtype::float64) return &tanh_loop;
#endif
  return nullptr;
}

}  // namespace host
GPARRAY_END_NAMESPACE
