// Braced lists, ranges and options in the places where a NumPy user writes them.
#include <array>
#include <complex>
#include <span>
#include <vector>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

namespace {

template<class V>
bool same(const gp::ndarray<V>& a, const gp::ndarray<V>& b) {
  return gp::array_equal(a, b);
}
gp::ndarray<i64> counted() { return gp::arange(12).reshape({3, 4}); }

}  // namespace

TEST_CASE("random functions take braced shapes, options and an element type") {
  gp::random::seed(7);
  gp::random::Generator twin(7);
  CHECK(same(gp::random::random({3, 3}), twin.random({3, 3})));
  CHECK(same(gp::random::normal<float>(0, 2, {2, 3}), twin.normal<float>(0, 2, {2, 3})));
  CHECK(same(gp::random::choice(10, 4, {.replace = false}), twin.choice(10, 4, {.replace = false})));
  CHECK(same(gp::random::binomial(9, 0.5, {4}), twin.binomial(9, 0.5, {4})));
  CHECK(gp::random::rand(2, 3).shape() == gp::dims{2, 3});
  const auto picked = gp::random::choice(3, {50}, {.p = {0.0, 1.0, 0.0}});
  CHECK(gp::all(picked == 1).item());
  const auto pairs = gp::random::multivariate_normal({0.0, 100.0}, {{1.0, 0.0}, {0.0, 1.0}}, 20);
  CHECK(pairs.shape() == gp::dims{20, 2});
  CHECK(gp::all(pairs(gp::all, 1) > 80.0).item());
}

TEST_CASE("asarray and options take braced lists") {
  CHECK(same(gp::asarray({{1., 0.}, {2., 3.}}), gp::array({{1., 0.}, {2., 3.}})));
  CHECK(same(gp::asarray({1, 2, 3}), gp::array({1, 2, 3})));
  CHECK(same(gp::asarray<float>({{1, 2}, {3, 4}}), gp::array<float>({{1, 2}, {3, 4}})));
  CHECK(gp::full_like(counted(), 5, {.shape = {2, 2}}).shape() == gp::dims{2, 2});
  CHECK(gp::full_like(counted(), 5, {.shape = 7}).shape() == gp::dims{7});
  const auto [hist, edges] = gp::histogram(counted(), 3, {.range = {0, 6}});
  CHECK(edges(-1).item() == 6.0);
  CHECK(hist.to_vector() == std::vector<i64>{2, 2, 3});
}

TEST_CASE("braced lists index beside slices and numbers") {
  const auto a = counted();
  CHECK(same(gp::ndarray<i64>(a(gp::all, {0, -1})), gp::array({{0, 3}, {4, 7}, {8, 11}})));
  CHECK(same(gp::ndarray<i64>(a({0, 2}, {1, 3})), gp::array({1, 11})));
  CHECK(same(gp::ndarray<i64>(a({0, 2}, gp::slice(1, 3))), gp::array({{1, 2}, {9, 10}})));
  a(gp::all, {0, -1}) = 50;
  CHECK(same(a(1), gp::array({50, 5, 6, 50})));
  const auto cube = gp::arange(24).reshape({2, 3, 4});
  CHECK(gp::ndarray<i64>(cube(gp::all, {0, 2}, {1, 3})).shape() == gp::dims{2, 2});
  CHECK_THROWS_AS(a({0, 3}, {0, 0}), gp::index_error);
}

TEST_CASE("repeat takes its counts from an array") {
  const auto a = gp::array({1, 2, 3});
  CHECK(same(gp::repeat(a, gp::array({0, 2, 1})), gp::array({2, 2, 3})));
  CHECK(same(gp::repeat(a, gp::array<std::uint8_t>({2})), gp::array({1, 1, 2, 2, 3, 3})));
  CHECK(same(gp::repeat(counted(), gp::array({1, 0, 0}), 0), counted()(gp::slice(0, 1))));
  CHECK(same(a.repeat(gp::array({1, 0, 1})), gp::array({1, 3})));
  CHECK_THROWS_AS(gp::repeat(a, gp::array({1, 2})), gp::value_error);
  CHECK_THROWS_AS(gp::repeat(a, gp::array({{1, 2, 3}})), gp::value_error);
  CHECK_THROWS_AS(gp::repeat(a, gp::array({1, -2, 3})), gp::value_error);
}

TEST_CASE("arrays and expressions are joined in one list") {
  const auto a = gp::array({1., 2.});
  CHECK(same(gp::concatenate({a, a + a}), gp::array({1., 2., 2., 4.})));
  CHECK(same(gp::stack({a + 1., a}, {.axis = 1}), gp::array({{2., 1.}, {3., 2.}})));
  CHECK(same(gp::vstack({a, -a}), gp::array({{1., 2.}, {-1., -2.}})));
  CHECK(same(gp::concatenate(a, a, {.axis = 0}), gp::array({1., 2., 1., 2.})));
  CHECK(same(gp::concatenate({a, a}, {.axis = none}), gp::array({1., 2., 1., 2.})));
}

TEST_CASE("element-wise functions take out and where as options") {
  const auto a = gp::array({1., 4., 9.});
  const auto out = gp::zeros({3});
  const auto returned = gp::sqrt(a, {.out = out});
  CHECK(same(out, gp::array({1., 2., 3.})));
  CHECK(gp::may_share_memory(returned, out));
  gp::add(a, 1., {.out = out, .where = a > 2.});
  CHECK(same(out, gp::array({1., 5., 10.})));
  CHECK(same(gp::ndarray<double>(gp::abs(-a, {.where = a > 2.})), gp::array({0., 4., 9.})));
  // Converted by the same_kind rule; what is returned keeps the type of the result.
  const auto narrow = gp::zeros<float>({3});
  CHECK(gp::sqrt(a, {.out = narrow}).dtype() == gp::dtype::float64);
  CHECK(same(narrow, gp::array<float>({1, 2, 3})));
  CHECK_THROWS_AS(gp::sqrt(a, {.out = gp::zeros<int>({3})}), gp::type_error);
  CHECK_THROWS_AS(gp::sqrt(a, {.out = gp::zeros({2})}), gp::value_error);
}

TEST_CASE("an axis is a position or an option") {
  const auto a = counted();
  CHECK(same(gp::ndarray<i64>(gp::sum(a, {.axis = 1})), gp::ndarray<i64>(gp::sum(a, 1))));
  CHECK(gp::sum(a, {.axis = {0, 1}, .keepdims = true}).shape() == gp::dims{1, 1});
  CHECK(gp::sum(a, {.axis = {0, 1}}).item() == 66);
  CHECK(gp::std(a, {.axis = 0, .ddof = 1}).shape() == gp::dims{4});
  CHECK(a.sum({.axis = 0, .initial = 1}).shape() == gp::dims{4});
  const i64 last = 1;
  CHECK(gp::sum(a, {0, last}).ndim() == 0);
  CHECK(gp::sum(a, {1}).shape() == gp::dims{3});
  CHECK(gp::sum(a, {}).ndim() == 0);
  CHECK(gp::ndarray<i64>(gp::sum(a, {.axis = none})).ndim() == 0);
  CHECK(same(gp::ndarray<i64>(a.max({.axis = 0})), gp::array({8, 9, 10, 11})));
  CHECK(gp::all(a, {.axis = 0}).shape() == gp::dims{4});
  CHECK(gp::argmin(a, {.axis = 1}).shape() == gp::dims{3});
  CHECK_THROWS_AS(gp::sum(a, 0, {.axis = 1}), gp::type_error);
  CHECK_THROWS_AS(gp::sum(a, {.axis = 2}), gp::axis_error);
  CHECK(same(gp::median(a, {.axis = 0}), gp::median(a, 0)));
  CHECK(same(gp::quantile(a, 0.25, {.axis = 1}), gp::quantile(a, 0.25, 1)));
  CHECK(gp::minmax(a, {.axis = 1}).min.shape() == gp::dims{3});
  CHECK(same(gp::linalg::norm(a, {.axis = 1}).eval(), gp::linalg::norm(a, 2, 1).eval()));
  CHECK(same(gp::linalg::vector_norm(a, 1, {.axis = 0}), gp::linalg::vector_norm(a, 1, 0)));
  CHECK(same(gp::cumsum(a, {.axis = 1}), gp::cumsum(a, 1)));
  CHECK(same(a.cumsum({.axis = 0}), gp::cumsum(a, 0)));
  CHECK(same(gp::take(a, {0, 1}, {.axis = 1}), gp::take(a, {0, 1}, 1)));
  CHECK(same(gp::repeat(a, 2, {.axis = 0}), gp::repeat(a, 2, 0)));
  CHECK(same(gp::roll(a, 1, {.axis = 1}), gp::roll(a, 1, 1)));
  CHECK(same(gp::flip(a, {.axis = 1}), gp::flip(a, 1)));
  CHECK(same(gp::delete_(a, 1, {.axis = 0}), gp::delete_(a, 1, 0)));
  CHECK(gp::expand_dims(a, {.axis = {0, 3}}).shape() == gp::dims{1, 3, 4, 1});
  CHECK(gp::squeeze(gp::expand_dims(a, 0), {.axis = 0}).shape() == gp::dims{3, 4});
  CHECK(gp::split(a, 2, {.axis = 1}).size() == 2);
  CHECK(same(gp::average(a, none, gp::ones_like(a), {.axis = 1}), gp::array({1.5, 5.5, 9.5})));
}

TEST_CASE("ranges of numbers are read where arrays are") {
  const std::vector<double> v{3, 1, 2};
  const std::array<float, 3> f{1, 2, 3};
  const double c[] = {1, 0, 1};
  const std::vector<bool> flags{true, false, true};
  const auto a = gp::array({10., 20., 30.});
  CHECK(gp::sum(v).item() == 6);
  CHECK(gp::mean(std::span(v)).item() == 2);
  CHECK(gp::sum<float>(v).dtype() == gp::dtype::float32);
  CHECK(gp::max(v, {.keepdims = true}).shape() == gp::dims{1});
  CHECK(gp::argmax(v).item() == 0);
  CHECK(gp::any(flags).item());
  CHECK(!gp::all(flags).item());
  CHECK(same(gp::ndarray<double>(gp::sqrt(std::vector{4., 9.})), gp::array({2., 3.})));
  CHECK(same(gp::ndarray<double>(gp::add(a, v)), gp::array({13., 21., 32.})));
  CHECK(same(gp::ndarray<double>(gp::maximum(v, f)), gp::array({3., 2., 3.})));
  CHECK(same(gp::ndarray<double>(a + v), gp::array({13., 21., 32.})));
  CHECK(same(gp::ndarray<double>(v * a), gp::array({30., 20., 60.})));
  CHECK(same(gp::ndarray<bool>(a == std::vector{10, 0, 30}), gp::array({true, false, true})));
  CHECK(same(gp::ndarray<double>(gp::where(flags, a, 0.)), gp::array({10., 0., 30.})));
  CHECK(same(gp::sort(v), gp::array({1., 2., 3.})));
  CHECK(gp::dot(a, c).item() == 40);
  CHECK(same(gp::cumsum(v), gp::array({3., 4., 6.})));
  CHECK(gp::median(v).item() == 2);
  CHECK(gp::interp(std::vector{1.5}, f, v).item() == 2);
  CHECK(gp::fft::fft(v)(0).item() == std::complex<double>(6));
  CHECK(gp::prod(counted().shape()).item() == 12);

  const auto b = a.copy();
  b(gp::slice(0, 2)) = std::vector{1, 2};
  CHECK(same(b, gp::array({1., 2., 30.})));
  b(flags) = std::vector{7., 8.};
  CHECK(same(b, gp::array({7., 2., 8.})));
  auto in_place = a.copy();
  in_place += v;
  CHECK(same(in_place, gp::array({13., 21., 32.})));
  CHECK_THROWS_AS((a + std::vector{1., 2.}), gp::value_error);
}
