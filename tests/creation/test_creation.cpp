// Creation functions against NumPy: values, dtypes, shapes, memory orders, errors.
#include <array>
#include <cmath>
#include <vector>

#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

TEST_CASE("filled arrays have NumPy's default dtypes") {
  GOLDEN("np.zeros((2, 3))", gp::zeros({2, 3}));
  GOLDEN("np.zeros(4, 'i4')", gp::zeros<std::int32_t>(4));
  GOLDEN("np.zeros((0, 3), 'c8')", gp::zeros<std::complex<float>>({0, 3}));
  GOLDEN("np.ones(())", gp::ones(gp::dims{}));
  GOLDEN("np.ones(3, 'f2')", gp::ones<gp::float16>(3));
  GOLDEN("np.ones(3, bool)", gp::ones<bool>(3));
  GOLDEN("np.ones((2, 2), 'c16')", gp::ones<std::complex<double>>({2, 2}));
  GOLDEN("np.full(2, 1)", gp::full(2, 1));
  GOLDEN("np.full(2, 1.5)", gp::full(2, 1.5));
  GOLDEN("np.full((1, 2), True)", gp::full({1, 2}, true));
  GOLDEN("np.full(2, 1 + 2j)", gp::full(2, std::complex<double>(1, 2)));
  GOLDEN("np.full(2, 7, 'u1')", gp::full<std::uint8_t>(2, 7));
  GOLDEN("np.full((2, 3), A([1, 2, 3], 'i2'))", gp::full({2, 3}, gp::array<std::int16_t>({1, 2, 3})));
  GOLDEN("np.full(2, 1.5, 'i8')", gp::full<i64>(2, 1.5));
  CHECK(gp::empty<float>({3, 0}).shape() == gp::dims{3, 0});
  GOLDEN_THROWS("np.zeros(-1)", gp::zeros(-1));
  GOLDEN_THROWS("np.full(2, A([1, 2, 3]))", gp::full(2, gp::array({1, 2, 3})));
  CHECK_THROWS_AS(gp::full<std::uint8_t>(2, 300), gp::overflow_error);
  CHECK_THROWS_AS(gp::empty<double>({i64(1) << 40, i64(1) << 40}), gp::overflow_error);
}

TEST_CASE("memory order and place are what the options say") {
  CHECK(gp::empty<double>({3, 4}, {.order = gp::order::F}).strides() == gp::dims{8, 24});
  CHECK(gp::zeros<float>({3, 4}).strides() == gp::dims{16, 4});
  const auto a = gp::zeros({2, 3}, {.space = gp::memory_space::host});
  CHECK(a.space() == gp::memory_space::host);
  CHECK(a.device().is_cpu());
  CHECK_THROWS_AS(gp::zeros(3, {.space = gp::memory_space::device, .device = gp::device::cpu()}),
                  gp::value_error);
  const auto transposed = gp::arange(24).reshape({2, 3, 4}).transpose({2, 0, 1});
  CHECK(gp::empty_like(transposed).strides() == transposed.strides());
  CHECK(gp::empty_like(transposed, {.order = gp::order::C}).is_c_contiguous());
  CHECK(gp::zeros_like(gp::zeros({2, 3}).T(), {.order = gp::order::A}).is_f_contiguous());
  CHECK(gp::ones_like<float>(transposed).strides() == gp::dims{4, 48, 16});
  CHECK(gp::ones_like(transposed, {.shape = gp::dims{5}}).shape() == gp::dims{5});
  GOLDEN("np.ones_like(A([1], 'i2'))", gp::ones_like(gp::array<std::int16_t>({1})));
  GOLDEN("np.full_like(a, 2.7)", gp::full_like(gp::arange(6).reshape({2, 3}), 2.7));
  GOLDEN("np.full_like(a, 2.7, 'f4')", gp::full_like<float>(gp::arange(6).reshape({2, 3}), 2.7));
  GOLDEN("np.zeros_like(a)", gp::zeros_like(gp::arange(6).reshape({2, 3})));
}

TEST_CASE("arrays from host memory") {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  GOLDEN("A([1, 2, 3, 4, 5, 6], 'f4')", gp::array(values));
  GOLDEN("A([[1, 2, 3], [4, 5, 6]], 'f4')", gp::array(values.data(), {2, 3}));
  CHECK(gp::array(values.data(), {2, 3}, {.order = gp::order::F}).is_f_contiguous());
  GOLDEN("A([[1, 2, 3], [4, 5, 6]], 'f4')", gp::array(values.data(), {2, 3}, {.order = gp::order::F}));
  GOLDEN("A([1, 2, 3, 4, 5, 6], 'f4')", gp::asarray(std::span<const float>(values)));
  GOLDEN("A([1, 2, 3, 4, 5, 6])", gp::array<i64>(values));
  GOLDEN("A([True, False])", gp::array(std::vector<bool>{true, false}));
  const std::vector<std::vector<float>> rows{{1, 2, 3}, {4, 5, 6}};
  GOLDEN("A([[1, 2, 3], [4, 5, 6]], 'f4')", gp::array(rows));
  CHECK(gp::array<double>(rows).to_vector() == std::vector<double>{1, 2, 3, 4, 5, 6});
  GOLDEN("A([[True, False]])", gp::array(std::vector<std::vector<bool>>{{true, false}}));
  GOLDEN("A([[[1, 2]], [[3, 4]]], 'f4')",
         gp::array(std::array<std::vector<std::array<float, 2>>, 2>{{{{{1, 2}}}, {{{3, 4}}}}}));
  CHECK(gp::array(std::vector<std::vector<double>>{}).shape() == gp::dims{0});
  CHECK(gp::array(std::vector<std::vector<double>>(2)).shape() == gp::dims{2, 0});
  CHECK_THROWS_AS(gp::array(std::vector<std::vector<double>>{{1, 2}, {3}}), gp::value_error);
  GOLDEN("A(5)", gp::array(5));
  GOLDEN("A(2.5)", gp::array<double>(2.5f));
  GOLDEN("A([1, 2])", gp::array({1, 2}));
  GOLDEN("A([[1.5, 2], [3, 4]])", gp::array({{1.5, 2.}, {3., 4.}}));
  GOLDEN("A([[[1, 2]], [[3, 4]]], 'f4')", gp::array<float>({{{1, 2}}, {{3, 4}}}));
  GOLDEN("A([[True, False]])", gp::array<bool>({{true, false}}));
  CHECK_THROWS_AS(gp::array({{1, 2}, {3}}), gp::value_error);
  CHECK_THROWS_AS(gp::array<float>({{1, 2}, {3}}), gp::value_error);
  CHECK_THROWS_AS(gp::array(static_cast<const float*>(nullptr), 3), gp::value_error);

  const auto a = gp::arange(3);
  const auto copy = gp::array(a);
  a(0) = 9;
  CHECK(copy.item(0) == 0);
  CHECK(gp::may_share_memory(gp::asarray(a), a));
  CHECK(gp::asarray<double>(a).item(0) == 9.);
  CHECK_FALSE(gp::may_share_memory(gp::asarray<double>(a), a));
}

TEST_CASE("frombuffer borrows") {
  std::vector<double> memory{0, 1, 2, 3, 4, 5};
  int released = 0;
  {
    const auto a = gp::frombuffer(memory.data(), {2, 3}, {.release = [&] { ++released; }});
    const auto row = a(1);
    row(0) = 30.;
    CHECK(memory[3] == 30.);
    const auto backwards = gp::frombuffer(memory.data() + 5, 6, {.strides = gp::dims{-8}});
    CHECK(backwards.to_vector() == std::vector<double>{5, 4, 30, 2, 1, 0});
    CHECK(gp::as_strided(backwards, 6, -8).item(5) == 0.);
    CHECK_THROWS_AS(gp::as_strided(backwards, 2, 8), gp::value_error);
    CHECK(released == 0);
  }
  CHECK(released == 1);
  CHECK_THROWS_AS(gp::frombuffer(static_cast<double*>(nullptr), 3), gp::value_error);
  CHECK_THROWS_AS(gp::frombuffer(memory.data(), {2, 3}, {.strides = gp::dims{8}}), gp::value_error);
}

TEST_CASE("matrices") {
  GOLDEN("np.eye(3)", gp::eye(3));
  GOLDEN("np.eye(2, 3, k=1)", gp::eye(2, 3, 1));
  GOLDEN("np.eye(3, k=-1, dtype='i4')", gp::eye<std::int32_t>(3, none, -1));
  for (const std::int64_t k : {-9, -4, -3, -1, 0, 2, 5, 6, 9})
    CHECK(gp::array_equal(gp::eye<float>(4, 6, k, {.order = gp::order::F}),
                          gp::arange(6) - gp::arange(4).reshape({4, 1}) == k));
  CHECK(gp::sum(gp::eye(3, none, std::numeric_limits<std::int64_t>::min())).item() == 0);
  GOLDEN("np.eye(3, k=7)", gp::eye(3, none, 7));
  GOLDEN("np.identity(2, 'c8')", gp::identity<std::complex<float>>(2));
  CHECK(gp::eye(3, none, 0, {.order = gp::order::F}).is_f_contiguous());
  GOLDEN_THROWS("np.eye(-1)", gp::eye(-1));
  GOLDEN("np.tri(2, 3, -1)", gp::tri(2, 3, -1));
  GOLDEN("np.tri(3, dtype=bool)", gp::tri<bool>(3));
  const auto a = gp::arange(12).reshape({3, 4});
  GOLDEN("np.tril(np.arange(12).reshape(3, 4))", gp::tril(a));
  GOLDEN("np.tril(np.arange(12).reshape(3, 4), -1)", gp::tril(a, -1));
  GOLDEN("np.triu(np.arange(12).reshape(3, 4).T, 1)", gp::triu(a.T(), 1));
  GOLDEN("np.tril(np.ones((2, 2, 2)))", gp::tril(gp::ones({2, 2, 2})));
  GOLDEN("np.triu(A([1, 2]))", gp::triu(gp::array({1, 2})));
  GOLDEN("np.diag(A([1, 2]))", gp::diag(gp::array({1, 2})));
  GOLDEN("np.diag(A([1, 2]), 1)", gp::diag(gp::array({1, 2}), 1));
  GOLDEN("np.diag(A([1, 2]), -2)", gp::diag(gp::array({1, 2}), -2));
  GOLDEN("np.diag(np.arange(12).reshape(3, 4))", gp::diag(a));
  GOLDEN("np.diag(np.arange(12).reshape(3, 4), 2)", gp::diag(a, 2));
  GOLDEN("np.diag(np.arange(12).reshape(3, 4), -1)", gp::diag(a, -1));
  GOLDEN("np.diag(np.arange(12).reshape(3, 4), 9)", gp::diag(a, 9));
  GOLDEN("np.diag(np.arange(12).reshape(3, 4), -9)", gp::diag(a, -9));
  CHECK(gp::may_share_memory(gp::diag(a), a));
  GOLDEN_THROWS("np.diag(A(5))", gp::diag(gp::array(5)));
  GOLDEN("np.diagflat(A([[1, 2], [3, 4]]))", gp::diagflat(gp::array({{1, 2}, {3, 4}})));
  GOLDEN("np.vander(A([1, 2, 3]), 3)", gp::vander(gp::array({1, 2, 3}), 3));
  GOLDEN("np.vander(A([1, 2, 3]), 4, increasing=True)", gp::vander(gp::array({1, 2, 3}), 4, true));
  GOLDEN("np.vander(A([1.5, -2], 'f4'))", gp::vander(gp::array<float>({1.5, -2})));
  GOLDEN("np.vander(A([1.5, -2]), 0)", gp::vander(gp::array({1.5, -2.}), 0));
  GOLDEN_THROWS("np.vander(np.ones((2, 2)))", gp::vander(gp::ones({2, 2})));
}

TEST_CASE("triangles of long rows are those of comparisons") {
  const gp::ndarray<std::int64_t> distance = gp::arange(100) - gp::arange(30).reshape({30, 1});
  const gp::ndarray<double> a = gp::arange<double>(6000).reshape({2, 30, 100}) + 1.;
  for (const std::int64_t k : {-200, -30, -29, -1, 0, 7, 99, 100, 200}) {
    CAPTURE(k);
    const gp::ndarray<bool> low = distance <= k, high = distance >= k;
    CHECK(gp::array_equal(gp::tri<bool>(30, 100, k), low));
    CHECK(gp::array_equal(gp::tri(30, 100, k, {.order = gp::order::F}), low.astype<double>()));
    CHECK(gp::array_equal(gp::tril(a, k), gp::where(low, a, 0.)));
    CHECK(gp::array_equal(gp::triu(a, k), gp::where(high, a, 0.)));
    CHECK(gp::array_equal(gp::triu(gp::ones<bool>({30, 100}), k), high));
    const auto [rows, columns] = gp::triu_indices(30, k, 100);
    CHECK(gp::array_equal(rows * 100 + columns, gp::flatnonzero(high)));
  }
  CHECK(gp::tri(0, 100).size() == 0);
  CHECK(gp::tril(gp::zeros({0, 100})).size() == 0);
}

TEST_CASE("lists and nested ranges lie in the order that is asked for") {
  const gp::array_options in_f = {.order = gp::order::F};
  const gp::ndarray<double> expected = gp::arange<double>(6).reshape({2, 3});
  const auto check = [&](const auto& a, const auto& wanted) {
    CHECK(a.is_f_contiguous());
    CHECK_FALSE(a.is_c_contiguous());
    CHECK(gp::array_equal(a, wanted));
  };
  check(gp::array({{0., 1., 2.}, {3., 4., 5.}}, in_f), expected);
  check(gp::array<double>({{0, 1, 2}, {3, 4, 5}}, in_f), expected);
  check(gp::array<bool>({{0, 1, 1}, {1, 1, 1}}, in_f), expected.astype<bool>());
  check(gp::array({{false, true, true}, {true, true, true}}, in_f), expected.astype<bool>());
  check(gp::array(std::vector<std::vector<double>>{{0, 1, 2}, {3, 4, 5}}, in_f), expected);
  check(gp::array<double>(std::vector<std::array<int, 3>>{{0, 1, 2}, {3, 4, 5}}, in_f), expected);
  check(gp::array({{expected.min(), expected.max()}, {expected.max(), expected.min()}}, in_f),
        gp::array({{0., 5.}, {5., 0.}}));
  CHECK(gp::array(std::vector<std::vector<bool>>{{true, false}}).to_vector() ==
        std::vector<bool>{true, false});
  CHECK(gp::array(std::vector<std::vector<double>>{{}, {}}, in_f).shape() == gp::dims{2, 0});
}
