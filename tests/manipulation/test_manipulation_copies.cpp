// Joining, splitting, repeating and padding against NumPy.
#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

namespace {
gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }
}  // namespace

TEST_CASE("concatenate and stack") {
  const auto a = matrix();
  GOLDEN("np.concatenate([a, a])", gp::concatenate(a, a));
  GOLDEN("np.concatenate([a, a], axis=1)", gp::concatenate({a, a}, 1));
  GOLDEN("np.concatenate([a, a], axis=-1)", gp::concatenate(a, a, -1));
  GOLDEN("np.concatenate([a, a.T], axis=None)", gp::concatenate(a, a.T(), none));
  GOLDEN("np.concatenate([np.ones((1, 2)), np.zeros((1, 2))], axis=None)",
         gp::concatenate({gp::ones({1, 2}), gp::zeros({1, 2})}, none));
  GOLDEN("np.concatenate([A([1]), A([1], 'f4')])", gp::concat(gp::array({1}), gp::array<float>({1})));
  GOLDEN("np.concatenate([A([]), A([1])])", gp::concatenate(gp::zeros(0), gp::array({1})));
  GOLDEN("np.concatenate([a, a[:1], a[::-1]])",
         gp::concatenate(std::vector{a, std::remove_cvref_t<decltype(a)>(a(":1")),
                                     std::remove_cvref_t<decltype(a)>(a("::-1"))}));
  GOLDEN("np.concatenate([A([True]), A([2], 'u1'), A([-1], 'i1')])",
         gp::concatenate(gp::array({true}), gp::array<std::uint8_t>({2}), gp::array<std::int8_t>({-1})));
  CHECK(gp::concatenate(a.T(), a.T()).is_f_contiguous());
  GOLDEN_THROWS("np.concatenate([])", gp::concatenate(std::vector<gp::ndarray<double>>{}));
  GOLDEN_THROWS("np.concatenate([A(1), A(2)])", gp::concatenate(gp::array(1), gp::array(2)));
  GOLDEN_THROWS("np.concatenate([A([1]), A([[1]])])", gp::concatenate(gp::array({1}), gp::array({{1}})));
  GOLDEN_THROWS("np.concatenate([np.ones((2, 3)), np.ones((3, 3))], axis=1)",
                gp::concatenate(gp::ones({2, 3}), gp::ones({3, 3}), 1));
  GOLDEN_THROWS("np.concatenate([a, a], axis=2)", gp::concatenate(a, a, 2));

  GOLDEN("np.stack([a, a + 1])", gp::stack(a, a + 1));
  GOLDEN("np.stack([a, a + 1], axis=-1)", gp::stack(a, a + 1, -1));
  GOLDEN("np.stack([np.zeros((2, 3))] * 4, axis=-1)", gp::stack(std::vector(4, gp::zeros({2, 3})), -1));
  GOLDEN("np.stack([A(1), A(2)])", gp::stack({gp::array(1), gp::array(2)}));
  GOLDEN_THROWS("np.stack([])", gp::stack(std::vector<gp::ndarray<double>>{}));
  GOLDEN_THROWS("np.stack([np.ones(2), np.ones(3)])", gp::stack(gp::ones(2), gp::ones(3)));
  GOLDEN_THROWS("np.stack([np.ones(2), np.ones(2)], axis=3)", gp::stack(gp::ones(2), gp::ones(2), 3));
  CHECK_THROWS_AS(gp::stack(a, a, none), gp::type_error);

  const auto x = gp::array({1, 2}), y = gp::array({3, 4});
  GOLDEN("np.vstack([A([1, 2]), A([3, 4])])", gp::vstack(x, y));
  GOLDEN("np.vstack([a, A([7, 8, 9])])", gp::vstack({a, gp::array({7, 8, 9})}));
  GOLDEN("np.hstack([A([1, 2]), A([3, 4])])", gp::hstack(x, y));
  GOLDEN("np.hstack([a, a])", gp::hstack(std::vector{a, a}));
  GOLDEN("np.hstack([A(1), A(2)])", gp::hstack(gp::array(1), gp::array(2)));
  GOLDEN("np.dstack([A([1, 2]), A([3, 4])])", gp::dstack(x, y));
  GOLDEN("np.dstack([a, a])", gp::dstack(a, a));
  GOLDEN("np.column_stack([A([1, 2]), A([[3], [4]])])", gp::column_stack(x, y.reshape({2, 1})));
  GOLDEN("np.column_stack([A(1), A(2)])", gp::column_stack(gp::array(1), gp::array(2)));
  GOLDEN_THROWS("np.vstack([])", gp::vstack(std::vector<gp::ndarray<double>>{}));

  GOLDEN("np.append(A([1, 2]), A([[3.]]))", gp::append(x, gp::array({{3.}})));
  GOLDEN("np.append(a, A([[7, 8, 9]]), axis=0)", gp::append(a, gp::array({{7, 8, 9}}), 0));
  GOLDEN("np.append(a, 7)", gp::append(a, 7));
  GOLDEN_THROWS("np.append(np.ones((1, 2)), np.ones(2), axis=0)",
                gp::append(gp::ones({1, 2}), gp::ones(2), 0));
}

TEST_CASE("splitting gives views") {
  const auto v = gp::arange(7);
  const auto parts = gp::array_split(v, 3);
  REQUIRE(parts.size() == 3);
  GOLDEN("np.array_split(np.arange(7), 3)[0]", parts[0]);
  GOLDEN("np.array_split(np.arange(7), 3)[2]", parts[2]);
  for (const auto& part : parts) CHECK(gp::may_share_memory(part, v));
  CHECK(gp::array_split(v, 9).back().size() == 0);
  const auto at = gp::split(v, {2, 5, 4, 20, -1});
  REQUIRE(at.size() == 6);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[0]", at[0]);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[1]", at[1]);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[2]", at[2]);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[3]", at[3]);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[4]", at[4]);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[5]", at[5]);
  GOLDEN("np.split(t, 2, axis=-1)[1]", gp::split(cube(), 2, -1)[1]);
  GOLDEN("np.hsplit(t, [1])[1]", gp::hsplit(cube(), {1})[1]);
  GOLDEN("np.hsplit(np.arange(4), 2)[1]", gp::hsplit(gp::arange(4), 2)[1]);
  GOLDEN("np.vsplit(a, 2)[1]", gp::vsplit(matrix(), 2)[1]);
  GOLDEN("np.dsplit(t, 4)[2]", gp::dsplit(cube(), 4)[2]);
  GOLDEN("np.unstack(t, axis=1)[2]", gp::unstack(cube(), 1)[2]);
  GOLDEN_THROWS("np.split(v, 2)", gp::split(gp::arange(5), 2));
  GOLDEN_THROWS("np.array_split(v, 0)", gp::array_split(gp::arange(5), 0));
  GOLDEN_THROWS("np.hsplit(A(5), 2)", gp::hsplit(gp::array(5), 2));
  GOLDEN_THROWS("np.vsplit(v, 1)", gp::vsplit(gp::arange(5), 1));
  GOLDEN_THROWS("np.dsplit(a, 1)", gp::dsplit(matrix(), 1));
  GOLDEN_THROWS("np.unstack(A(5))", gp::unstack(gp::array(5)));
}

TEST_CASE("repeating") {
  const auto a = matrix();
  GOLDEN("np.tile(A([1, 2]), (2, 2))", gp::tile(gp::array({1, 2}), {2, 2}));
  GOLDEN("np.tile(a, 2)", gp::tile(a, 2));
  GOLDEN("np.tile(a.T, (2, 1, 3))", gp::tile(a.T(), {2, 1, 3}));
  GOLDEN("np.tile(A(5), (2, 1))", gp::tile(gp::array(5), {2, 1}));
  GOLDEN("np.tile(a, 0)", gp::tile(a, 0));
  GOLDEN("np.tile(a, ())", gp::tile(a, gp::dims{}));
  CHECK_FALSE(gp::may_share_memory(gp::tile(a, 1), a));
  GOLDEN_THROWS("np.tile(a, -1)", gp::tile(a, -1));
  GOLDEN("np.repeat(A(5), 3)", gp::repeat(gp::array(5), 3));
  GOLDEN("np.repeat(a, 2)", gp::repeat(a, 2));
  GOLDEN("np.repeat(a, 2, axis=0)", gp::repeat(a, 2, 0));
  GOLDEN("np.repeat(a.T, 3, axis=-1)", gp::repeat(a.T(), 3, -1));
  GOLDEN("np.repeat(a, [1, 2], axis=0)", gp::repeat(a, {1, 2}, 0));
  GOLDEN("np.repeat(a, [2, 0, 2], axis=1)", gp::repeat(a, std::vector<int>{2, 0, 2}, 1));
  GOLDEN("np.repeat(a, [1, 1, 3, 3, 0, 2])", gp::repeat(a, {1, 1, 3, 3, 0, 2}));
  GOLDEN("np.repeat(a, [2])", gp::repeat(a, {2}));
  GOLDEN("np.repeat(a, 0, axis=1)", gp::repeat(a, 0, 1));
  GOLDEN_THROWS("np.repeat(A([1, 2, 3]), [1, 2])", gp::repeat(gp::array({1, 2, 3}), {1, 2}));
  GOLDEN_THROWS("np.repeat(A([1, 2, 3]), [1, -2, 1])", gp::repeat(gp::array({1, 2, 3}), {1, -2, 1}));
  GOLDEN_THROWS("np.repeat(a, -1)", gp::repeat(a, -1));
  GOLDEN_THROWS("np.repeat(a, 2, axis=2)", gp::repeat(a, 2, 2));
  CHECK_THROWS_AS(gp::repeat(a, i64(1) << 62), gp::overflow_error);
  GOLDEN("np.resize(np.arange(3), (2, 4))", gp::resize(gp::arange(3), {2, 4}));
  GOLDEN("np.resize(a.T, 4)", gp::resize(a.T(), 4));
  GOLDEN("np.resize(np.arange(0), (2, 2))", gp::resize(gp::arange(0), {2, 2}));
  GOLDEN("np.resize(a, 0)", gp::resize(a, 0));
  GOLDEN_THROWS("np.resize(a, (-1, 4))", gp::resize(a, {-1, 4}));
}

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

TEST_CASE("trim_zeros and copyto") {
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
  GOLDEN_THROWS("np.trim_zeros(v, 'x')", gp::trim_zeros(gp::arange(5), "x"));

  const auto b = gp::zeros<float>({2, 3});
  gp::copyto(b, gp::array<float>({1, 2, 3}));
  CHECK(b.to_vector() == std::vector<float>{1, 2, 3, 1, 2, 3});
  gp::copyto(b, 9, {.where = gp::array({true, false, false})});
  CHECK(b.to_vector() == std::vector<float>{9, 2, 3, 9, 2, 3});
  gp::copyto(b(0), 0.5);
  CHECK(b.item(0, 2) == 0.5f);
  GOLDEN_THROWS("np.copyto(np.ones(2), np.ones(3))", gp::copyto(gp::ones(2), gp::ones(3)));
}
