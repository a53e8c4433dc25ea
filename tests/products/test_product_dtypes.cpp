// Products with results of another dtype than the operands, and with a bias and an activation: what is added
// up in float32 is rounded once, or not at all.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

using gp::bfloat16, gp::float16;

/// Small whole numbers, in an order that repeats itself after 11.
template<class V>
gp::ndarray<V> whole_numbers(const gp::dims& shape, int step) {
  std::int64_t size = 1;
  for (const std::int64_t n : shape) size *= n;
  return (gp::arange<float>(static_cast<float>(size)) * static_cast<float>(step) % 11.f - 5.f)
      .template astype<V>()
      .reshape(shape);
}

template<class A, class B>
bool same(const A& a, const B& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && gp::array_equal(a, b);
}

template<class V>
gp::ndarray<float> widened(const gp::ndarray<V>& a) {
  return a.template astype<float>();
}

/// Every product of halves in float32 is that of the same numbers as float32: sums of whole numbers are
/// exact.
template<class Half>
void check_products() {
  const auto a = whole_numbers<Half>({40, 300}, 7), b = whole_numbers<Half>({300, 24}, 3);
  const auto x = a(1);
  const auto y = b(gp::all, 2);
  const gp::ndarray<float> wide_a = widened(a), wide_b = widened(b), wide_x = wide_a(1),
                           wide_y = wide_b(gp::all, 2);
  CHECK(same(gp::matmul<float>(a, b), gp::matmul(wide_a, wide_b)));
  CHECK(same(gp::matmul<float>(a, y), gp::matmul(wide_a, wide_y)));
  CHECK(same(gp::matmul<float>(x, b), gp::matmul(wide_x, wide_b)));
  CHECK(same(gp::matmul<float>(x, y), gp::matmul(wide_x, wide_y)));
  CHECK(same(gp::matmul<float>(a("::2, ::-1"), b("::-1, 1::3")),
             gp::matmul(wide_a("::2, ::-1"), wide_b("::-1, 1::3"))));
  CHECK(same(gp::matmul<float>(b.T(), a.T()), gp::matmul(wide_b.T(), wide_a.T())));
  CHECK(same(gp::matvec<float>(a, y), gp::matmul(wide_a, wide_y)));
  CHECK(same(gp::vecmat<float>(x, b), gp::matmul(wide_x, wide_b)));
  CHECK(same(gp::vecdot<float>(a, x), gp::vecdot(wide_a, wide_x)));
  CHECK(same(gp::dot<float>(a, b), gp::matmul(wide_a, wide_b)));
  CHECK(same(gp::vdot<float>(x, y), gp::vdot(wide_x, wide_y)));
  CHECK(same(gp::inner<float>(a, a), gp::inner(wide_a, wide_a)));
  CHECK(same(gp::outer<float>(x, y), gp::outer(wide_x, wide_y)));
  CHECK(same(gp::tensordot<float>(a, b, 1), gp::matmul(wide_a, wide_b)));
  CHECK(same(gp::einsum<float>("ij,jk->ki", a, b), gp::matmul(wide_a, wide_b).T().copy()));
  const auto stack = whole_numbers<Half>({3, 5, 8}, 5), other = whole_numbers<Half>({3, 8, 5}, 4);
  CHECK(same(gp::matmul<float>(stack, other), gp::matmul(widened(stack), widened(other))));
  CHECK(same(gp::einsum<float>("bij,bjk->bik", stack, other), gp::matmul(widened(stack), widened(other))));
  // Of three operands the third meets a product; of these the first is summed before.
  CHECK(same(gp::einsum<float>("ij,jk,kl->il", a, b, whole_numbers<Half>({24, 3}, 2)),
             gp::matmul(gp::matmul(wide_a, wide_b), widened(whole_numbers<Half>({24, 3}, 2)))));
  CHECK(same(gp::einsum<float>("hij,jk->ik", stack, whole_numbers<Half>({8, 4}, 2)),
             gp::matmul(gp::sum(widened(stack), 0).eval(), widened(whole_numbers<Half>({8, 4}, 2)))));
  CHECK(same(gp::matmul<float>(a(gp::all, gp::slice(0, 0)), b(gp::slice(0, 0))), gp::zeros<float>({40, 24})));
  CHECK(gp::matmul<float>(a("0:0"), b).shape() == gp::dims{0, 24});
}

float gelu(float x) {
  const double y = x;
  return static_cast<float>(
      0.5 * y * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (y + 0.044715 * y * y * y))));
}

/// matmul with a bias and an activation is f(sum + bias) of exact sums, rounded to V.
template<class V>
void check_epilogues(const gp::dims& shape_a, const gp::dims& shape_b) {
  // Multiples of 1/8, so sums are multiples of 1/64 below 32: float32 holds them exactly.
  const auto a = (whole_numbers<float>(shape_a, 7) / 8.f).template astype<V>();
  const auto b = (whole_numbers<float>(shape_b, 3) / 8.f).template astype<V>();
  const std::int64_t n = shape_b.back();
  const gp::ndarray<V> bias = (whole_numbers<float>({n}, 4) / 4.f).template astype<V>();
  const gp::ndarray<float> sums = gp::matmul(widened(a), widened(b));
  const auto rounded = [](const auto& x) {
    return gp::ndarray<V>(gp::ndarray<float>(x).template astype<V>());
  };
  const gp::ndarray<float> with_bias = sums + widened(bias);
  CHECK(same(gp::matmul(a, b, {.bias = bias}), rounded(with_bias)));
  CHECK(same(gp::matmul(a, b, {.bias = bias, .activation = "relu"}), rounded(gp::maximum(with_bias, 0.f))));
  CHECK(same(gp::matmul(a, b, {.activation = "relu"}), rounded(gp::maximum(sums, 0.f))));
  CHECK(same(gp::matmul(a, b, {}), rounded(sums)));
  CHECK(same(gp::matmul<float>(a, b, {.bias = bias, .activation = "relu"}),
             gp::ndarray<float>(gp::maximum(with_bias, 0.f))));
  // A bias of another dtype or shape is added all the same.
  CHECK(same(gp::matmul(a, b, {.bias = widened(bias)}), rounded(with_bias)));
  const gp::ndarray<V> column = bias(gp::slice(0, 1)).copy();
  CHECK(same(gp::matmul(a, b, {.bias = column}), rounded(sums + widened(column))));
  // With a function of float32 the argument of tanh has seven roundings, of which u sech(u)^2 < 0.45 is left,
  // and tanh four units in the last place. That of a GPU's instruction is off by up to 2^-10.98. Then the
  // result is rounded to V.
  const auto y = gp::matmul(a, b, {.bias = bias, .activation = "gelu"}).template astype<double>().to_vector();
  const auto x = with_bias.to_vector();
  const double unit = sizeof(V) == 4 ? 0x1p-22 : std::is_same_v<V, float16> ? 0x1p-11 : 0x1p-8;
  const double of_tanh = sizeof(V) == 4 ? 0x1p-21 : 0x1.08p-11;
  long wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = gelu(x[i]);
    // Numbers below 2^-14 are rounded to a multiple of 2^-24 in float16.
    wrong += std::abs(y[i] - expected) > unit * std::abs(expected) + of_tanh * std::abs(x[i]) / 2 + 0x1p-24;
  }
  CHECK(wrong == 0);
}

template<class V>
void check_nan_and_infinity() {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  auto a = gp::zeros<V>({16, 16});
  gp::fill_diagonal(a, V(1.f));
  auto b = gp::zeros<V>({16, 16});
  b(0, 0) = V(1.f);
  const gp::ndarray<V> bias =
      gp::array<float>({nan, inf, -inf, -0.f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -12}).template astype<V>();
  for (const bool relu : {false, true}) {
    const auto row = gp::matmul(a, b, {.bias = bias, .activation = relu ? "relu" : ""})(3)
                         .template astype<float>()
                         .to_vector();
    CHECK(std::isnan(row[0]));  // as gp::maximum, whatever a library's max does
    CHECK(row[1] == inf);
    CHECK(row[2] == (relu ? 0 : -inf));
    CHECK(row[15] == (relu ? 0 : -12));
  }
}

}  // namespace

TEST_CASE("products of halves have sums of float32 where these are asked for") {
  check_products<float16>();
  check_products<bfloat16>();
  const auto a = gp::full<float16>({2, 100}, 30.f), b = gp::full<float16>({100, 2}, 30.f);
  CHECK(std::isinf(static_cast<float>(gp::matmul(a, b)(0, 0).item())));
  CHECK(gp::matmul<float>(a, b)(0, 0).item() == 90000);
}

TEST_CASE("the dtype of a product converts the operands first, as NumPy's dtype= does") {
  const auto bytes = gp::full<std::int8_t>({2, 3}, 100);
  CHECK(same(gp::matmul<int>(bytes, bytes.T()), gp::full<int>({2, 2}, 30000)));
  CHECK(gp::matmul(bytes, bytes.T())(0, 0).item() == static_cast<std::int8_t>(30000));
  const auto thirds = gp::full<float>({1, 3}, 1.f / 3);
  CHECK(gp::matmul<double>(thirds, thirds.T())(0, 0).item() == 3. * (1.f / 3) * (1.f / 3));
  CHECK(same(gp::dot<double>(bytes, 2.f * gp::ones<float>({3, 1})), gp::full<double>({2, 1}, 600.)));
  // Both halves are converted where they are not the same.
  CHECK(same(gp::matmul<float>(gp::ones<float16>({2, 3}), gp::ones<bfloat16>({3, 2})),
             gp::full<float>({2, 2}, 3.f)));
  CHECK(same(gp::matmul<float16>(thirds, thirds.T()),
             gp::matmul(thirds.astype<float16>(), thirds.T().astype<float16>())));
  CHECK(same(gp::einsum<double>("ij->i", bytes), gp::full<double>({2}, 300.)));
}

TEST_CASE("a bias and an activation work on the sums, which are rounded once") {
  for (const auto& [a, b] : {std::pair<gp::dims, gp::dims>{{33, 64}, {64, 48}},
                             {{8, 32}, {32, 8}},
                             {{7, 9}, {9, 5}},
                             {{3, 6, 16}, {3, 16, 8}},
                             {{64}, {64, 24}},
                             {{2, 3, 6, 16}, {2, 1, 16, 8}}}) {
    CAPTURE(a.size());
    CAPTURE(b.back());
    check_epilogues<float>(a, b);
    check_epilogues<float16>(a, b);
    check_epilogues<bfloat16>(a, b);
  }
  // 2049 is no float16, and 2049.5 + 0.5 is 2050.
  const auto a = gp::array<float16>({{2048., 1.5}}), one = gp::array<float16>({{1.}, {1.}});
  CHECK(static_cast<float>(gp::matmul(a, one, {.bias = gp::array<float16>({0.5})})(0, 0).item()) == 2050);
  CHECK(static_cast<float>((gp::matmul(a, one) + gp::array<float16>({0.5}))(0, 0).item()) == 2050);
  const auto b = gp::array<float16>({{2048., 1.}}), half = gp::array<float16>({0.5});
  CHECK(static_cast<float>(gp::matmul(b, one, {.bias = half})(0, 0).item()) == 2050);
  CHECK(static_cast<float>((gp::matmul(b, one) + half)(0, 0).item()) == 2048);
  CHECK(gp::matmul(gp::ones<double>({2, 3}), gp::ones<double>({3}),
                   {.bias = gp::array({-4., 1.}), .activation = "relu"})
            .to_vector() == std::vector<double>{0, 4});
  CHECK(same(
      gp::matmul(gp::zeros<float>({2, 0}), gp::zeros<float>({0, 2}), {.bias = gp::array<float>({1, -2})}),
      gp::array<float>({{1, -2}, {1, -2}})));
}

TEST_CASE("NaN goes through a relu, infinities do not stop it") {
  check_nan_and_infinity<float>();
  check_nan_and_infinity<float16>();
  check_nan_and_infinity<bfloat16>();
}

TEST_CASE("what a product cannot add or apply is an error") {
  const auto a = gp::ones<float>({2, 3}), b = gp::ones<float>({3, 4});
  CHECK_THROWS_WITH_AS(gp::matmul(a, b, {.activation = "swish"}),
                       "matmul: activation is \"swish\", and must be \"relu\", \"gelu\" or nothing",
                       gp::value_error);
  CHECK_THROWS_AS(gp::matmul(a, b, {.bias = gp::ones<float>({3})}), gp::value_error);
  CHECK_THROWS_WITH_AS(gp::matmul(a, b, {.bias = gp::ones<float>({5, 2, 4})}),
                       "matmul: a bias of shape (5,2,4) does not broadcast to the product's shape (2,4)",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(gp::matmul(a, b, {.bias = gp::ones<std::complex<float>>({4})}),
                       "matmul: a bias of dtype complex64 is not added to sums of dtype float32",
                       gp::type_error);
  CHECK_THROWS_AS(gp::matmul(a, a, {.activation = "relu"}), gp::value_error);
}

TEST_CASE("a product of a pending operand is computed once, at the line") {
  auto x = gp::ones<float16>({4, 4});
  const gp::ndarray<float> c =
      gp::matmul<float>(x * float16(2.f), x + x, {.bias = gp::ones<float16>({4}) + float16(1.f)});
  x(gp::all) = float16(5.f);
  CHECK(same(c, gp::full<float>({4, 4}, 18.f)));
}
