// Functions that pick elements or make indices, against NumPy.
#include "support/golden.hpp"
#include "support/traps.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

namespace {

gp::ndarray<i64> a23() { return gp::arange(6).reshape({2, 3}); }
gp::ndarray<double> t234() { return gp::arange(24.).reshape({2, 3, 4}); }

/// The array after f has written to it.
template<class A, class F>
A after(A a, F f) {
  f(a);
  return a;
}

}  // namespace

TEST_CASE("take") {
  TRAP("fancy-017", gp::take(gp::array({1, 2, 3}), {-5, 4}, none, "wrap"));
  TRAP("fancy-018", gp::take(gp::array({1, 2, 3}), {-5, 4}, none, "clip"));
  TRAP("fancy-020", gp::take(a23(), {0, 4}));
  GOLDEN("np.take(t, A([[2, 0], [1, -1]]), 1)", gp::take(t234(), gp::array({{2, 0}, {1, -1}}), 1));
  GOLDEN("np.take(t, 1, -1)", gp::take(t234(), 1, -1));
  GOLDEN("np.take(t.T, [3, 0], 0)", gp::take(t234().T(), std::vector<int>{3, 0}, 0));
  GOLDEN("np.take(a, A([], int), 1)", gp::take(a23(), gp::zeros<i64>(0), 1));
  GOLDEN_THROWS("np.take(a, [0, 3], 1)", gp::take(a23(), {0, 3}, 1));
  GOLDEN_THROWS("np.take(a, -7)", gp::take(a23(), -7));
  GOLDEN_THROWS("np.take(np.zeros(0), [0])", gp::take(gp::zeros(0), {0}));
  GOLDEN_THROWS("np.take(a, [0], 2)", gp::take(a23(), {0}, 2));
  GOLDEN_THROWS("np.take(a, [0], mode='foo')", gp::take(a23(), {0}, none, "foo"));
}

TEST_CASE("take_along_axis and put_along_axis") {
  TRAP("fancy-021", gp::take_along_axis(gp::array({{3, 1, 2}}), gp::array({{1, 2, 0}}), 1));
  GOLDEN("np.take_along_axis(t, A([[[3], [0], [-1]]]), 2)",
         gp::take_along_axis(t234(), gp::array({3, 0, -1}).reshape({1, 3, 1}), 2));
  GOLDEN("np.take_along_axis(a, A([5, 0]), None)", gp::take_along_axis(a23(), gp::array({5, 0}), none));
  GOLDEN_THROWS("np.take_along_axis(a, A([0]), 0)", gp::take_along_axis(a23(), gp::array({0}), 0));
  GOLDEN_THROWS("np.take_along_axis(a, A([[3, 0, 0]]), 0)",
                gp::take_along_axis(a23(), gp::array({{3, 0, 0}}), 0));
  const auto b = a23();
  gp::put_along_axis(b, gp::array({{2}, {0}}), gp::array({{-1}, {-2}}), 1);
  CHECK(b.to_vector() == std::vector<i64>{0, 1, -1, -2, 4, 5});
  gp::put_along_axis(b.T(), gp::array({{1, 1}, {2, 1}}), 9, 0);
  CHECK(b.to_vector() == std::vector<i64>{0, 9, 9, -2, 9, 5});
  gp::put_along_axis(b, gp::array({0, 5}), gp::array({7, 8}), none);
  CHECK(b.to_vector() == std::vector<i64>{7, 9, 9, -2, 9, 8});
}

namespace {

/// Selections along each axis against slices, read and written; threads share the longer ones.
template<class V>
void check_lines(const gp::ndarray<V>& a, const std::vector<i64>& numbers) {
  const gp::ndarray<i64> index = gp::array(numbers);
  for (int axis = 0; axis < a.ndim(); ++axis) {
    CAPTURE(axis);
    const gp::ndarray<V> taken = gp::take(a, index, axis), moved = gp::moveaxis(a, axis, 0),
                         found = gp::moveaxis(taken, axis, 0);
    const gp::ndarray<V> written = a.copy(), expected = a.copy();
    const gp::ndarray<V> values = gp::flip(taken, axis).copy();
    if (axis == 0) written(index) = values;
    else if (axis == 1) written(gp::all, index) = values;
    else written(gp::all, gp::all, index) = values;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      CHECK(gp::array_equal(found(static_cast<i64>(i)), moved(numbers[i])));
      gp::moveaxis(expected, axis, 0)(numbers[i]) = gp::moveaxis(values, axis, 0)(static_cast<i64>(i));
    }
    CHECK(gp::array_equal(written, expected));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("lines of every item size are picked as slices are", V, bool, std::int16_t, float, double,
                   std::complex<double>) {
  for (const gp::dims& shape : {gp::dims{7, 5, 3}, {3, 1, 70}, {9, 8, 90}, {6, 400, 33}}) {
    const gp::ndarray<V> a = (gp::arange(shape[0] * shape[1] * shape[2]) * 7 % 31).astype<V>().reshape(shape);
    check_lines<V>(a, {0, -1, 0});
    check_lines<V>(a(":, :, ::-1"), {-1, 0});
    check_lines<V>(a.T(), {0});
  }
}

TEST_CASE("put, putmask and place of values that lie in the array itself, or are more than enough") {
  for (const std::int64_t n : {1, 2, 7, 100, 5000}) {
    CAPTURE(n);
    const gp::ndarray<std::int64_t> start = gp::arange<std::int64_t>(n) * 3 + 1,
                                    values = start("::-1").copy();
    const gp::ndarray<bool> mask = start % 2 == 1;
    const auto after_each = [&](auto change) {
      const gp::ndarray<std::int64_t> own = start.copy(), apart = start.copy(), more = start.copy();
      change(own, own("::-1"));
      change(apart, values);
      change(more, gp::concatenate({values, start}));
      CHECK(gp::array_equal(own, apart));
      CHECK(gp::array_equal(more, apart));
      return apart;
    };
    const auto put_masked = after_each([&](const auto& x, const auto& v) { gp::putmask(x, mask, v); });
    CHECK(gp::array_equal(put_masked, gp::where(mask, values, start)));
    const auto placed = after_each([&](const auto& x, const auto& v) { gp::place(x, mask, v); });
    const std::int64_t count = gp::count_nonzero(mask).item();
    CHECK(gp::array_equal(placed(mask), values(gp::slice(0, count))));
    const auto put = after_each([&](const auto& x, const auto& v) { gp::put(x, gp::flatnonzero(mask), v); });
    CHECK(gp::array_equal(put, placed));
  }
}

TEST_CASE("put, putmask and place") {
  TRAP("fancy-024", after(gp::arange(5), [](auto& x) { gp::put(x, {0, -1}, gp::array({7})); }));
  TRAP("mask-019", after(gp::arange(5), [](auto& x) { gp::putmask(x, x > 2, gp::array({-1, -2})); }));
  CHECK(after(a23(), [](auto& x) { gp::put(x.T(), {1, 2}, gp::array({-1, -2, -3})); }).to_vector() ==
        std::vector<i64>{0, -2, 2, -1, 4, 5});
  CHECK(after(a23(), [](auto& x) { gp::put(x, {8, -9}, 7, "clip"); }).to_vector() ==
        std::vector<i64>{7, 1, 2, 3, 4, 7});
  CHECK(after(a23(), [](auto& x) { gp::place(x, x > 2, gp::array({-1, -2})); }).to_vector() ==
        std::vector<i64>{0, 1, 2, -1, -2, -1});
  CHECK(after(a23(), [](auto& x) { gp::putmask(x, x > 2, 0); }).to_vector() ==
        std::vector<i64>{0, 1, 2, 0, 0, 0});
  const auto x = a23();
  CHECK_THROWS_WITH_AS(gp::put(x, {0, 6}, 1), "index 6 is out of bounds for axis 0 with size 6",
                       gp::index_error);
  CHECK_THROWS_WITH_AS(gp::putmask(x, gp::array({true}), 1), "putmask: mask and data must be the same size",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(gp::place(x, x > 2, gp::zeros(0)), "Cannot insert from an empty array!",
                       gp::value_error);
  CHECK(x.to_vector() == a23().to_vector());
}

TEST_CASE("compress, extract and delete") {
  TRAP("mask-014", gp::extract(gp::array({1, 0, 1}), gp::array({5, 6, 7})));
  GOLDEN("np.compress([False, True], t, 1)", gp::compress(gp::array({false, true}), t234(), 1));
  GOLDEN("np.compress([1, 0, 1], a)", gp::compress(gp::array({1, 0, 1}), a23()));
  GOLDEN_THROWS("np.compress(a, a)", gp::compress(a23(), a23()));
  GOLDEN("np.delete(v, 1)", gp::delete_(gp::arange(5), 1));
  GOLDEN("np.delete(a, [0, -1], 1)", gp::delete_(a23(), {0, -1}, 1));
  GOLDEN("np.delete(a, -1, 1)", gp::delete_(a23(), -1, 1));
  GOLDEN("np.delete(v, [0, -1, 0])", gp::delete_(gp::arange(5), std::vector<int>{0, -1, 0}));
  GOLDEN("np.delete(t, slice(None, None, 2), 2)", gp::delete_(t234(), gp::slice(none, none, 2), 2));
  GOLDEN("np.delete(v, v > 2)", gp::delete_(gp::arange(5), gp::arange(5) > 2));
  GOLDEN_THROWS("np.delete(v, 5)", gp::delete_(gp::arange(5), 5));
  GOLDEN_THROWS("np.delete(v, [True])", gp::delete_(gp::arange(5), std::vector<bool>{true}));
}

TEST_CASE("nonzero and its relatives") {
  const auto found = gp::where(gp::array({{true, false}, {true, true}}));
  TRAP("mask-013/0", found[0]);
  TRAP("mask-013/1", found[1]);
  TRAP("mask-016", gp::argwhere(gp::array({{0, 1}, {1, 0}})));
  GOLDEN("np.argwhere(t % 5 == 2)", gp::argwhere(t234() % 5. == 2.));
  GOLDEN("np.argwhere(5)", gp::argwhere(gp::array(5)));
  GOLDEN("np.nonzero(t[::-1] % 5 == 2)[1]", gp::nonzero(t234()("::-1") % 5. == 2.)[1]);
  GOLDEN("np.flatnonzero(t.T % 5 == 2)", gp::flatnonzero(t234().T() % 5. == 2.));
  GOLDEN("np.flatnonzero(A([NAN, 0., -0., 1.]))", gp::flatnonzero(gp::array({std::nan(""), 0., -0., 1.})));
  GOLDEN_THROWS("np.nonzero(A(5))", gp::nonzero(gp::array(5)));
}

TEST_CASE("nonzero of long rows: runs of true elements, single ones and none") {
  const gp::ndarray<i64> number = gp::arange(3 * 41 * 67).reshape({3, 41, 67});
  const gp::ndarray<bool> masks[] = {number % 97 > 40, number % 53 == 7, number % 3 != 1, number < 0,
                                     number >= 0};
  for (const gp::ndarray<bool>& mask : masks)
    for (const gp::ndarray<bool>& view :
         {mask, gp::ndarray<bool>(mask(":, ::-1, 1:")), gp::ndarray<bool>(mask(":, :, ::-2")), mask.T()}) {
      const auto found = gp::nonzero(view), expected = gp::unravel_index(gp::flatnonzero(view), view.shape());
      for (std::size_t d = 0; d < 3; ++d) CHECK(gp::array_equal(found[d], expected[d]));
      CHECK(gp::array_equal(view(found), gp::full(found[0].shape(), true)));
      CHECK(found[0].size() == gp::count_nonzero(view).item());
    }
}

TEST_CASE("compress and extract of vectors and of whole arrays, by few and many conditions") {
  for (const i64 n : {1, 100, 3000}) {
    const gp::ndarray<i64> x = gp::arange(n) * 3;
    const gp::ndarray<bool> mask = gp::arange(n) % 7 > 3;
    const gp::ndarray<i64> expected = x(gp::nonzero(mask));
    CHECK(gp::array_equal(gp::compress(mask, x), expected));
    CHECK(gp::array_equal(gp::compress(mask, x, -1), expected));
    CHECK(gp::array_equal(gp::compress(mask("::-1"), x("::-1"), 0), gp::flip(expected)));
    CHECK(gp::array_equal(gp::extract(mask, x), expected));
    CHECK(gp::array_equal(gp::extract(gp::arange(n) % 7, x), x(gp::nonzero(gp::arange(n) % 7))));
    CHECK_THROWS_AS((void)gp::compress(mask, x, 1), gp::axis_error);
  }
  const gp::ndarray<i64> m = gp::arange(12).reshape({3, 4});
  CHECK(gp::array_equal(gp::compress(m.ravel() % 5 == 0, m.T()), gp::array<i64>({0, 9, 7})));
}

TEST_CASE("choose and select") {
  TRAP("mask-020", gp::select(std::vector<gp::ndarray<bool>>{gp::array({true, false, false}),
                                                             gp::array({true, true, false})},
                              std::vector<gp::ndarray<i64>>{gp::array({1, 1, 1}), gp::array({2, 2, 2})}, -1));
  const auto v = gp::arange(5);
  GOLDEN("np.select([np.arange(5) < 1, np.arange(5) < 3], [np.arange(5), np.arange(5) * 10], 0.5)",
         gp::select({v < 1, v < 3}, {v, v * 10}, 0.5));
  GOLDEN(
      "np.select([np.arange(5) < 1, np.arange(5) < 3], [np.arange(5), np.arange(5) * 10], np.arange(5) / 4)",
      gp::select({v < 1, v < 3}, {v, v * 10}, v / 4));
  GOLDEN("np.select([np.arange(5) < 2], [A([[1], [2]], dtype='f4')], np.arange(5) == 3)",
         gp::select({v < 2}, {gp::array<float>({{1}, {2}})}, v == 3));
  const std::vector<gp::ndarray<i64>> rows{gp::array({0, 1, 2}), gp::array({10, 11, 12}), gp::array({20})};
  GOLDEN("np.choose([2, 0, 1], [A([0, 1, 2]), A([10, 11, 12]), A([20])])",
         gp::choose(gp::array({2, 0, 1}), rows));
  GOLDEN("np.choose([-1, 5, 1], [A([0, 1, 2]), A([10, 11, 12]), A([20])], mode='wrap')",
         gp::choose(gp::array({-1, 5, 1}), rows, "wrap"));
  GOLDEN_THROWS("np.choose([3, 0, 1], [A([0, 1, 2]), A([10, 11, 12]), A([20])])",
                gp::choose(gp::array({3, 0, 1}), rows));
  GOLDEN_THROWS("np.choose([0], [])", gp::choose(gp::array({0}), std::vector<gp::ndarray<i64>>{}));
  CHECK_THROWS_AS(gp::select(std::vector<gp::ndarray<bool>>{}, std::vector<gp::ndarray<i64>>{}),
                  gp::value_error);
}

TEST_CASE("indices made") {
  const auto corner = gp::unravel_index(5, {2, 3}, gp::order::F);
  TRAP("fancy-026/0", corner[0]);
  TRAP("fancy-026/1", corner[1]);
  TRAP("fancy-027", gp::ravel_multi_index({gp::array({1}), gp::array({4})}, {2, 3}, "clip"));
  GOLDEN("np.unravel_index(A([22, 0, 7]), (2, 3, 4))[1]",
         gp::unravel_index(gp::array({22, 0, 7}), {2, 3, 4})[1]);
  GOLDEN_THROWS("np.unravel_index(A([0, 24]), (2, 3, 4))", gp::unravel_index(gp::array({0, 24}), {2, 3, 4}));
  GOLDEN("np.ravel_multi_index((A([1, 0]), A([2, 1])), (2, 3), order='F')",
         gp::ravel_multi_index({gp::array({1, 0}), gp::array({2, 1})}, {2, 3}, "raise", gp::order::F));
  GOLDEN("np.ravel_multi_index((A([3, -1]), A([4, 1])), (2, 3), mode='wrap')",
         gp::ravel_multi_index({gp::array({3, -1}), gp::array({4, 1})}, {2, 3}, "wrap"));
  GOLDEN_THROWS("np.ravel_multi_index((A([2]), A([0])), (2, 3))",
                gp::ravel_multi_index({gp::array({2}), gp::array({0})}, {2, 3}));
  GOLDEN("np.tril_indices(3, -1, 4)[0]", gp::tril_indices(3, -1, 4).first);
  GOLDEN("np.triu_indices(3, 1)[1]", gp::triu_indices(3, 1).second);
  GOLDEN("np.triu_indices_from(a)[0]", gp::triu_indices_from(a23()).first);
  GOLDEN("np.diag_indices(3)[1]", gp::diag_indices(3)[1]);
  GOLDEN("np.mask_indices(3, np.triu, 1)[0]",
         gp::mask_indices(3, [](const auto& m, auto k) { return gp::triu(m, k); }, 1)[0]);
  GOLDEN_THROWS("np.tril_indices_from(t)", gp::tril_indices_from(t234()));
  GOLDEN_THROWS("np.diag_indices_from(a)", gp::diag_indices_from(a23()));
  TRAP("fancy-023", gp::ix_(std::vector<int>{0, 1}, std::vector<int>{2})[0].shape());
  const auto mesh = gp::ix_(gp::array({true, false, true}), std::vector<int>{1, 0});
  GOLDEN("np.arange(12).reshape(3, 4)[np.ix_([True, False, True], [1, 0])]",
         gp::arange(12).reshape({3, 4})(mesh));
  CHECK(gp::ix_(std::vector<bool>{false, true, true})[0].to_vector() == std::vector<i64>{1, 2});
  GOLDEN_THROWS("np.ix_(a, [1])", gp::ix_(a23(), std::vector<int>{1}));
  GOLDEN("np.ravel_multi_index((), ())", gp::ravel_multi_index({}, {}));
}

TEST_CASE("what makes indices for all axes is an index") {
  GOLDEN("t[np.nonzero(t % 5 == 2)]", t234()(gp::nonzero(t234() % 5. == 2.)));
  GOLDEN("t[np.unravel_index(A([22, 0, 7]), (2, 3, 4))]",
         t234()[gp::unravel_index(gp::array({22, 0, 7}), {2, 3, 4})]);
  CHECK(after(gp::zeros<i64>({3, 3}), [](auto& x) {
          x(gp::tril_indices(3, -1)) = gp::array({1, 2, 3});
          x(gp::diag_indices(3)) += 9;
        }).to_vector() == std::vector<i64>{9, 0, 0, 1, 9, 0, 2, 3, 9});
  CHECK_THROWS_AS(a23()(gp::diag_indices(2, 3)), gp::index_error);
}

TEST_CASE("fill_diagonal") {
  TRAP("misc-032", after(gp::zeros<i64>({5, 2}), [](auto& x) { gp::fill_diagonal(x, 7, true); }));
  CHECK(after(a23(), [](auto& x) { gp::fill_diagonal(x, gp::array({-1, -2, -3})); }).to_vector() ==
        std::vector<i64>{-1, 1, 2, 3, -2, 5});
  CHECK(gp::sum(after(gp::zeros<i64>({7, 2}), [](auto& x) { gp::fill_diagonal(x, 1, true); })).item() == 5);
  CHECK(gp::sum(after(gp::zeros<i64>({7, 2}), [](auto& x) { gp::fill_diagonal(x, 1); })).item() == 2);
  // No values, or no places: nothing is written.
  CHECK(after(a23(), [](auto& x) { gp::fill_diagonal(x, gp::zeros<i64>(0)); }).to_vector() ==
        a23().to_vector());
  for (const gp::dims& shape : {gp::dims{0, 2}, gp::dims{2, 0}})
    for (const bool wrap : {false, true}) gp::fill_diagonal(gp::zeros<i64>(shape), 1, wrap);
  const auto cube = gp::zeros<i64>({3, 3, 3});
  gp::fill_diagonal(cube, gp::array({1, 2, 3}));
  CHECK(cube(2, 2, 2).item() == 3);
  CHECK(gp::count_nonzero(cube).item() == 3);
  CHECK_THROWS_WITH_AS(gp::fill_diagonal(gp::zeros(3), 1), "array must be at least 2-d", gp::value_error);
  CHECK_THROWS_WITH_AS(gp::fill_diagonal(t234(), 1), "All dimensions of input must be of equal length",
                       gp::value_error);
}
