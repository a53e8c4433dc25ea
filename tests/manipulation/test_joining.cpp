// Joining, splitting and repeating arrays against NumPy.
#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

namespace {

gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }

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

TEST_CASE("many arrays, of sizes that no vector divides") {
  // Also such as share no unit of four bytes, and more than one launch of a GPU takes.
  const auto check = [](auto number) {
    using V = decltype(number);
    std::vector<gp::ndarray<V>> rows, columns;
    std::vector<V> expected;
    for (int i = 0; i < 70; ++i) {
      const std::int64_t n = i * 7 % 23;
      const gp::ndarray<V> part = (gp::arange<std::int64_t>(2 * n) + i).astype<V>();
      rows.push_back(part);
      columns.push_back(part.reshape({2, n}));
      for (std::int64_t k = 0; k < 2 * n; ++k) expected.push_back(static_cast<V>(k + i));
    }
    CHECK(gp::concatenate(rows).to_vector() == expected);
    const gp::ndarray<V> wide = gp::concatenate(columns, 1);
    std::int64_t at = 0;
    for (const auto& part : columns) {
      CHECK(gp::array_equal(wide(gp::all, gp::slice(at, at + part.shape(1))), part));
      at += part.shape(1);
    }
  };
  check(std::int8_t{});
  check(std::int16_t{});
  check(float{});
  check(double{});
  check(std::complex<double>{});
}

TEST_CASE("row_stack") { GOLDEN("np.vstack([v, v])", gp::row_stack(gp::arange(5), gp::arange(5))); }
