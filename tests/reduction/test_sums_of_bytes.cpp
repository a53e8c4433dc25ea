// Sums of numbers of one and two bytes, which are exact in any order.
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

template<class T>
gp::ndarray<T> numbers(std::int64_t n) {
  const gp::ndarray<std::int64_t> k = gp::arange(n);
  return ((k * k + 7 * k) % 251).astype<T>().eval();
}

template<class T>
std::int64_t expected_sum(const std::vector<T>& of, std::size_t begin, std::size_t end) {
  std::int64_t sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += of[i];
  return sum;
}

}  // namespace

TEST_CASE_TEMPLATE("sums of short numbers, wherever they begin and end", T, std::int8_t, std::uint8_t, bool,
                   std::int16_t, std::uint16_t) {
  const gp::ndarray<T> a = numbers<T>(70'000);
  const auto on_host = [&] {
    std::vector<T> all;
    for (const T x : a.template astype<std::int64_t>().to_vector()) all.push_back(x);
    return all;
  }();
  for (const std::int64_t begin : {0, 1, 8, 16, 24, 40, 4096})
    for (const std::int64_t n : {1, 2, 7, 8, 15, 16, 17, 24, 100, 127, 129, 1000, 4095, 5000, 65'000}) {
      CAPTURE(begin);
      CAPTURE(n);
      const auto part = a(gp::slice(begin, begin + n));
      const std::int64_t expected =
          expected_sum(on_host, static_cast<std::size_t>(begin), static_cast<std::size_t>(begin + n));
      CHECK(static_cast<std::int64_t>(gp::sum(part).item()) == expected);
      CHECK(static_cast<double>(gp::mean(part).item()) ==
            static_cast<double>(expected) / static_cast<double>(n));
    }
}

TEST_CASE_TEMPLATE("sums of rows of short numbers", T, std::int8_t, std::uint8_t, bool, std::uint16_t) {
  for (const std::int64_t columns : {1, 3, 8, 16, 24, 64, 200, 1024, 3000, 40'000}) {
    CAPTURE(columns);
    const std::int64_t rows = 5;
    const gp::ndarray<T> a = numbers<T>(rows * columns).reshape({rows, columns});
    const auto sums = gp::sum(a, 1).eval(), of_steps = gp::sum(a + a, 1).eval();
    for (std::int64_t i = 0; i < rows; ++i) {
      std::int64_t expected = 0, twice = 0;
      for (const auto x : a(i).template astype<std::int64_t>().to_vector()) {
        expected += x;
        twice += static_cast<T>(std::is_same_v<T, bool> ? x : x + x);
      }
      CHECK(static_cast<std::int64_t>(sums.item(i)) == expected);
      CHECK(static_cast<std::int64_t>(of_steps.item(i)) == twice);
    }
  }
}
