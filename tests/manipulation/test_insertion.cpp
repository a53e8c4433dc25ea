// insert against NumPy.
#include "support/golden.hpp"
#include "support/traps.hpp"

namespace gp = gparray;

TEST_CASE("insert") {
  const auto a = gp::arange(6).reshape({2, 3});
  TRAP("shape-047", gp::insert(gp::array({1, 2, 3}), {1, 1}, gp::array({8, 9})));
  GOLDEN("np.insert(a, 1, 9, 1)", gp::insert(a, 1, 9, 1));
  GOLDEN("np.insert(a, 1, [7, 8], 1)", gp::insert(a, 1, gp::array({7, 8}), 1));
  GOLDEN("np.insert(a, [1], [[7], [8]], 1)", gp::insert(a, {1}, gp::array({{7}, {8}}), 1));
  GOLDEN("np.insert(a, [1], [[7, 8, 9], [1, 2, 3]], 0)",
         gp::insert(a, {1}, gp::array({{7, 8, 9}, {1, 2, 3}}), 0));
  GOLDEN("np.insert(a, 1, [[7, 8, 9], [4, 5, 6]], 0)",
         gp::insert(a, 1, gp::array({{7, 8, 9}, {4, 5, 6}}), 0));
  GOLDEN("np.insert(a, [0, 2], 9, 1)", gp::insert(a, {0, 2}, 9, 1));
  GOLDEN("np.insert(a, [2, 0], [7, 8])", gp::insert(a, gp::array({2, 0}), gp::array({7, 8})));
  GOLDEN("np.insert(a, 3, [1.5, 2, 3])", gp::insert(a, 3, gp::array({1.5, 2., 3.})));
  GOLDEN("np.insert(a, -1, 9, 0)", gp::insert(a, -1, 9, 0));
  GOLDEN("np.insert(a.T, 3, 9, 0)", gp::insert(a.T(), 3, 9, 0));
  GOLDEN("np.insert(a, slice(0, 2), [1, 2])", gp::insert(a, gp::slice(0, 2), gp::array({1, 2})));
  GOLDEN("np.insert(a, A([True, False, True]), 9, 1)", gp::insert(a, gp::array({true, false, true}), 9, 1));
  GOLDEN("np.insert(v, A([], int), 9)", gp::insert(gp::arange(5), std::vector<int>{}, 9));
  GOLDEN_THROWS("np.insert(a, 4, 9, 1)", gp::insert(a, 4, 9, 1));
  GOLDEN_THROWS("np.insert(a, 0, 9, 2)", gp::insert(a, 0, 9, 2));
  CHECK_THROWS_AS(gp::insert(a, {0, 4}, 9, 1), gp::index_error);
  CHECK_THROWS_AS(gp::insert(a, {0, 1}, gp::array({1, 2, 3})), gp::value_error);
}

TEST_CASE("runs are taken out and put in as their single elements are") {
  const gp::ndarray<int> t = gp::arange<int>(60).reshape({3, 4, 5});
  int wrong = 0;
  for (const int axis : {0, 1, 2, -1}) {
    const std::int64_t n = t.shape(axis);
    for (std::int64_t begin = -n; begin <= n; ++begin)
      for (std::int64_t end = -n - 1; end <= n; ++end)
        for (const int step : {1, -1}) {
          const gp::slice run(begin, end, step);
          const auto indices = gp::arange(n)(run).to_vector();
          wrong += !gp::array_equal(gp::delete_(t, run, axis), gp::delete_(t, indices, axis));
          wrong += !gp::array_equal(gp::delete_(t.T(), run, axis == -1 ? 0 : 2 - axis),
                                    gp::delete_(t, indices, axis).T());
        }
    for (std::int64_t at = -n; at <= n; ++at) {
      gp::dims shape = t.shape();
      shape[static_cast<std::size_t>(axis < 0 ? axis + 3 : axis)] = 2;
      const gp::ndarray<int> values = -1 - gp::arange<int>(shape[0] * shape[1] * shape[2]).reshape(shape);
      wrong += !gp::array_equal(gp::insert(t, {at}, values, axis), gp::insert(t, {at, at}, values, axis));
    }
  }
  CHECK(wrong == 0);
}
