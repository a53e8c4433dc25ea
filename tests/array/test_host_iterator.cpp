// Iterators over the elements of arrays in host memory.
#include <algorithm>
#include <functional>
#include <numeric>
#include <ranges>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using i64 = std::int64_t;

TEST_CASE("iteration over host arrays") {
  const gp::device_guard on_cpu(gp::device::cpu());
  const auto a = gp::arange(24).reshape({2, 3, 4});
  const auto check = [](const auto& view) {
    const auto want = view.to_vector();
    CHECK(std::equal(view.cbegin(), view.cend(), want.begin(), want.end()));
    CHECK(view.cend() - view.cbegin() == view.size());
    // Backwards and by jumps, over the ends of runs.
    std::vector<i64> back;
    for (auto i = view.cend(); i != view.cbegin();) back.push_back(*--i);
    CHECK(std::equal(back.rbegin(), back.rend(), want.begin(), want.end()));
    for (i64 i = 0; i < view.size(); ++i) {
      const i64 j = i * 7 % view.size();
      CHECK(view.cbegin()[j] == want[static_cast<std::size_t>(j)]);
    }
  };
  check(a);
  check(a.T());
  check(a("::-1, 1:, ::3"));
  check(a("..., ::-2"));
  check(gp::broadcast_to(gp::arange(3), {2, 3}));
  check(gp::array(7));
  check(gp::arange(0));
  check(a(":, 3:"));
  static_assert(std::random_access_iterator<gp::host_iterator<double>>);
  static_assert(std::random_access_iterator<gp::host_iterator<const double>>);
  static_assert(std::ranges::random_access_range<gp::ndarray<double>>);
  auto column = a(1, gp::all, 2);  // iterators of a const array only read
  std::ranges::sort(column, std::greater<>());
  CHECK(column.to_vector() == std::vector<i64>{22, 18, 14});
  for (i64& x : a(0)) x = 5;
  CHECK(std::accumulate(a(0).begin(), a(0).end(), i64(0)) == 60);
  i64 total = 0;
  for (const i64 x : a(0) + 1) total += x;  // an expression is computed when it is asked for elements
  CHECK(total == 72);
  auto pending = a(0) * 2;
  auto writable = a;
  const auto first =
      writable.begin();  // ... and so is everything that is pending before someone writes through an iterator
  *first = 100;
  CHECK(pending.item(0, 0) == 10);
}
