// tile, repeat and resize against NumPy.
#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

/// Rows of repeated elements are written by vectors that reach into the next row: of each length, at the end
/// of memory that is not theirs.
template<class V>
void check_repeated() {
  for (const i64 n : {1, 2, 3, 5, 40})
    for (i64 count = 1; count <= 40; ++count) {
      const gp::ndarray<V> a = (gp::arange(n) % 120).template astype<V>();
      const gp::ndarray<V> whole = gp::full<V>({n * count + 16}, V(99));
      const gp::ndarray<V> target = whole(gp::slice(0, n * count));
      target.reshape({n, count})(gp::ellipsis) = gp::broadcast_to(a(gp::all, gp::newaxis), {n, count});
      const std::vector<V> repeated = gp::asnumpy(gp::repeat(a, count)).to_vector(),
                           assigned = gp::asnumpy(whole).to_vector(), given = gp::asnumpy(a).to_vector();
      int wrong = repeated.size() != static_cast<std::size_t>(n * count);
      for (std::size_t i = 0; i < repeated.size(); ++i)
        wrong += repeated[i] != given[i / static_cast<std::size_t>(count)] || assigned[i] != repeated[i];
      for (std::size_t i = repeated.size(); i < assigned.size(); ++i) wrong += assigned[i] != V(99);
      CHECK(wrong == 0);
    }
}

gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }

}  // namespace

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

TEST_CASE("repeating so often that rows end within vectors") {
  check_repeated<std::int8_t>();
  check_repeated<std::int16_t>();
  check_repeated<float>();
  check_repeated<double>();
  check_repeated<std::complex<double>>();
}

namespace {

/// Each element as often as its count says, along either axis, in a result whose ends are written one by one.
template<class V>
void check_counts() {
  int wrong = 0;
  for (const i64 n : {1, 2, 5, 64, 301}) {
    const gp::ndarray<V> a = (gp::arange(3 * n) % 120).template astype<V>().reshape({3, n});
    const gp::ndarray<i64> counts = gp::arange(n) * 7 % 11;
    gp::ndarray<i64> at = gp::zeros<i64>({gp::sum(counts).item()});
    for (i64 i = 0, next = 0; i < n; ++i)
      for (i64 c = counts(i).item(); c > 0; --c) at(next++) = i;
    wrong += !gp::array_equal(gp::repeat(a(1), counts), a(1).take(at));
    wrong += !gp::array_equal(gp::repeat(a, counts, 1), a.take(at, 1));
    wrong += !gp::array_equal(gp::repeat(a.T(), counts, 0), a.T().take(at, 0));
    wrong += !gp::array_equal(gp::repeat(a(gp::ellipsis, gp::slice(gp::none, gp::none, -1)), counts, 1),
                              a(gp::ellipsis, gp::slice(gp::none, gp::none, -1)).take(at, 1));
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("repeating by counts of each element") {
  check_counts<std::int8_t>();
  check_counts<std::int16_t>();
  check_counts<float>();
  check_counts<double>();
  check_counts<std::complex<double>>();
}
