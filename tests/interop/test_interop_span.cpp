// Spans of arrays; hashes and order of dims, devices and dtypes.
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {
template<class A>
concept spans = requires(A&& a) { gp::as_span(static_cast<A &&>(a)); };
static_assert(spans<gp::ndarray<float>&> && spans<const gp::ndarray<float>&> && spans<gp::ndarray<float>>);
static_assert(!spans<gp::expr<float>>);
}  // namespace

TEST_CASE("the elements of a contiguous array as a span") {
  const gp::device_guard on_cpu(gp::device::cpu());
  const gp::ndarray<float> a = gp::arange<float>(6).reshape({2, 3});
  const std::span<float> all = gp::as_span(a);
  CHECK(all.size() == 6);
  CHECK(all.data() == a.data());
  all[5] = 50;
  CHECK(a.item(1, 2) == 50);
  CHECK(gp::as_span(a(1))[0] == 3);
  CHECK(gp::as_span<const float>(a)[1] == 1);
  CHECK(gp::as_span(gp::zeros(0)).empty());
  CHECK(gp::as_span(a(0, 0)).size() == 1);
  CHECK_THROWS_AS(gp::as_span(a.T()), gp::value_error);
  CHECK_THROWS_AS(gp::as_span(a(":, :2")), gp::value_error);
  CHECK_THROWS_AS(gp::as_span(a(0)("::-1")), gp::value_error);
  CHECK_THROWS_AS(gp::as_span(gp::broadcast_to(a(1, 2), {1})), gp::value_error);
  CHECK(gp::as_span<const float>(gp::broadcast_to(a(1, 2), {1}))[0] == 50);
  auto later = a + 1;
  CHECK(gp::as_span(later)[5] == 51);
  if (gp::device_count() > 0)
    CHECK_THROWS_AS(gp::as_span(gp::to_device(a, gp::device::cuda(0))), gp::device_error);
}

TEST_CASE("dims, devices and dtypes as keys") {
  CHECK(gp::dims{2, 3} < gp::dims{2, 4});
  CHECK(gp::dims{2, 3} < gp::dims{2, 3, 0});
  CHECK(gp::dims{} < gp::dims{-5});
  CHECK(gp::dims{10} > gp::dims{9, 99});
  CHECK((gp::dims{1, 2} <=> gp::dims{1, 2}) == std::strong_ordering::equal);
  CHECK(gp::device::cpu() < gp::device::cuda(0));
  CHECK(gp::device::cuda(0) < gp::device::cuda(1));
  CHECK(gp::dtype::bool_ < gp::dtype::complex128);
  const std::map<gp::dims, int> ordered{{{2, 3}, 1}, {{}, 2}, {{2}, 3}};
  CHECK(ordered.begin()->second == 2);
  std::unordered_map<gp::dims, int> counts;
  std::unordered_set<std::size_t> hashes;
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 30; ++j) {
      ++counts[{i, j}];
      hashes.insert(std::hash<gp::dims>()({i, j}));
    }
  ++counts[{3, 4}];
  CHECK(counts.size() == 900);
  CHECK(counts[gp::dims{3, 4}] == 2);
  CHECK(hashes.size() == 900);
  CHECK(std::hash<gp::dims>()({0}) != std::hash<gp::dims>()({0, 0}));
  const std::unordered_set<gp::device> devices{gp::device::cpu(), gp::device::cuda(0), gp::device::cuda(1),
                                               gp::device("cuda:1")};
  CHECK(devices.size() == 3);
  CHECK(std::unordered_set<gp::dtype>{gp::dtype::int8, gp::dtype::int8, gp::dtype::float16}.size() == 2);
}
