// The loops that stand in for those of the table give the bits of the functors, or are as accurate as they
// say.
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <host/map/fast_loops.hpp>
#include <kernel/functors.hpp>

#include "support/same_bits.hpp"

using namespace gparray;

namespace {

// Numbers about which division by way of double could go wrong: those it cannot represent, multiples and
// their neighbours, and the ends.
std::vector<long> difficult_numbers() {
  std::vector<long> result{0, 1, -1, 2, -2, 3, -3, 7, -7, 10, -10, 1000003, -1000003};
  for (const int bit : {31, 32, 49, 50, 51, 52, 53, 60, 61, 62})
    for (const long near : {-1l, 0l, 1l}) {
      result.push_back((1l << bit) + near);
      result.push_back(-((1l << bit) + near));
    }
  for (const long end : {std::numeric_limits<long>::min(), std::numeric_limits<long>::max()})
    for (const long from_end : {0l, 1l, 2l}) result.push_back(end < 0 ? end + from_end : end - from_end);
  std::mt19937_64 random(7);
  for (int i = 0; i < 40; ++i) result.push_back(static_cast<long>(random()) >> (i % 60));
  return result;
}

/// Divides vectors of `length` neighbours in the list of all pairs, so that a block holds one kind or many.
void check_division(std::size_t length) {
  std::vector<long> a, b;
  for (const long divisor : difficult_numbers())
    for (const long dividend : difficult_numbers()) {
      a.push_back(dividend);
      b.push_back(divisor);
    }
  // Multiples and their neighbours: the quotient in double may round up to the next whole number.
  for (const long divisor : difficult_numbers())
    for (const long quotient : {1l, 2l, 3l, 1000003l, (1l << 45) + 1})
      for (const long near : {-1l, 0l, 1l}) {
        long product;
        if (__builtin_mul_overflow(divisor, quotient, &product) ||
            __builtin_add_overflow(product, near, &product))
          continue;
        a.push_back(product);
        b.push_back(divisor);
      }
  // Long quotients of numbers that double cannot represent, one to either side of whole.
  std::mt19937_64 random(23);
  for (int i = 0; i < 60000; ++i) {
    const long divisor = static_cast<long>(random() % 500) + 3, sign = random() % 2 ? 1 : -1;
    const long quotient = static_cast<long>((1ul << (46 + i % 8)) + random() % (1ul << (46 + i % 8)));
    a.push_back(sign * quotient * divisor + static_cast<long>(random() % 3) - 1);
    b.push_back(random() % 2 ? divisor : -divisor);
  }
  const host::loop divide = host::find_fast_loop(ufunc::floor_divide, dtype::int64),
                   rest = host::find_fast_loop(ufunc::remainder, dtype::int64);
  int wrong = 0;
  for (std::size_t begin = 0; begin < a.size(); begin += length) {
    const std::size_t n = std::min(length, a.size() - begin);
    std::vector<long> quotients(n), rests(n);
    const void* args[] = {a.data() + begin, b.data() + begin};
    divide(args, quotients.data(), static_cast<std::int64_t>(n));
    rest(args, rests.data(), static_cast<std::int64_t>(n));
    for (std::size_t i = 0; i < n; ++i)
      wrong += quotients[i] != kernel::integer_floor_divide(a[begin + i], b[begin + i]) ||
               rests[i] != kernel::integer_remainder(a[begin + i], b[begin + i]);
  }
  CHECK(wrong == 0);
}

template<class T>
void check_clip(dtype type) {
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T special[] = {T(0), -T(0), T(1), T(-1), T(2.5), inf, -inf, nan, -nan};
  std::vector<T> a, low, high;
  for (const T x : special)
    for (const T y : special)
      for (const T z : special) {
        a.push_back(x);
        low.push_back(y);
        high.push_back(z);
      }
  const auto n = a.size();
  std::vector<T> expected(n), got(n);
  for (std::size_t i = 0; i < n; ++i) expected[i] = kernel::clip(a[i], low[i], high[i]);
  const host::loop clip = host::find_fast_loop(ufunc::clip, type);
  const auto same = [&](const std::vector<T>& x) { return same_bits(x, expected); };
  const void* args[] = {a.data(), low.data(), high.data()};
  clip(args, got.data(), static_cast<std::int64_t>(n));
  CHECK(same(got));
  // The output may be any of the operands.
  for (std::vector<T>* target : {&a, &low, &high}) {
    const std::vector<T> before = *target;
    clip(args, target->data(), static_cast<std::int64_t>(n));
    CHECK(same(*target));
    *target = before;
  }
}

/// One divisor for whole blocks, as a constant has; of numbers of few bits alone, too, which have ways of
/// their own.
void check_one_divisor(int bits) {
  std::vector<long> a;
  for (const long dividend : difficult_numbers())
    for (const long near : {-1l, 0l, 1l})
      a.push_back(static_cast<long>(static_cast<unsigned long>(dividend) + near));
  std::mt19937_64 random(29);
  const host::loop divide = host::find_fast_loop(ufunc::floor_divide, dtype::int64),
                   rest = host::find_fast_loop(ufunc::remainder, dtype::int64);
  int wrong = 0;
  for (const long divisor : difficult_numbers()) {
    std::vector<long> some = a;
    for (int i = 0; i < 300; ++i) {  // quotients up to the largest that fit
      const long quotient = static_cast<long>(random() >> (14 + i % 30));
      long product;
      if (!__builtin_mul_overflow(quotient, divisor, &product)) some.push_back(product + i % 3 - 1);
    }
    const auto too_long = [bits](long x) { return bits < 63 && (x >= 1l << bits || x < -(1l << bits)); };
    if (too_long(divisor)) continue;
    std::erase_if(some, too_long);
    const std::vector<long> divisors(some.size(), divisor);
    std::vector<long> quotients(some.size()), rests = some;
    const void *args[] = {some.data(), divisors.data()}, *own[] = {rests.data(), divisors.data()};
    divide(args, quotients.data(), static_cast<std::int64_t>(some.size()));
    rest(own, rests.data(), static_cast<std::int64_t>(some.size()));
    for (std::size_t i = 0; i < some.size(); ++i)
      wrong += quotients[i] != kernel::integer_floor_divide(some[i], divisor) ||
               rests[i] != kernel::integer_remainder(some[i], divisor);
  }
  CHECK(wrong == 0);
}

/// By one count for a block, of those that leave something and those that do not, and by different ones.
template<class T>
void check_shifts(dtype type) {
  std::mt19937_64 random(37);
  std::vector<T> a(700), counts(a.size());
  for (T& x : a) x = static_cast<T>(random());
  const host::loop left = host::find_fast_loop(ufunc::left_shift, type),
                   right = host::find_fast_loop(ufunc::right_shift, type);
  constexpr int width = 8 * sizeof(T);
  int wrong = 0;
  for (const int count : {0, 1, 7, width - 1, width, width + 1, -1, 1000}) {
    for (std::size_t i = 0; i < a.size(); ++i)  // the last block has different ones
      counts[i] = static_cast<T>(i < 600 || count != 7 ? count : static_cast<int>(random() % 70) - 2);
    std::vector<T> up(a.size()), down = a;
    const void *args[] = {a.data(), counts.data()}, *own[] = {down.data(), counts.data()};
    left(args, up.data(), static_cast<std::int64_t>(a.size()));
    right(own, down.data(), static_cast<std::int64_t>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
      wrong +=
          up[i] != kernel::shift_left(a[i], counts[i]) || down[i] != kernel::shift_right(a[i], counts[i]);
  }
  CHECK(wrong == 0);
}

/// Numbers of every size, neighbours of their multiples, and what is no number.
template<class T>
std::vector<T> difficult_reals() {
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN(),
          tiny = std::numeric_limits<T>::denorm_min(), normal = std::numeric_limits<T>::min(),
          largest = std::numeric_limits<T>::max();
  std::vector<T> result{T(0),     T(1),   T(0.1),        T(2.5),  T(3),        T(7), T(1000003), tiny,
                        3 * tiny, normal, normal - tiny, largest, largest / 3, inf,  nan};
  std::mt19937_64 random(31);
  for (int i = 0; i < 60; ++i)
    result.push_back(
        std::ldexp(static_cast<T>(random() >> 40) + T(1), i * (sizeof(T) == 4 ? 2 : 14) - i * i / 10));
  for (const T multiple : {T(3), T(7), T(2.5), T(0.1)})
    for (const T quotient : {T(5), T(1000), T(1) / std::numeric_limits<T>::epsilon()}) {
      const T product = multiple * quotient;
      for (const T near : {product, std::nextafter(product, T(0)), std::nextafter(product, inf)})
        result.push_back(near);
    }
  for (std::size_t i = result.size(); i-- > 0;) result.push_back(-result[i]);
  return result;
}

/// Any NaN equals any other.
template<class T>
bool same_real(T a, T b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

template<class T>
void check_remainders(dtype type) {
  std::vector<T> a, b;
  for (const T x : difficult_reals<T>())
    for (const T y : difficult_reals<T>()) {
      a.push_back(x);
      b.push_back(y);
    }
  for (const auto& [op, function] : {std::pair<ufunc, T (*)(T, T)>{ufunc::fmod, kernel::c_remainder<T>},
                                     {ufunc::remainder, kernel::remainder<T>},
                                     {ufunc::floor_divide, kernel::floor_divide<T>}}) {
    const host::loop found = host::find_fast_loop(op, type);
    if (!found) continue;
    int wrong = 0;
    // One at a time, so that a block is right as a whole, and many, where some are not.
    for (const std::size_t length : {std::size_t{1}, std::size_t{100}, a.size()}) {
      std::vector<T> out(a.size());
      for (std::size_t begin = 0; begin < a.size(); begin += length) {
        const void* args[] = {a.data() + begin, b.data() + begin};
        found(args, out.data() + begin, static_cast<std::int64_t>(std::min(length, a.size() - begin)));
      }
      for (std::size_t i = 0; i < a.size(); ++i) wrong += !same_real(out[i], function(a[i], b[i]));
    }
    CHECK_MESSAGE(wrong == 0, name(op));
  }
}

/// The lengths of all pairs, by hypot and as moduli of complex numbers: in blocks where none needs to be
/// scaled, in mixed ones, and over their own operand.
template<class T>
void check_lengths(dtype real, dtype complex) {
  std::vector<T> a, b, parts;
  for (const bool ordinary : {true, false})
    for (const T x : difficult_reals<T>())
      for (const T y : difficult_reals<T>()) {
        const auto is_ordinary = [](T z) { return std::abs(z) > T(1e-6) && std::abs(z) < T(1e6); };
        if (ordinary && !(is_ordinary(x) && is_ordinary(y))) continue;
        a.push_back(x);
        b.push_back(y);
        parts.insert(parts.end(), {x, y});
      }
  std::vector<T> expected(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) expected[i] = kernel::hypot(a[i], b[i]);
  const auto wrong = [&](const std::vector<T>& got) {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += !same_real(got[i], expected[i]);
    return count;
  };
  const host::loop hypot = host::find_fast_loop(ufunc::hypot, real),
                   modulus = host::find_fast_loop(ufunc::absolute, complex);
  REQUIRE((hypot != nullptr && modulus != nullptr));
  const auto n = static_cast<std::int64_t>(a.size());
  std::vector<T> lengths(a.size()), moduli(a.size()), over_a = a;
  const void* pairs[] = {a.data(), b.data()};
  hypot(pairs, lengths.data(), n);
  CHECK(wrong(lengths) == 0);
  const void* numbers[] = {parts.data()};
  modulus(numbers, moduli.data(), n);
  CHECK(wrong(moduli) == 0);
  const void* own[] = {over_a.data(), b.data()};
  hypot(own, over_a.data(), n);
  CHECK(wrong(over_a) == 0);
}

template<class T>
void check_exponents() {
  int wrong = 0;
  for (const T x : difficult_reals<T>()) {
    int exponent = 0;
    const T mantissa = std::isfinite(x) ? std::frexp(x, &exponent) : x;
    wrong += !same_real(kernel::frexp_mantissa(x), mantissa) || kernel::frexp_exponent(x) != exponent;
    for (int n = -2300; n <= 2300; ++n) wrong += !same_real(kernel::ldexp(x, n), std::ldexp(x, n));
    for (const int n : {std::numeric_limits<int>::min(), std::numeric_limits<int>::max()})
      wrong += !same_real(kernel::ldexp(x, n), std::ldexp(x, n));
  }
  CHECK(wrong == 0);
}

template<class T>
void check_count_bits(dtype type) {
  const host::loop found = host::find_fast_loop(ufunc::bitwise_count, type);
  if (!found) return;
  std::vector<T> a;
  for (const long x : difficult_numbers()) a.push_back(static_cast<T>(x));
  a.push_back(std::numeric_limits<T>::min());
  std::vector<unsigned char> counts(a.size());
  const void* args[] = {a.data()};
  found(args, counts.data(), static_cast<std::int64_t>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(counts[i] == kernel::bit_count(a[i]));
}

/// The error in units in the last place of T, for finite results.
template<class T, class Wide>
double error_in_ulps(T got, Wide exact) {
  if (same_real(got, static_cast<T>(exact))) return 0;
  if (!std::isfinite(got) || !std::isfinite(static_cast<T>(exact))) return 1e9;
  int exponent;
  std::frexp(exact, &exponent);
  const int digits = std::numeric_limits<T>::digits, least = std::numeric_limits<T>::min_exponent - digits;
  return static_cast<double>(std::abs(got - exact) / std::ldexp(Wide(1), std::max(exponent - digits, least)));
}

void check_power() {
  const host::loop power = host::find_fast_loop(ufunc::power, dtype::float32);
  if (!power) return;
  std::vector<float> x, y;
  for (const float a : difficult_reals<float>())
    for (const float b : difficult_reals<float>()) {
      x.push_back(a);
      y.push_back(b);
    }
  const auto add = [&](float base, double result) {  // an exponent that gives about 2^result
    x.push_back(base);
    y.push_back(static_cast<float>(result / std::log2(base)));
  };
  std::mt19937_64 random(37);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  for (int i = 0; i < 200000; ++i) {
    const double result = 300 * uniform() - 150;
    add(static_cast<float>(std::exp2(250 * uniform() - 125)), result);
    add(static_cast<float>(1 + (uniform() - 0.5) * std::exp2(-10 * uniform())), result);
  }
  for (int base = -60; base <= 60; ++base)
    for (int exponent = -9; exponent <= 9; ++exponent) {
      x.push_back(static_cast<float>(base));
      y.push_back(static_cast<float>(exponent));
    }
  std::vector<float> out(x.size());
  const void* args[] = {x.data(), y.data()};
  power(args, out.data(), static_cast<std::int64_t>(x.size()));
  double largest = 0;
  int inexact = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = std::pow(static_cast<double>(x[i]), static_cast<double>(y[i]));
    // Where float ends, half an ulp decides.
    if (std::abs(std::abs(exact) - 0x1p128) < 0x1p105) continue;
    largest = std::max(largest, error_in_ulps(out[i], exact));
    inexact += exact == std::rint(exact) && std::abs(exact) < 0x1p24 && out[i] != exact;
  }
  CHECK(largest <= 2.5);  // 2.2 were seen in many more
  CHECK(inexact == 0);
  // Every element wherever it stands, and in place.
  for (std::size_t n = 1; n <= 40; ++n) {
    std::vector<float> part(x.begin() + 1000, x.begin() + 1000 + static_cast<std::ptrdiff_t>(n));
    const void* parts[] = {part.data(), y.data() + 1000};
    power(parts, part.data(), static_cast<std::int64_t>(n));
    for (std::size_t i = 0; i < n; ++i) CHECK(same_real(part[i], out[1000 + i]));
  }
}

void check_tanh() {
  const host::loop tanh = host::find_fast_loop(ufunc::tanh, dtype::float64);
  if (!tanh) return;
  std::vector<double> x = difficult_reals<double>();
  std::mt19937_64 random(41);
  for (int i = 0; i < 200000; ++i) {
    const double u = static_cast<double>(random() >> 11) * 0x1p-53;
    for (const double size : {u, 25 * u, std::exp2(-70 * u)}) x.push_back(i % 2 ? size : -size);
  }
  std::vector<double> out(x.size());
  const void* args[] = {x.data()};
  tanh(args, out.data(), static_cast<std::int64_t>(x.size()));
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, error_in_ulps(out[i], std::tanh(static_cast<long double>(x[i]))));
  CHECK(largest <= 3);  // 2.6 were seen in many more
}

}  // namespace

/// One exponent for whole blocks, as a constant is; exponents that differ within one; lengths about a block.
template<class T>
void check_integer_powers(dtype type) {
  const host::loop power = host::find_fast_loop(ufunc::power, type);
  std::vector<T> bases;
  for (const long number : difficult_numbers()) bases.push_back(static_cast<T>(number));
  const auto wrong = [&](const std::vector<T>& a, const std::vector<T>& b) {
    std::vector<T> got = a;  // the output may be an operand
    const void* args[] = {got.data(), b.data()};
    power(args, got.data(), static_cast<std::int64_t>(a.size()));
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += got[i] != kernel::integer_power(a[i], b[i]);
    return count;
  };
  for (const std::size_t n : {1, 2, 255, 256, 257, 600}) {
    std::vector<T> a(n), differing(n);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = bases[i % bases.size()];
      differing[i] = static_cast<T>(i % 7 == 6 ? -3 : i % 67);
    }
    CHECK(wrong(a, differing) == 0);
    for (const int exponent : {-3, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 62, 63, 64, 65, 1000003})
      CHECK(wrong(a, std::vector<T>(n, static_cast<T>(exponent))) == 0);
    CHECK(wrong(a, std::vector<T>(n, std::numeric_limits<T>::max())) == 0);
    CHECK(wrong(a, std::vector<T>(n, std::numeric_limits<T>::min())) == 0);
    // One that differs, first and last in its block.
    for (const std::size_t at : {std::size_t{0}, n - 1}) {
      std::vector<T> b(n, T(5));
      b[at] = T(-1);
      CHECK(wrong(a, b) == 0);
      b[at] = T(6);
      CHECK(wrong(a, b) == 0);
    }
  }
}

TEST_CASE("integers to one power for a whole block wrap as one by one") {
  check_integer_powers<int>(dtype::int32);
  check_integer_powers<long>(dtype::int64);
}

TEST_CASE("lengths in blocks have the bits of the functor") {
  check_lengths<float>(dtype::float32, dtype::complex64);
  check_lengths<double>(dtype::float64, dtype::complex128);
}

TEST_CASE("remainders by division are those of the C library") {
  check_remainders<float>(dtype::float32);
  check_remainders<double>(dtype::float64);
}

TEST_CASE("exponents are taken and given as by the C library") {
  check_exponents<float>();
  check_exponents<double>();
}

TEST_CASE("ones are counted in vectors") {
  check_count_bits<int>(dtype::int32);
  check_count_bits<long>(dtype::int64);
}

TEST_CASE("powers and tangents are as accurate as they say") {
  check_power();
  check_tanh();
}

TEST_CASE("integer division by one divisor is exact") {
  for (const int bits : {31, 50, 63}) check_one_divisor(bits);
}

TEST_CASE("integer division by way of double is exact") {
  for (const std::size_t length : {1, 3, 17, 256, 300, 1000}) check_division(length);
}

TEST_CASE("clip in two loops") {
  check_clip<float>(dtype::float32);
  check_clip<double>(dtype::float64);
}

TEST_CASE("shifts have the bits of the table's rows") {
  check_shifts<int>(dtype::int32);
  check_shifts<unsigned>(dtype::uint32);
  check_shifts<long>(dtype::int64);
  check_shifts<unsigned long>(dtype::uint64);
}
