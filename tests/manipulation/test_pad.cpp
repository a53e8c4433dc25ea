// Borders that are added and zeros that are trimmed, against NumPy.
#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }

}  // namespace

TEST_CASE("pad") {
  const auto v = gp::array({1, 2, 3});
  const auto a = matrix();
  GOLDEN("np.pad(A([1, 2, 3]), 2)", gp::pad(v, 2));
  GOLDEN("np.pad(a, (1, 2))", gp::pad(a, {1, 2}));
  GOLDEN("np.pad(a, ((1, 2), (0, 3)))", gp::pad(a, {{1, 2}, {0, 3}}));
  GOLDEN("np.pad(A([1, 2]), 1, constant_values=(3.7, 9))",
         gp::pad(gp::array({1, 2}), 1, "constant", {.constant_values = {3.7, 9}}));
  GOLDEN("np.pad(a, 1, constant_values=((1, 2), (3, 4)))",
         gp::pad(a, 1, "constant", {.constant_values = {{1, 2}, {3, 4}}}));
  GOLDEN("np.pad(np.ones((0, 2)), 1)", gp::pad(gp::ones({0, 2}), 1));
  GOLDEN("np.pad(a, ((1, 2), (0, 3)), mode='edge')", gp::pad(a, {{1, 2}, {0, 3}}, "edge"));
  GOLDEN("np.pad(A([1, 2, 3]), 2, mode='reflect')", gp::pad(v, 2, "reflect"));
  GOLDEN("np.pad(A([1, 2, 3]), 5, mode='reflect')", gp::pad(v, 5, "reflect"));
  GOLDEN("np.pad(A([1, 2, 3]), (1, 9), mode='reflect')", gp::pad(v, {1, 9}, "reflect"));
  GOLDEN("np.pad(A([4]), 2, mode='reflect')", gp::pad(gp::array({4}), 2, "reflect"));
  GOLDEN("np.pad(A([1, 2, 3]), 2, mode='symmetric')", gp::pad(v, 2, "symmetric"));
  GOLDEN("np.pad(A([1, 2, 3]), (8, 11), mode='symmetric')", gp::pad(v, {8, 11}, "symmetric"));
  GOLDEN("np.pad(A([1, 2, 3]), (2, 8), mode='wrap')", gp::pad(v, {2, 8}, "wrap"));
  GOLDEN("np.pad(A([1, 2, 3]), (7, 4), mode='wrap')", gp::pad(v, {7, 4}, "wrap"));
  GOLDEN("np.pad(t, ((1, 0), (4, 2), (0, 3)), mode='reflect')",
         gp::pad(cube(), {{1, 0}, {4, 2}, {0, 3}}, "reflect"));
  GOLDEN("np.pad(t, ((1, 0), (4, 2), (0, 3)), mode='wrap')",
         gp::pad(cube(), {{1, 0}, {4, 2}, {0, 3}}, "wrap"));
  GOLDEN("np.pad(A([1., 5.]), 2, mode='linear_ramp')", gp::pad(gp::array({1., 5.}), 2, "linear_ramp"));
  GOLDEN("np.pad(a, ((1, 0), (2, 1)), mode='linear_ramp', end_values=((5, 5), (10, -4)))",
         gp::pad(a, {{1, 0}, {2, 1}}, "linear_ramp", {.end_values = {{5, 5}, {10, -4}}}));
  GOLDEN("np.pad(a, ((1, 2), (0, 3)), mode='maximum')", gp::pad(a, {{1, 2}, {0, 3}}, "maximum"));
  GOLDEN("np.pad(a, ((1, 2), (0, 3)), mode='minimum')", gp::pad(a, {{1, 2}, {0, 3}}, "minimum"));
  GOLDEN("np.pad(a, ((1, 2), (0, 3)), mode='mean')", gp::pad(a, {{1, 2}, {0, 3}}, "mean"));
  CHECK(gp::pad(a, 1, "empty").shape() == gp::dims{4, 5});
  CHECK(gp::pad(a.T(), 1).is_f_contiguous());
  GOLDEN_THROWS("np.pad(v, -1)", gp::pad(gp::arange(5), -1));
  GOLDEN_THROWS("np.pad(v, [[1, 2], [3, 4]])", gp::pad(gp::arange(5), {{1, 2}, {3, 4}}));
  GOLDEN_THROWS("np.pad(v, 1, mode='foo')", gp::pad(gp::arange(5), 1, "foo"));
  GOLDEN_THROWS("np.pad(np.ones((2, 0)), 1, mode='edge')", gp::pad(gp::ones({2, 0}), 1, "edge"));
}

TEST_CASE("borders of statistics, and odd reflections") {
  const auto a = matrix();
  GOLDEN("np.pad(v, 3, mode='maximum', stat_length=2)",
         gp::pad(gp::arange(5), 3, "maximum", {.stat_length = 2}));
  GOLDEN("np.pad(v, 2, mode='mean', stat_length=(2, 3))",
         gp::pad(gp::arange(5), 2, "mean", {.stat_length = gp::detail::per_side<i64>(2, 3)}));
  GOLDEN("np.pad(a, 2, mode='minimum', stat_length=((1, 2), (9, 1)))",
         gp::pad(a, 2, "minimum", {.stat_length = gp::detail::per_side<i64>({{1, 2}, {9, 1}})}));
  GOLDEN("np.pad(v, (7, 9), mode='reflect', reflect_type='odd')",
         gp::pad(gp::arange(5), {7, 9}, "reflect", {.reflect_type = "odd"}));
  GOLDEN("np.pad(v, (7, 12), mode='symmetric', reflect_type='odd')",
         gp::pad(gp::arange(5), {7, 12}, "symmetric", {.reflect_type = "odd"}));
  GOLDEN("np.pad(t, 2, mode='reflect', reflect_type='odd')",
         gp::pad(cube(), 2, "reflect", {.reflect_type = "odd"}));
  GOLDEN("np.pad(A([[4.], [7.]]), 2, mode='reflect', reflect_type='odd')",
         gp::pad(gp::array({{4.}, {7.}}), 2, "reflect", {.reflect_type = "odd"}));
  GOLDEN_THROWS("np.pad(v, 2, mode='maximum', stat_length=0)",
                gp::pad(gp::arange(5), 2, "maximum", {.stat_length = 0}));
  CHECK_THROWS_AS(gp::pad(a, 1, "reflect", {.reflect_type = "other"}), gp::value_error);
  CHECK_THROWS_AS(gp::pad(a, 1, "mean", {.stat_length = -1}), gp::value_error);
}

TEST_CASE("trim_zeros") {
  GOLDEN("np.trim_zeros(A([0, 0, 1, 0, 2, 0]))", gp::trim_zeros(gp::array({0, 0, 1, 0, 2, 0})));
  GOLDEN("np.trim_zeros(A([0, 0, 1, 0, 2, 0]), 'f')", gp::trim_zeros(gp::array({0, 0, 1, 0, 2, 0}), "f"));
  GOLDEN("np.trim_zeros(A([0, 0, 1, 0, 2, 0]), 'b')", gp::trim_zeros(gp::array({0, 0, 1, 0, 2, 0}), "b"));
  GOLDEN("np.trim_zeros(A([0, 0]))", gp::trim_zeros(gp::array({0, 0})));
  GOLDEN("np.trim_zeros(A([0, 0]), 'f')", gp::trim_zeros(gp::array({0, 0}), "f"));
  const auto a = gp::array({{0, 0, 0}, {0, 1, 0}, {0, 0, 0}});
  GOLDEN("np.trim_zeros(A([[0, 0, 0], [0, 1, 0], [0, 0, 0]]))", gp::trim_zeros(a));
  GOLDEN("np.trim_zeros(A([[0, 0, 0], [0, 1, 0], [0, 0, 0]]), axis=0)", gp::trim_zeros(a, "fb", 0));
  GOLDEN("np.trim_zeros(A([[0, 0, 0], [0, 1, 0], [0, 0, 0]]), 'f', axis=-1)", gp::trim_zeros(a, "f", -1));
  GOLDEN("np.trim_zeros(np.zeros((2, 2)))", gp::trim_zeros(gp::zeros({2, 2})));
  CHECK(gp::may_share_memory(gp::trim_zeros(a), a));
  const auto ends = gp::array({1., 0., 2.});
  CHECK(gp::may_share_memory(gp::trim_zeros(ends), ends));
  CHECK(gp::trim_zeros(ends).size() == 3);
  CHECK(gp::trim_zeros(gp::array({-0., 1., 0.}), "f").size() == 2);
  CHECK(gp::trim_zeros(gp::array({0., 1., -0.})("::-1"), "b").size() == 2);
  CHECK(gp::trim_zeros(gp::array<std::complex<float>>({{0.f, 1.f}, {0.f, 0.f}})).size() == 1);
  GOLDEN_THROWS("np.trim_zeros(v, 'x')", gp::trim_zeros(gp::arange(5), "x"));
}
