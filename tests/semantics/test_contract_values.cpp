// The rules of evaluation that are about numbers: promotion, integers, reductions.
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

TEST_CASE("contract: scalars of the same kind are weak") {
  const gp::ndarray<float> f{1, 2};
  const gp::ndarray<std::uint8_t> bytes{1, 250};
  const gp::ndarray<std::int32_t> i{1, 2};
  static_assert(std::is_same_v<decltype(f + 1.5)::value_type, float>);
  static_assert(std::is_same_v<decltype(f + 1)::value_type, float>);
  static_assert(std::is_same_v<decltype(bytes + 5)::value_type, std::uint8_t>);
  static_assert(std::is_same_v<decltype(i + 1.5)::value_type, double>);
  static_assert(std::is_same_v<decltype(i + f)::value_type, double>);
  CHECK(gp::ndarray<std::uint8_t>(bytes + 5).to_vector() == std::vector<std::uint8_t>{6, 255});
  CHECK(gp::ndarray<std::uint8_t>(bytes + 6).to_vector() == std::vector<std::uint8_t>{7, 0});  // wraps
  CHECK_THROWS_WITH_AS(bytes + 300, "integer 300 out of bounds for uint8", gp::overflow_error);
  CHECK_THROWS_WITH_AS(bytes + -1, "integer -1 out of bounds for uint8", gp::overflow_error);
}

TEST_CASE("contract: integer division by zero is 0, // and % follow the divisor's sign") {
  const gp::ndarray<std::int32_t> a{7, -7, 7, -7, 5, 0}, b{2, 2, -2, -2, 0, 0};
  CHECK(gp::floor_divide(a, b).to_vector() == std::vector<std::int32_t>{3, -4, -4, 3, 0, 0});
  CHECK((a % b).to_vector() == std::vector<std::int32_t>{1, 1, -1, -1, 0, 0});
}

TEST_CASE("contract: a reduction is a 0-d array on the same device") {
  const gp::ndarray<float> a{1, 2, 3};
  const auto s = gp::sum(a);
  CHECK(s.ndim() == 0);
  CHECK(s.size() == 1);
  CHECK(s.device() == a.device());
  CHECK(s.item() == 6.f);
  CHECK(static_cast<float>(s) == 6.f);
  CHECK((s + a).to_vector() == std::vector<float>{7, 8, 9});
}

TEST_CASE("contract: accumulators are wide") {
  const std::vector<std::int8_t> bytes(1000, 100);
  const auto wide = gp::sum(gp::ndarray<std::int8_t>(bytes));
  static_assert(std::is_same_v<decltype(wide)::value_type, std::int64_t>);
  CHECK(wide.item() == 100000);
  const std::vector<std::uint16_t> words(3, 65535);
  const auto unsigned_wide = gp::sum(gp::ndarray<std::uint16_t>(words));
  static_assert(std::is_same_v<decltype(unsigned_wide)::value_type, std::uint64_t>);
  CHECK(unsigned_wide.item() == 196605);
  // 4096 ones: float16 counts only to 2048 by ones.
  const gp::ndarray<gp::float16> halves(std::vector<float>(4096, 1.f));
  CHECK(static_cast<float>(gp::sum(halves).item()) == 4096.f);
}

TEST_CASE("contract: sums are pairwise or better") {
  // Added one by one in float32 this is 100958.34.
  const gp::ndarray<float> tenths(std::vector<float>(1000000, 0.1f));
  CHECK(gp::sum(tenths).item() == 100000.f);
}

TEST_CASE("contract: the first of the best is found wherever it is, over all parts of a large array") {
  for (const std::int64_t first : {0, 1, 65535, 65536, 150000, 299999}) {
    CAPTURE(first);
    auto a = gp::ones<double>({300000}), nans = gp::ones<double>({300000});
    a(first) = a(299999) = -2.;
    nans(first) = nans(299999) = std::nan("");
    CHECK(gp::argmin(a).item() == first);
    CHECK(gp::argmax(-a).item() == first);
    CHECK(gp::argmin(nans).item() == first);
    CHECK(gp::nanargmin(nans).item() == (first == 0 ? 1 : 0));
  }
}

TEST_CASE("contract: the same input gives the same bits whatever the number of threads or the offset") {
  std::vector<float> x(300007);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.f / static_cast<float>(1 + i % 1013);
  const gp::ndarray<float> a(x);
  const int threads = gp::num_threads();
  gp::set_num_threads(1);
  const float one = gp::sum(a).item();
  const auto mapped_one = gp::sin(a).to_vector();
  gp::set_num_threads(4);
  const float four = gp::sum(a).item();
  const auto mapped_four = gp::sin(a).to_vector();
  gp::set_num_threads(threads);
  CHECK(one == four);
  CHECK(mapped_one == mapped_four);
  const gp::ndarray<float> tail = a(gp::slice(3, gp::none));
  const auto mapped_tail = gp::sin(tail).to_vector();
  CHECK(std::equal(mapped_tail.begin(), mapped_tail.end(), mapped_one.begin() + 3));
}
