// Functions of arrays whose dtypes are known at run time: NumPy's dtypes, and what typed functions give.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/dynamic.hpp>
#include <gparray/gparray.hpp>

#include "semantics/promotion_rows.hpp"

namespace gp = gparray;
namespace dynamic = gp::dynamic;
using namespace std::complex_literals;

namespace {

gp::any_array ones(const std::string& type, const gp::dims& shape = {2}) {
  return dynamic::full(shape, 1, dynamic::find_dtype(type).value());
}

/// The dtype of a result, "error" for a type_error.
template<class F>
std::string dtype_given(F&& call) {
  try {
    return std::string(gp::name(call().dtype()));
  } catch (const gp::type_error&) {
    return "error";
  }
}

template<class V>
bool same(const gp::any_array& a, const gp::ndarray<V>& b) {
  return a.dtype() == gp::dtype_of<V> && a.shape() == b.shape() &&
         gp::array_equal(gp::detail::typed<V>(gp::any_array(a)), b);
}

}  // namespace

TEST_CASE("element-wise functions by their names give NumPy's dtype") {
  for (const auto& row : promotion_rows("ufunc")) {
    CAPTURE(row[1]);
    CAPTURE(row[2]);
    const auto f = dynamic::find_ufunc(row[1]);
    REQUIRE(f);
    const std::vector<dynamic::operand> operands(static_cast<std::size_t>(gp::arity(*f)), ones(row[2]));
    CHECK(dtype_given([&] { return dynamic::apply(*f, operands); }) == row[3]);
  }
}

TEST_CASE("element-wise functions of two give NumPy's dtype for pairs and for numbers") {
  std::vector<dynamic::operand> seconds;
  for (int i = 0; i < gp::dtype_count; ++i)
    if (static_cast<gp::dtype>(i) != gp::dtype::bfloat16)
      seconds.emplace_back(ones(std::string(gp::name(static_cast<gp::dtype>(i)))));
  seconds.insert(seconds.end(), {1, 1., 1i});
  for (const auto& row : promotion_rows("binary")) {
    CAPTURE(row[1]);
    CAPTURE(row[2]);
    const gp::ufunc f = dynamic::find_ufunc(row[1]).value();
    const gp::any_array a = ones(row[2]);
    std::istringstream results(row[3]);
    std::size_t i = 0;
    for (std::string expected; std::getline(results, expected, ','); ++i) {
      CAPTURE(i);
      CHECK(dtype_given([&] { return dynamic::apply(f, {a, seconds.at(i)}); }) == expected);
    }
  }
}

TEST_CASE("reductions by their names give NumPy's dtype") {
  for (const auto& row : promotion_rows("reduce")) {
    CAPTURE(row[1]);
    CAPTURE(row[2]);
    const gp::reduction r = dynamic::find_reduction(row[1]).value();
    CHECK(dtype_given([&] { return dynamic::reduce(r, ones(row[2])); }) == row[3]);
  }
}

TEST_CASE("names that are there and names that are not") {
  CHECK(dynamic::find_ufunc("abs") == gp::ufunc::absolute);
  CHECK(!dynamic::find_ufunc("cast"));
  CHECK(!dynamic::find_ufunc("sum"));
  CHECK(dynamic::find_reduction("argmax") == gp::reduction::argmax);
  CHECK(!dynamic::find_reduction("add"));
  CHECK(dynamic::find_dtype("bool") == gp::dtype::bool_);
  CHECK(!dynamic::find_dtype("float128"));
  const dynamic::operand mixed[] = {ones("int8"), 1.5};
  CHECK(dynamic::result_type(mixed) == gp::dtype::float64);
}

TEST_CASE("numbers are weak, and have to fit") {
  const gp::ndarray<std::uint8_t> a{{1, 2}, {250, 4}};
  CHECK(same<std::uint8_t>(dynamic::apply(gp::ufunc::add, {a, 5}), a + 5));
  CHECK(same<double>(dynamic::apply(gp::ufunc::multiply, {1.5, a}), 1.5 * a));
  CHECK_THROWS_AS(dynamic::apply(gp::ufunc::add, {a, 300}), gp::overflow_error);
  CHECK_THROWS_AS(dynamic::apply(gp::ufunc::add, {a, -1}), gp::overflow_error);
  CHECK(same<bool>(dynamic::apply(gp::ufunc::less, {a, 300}), a < 300));
  CHECK(same<bool>(dynamic::apply(gp::ufunc::less, {-1, a}), -1 < a));
  CHECK(same<bool>(dynamic::apply(gp::ufunc::equal, {a, -1}), a == -1));
  CHECK(same<std::uint8_t>(dynamic::apply(gp::ufunc::clip, {a, -7, 300}), a));
  const gp::any_array sum = dynamic::apply(gp::ufunc::add, {1, 2.5});
  CHECK(sum.ndim() == 0);
  CHECK(same<double>(sum, gp::array(3.5)));
}

TEST_CASE("int64 and uint64 compare as numbers") {
  const gp::ndarray<std::int64_t> a{-1, 5, std::numeric_limits<std::int64_t>::max()};
  const gp::ndarray<std::uint64_t> b{~std::uint64_t{0}, 5, std::uint64_t{1} << 63};
  CHECK(same<bool>(dynamic::apply(gp::ufunc::less, {a, b}), a < b));
  CHECK(same<bool>(dynamic::apply(gp::ufunc::less_equal, {b, a}), b <= a));
  CHECK(same<bool>(dynamic::apply(gp::ufunc::equal, {a, b}), a == b));
}

TEST_CASE("exponents beyond int32 are its ends") {
  const gp::ndarray<double> a{1., -2.};
  const gp::ndarray<std::int64_t> e{std::int64_t{1} << 40, -(std::int64_t{1} << 40)};
  CHECK(same<double>(dynamic::apply(gp::ufunc::ldexp, {a, e}), gp::ldexp(a, e)));
}

TEST_CASE("out, where and wrong calls") {
  const gp::ndarray<float> a{1.f, 2.f, 3.f};
  const gp::ndarray<float> out = gp::zeros<float>(3);
  dynamic::apply(gp::ufunc::add, {a, a}, {.out = out, .where = a > 1.f});
  CHECK(same<float>(out, gp::ndarray<float>{0.f, 4.f, 6.f}));
  CHECK_THROWS_AS(dynamic::apply(gp::ufunc::add, {a}), gp::type_error);
  CHECK_THROWS_AS(dynamic::apply(gp::ufunc::invert, {a}), gp::type_error);
  CHECK_THROWS_AS(dynamic::apply(gp::ufunc::add, {a, gp::zeros<float>(2)}), gp::value_error);
}

TEST_CASE("reductions take a dtype, axes and options, and scans a dtype") {
  const gp::ndarray<std::int8_t> a{{100, 100}, {3, 4}};
  CHECK(same<std::int64_t>(dynamic::reduce(gp::reduction::sum, a, {.axis = 1}), gp::sum(a, 1)));
  CHECK(same<std::int8_t>(dynamic::reduce(gp::reduction::sum, a, {}, gp::dtype::int8),
                          gp::sum<std::int8_t>(a)));
  CHECK(same<double>(dynamic::reduce(gp::reduction::var, a, {.keepdims = true, .ddof = 1}),
                     gp::var(a, {.keepdims = true, .ddof = 1})));
  CHECK_THROWS_AS(dynamic::reduce(gp::reduction::minmax, a), gp::type_error);
  CHECK_THROWS_AS(dynamic::reduce(gp::reduction::sum, a, {.axis = 2}), gp::axis_error);
  CHECK(same<std::int64_t>(dynamic::accumulate(gp::ufunc::add, a, 1), gp::cumsum(a, 1)));
  CHECK(same<float>(dynamic::accumulate(gp::ufunc::multiply, a, 0, gp::dtype::float32),
                    gp::cumprod<float>(a, 0)));
  CHECK(same<std::int8_t>(dynamic::accumulate(gp::ufunc::maximum, a, 0), gp::cumulative_max(a, {.axis = 0})));
  CHECK_THROWS_AS(dynamic::accumulate(gp::ufunc::subtract, a, 0), gp::type_error);
}

TEST_CASE("indexing reads views and picks, and writes") {
  const gp::ndarray<double> a = gp::arange<double>(12).reshape({3, 4}).copy();
  const gp::ndarray<std::int32_t> rows{2, 0};
  CHECK(same<double>(dynamic::index(a, {1, gp::slice(gp::none, gp::none, -1)}), a(1, gp::slice("::-1"))));
  CHECK(same<double>(dynamic::index(a, "1:, 2"), a("1:, 2")));
  CHECK(same<double>(dynamic::index(a, {rows}), a(rows)));
  CHECK(same<double>(dynamic::index(a, {a > 5.}), a(a > 5.)));
  CHECK(same<double>(dynamic::index(a, {gp::newaxis, true}), a(gp::newaxis, true)));
  CHECK_THROWS_AS(dynamic::index(a, {5}), gp::index_error);
  CHECK_THROWS_AS(dynamic::index_item(gp::any_array(a)), gp::index_error);
  dynamic::set_index(a, {0}, 7);
  dynamic::set_index(a, {a > 9.}, -1.5);
  CHECK(same<double>(a, gp::ndarray<double>{{7, 7, 7, 7}, {4, 5, 6, 7}, {8, 9, -1.5, -1.5}}));
  CHECK_THROWS_AS(dynamic::set_index(a, {0}, 1i), gp::type_error);
  const gp::ndarray<std::int8_t> small = gp::zeros<std::int8_t>(2);
  CHECK_THROWS_AS(dynamic::set_index(small, {0}, 128), gp::overflow_error);
}

TEST_CASE("arrays are made and joined as typed functions do") {
  using enum gp::dtype;
  CHECK(same<float>(dynamic::arange(0, 1, 0.25, float32), gp::arange<float>(0., 1., 0.25)));
  CHECK(same<std::int8_t>(dynamic::arange(5, -5, -3, int8), gp::arange<std::int8_t>(5, -5, -3)));
  CHECK(same<float>(dynamic::linspace(0, 1, 7, float32), gp::linspace<float>(0, 1, 7)));
  const gp::ndarray<std::int8_t> a{1, 2};
  const gp::ndarray<float> b{3.f, 4.f};
  const gp::any_array both[] = {a, b};
  CHECK(same<float>(dynamic::concatenate(both), gp::ndarray<float>{1.f, 2.f, 3.f, 4.f}));
  CHECK(same<float>(dynamic::stack(both, 1), gp::ndarray<float>{{1.f, 3.f}, {2.f, 4.f}}));
  CHECK(same<double>(dynamic::full({2}, a, float64), gp::ndarray<double>{1., 2.}));
  CHECK_THROWS_AS((void)dynamic::full({2}, 1i, float64), gp::type_error);
  CHECK(same<float>(dynamic::astype(a, float32), gp::ndarray<float>{1.f, 2.f}));
  CHECK(dynamic::astype(a, int8, false).rep() == a.rep());
}

TEST_CASE("searching finds what typed functions find") {
  const double nan = std::nan("");
  const gp::ndarray<double> a{{3., nan, 1.}, {3., nan, 2.}};
  const dynamic::unique_result found = dynamic::unique(a);
  const auto expected = gp::unique_all(a);
  CHECK(found.values.size() == 5);
  CHECK(same<std::int64_t>(found.indices, expected.indices));
  CHECK(same<std::int64_t>(found.inverse_indices, expected.inverse_indices));
  CHECK(same<std::int64_t>(found.counts, expected.counts));
  CHECK(same<std::int64_t>(dynamic::unique(a, true).counts, gp::unique_all(a, {.equal_nan = true}).counts));
  CHECK(dynamic::unique(gp::zeros<float>(0)).values.size() == 0);
  const gp::ndarray<std::int32_t> sorted{1, 3, 3};
  CHECK(same<std::int64_t>(dynamic::searchsorted(sorted, 3, "right"), gp::array<std::int64_t>(3)));
  const gp::ndarray<std::uint8_t> indices{2, 0};
  CHECK(same<std::int32_t>(dynamic::take(sorted, indices), gp::ndarray<std::int32_t>{3, 1}));
  CHECK_THROWS_AS((void)dynamic::take(sorted, a), gp::index_error);
}

TEST_CASE("linear algebra and transforms compute in the dtype of typed functions") {
  const gp::ndarray<float> a{{4.f, 1.f}, {1.f, 3.f}};
  const gp::ndarray<std::int32_t> b{{1, 2}, {3, 5}};
  CHECK(same<double>(dynamic::matmul(a, b), gp::matmul(a, b)));
  CHECK(same<double>(dynamic::tensordot(a, b, {1}, {0}), gp::tensordot(a, b, {{1}, {0}})));
  CHECK(same<float>(dynamic::linalg::cholesky(a), gp::linalg::cholesky(a)));
  CHECK(same<double>(dynamic::linalg::solve(a, b), gp::linalg::solve(a, b)));
  CHECK(same<double>(dynamic::linalg::inv(b), gp::linalg::inv(b)));
  CHECK(same<double>(dynamic::linalg::svd(b)[1], gp::linalg::svd(b).S));
  CHECK(same<float>(dynamic::linalg::pinv(a), gp::linalg::pinv(a, {.rtol = gp::none})));
  CHECK(same<std::int64_t>(dynamic::linalg::matrix_rank(a, 0.9), gp::linalg::matrix_rank(a, {.rtol = 0.9})));
  CHECK(same<double>(dynamic::linalg::vector_norm(b, 1), gp::linalg::vector_norm(b, 1)));
  CHECK_THROWS_AS((void)dynamic::linalg::inv(gp::eye<gp::float16>(2)), gp::type_error);
  CHECK_THROWS_AS((void)dynamic::linalg::cross(gp::ones<bool>(3), gp::ones<bool>(3)), gp::type_error);
  using dynamic::fft::function;
  CHECK(same<std::complex<float>>(dynamic::fft::transform(function::rfft, a), gp::fft::rfft(a)));
  CHECK(same<std::complex<double>>(dynamic::fft::transform_nd(function::fft, b), gp::fft::fftn(b)));
  CHECK_THROWS_AS(dynamic::fft::transform(function::rfft, a * 1if), gp::type_error);
}
