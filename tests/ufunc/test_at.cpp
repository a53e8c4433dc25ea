// Values put onto elements that indices name, many of them often: against a loop, on few and many places.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
namespace uf = gp::ufuncs;
using i64 = std::int64_t;

namespace {

enum class spread { even, skewed, one_place };

std::vector<i64> make_indices(i64 n, i64 places, spread how) {
  std::mt19937_64 random(3);
  std::vector<i64> indices(static_cast<std::size_t>(n));
  for (i64& i : indices) {
    const double u = std::generate_canonical<double, 53>(random);
    i = static_cast<i64>((how == spread::skewed ? u * u * u * u : u) * static_cast<double>(places));
    if (how == spread::one_place) i = places / 2;
    if (random() % 3 == 0) i -= places;  // from the end
  }
  return indices;
}

std::size_t place_of(i64 index, i64 places) {
  return static_cast<std::size_t>(index < 0 ? index + places : index);
}

struct size_case {
  i64 n, places;
};
// One bucket of places on a GPU in one chunk and in several; several buckets; places that look at all
// numbers; runs of sorted ones.
constexpr size_case sizes[] = {{1000, 7},       {100000, 300}, {100000, 512}, {100000, 513},
                               {300000, 20000}, {2000, 5000},  {5001, 700},   {100000, 60000}};

/// Two functions at the same indices, against loops that put value_of(0), value_of(1), ... onto places that
/// begin with `start`: first_step and second_step, of a place's value and the next one.
template<class V, class Value, class First, class FirstStep, class Second, class SecondStep>
void check_both(spread how, V start, Value value_of, First first, FirstStep first_step, Second second,
                SecondStep second_step) {
  for (const size_case& s : sizes) {
    CAPTURE(gp::name(gp::dtype_of<V>));
    CAPTURE(s.n);
    CAPTURE(s.places);
    const std::vector<i64> indices = make_indices(s.n, s.places, how);
    std::vector<V> values(indices.size()), of_first(static_cast<std::size_t>(s.places), start),
        of_second = of_first;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      values[i] = static_cast<V>(value_of(i));
      const std::size_t place = place_of(indices[i], s.places);
      of_first[place] = static_cast<V>(first_step(of_first[place], values[i]));
      of_second[place] = static_cast<V>(second_step(of_second[place], values[i]));
    }
    const gp::ndarray<V> a = gp::full<V>(s.places, start), b = gp::full<V>(s.places, start);
    first.at(a, gp::array(indices), gp::array(values));
    second.at(b, gp::array(indices), gp::array(values));
    CHECK(a.to_vector() == of_first);
    CHECK(b.to_vector() == of_second);
  }
}

template<class V>
void check_exact(spread how) {
  // Sums of so few whole numbers are exact.
  check_both<V>(
      how, V(1), [](std::size_t i) { return i % 5; }, uf::add, [](V a, V x) { return a + x; }, uf::subtract,
      [](V a, V x) { return a - x; });
}

template<class V>
void check_extremes(spread how) {
  check_both<V>(
      how, V(3), [](std::size_t i) { return static_cast<double>(i * 7919 % 10007) - 5000; }, uf::minimum,
      [](V a, V x) { return std::min(a, x); }, uf::maximum, [](V a, V x) { return std::max(a, x); });
}

}  // namespace

TEST_CASE("whole numbers added at indices") {
  for (const spread how : {spread::even, spread::skewed, spread::one_place}) {
    check_exact<double>(how);
    check_exact<float>(how);
    check_exact<i64>(how);
    check_exact<std::uint32_t>(how);
  }
  check_exact<std::int8_t>(spread::even);
  check_exact<std::uint16_t>(spread::skewed);
}

TEST_CASE("numbers added at indices have the same bits every time, and few roundings") {
  for (const size_case& s : sizes) {
    CAPTURE(s.n);
    CAPTURE(s.places);
    const std::vector<i64> indices = make_indices(s.n, s.places, spread::skewed);
    const gp::ndarray<i64> i = gp::array(indices);
    const gp::ndarray<float> x = gp::random::default_rng(5).random<float>(s.n) - 0.25f;
    const std::vector<float> values = x.to_vector();
    std::vector<double> exact(static_cast<std::size_t>(s.places)), magnitude = exact, count = exact;
    for (std::size_t k = 0; k < indices.size(); ++k) {
      const std::size_t at = place_of(indices[k], s.places);
      exact[at] += static_cast<double>(values[k]);
      magnitude[at] += std::abs(static_cast<double>(values[k]));
      count[at] += 1;
    }
    const gp::ndarray<float> first = gp::zeros<float>(s.places), second = gp::zeros<float>(s.places);
    uf::add.at(first, i, x);
    uf::add.at(second, i, x);
    CHECK(gp::array_equal(first, second));
    const std::vector<float> found = first.to_vector();
    long wrong = 0;
    // Each of count additions rounds a sum of at most the magnitude by half an epsilon.
    for (std::size_t k = 0; k < found.size(); ++k)
      wrong += !(std::abs(static_cast<double>(found[k]) - exact[k]) <= count[k] * 0x1p-24 * magnitude[k]);
    CHECK(wrong == 0);

    const gp::ndarray<double> w = x.astype<double>();
    const gp::ndarray<i64> from_start = gp::where(i < 0, i + s.places, i);
    const gp::ndarray<double> sums = gp::bincount(from_start, w, s.places),
                              again = gp::bincount(from_start, w, s.places);
    CHECK(gp::array_equal(sums, again));
    const std::vector<double> of_bins = sums.to_vector();
    for (std::size_t k = 0; k < of_bins.size(); ++k)
      wrong += !(std::abs(of_bins[k] - exact[k]) <= 2 * count[k] * 0x1p-53 * magnitude[k]);
    CHECK(wrong == 0);
    // Without the promise the sums may differ in their last bits from run to run, and no further.
    CHECK(gp::reproducible());
    gp::set_reproducible(false);
    CHECK(!gp::reproducible());
    const gp::ndarray<float> in_any_order = gp::zeros<float>(s.places);
    uf::add.at(in_any_order, i, x);
    gp::default_device().synchronize();
    gp::set_reproducible(true);
    const std::vector<float> other = in_any_order.to_vector();
    for (std::size_t k = 0; k < other.size(); ++k)
      wrong += !(std::abs(static_cast<double>(other[k]) - exact[k]) <= count[k] * 0x1p-24 * magnitude[k]);
    CHECK(wrong == 0);
  }
}

TEST_CASE("minima and maxima at indices") {
  for (const spread how : {spread::even, spread::skewed, spread::one_place}) {
    check_extremes<double>(how);
    check_extremes<float>(how);
    check_extremes<i64>(how);
    check_extremes<std::int32_t>(how);
  }
  check_extremes<std::int16_t>(spread::even);
  for (const size_case& s : sizes) {  // NaN stay
    const gp::ndarray<double> a = gp::full(s.places, gp::nan), b = gp::full(s.places, -gp::inf);
    uf::maximum.at(a, gp::arange(s.n) % s.places, gp::ones(s.n));
    uf::minimum.at(b, gp::arange(s.n) % s.places, gp::where(gp::arange(s.n) == s.n - 1, gp::nan, 1.));
    CHECK(gp::isnan(a).all().item());
    CHECK(gp::count_nonzero(gp::isnan(b)).item() == 1);
    CHECK(gp::isnan(b).item((s.n - 1) % s.places));
  }
}

TEST_CASE("complex numbers and halves at indices") {
  using number = std::complex<double>;
  for (const size_case& s : sizes) {
    const std::vector<i64> indices = make_indices(s.n, s.places, spread::skewed);
    std::vector<number> values(indices.size()), wanted(static_cast<std::size_t>(s.places));
    for (std::size_t i = 0; i < indices.size(); ++i) {
      values[i] = number(static_cast<double>(i % 9), static_cast<double>(i % 4));
      wanted[place_of(indices[i], s.places)] += values[i];
    }
    const gp::ndarray<number> z = gp::zeros<number>(s.places);
    uf::add.at(z, gp::array(indices), gp::array(values));
    CHECK(z.to_vector() == wanted);
    const gp::ndarray<std::complex<float>> c = gp::zeros<std::complex<float>>(s.places);
    uf::add.at(c, gp::array(indices), gp::array(values).astype<std::complex<float>>());
    CHECK(gp::array_equal(c.astype<number>(), z));
    if (s.n > 1000) continue;  // whose sums a half holds
    const gp::ndarray<gp::float16> h = gp::zeros<gp::float16>(s.places);
    uf::add.at(h, gp::array(indices), (gp::arange(s.n) % 2).astype<gp::float16>());
    const gp::ndarray<double> counts = gp::zeros(s.places);
    uf::add.at(counts, gp::array(indices), (gp::arange(s.n) % 2).astype<double>());
    CHECK(gp::array_equal(h.astype<double>(), counts));
  }
}

TEST_CASE("slices at indices") {
  for (const auto& [n, places, inner] :
       {std::tuple<i64, i64, i64>{5000, 40, 3}, {3000, 500, 64}, {40, 900, 5}}) {
    CAPTURE(n);
    CAPTURE(inner);
    const std::vector<i64> indices = make_indices(n, places, spread::skewed);
    const gp::ndarray<double> values = (gp::arange(n * inner) % 11).astype<double>().reshape({n, inner});
    const gp::ndarray<double> m = gp::zeros({places, inner});
    uf::add.at(m, gp::array(indices), values);
    for (const i64 j : {i64{0}, inner - 1}) {
      const gp::ndarray<double> column = gp::zeros(places);  // as above
      uf::add.at(column, gp::array(indices), gp::ndarray<double>(values(gp::all, j)));
      CHECK(gp::array_equal(column, m(gp::all, j)));
    }
    // Of a view, whose other elements stay.
    const gp::ndarray<double> wide = gp::ones({2 * places, inner});
    uf::add.at(wide(gp::slice(gp::none, gp::none, 2)), gp::array(indices), values);
    CHECK(gp::array_equal(wide(gp::slice(gp::none, gp::none, 2)), m + 1));
    CHECK(gp::all(wide(gp::slice(1, gp::none, 2)) == 1.).item());
  }
}

TEST_CASE("other functions at indices") {
  const auto i = gp::array({0, 2, 0, -1, 0});
  const auto x = gp::array({2., 8., 4., 0.5, 3.});
  const auto of = [&](const auto& function) {
    const gp::ndarray<double> a = gp::full(4, 12.);
    function.at(a, i, x);
    return a.to_vector();
  };
  CHECK(of(uf::multiply) == std::vector<double>{288, 12, 96, 6});
  CHECK(of(uf::divide) == std::vector<double>{0.5, 12, 1.5, 24});
  CHECK(of(uf::minimum) == std::vector<double>{2, 12, 8, 0.5});
  CHECK(of(uf::maximum) == std::vector<double>{12, 12, 12, 12});
  const gp::ndarray<bool> flags = gp::zeros<bool>(3);
  uf::add.at(flags, {1, 1}, true);
  CHECK(flags.to_vector() == std::vector<bool>{false, true, false});
  const gp::ndarray<float> single = gp::zeros<float>(3);
  uf::add.at(single, {1, 1}, gp::array({0.5, 0.25}));  // float64 onto float32
  CHECK(single.to_vector() == std::vector<float>{0, 0.75f, 0});
}

TEST_CASE("what is read at the same time, and zeros of both signs") {
  for (const i64 n : {i64{10}, i64{3000}}) {
    const gp::ndarray<double> a = gp::arange<double>(n);
    uf::add.at(a, gp::zeros<i64>(n), a);  // its own elements
    CHECK(a.item(0) == static_cast<double>(n * (n - 1) / 2));
    CHECK(a.item(n - 1) == static_cast<double>(n - 1));
    const gp::ndarray<i64> i = gp::zeros<i64>(n);
    uf::add.at(i, i, 1);  // its own indices
    CHECK(i.item(0) == n);
    const gp::ndarray<double> before = gp::ones(n);
    const auto pending = before + 1;
    uf::add.at(before, {0}, 5.);
    CHECK(pending.item(0) == 2);
    const gp::ndarray<double> zero = gp::full(n, -0.0);
    uf::add.at(zero, gp::array(std::vector<i64>(static_cast<std::size_t>(5 * n), 1)), -0.0);
    uf::subtract.at(zero, {2, 2}, 0.0);
    CHECK(gp::signbit(zero).all().item());
  }
  // NumPy begins with 0.
  CHECK(!gp::signbit(gp::bincount(gp::array({0, 0}), gp::array({-0.0, -0.0}))).any().item());
  CHECK(gp::bincount(gp::zeros<i64>(0), gp::zeros(0), 3).to_vector() == std::vector<double>{0, 0, 0});
}
