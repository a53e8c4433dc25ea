#include <algorithm>
#include <bit>

#include <host/map/fast_loops.hpp>
#include <host/support/clones.hpp>
#include <kernel/arithmetic.hpp>
#include <kernel/compare.hpp>
#include <kernel/integer.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr std::int64_t block = 256;

// g++ threads jumps through selections that depend on each other and then cannot vectorise them, so the two
// of clip have a loop each. The output may be an operand: a block of it is written when it has been read.
template<class T>
GPARRAY_CLONES void clip_loop(const void* const* args, void* out, std::int64_t n) {
  const T* const a = static_cast<const T*>(args[0]);
  const T* const low = static_cast<const T*>(args[1]);
  const T* const high = static_cast<const T*>(args[2]);
  T* const r = static_cast<T*>(out);
  T raised[block];
  for (std::int64_t i = 0; i < n; i += block) {
    const std::int64_t count = std::min(block, n - i);
#pragma omp simd
    for (std::int64_t j = 0; j < count; ++j) raised[j] = kernel::maximum(a[i + j], low[i + j]);
#pragma omp simd
    for (std::int64_t j = 0; j < count; ++j) r[i + j] = kernel::minimum(raised[j], high[i + j]);
  }
}

/// a - b * c, which may wrap on its way, or where it is not used.
__attribute__((always_inline)) inline long rest_of(long a, long b, long c) {
  using word = unsigned long;
  return static_cast<long>(static_cast<word>(a) - static_cast<word>(b) * static_cast<word>(c));
}

/// Numbers of less than 51 bits to double and back, rounded, as a sum that has them in its last bits: AVX2
/// has no instructions for either.
constexpr double last_bits = 0x1.8p52;
__attribute__((always_inline)) inline double few_bits_to_double(long x) {
  return std::bit_cast<double>(x + std::bit_cast<long>(last_bits)) - last_bits;
}
__attribute__((always_inline)) inline long to_few_bits(double x) {
  return std::bit_cast<long>(x + last_bits) - std::bit_cast<long>(last_bits);
}
/// Whether a block has only numbers of so few bits.
template<int Bits>
__attribute__((always_inline)) inline bool fit_bits(const long* a, std::int64_t n) {
  unsigned long bits = 0;
#pragma omp simd reduction(| : bits)
  for (std::int64_t j = 0; j < n; ++j) bits |= static_cast<unsigned long>(a[j] ^ (a[j] >> 63));
  return bits >> Bits == 0;
}

/// Quotients of a block by way of double, rounded down, and whether all of them are right. A quotient below
/// 2^50 comes out within 1/2 of a / b (four roundings at most), truncated or rounded within 2 of the floor,
/// which is found from the remainder; that fits for divisors below 2^61. One divisor for all is inverted
/// once.
template<bool OneDivisor, bool FewBits>
__attribute__((always_inline)) inline bool divide_block(const long* a, const long* b, long* quotient,
                                                        std::int64_t n) {
  constexpr double largest_quotient = 0x1p50;
  constexpr long largest_divisor = 1l << 61;
  const auto to_double = [](long x) __attribute__((always_inline)) {
    if constexpr (FewBits) return few_bits_to_double(x);
    else return static_cast<double>(x);
  };
  const double inverse = 1 / static_cast<double>(b[0]);
  long wrong = 0;
#pragma omp simd reduction(| : wrong)
  for (std::int64_t j = 0; j < n; ++j) {
    const double dividend = to_double(a[j]),
                 exact = OneDivisor ? dividend * inverse : dividend / to_double(b[j]);
    const double size = kernel::fabs(exact);
    // Not true for the NaN of 0 / 0.
    const bool small = size < largest_quotient;
    wrong |= !small | (b[j] > largest_divisor) | (b[j] < -largest_divisor);
    const double used = small ? exact : 0.0;
    const long q = FewBits ? to_few_bits(used) : static_cast<long>(used);
    // The remainder times the sign of the divisor is in [0, |divisor|) for the right quotient.
    const long rest = rest_of(a[j], q, b[j]);
    const bool negative = b[j] < 0;
    const long signed_rest = negative ? rest_of(0, rest, 1) : rest,
               divisor = negative ? rest_of(0, b[j], 1) : b[j];
    quotient[j] = q - (signed_rest < 0) - (signed_rest < rest_of(0, divisor, 1)) + (signed_rest >= divisor);
  }
  return wrong == 0;
}

/// Whether a block has one divisor or exponent, as a constant has.
template<class T>
__attribute__((always_inline)) inline bool all_equal(const T* b, std::int64_t n) {
  T differing = 0;
#pragma omp simd reduction(| : differing)
  for (std::int64_t j = 0; j < n; ++j) differing |= b[j] ^ b[0];
  return differing == 0;
}

/// Whether the processor has instructions for whole vectors.
const bool converts_long = [] {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return true;
#endif
}();

/// One positive divisor d, by its inverse in integers (T. Granlund and P. Montgomery 1994, "Division by
/// invariant integers using multiplication"): with s such that 2^s >= d and m the ceiling of 2^(Bits + s) /
/// d, m d is above 2^(Bits + s) by less than 2^s, so that n m / 2^(Bits + s) has the floor of n / d for all n
/// < 2^Bits. What is negative is turned over, for floor(n / d) is -1 - floor((-1 - n) / d).
template<int Bits>
class inverted_divisor {
  using word = unsigned long;
  using wide = unsigned __int128;

 public:
  explicit inverted_divisor(long d) : shift_(std::bit_width(static_cast<word>(d) - 1)) {
    const auto divisor = static_cast<word>(d);
    multiplier_ = static_cast<word>(((wide{1} << (Bits + shift_)) + divisor - 1) / divisor);
  }
  __attribute__((always_inline)) long quotient(long n) const {
    const long sign = n >> 63;
    const auto positive = static_cast<word>(n ^ sign);
    const word q = Bits < 32 ? positive * multiplier_ >> (Bits + shift_)
                             : static_cast<word>(wide{positive << 1} * multiplier_ >> 64) >> shift_;
    return static_cast<long>(q) ^ sign;
  }

 private:
  int shift_;
  word multiplier_;
};
template<bool Remainder, int Bits>
__attribute__((always_inline)) inline void divide_by_inverse(const long* a, long d, long* to,
                                                             std::int64_t n) {
  const inverted_divisor<Bits> inverse(d);
#pragma omp simd
  for (std::int64_t j = 0; j < n; ++j) {
    const long q = inverse.quotient(a[j]);
    to[j] = Remainder ? rest_of(a[j], q, d) : q;
  }
}

template<bool Remainder>
GPARRAY_CLONES void divide_loop(const void* const* args, void* out, std::int64_t n) {
  const long* const a = static_cast<const long*>(args[0]);
  const long* const b = static_cast<const long*>(args[1]);
  long* const r = static_cast<long*>(out);
  long quotient[block];
  for (std::int64_t i = 0; i < n; i += block) {
    const std::int64_t count = std::min(block, n - i);
    const bool one = all_equal(b + i, count);
    if (one && b[i] > 0 && !converts_long) {
      if (b[i] < 1l << 31 && fit_bits<31>(a + i, count))
        divide_by_inverse<Remainder, 31>(a + i, b[i], r + i, count);
      else divide_by_inverse<Remainder, 63>(a + i, b[i], r + i, count);
      continue;
    }
    const bool few = !converts_long && fit_bits<50>(a + i, count) && fit_bits<50>(b + i, count);
    const auto divide = [&]<bool FewBits>() __attribute__((always_inline)) {
      return one ? divide_block<true, FewBits>(a + i, b + i, quotient, count)
                 : divide_block<false, FewBits>(a + i, b + i, quotient, count);
    };
    const bool right = few ? divide.template operator()<true>() : divide.template operator()<false>();
    if (!right) {
      for (std::int64_t j = i; j < i + count; ++j)
        r[j] = Remainder ? kernel::integer_remainder(a[j], b[j]) : kernel::integer_floor_divide(a[j], b[j]);
      continue;
    }
#pragma omp simd
    for (std::int64_t j = 0; j < count; ++j)
      r[i + j] = Remainder ? rest_of(a[i + j], quotient[j], b[i + j]) : quotient[j];
  }
}

/// Elements to one power that is not negative, by squaring: the products of kernel::integer_power, which wrap
/// and so are the same in any order, for a whole block at a time.
template<class T>
__attribute__((always_inline)) inline void power_block(const T* a, kernel::unsigned_t<T> exponent, T* to,
                                                       std::int64_t n) {
  using word = kernel::unsigned_t<T>;
  word base[block], result[block];
#pragma omp simd
  for (std::int64_t j = 0; j < n; ++j) base[j] = static_cast<word>(a[j]);
  for (; exponent > 0 && exponent % 2 == 0; exponent /= 2) {
#pragma omp simd
    for (std::int64_t j = 0; j < n; ++j) base[j] *= base[j];
  }
#pragma omp simd
  for (std::int64_t j = 0; j < n; ++j) result[j] = exponent == 0 ? 1 : base[j];
  while (exponent > 1) {
    exponent /= 2;
#pragma omp simd
    for (std::int64_t j = 0; j < n; ++j) base[j] *= base[j];
    if (exponent % 2 == 0) continue;
#pragma omp simd
    for (std::int64_t j = 0; j < n; ++j) result[j] *= base[j];
  }
#pragma omp simd
  for (std::int64_t j = 0; j < n; ++j) to[j] = static_cast<T>(result[j]);
}

template<class T>
GPARRAY_CLONES void integer_power_loop(const void* const* args, void* out, std::int64_t n) {
  const T *const a = static_cast<const T*>(args[0]), *const b = static_cast<const T*>(args[1]);
  T* const r = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; i += block) {
    const std::int64_t count = std::min(block, n - i);
    if (b[i] >= 0 && all_equal(b + i, count)) {
      power_block(a + i, static_cast<kernel::unsigned_t<T>>(b[i]), r + i, count);
    } else {
      for (std::int64_t j = i; j < i + count; ++j) r[j] = kernel::integer_power(a[j], b[j]);
    }
  }
}

loop find_integer_power_loop(dtype type) {
  if (type == dtype::int32) return &integer_power_loop<int>;
  return type == dtype::int64 ? &integer_power_loop<long> : nullptr;
}

/// By one count for all elements of a block, as a number has it, which takes one instruction for a vector.
template<class T, bool Left>
GPARRAY_CLONES void shift_loop(const void* const* args, void* out, std::int64_t n) {
  const T *const a = static_cast<const T*>(args[0]), *const b = static_cast<const T*>(args[1]);
  T* const r = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; i += block) {
    const std::int64_t count = std::min(block, n - i);
    const auto by = static_cast<kernel::unsigned_t<T>>(b[i]);
    if (by < 8 * sizeof(T) && all_equal(b + i, count)) {
      const auto bits = static_cast<int>(by);
#pragma omp simd
      for (std::int64_t j = i; j < i + count; ++j)
        r[j] = Left ? static_cast<T>(static_cast<kernel::unsigned_t<T>>(a[j]) << bits)
                    : static_cast<T>(a[j] >> bits);
    } else {
#pragma omp simd
      for (std::int64_t j = i; j < i + count; ++j)
        r[j] = Left ? kernel::shift_left(a[j], b[j]) : kernel::shift_right(a[j], b[j]);
    }
  }
}

template<bool Left>
loop find_shift_loop(dtype type) {
  switch (type) {
    case dtype::int32:
      return &shift_loop<int, Left>;
    case dtype::uint32:
      return &shift_loop<unsigned, Left>;
    case dtype::int64:
      return &shift_loop<long, Left>;
    case dtype::uint64:
      return &shift_loop<unsigned long, Left>;
    default:
      return nullptr;
  }
}

#if defined(__x86_64__) && defined(__GNUC__)
/// Newer processors count the ones of whole vectors.
template<class T>
__attribute__((target("avx512bw,avx512vl,avx512vpopcntdq"))) void count_bits_loop(const void* const* args,
                                                                                  void* out, std::int64_t n) {
  const T* const a = static_cast<const T*>(args[0]);
  auto* const r = static_cast<unsigned char*>(out);
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i)
    r[i] = static_cast<unsigned char>(__builtin_popcountl(kernel::magnitude(a[i])));
}
#endif

loop find_count_bits_loop(dtype type) {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool in_vectors = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                                 __builtin_cpu_supports("avx512vpopcntdq");
  if (in_vectors && type == dtype::int32) return &count_bits_loop<int>;
  if (in_vectors && type == dtype::int64) return &count_bits_loop<long>;
#endif
  return nullptr;
}

}  // namespace

loop find_fast_loop(ufunc op, dtype type) {
  switch (op) {
    case ufunc::absolute:
    case ufunc::hypot:
      return find_length_loop(op, type);
    case ufunc::bitwise_count:
      return find_count_bits_loop(type);
    case ufunc::left_shift:
      return find_shift_loop<true>(type);
    case ufunc::right_shift:
      return find_shift_loop<false>(type);
    case ufunc::clip:
      if (type == dtype::float32) return &clip_loop<float>;
      if (type == dtype::float64) return &clip_loop<double>;
      return nullptr;
    case ufunc::floor_divide:
      return type == dtype::int64 ? &divide_loop<false> : find_remainder_loop(op, type);
    case ufunc::remainder:
      return type == dtype::int64 ? &divide_loop<true> : find_remainder_loop(op, type);
    case ufunc::power:
      return type == dtype::float32 ? find_power_loop(type) : find_integer_power_loop(type);
    case ufunc::tanh:
      return find_tanh_loop(type);
    case ufunc::fmod:
      return find_remainder_loop(op, type);
    default:
      return nullptr;
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
