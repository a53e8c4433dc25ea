// Runs of sorted elements that are merged, against sorting all of them.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>
#include <gparray/sorting/runs.hpp>

#include "support/random_arrays.hpp"
#include "support/same_bits.hpp"

namespace gp = gparray;

namespace {

using gp::detail::run_of_elements;

/// Cuts a vector into runs, sorts each, and merges them, with numbers and without.
template<class V>
void check(const gp::ndarray<V>& a, std::initializer_list<std::int64_t> cuts) {
  CAPTURE(gp::name(gp::dtype_of<V>));
  CAPTURE(cuts.size());
  std::vector<run_of_elements> runs, numbered;
  std::int64_t begin = 0;
  for (const std::int64_t end : cuts) {
    const gp::ndarray<V> part = a(gp::slice(begin, end));
    const gp::ndarray<std::int64_t> order = gp::argsort(part);
    runs.push_back({gp::ndarray<V>(gp::sort(part)), {}});
    numbered.push_back({gp::ndarray<V>(gp::take(part, order)), gp::ndarray<std::int64_t>(order + begin)});
    begin = end;
  }
  REQUIRE(begin == a.size());
  const gp::ndarray<V> sorted = gp::empty_like(a), by_number = gp::empty_like(a);
  const gp::ndarray<std::int64_t> order = gp::empty<std::int64_t>(a.shape());
  gp::detail::merge_runs(runs, {sorted, {}});
  CHECK(same_bits(sorted, gp::ndarray<V>(gp::sort(a))));
  gp::detail::merge_runs(numbered, {by_number, order});
  CHECK(same_bits(order, gp::argsort(a)));
  CHECK(same_bits(by_number, gp::ndarray<V>(gp::take(a, order))));
}

}  // namespace

TEST_CASE("runs are merged as sorting all elements puts them, equal ones in the order of runs") {
  gp::random::Generator g(3);
  const gp::ndarray<float> normal = g.standard_normal<float>(30'000);
  check(normal, {30'000});
  check(normal, {0, 17'000, 17'000, 30'000});
  check(normal, {1, 9'000, 29'999, 30'000});
  check(normal, {5'000, 11'000, 12'000, 20'000, 30'000});
  check(gp::ndarray<float>(gp::sort(normal)), {10'000, 30'000});
  check(gp::ndarray<float>(gp::sort(normal)("::-1")), {10'000, 20'000, 30'000});
  gp::ndarray<double> special = g.integers(-2, 3, 20'000).astype<double>() * 0.;
  special("::7") = gp::nan;
  special("::11") = -1.;
  check(special, {8'000, 20'000});
  check(gp::ndarray<gp::float16>(special.astype<gp::float16>()), {8'000, 13'000, 20'000});
  check(gp::full<std::int32_t>({12'000}, 7), {5'000, 12'000});
  check(gp::ndarray<std::uint8_t>(g.integers(0, 3, 40'000).astype<std::uint8_t>()), {20'001, 40'000});
  check(gp::ndarray<bool>(normal < 0.5f), {20'000, 30'000});
  check(gp::ndarray<std::int64_t>(g.integers(-5'000, 5'000, 20'000)), {9'000, 20'000});
  gp::ndarray<std::complex<double>> pairs =
      g.integers(-2, 2, 9'000).astype<double>() +
      g.integers(-2, 2, 9'000).astype<double>() * std::complex<double>(0, 1);
  pairs("::17") = std::complex<double>(gp::nan, 1);
  pairs("::19") = std::complex<double>(1, gp::nan);
  check(pairs, {4'000, 9'000});
  check(gp::ndarray<std::complex<float>>(pairs.astype<std::complex<float>>()), {2'000, 4'500, 9'000});
  check(gp::zeros<float>({0}), {0});
}

TEST_CASE("a run may lie anywhere in a vector, and the result be a part of one") {
  gp::random::Generator g(4);
  const gp::ndarray<float> a = gp::sort(g.random<float>(20'001)), b = gp::sort(g.random<float>(10'003)),
                           all = gp::zeros<float>({30'003});
  gp::detail::merge_runs(std::vector<run_of_elements>{{a("1:20001"), {}}, {b("3:"), {}}},
                         {all("2:30002"), {}});
  const gp::ndarray<float> expected = gp::sort(gp::concatenate(a("1:"), b("3:")));
  CHECK(gp::array_equal(all("2:30002"), expected));
  CHECK(all.item(1) == 0);
  CHECK(all.item(30'002) == 0);
}
