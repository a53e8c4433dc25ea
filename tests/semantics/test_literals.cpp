// Numbers have a type in C++, and arrays made of numbers alone have it: the table of docs/guide/dtypes.md.
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

template<class A, class V>
constexpr bool holds = std::is_same_v<typename A::value_type, V>;
#define CHECK_ELEMENTS(V, ...) static_assert(holds<decltype(__VA_ARGS__), V>, #__VA_ARGS__)

}  // namespace

TEST_CASE_TEMPLATE("a number makes its own type", V, bool, std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::uint32_t, std::int64_t, std::uint64_t, float, double, gp::float16,
                   gp::bfloat16, std::complex<float>, std::complex<double>) {
  const V one(1);
  CHECK_ELEMENTS(V, gp::array(one));
  CHECK_ELEMENTS(V, gp::array({one, one}));
  CHECK_ELEMENTS(V, gp::array({{one, one}, {one, one}}));
  CHECK_ELEMENTS(V, gp::asarray(one));
  CHECK_ELEMENTS(V, gp::full({2}, one));
  CHECK_ELEMENTS(V, gp::where(gp::ones<bool>({2}), one, one));
  CHECK_ELEMENTS(V, gp::where(gp::ones<bool>({2}), one, one));
  CHECK(gp::full({2}, one).dtype() == gp::dtype_of<V>);
  CHECK(gp::full({2}, one).item(1) == one);
  CHECK(gp::array({one, V(0)}).item(0) == one);
  CHECK(gp::where(gp::ones<bool>({2}), one, V(0)).item(1) == one);
}

TEST_CASE("int is NumPy's default integer, for nobody chose its width") {
  CHECK_ELEMENTS(std::int64_t, gp::array(1));
  CHECK_ELEMENTS(std::int64_t, gp::array({1, 2}));
  CHECK_ELEMENTS(std::int64_t, gp::full({2}, std::int32_t{1}));
  CHECK_ELEMENTS(std::int64_t, gp::where(gp::ones<bool>({2}), 1, 0));
  CHECK_ELEMENTS(std::int32_t, gp::array<std::int32_t>({1, 2}));
  CHECK_ELEMENTS(std::int32_t, gp::array(std::vector<std::int32_t>{1, 2}));  // its owner chose
  CHECK_ELEMENTS(std::uint32_t, gp::array({1u, 2u}));
}

TEST_CASE("ranges of integers count in int64, those of floating numbers have their type") {
  CHECK_ELEMENTS(std::int64_t, gp::arange(3));
  CHECK_ELEMENTS(std::int64_t, gp::arange(std::vector<int>{1, 2}.size()));
  CHECK_ELEMENTS(std::int64_t, gp::arange(std::uint8_t{3}));
  CHECK_ELEMENTS(float, gp::arange(3.f));
  CHECK_ELEMENTS(float, gp::arange(0, 3.f));
  CHECK_ELEMENTS(float, gp::arange(0, 1, 0.25f));
  CHECK_ELEMENTS(double, gp::arange(0.f, 1.f, 0.25));
  CHECK_ELEMENTS(gp::float16, gp::arange(gp::float16(3)));
  CHECK_ELEMENTS(double, gp::arange<double>(3.f));
  CHECK(gp::arange(3.f).to_vector() == std::vector<float>{0, 1, 2});
  CHECK(gp::arange(0, 1, 0.25f).to_vector() == std::vector<float>{0, 0.25f, 0.5f, 0.75f});
}

TEST_CASE("samples between numbers") {
  CHECK_ELEMENTS(float, gp::linspace(0.f, 1.f));
  CHECK_ELEMENTS(float, gp::linspace(0, 1.f));
  CHECK_ELEMENTS(double, gp::linspace(0.f, 1.0));
  CHECK_ELEMENTS(double, gp::linspace(0, 1));
  CHECK_ELEMENTS(std::complex<float>, gp::linspace(0.f, std::complex<float>(0, 1)));
  CHECK_ELEMENTS(std::complex<double>, gp::linspace(0.0, std::complex<float>(0, 1)));
  CHECK_ELEMENTS(float, gp::logspace(0.f, 1.f));
  CHECK_ELEMENTS(double, gp::logspace(0, 1));
  CHECK_ELEMENTS(double, gp::logspace(gp::zeros<float>({2}), 1.f));  // as in NumPy
  CHECK_ELEMENTS(float, gp::logspace<float>(0, 1));
  CHECK_ELEMENTS(float, gp::geomspace(1.f, 2));
  CHECK_ELEMENTS(double, gp::geomspace(1, 2));
  CHECK(gp::linspace(0.f, 1.f, 5).to_vector() == std::vector<float>{0, 0.25f, 0.5f, 0.75f, 1});
  CHECK(gp::logspace(0.f, 2.f, 3).to_vector() == std::vector<float>{1, 10, 100});
  CHECK(gp::geomspace(1.f, 4, 3).to_vector() == std::vector<float>{1, 2, 4});
  // Asked for float of doubles, NumPy computes in double and rounds once.
  const gp::ndarray<float> once = gp::linspace<float>(0.f, 1.f, 7),
                           twice = gp::linspace(0., 1., 7).astype<float>();
  CHECK(once.to_vector() == twice.to_vector());
  const auto [samples, step] = gp::linspace(0.f, 1.f, 5, gp::retstep);
  CHECK_ELEMENTS(float, samples);
  CHECK(step.item() == 0.25f);
}

TEST_CASE("numbers among themselves") {
  const auto c = gp::ones<bool>({2});
  CHECK_ELEMENTS(float, gp::where(c, 1.f, 0));
  CHECK_ELEMENTS(float, gp::where(c, 1.f, std::int64_t{0}));  // integers are weak beside floating numbers
  CHECK_ELEMENTS(double, gp::where(c, 1.f, 0.));
  CHECK_ELEMENTS(std::complex<float>, gp::where(c, std::complex<float>(1), 0.f));
  CHECK_ELEMENTS(std::int8_t, gp::where(c, std::int8_t{1}, 0));  // and int beside others
  CHECK_ELEMENTS(std::int16_t, gp::where(c, std::int8_t{1}, std::uint8_t{0}));
  CHECK_ELEMENTS(std::int64_t, gp::where(c, true, 0));
  CHECK_ELEMENTS(float, gp::ldexp(1.f, gp::array({1, 2})));
  CHECK(gp::where(c, 1.5f, 0).to_vector() == std::vector<float>{1.5f, 1.5f});
  CHECK(gp::isclose(1.f, 1.0 + 1e-9, {.rtol = 0, .atol = 1e-12}).item() == false);
}

TEST_CASE("beside an array numbers are weak, whatever their type") {
  const auto f = gp::ones<float>({2});
  const auto h = gp::ones<gp::float16>({2});
  CHECK_ELEMENTS(float, f + 1.0);
  CHECK_ELEMENTS(gp::float16, h + 1.f);
  CHECK_ELEMENTS(double, gp::arange(3) + 1.f);
  CHECK_ELEMENTS(float, gp::where(f > 0, f, 0.0));
  CHECK_ELEMENTS(std::int64_t, gp::arange(3) + std::uint8_t{1});
  CHECK_ELEMENTS(float, gp::full_like(f, 1.0));
  CHECK_ELEMENTS(float, gp::linspace(f, 1.0));
}
