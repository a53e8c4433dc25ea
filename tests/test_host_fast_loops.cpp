// The loops that stand in for those of the table give the bits of the functors.
#include <doctest/doctest.h>
#include <host/fast_loops.hpp>
#include <kernel/functors.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

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
  const auto same = [&](const std::vector<T>& x) {
    return std::memcmp(x.data(), expected.data(), n * sizeof(T)) == 0;
  };
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

}  // namespace

TEST_CASE("integer division by way of double is exact") {
  for (const std::size_t length : {1, 3, 17, 256, 300, 1000}) check_division(length);
}

TEST_CASE("clip in two loops") {
  check_clip<float>(dtype::float32);
  check_clip<double>(dtype::float64);
}
