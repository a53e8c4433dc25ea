// Fourier transforms where no golden value says it: large sizes, layouts, bits, out=, plans.
#include <cmath>
#include <numbers>
#include <thread>

#include <doctest/doctest.h>

#include <gparray/fft.hpp>
#include <gparray/gparray.hpp>

#include "support/same_bits.hpp"

namespace gp = gparray;
namespace fft = gp::fft;
using z = std::complex<double>;
using c = std::complex<float>;

namespace {

/// Repeatable numbers in (-1, 1).
template<class V>
gp::ndarray<V> noise(const gp::dims& shape, std::uint64_t seed = 1) {
  std::int64_t size = 1;
  for (std::int64_t n : shape) size *= n;
  std::vector<V> values;
  std::uint64_t state = seed * 0x9E3779B97F4A7C15u;
  const auto next = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return 2 * static_cast<double>(state >> 11) * 0x1p-53 - 1;
  };
  for (std::int64_t i = 0; i < size; ++i) {
    if constexpr (gp::is_complex(gp::dtype_of<V>)) {
      using part = typename V::value_type;
      const auto real = static_cast<part>(next());
      values.push_back(V(real, static_cast<part>(next())));
    } else {
      values.push_back(static_cast<V>(next()));
    }
  }
  return gp::ndarray<V>(values.begin(), values.end()).reshape(shape);
}

/// The largest difference, and the bound on it: each of log2(n) stages, thrice as many for primes, loses some
/// units in the last place of numbers as large as the norm of what is summed (see test_fft_golden.cpp).
template<class A, class B>
void check_close(const A& have, const B& want, std::int64_t points, double norm) {
  using V = typename A::value_type;
  REQUIRE(have.shape() == want.shape());
  const double error = static_cast<double>(gp::max(gp::abs(have - want)).item());
  const double bound = 4 * (2 + std::log2(static_cast<double>(points))) * gp::finfo<V>::eps * norm;
  CHECK(error <= bound);
  CHECK(norm > 0);
}

template<class A>
double norm_of(const A& a) {
  return static_cast<double>(gp::linalg::norm(a).item());
}

}  // namespace

TEST_CASE_TEMPLATE("the inverse transform takes back the transform, whatever the length", V, z, c) {
  for (const std::int64_t n : {1000, 1009, 4096, 65536, 99991, 1 << 20}) {
    CAPTURE(n);
    const gp::ndarray<V> a = noise<V>({n});
    // The inverse divides by n what the forward transform let grow by sqrt(n): errors are of the size of a
    // norm of the samples.
    check_close(fft::ifft(fft::fft(a)), a, n, 2 * norm_of(a) / std::sqrt(static_cast<double>(n)) * 4);
    check_close(fft::fft(fft::ifft(a, {.norm = "ortho"}), {.norm = "ortho"}), a, n,
                2 * norm_of(a) / std::sqrt(static_cast<double>(n)) * 4);
  }
}

TEST_CASE_TEMPLATE("real transforms are halves of the complex ones", V, double, float) {
  using W = std::conditional_t<std::is_same_v<V, double>, z, c>;
  for (const std::int64_t n : {999, 1000, 1009, 65536}) {
    CAPTURE(n);
    const gp::ndarray<V> a = noise<V>({n});
    const double size = norm_of(a) * std::sqrt(static_cast<double>(n));
    const auto half = fft::rfft(a);
    const auto whole = fft::fft(a.template astype<W>());
    check_close(half, whole(gp::slice(0, n / 2 + 1)), n, size);
    check_close(fft::fft(a), whole, n, size);
    check_close(fft::irfft(half, n), a, n, 8 * norm_of(a) / std::sqrt(static_cast<double>(n)));
  }
  const gp::ndarray<V> a = noise<V>({12, 35, 50});
  const double size = norm_of(a) * std::sqrt(12 * 35 * 50.);
  const gp::ndarray<W> b = a.template astype<W>();
  check_close(fft::fftn(a), fft::fftn(b), a.size(), size);
  check_close(fft::fft2(a, {.axes = {2, 0}}), fft::fft2(b, {.axes = {0, 2}}), a.size(), size);
  check_close(fft::rfftn(a), fft::fftn(b)(gp::ellipsis, gp::slice(0, 26)), a.size(), size);
}

TEST_CASE("one frequency is one element") {
  const std::int64_t n = 1000;
  for (const std::int64_t k : {0, 1, 499, 999}) {
    std::vector<z> wave;
    for (std::int64_t j = 0; j < n; ++j)
      wave.push_back(std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(j * k % n) / n));
    gp::ndarray<z> spectrum = gp::zeros<z>(n);
    spectrum(k) = z(n);
    check_close(fft::fft(gp::ndarray<z>(wave)), spectrum, n, n);
  }
}

TEST_CASE_TEMPLATE("lengths with a large prime factor: the sums that define a transform", V, z, c) {
  using R = typename V::value_type;
  for (const std::int64_t n : {37, 53, 61, 74, 118, 127, 185, 403, 1009, 2038, 2039, 2053}) {
    CAPTURE(n);
    std::vector<z> roots;
    for (std::int64_t k = 0; k < n; ++k)
      roots.push_back(
          std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n)));
    const gp::ndarray<V> a = noise<V>({n});
    const std::vector<V> x = a.to_vector();
    std::vector<z> sums(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < sums.size(); ++k)
      for (std::size_t j = 0; j < sums.size(); ++j) sums[k] += z(x[j]) * roots[j * k % sums.size()];
    const gp::ndarray<V> want = gp::ndarray<z>(sums).astype<V>();
    const double size = norm_of(a) * std::sqrt(static_cast<double>(n));
    check_close(fft::fft(a), want, n, size);
    check_close(fft::ifft(gp::ndarray<V>(gp::conj(a)), {.norm = "forward"}), gp::ndarray<V>(gp::conj(want)),
                n, size);
    // Of a Hermitian sequence, the sums are real; what its half says twice is not looked at.
    const gp::ndarray<R> real = a.real().copy();
    gp::ndarray<V> half = fft::rfft(real);
    check_close(half, fft::fft(gp::ndarray<V>(real.template astype<V>()))(gp::slice(0, n / 2 + 1)), n, size);
    half(0) = half(0) + V(0, 3);
    if (n % 2 == 0) half(-1) = half(-1) + V(0, 3);
    check_close(fft::irfft(half, n), real, n, 8 * norm_of(real) / std::sqrt(static_cast<double>(n)));
  }
}

TEST_CASE("transforms along several axes are transforms along one after the other") {
  const gp::ndarray<z> a = noise<z>({20, 31, 48});
  const double size = norm_of(a) * std::sqrt(static_cast<double>(a.size()));
  check_close(fft::fftn(a), fft::fft(fft::fft(fft::fft(a, {.axis = 2}), {.axis = 1}), {.axis = 0}), a.size(),
              size);
  check_close(fft::fftn(a, {.axes = {0, 2}}), fft::fft(fft::fft(a, {.axis = 2}), {.axis = 0}), a.size(),
              size);
  check_close(fft::ifft2(a, {.norm = "forward"}),
              fft::ifft(fft::ifft(a, {.axis = 2, .norm = "forward"}), {.axis = 1, .norm = "forward"}),
              a.size(), size);
  check_close(fft::fft(a, {.axis = 0}),
              gp::moveaxis(fft::fft(gp::moveaxis(a, 0, 2).copy(gp::order::C)), 2, 0), a.size(), size);
}

TEST_CASE("views of any strides are transformed as their copies are") {
  const gp::ndarray<z> whole = noise<z>({6, 40, 70});
  for (const char* text : {"::-1", "1::2, :, ::3", "..., ::-2", ":, 3", ":, :, 5", "2", ":, 1:39, 1:69"}) {
    CAPTURE(text);
    const gp::ndarray<z> view = whole(text), copy = view.copy(gp::order::C);
    const double size = norm_of(copy) * std::sqrt(static_cast<double>(copy.size()));
    for (int axis = 0; axis < view.ndim(); ++axis)
      check_close(fft::fft(view, {.axis = axis}), fft::fft(copy, {.axis = axis}), copy.size(), size);
    check_close(fft::fftn(view), fft::fftn(copy), copy.size(), size);
    check_close(fft::irfftn(view), fft::irfftn(copy), copy.size(), size);
    check_close(fft::rfftn(view.real()), fft::rfftn(copy.real().copy()), copy.size(), size);
  }
  const gp::ndarray<z> row = noise<z>({70});
  check_close(fft::fft(gp::broadcast_to(row, {3, 70})), gp::broadcast_to(fft::fft(row), {3, 70}), 70,
              norm_of(row) * std::sqrt(70.));
}

TEST_CASE_TEMPLATE("the bits of a transform depend on its input alone", V, z, c, double, float) {
  for (const std::int64_t n : {15, 64, 97, 500}) {
    CAPTURE(n);
    const gp::ndarray<V> rows = noise<V>({9, n});
    auto all = fft::fft(rows);
    CHECK(same_bits(fft::fft(rows), all));
    if (!rows.device().is_cpu()) {  // cuFFT's kernels also depend on how many transforms one call makes
      for (std::int64_t i = 0; i < 9; ++i) all(i) = fft::fft(rows(i));
    }
    for (std::int64_t i = 0; i < 9; ++i) CHECK(same_bits(fft::fft(rows(i)), all(i)));
    // At another offset, which is another alignment.
    const gp::ndarray<V> shifted = gp::empty<V>(n + 1)("1:");
    shifted(gp::ellipsis) = rows(0);
    CHECK(same_bits(fft::fft(shifted), all(0)));
    const auto result = gp::empty<typename decltype(all)::value_type>(n + 1)("1:");
    fft::fft(rows(0), {}, result);
    CHECK(same_bits(result, all(0)));
  }
}

TEST_CASE("results do not depend on the number of threads") {
  const gp::ndarray<c> a = noise<c>({300, 500});
  const int before = gp::num_threads();
  gp::set_num_threads(1);
  const auto one = fft::fft2(a);
  gp::set_num_threads(4);
  const auto four = fft::fft2(a);
  gp::set_num_threads(before);
  CHECK(same_bits(one, four));
}

TEST_CASE("several threads transform at the same time") {
  std::vector<gp::ndarray<z>> inputs, expected;
  for (std::int64_t n = 20; n < 60; ++n) {
    inputs.push_back(noise<z>({4, n}));
    expected.push_back(fft::fft(inputs.back()));
  }
  fft::plan_cache cache(inputs[0].device());
  cache.clear();  // all of them plan
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::size_t k = (i * 7 + t * 11) % inputs.size();
        wrong[t] += !same_bits(fft::fft(inputs[k]), expected[k]);
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("an expression may be transformed, and what it was computed from may change later") {
  gp::ndarray<double> a = noise<double>({30});
  const double before = a.item(0);
  const auto result = fft::rfft(a * 2. + 1.);
  const gp::ndarray<double> argument = a * 2. + 1.;
  CHECK(same_bits(result, fft::rfft(argument)));
  auto pending = a + 1.;
  const auto of_pending = fft::fft(pending);
  a += 1.;
  CHECK(pending.item(0) == before + 1);
  CHECK(same_bits(of_pending, fft::fft(a)));
}

TEST_CASE("what is transformed stays as it is") {
  const gp::ndarray<z> a = noise<z>({6, 9}), before = a.copy();
  fft::irfft(a);
  fft::irfft(a, {.axis = 0});
  fft::irfft2(a);
  fft::hfft(a, {.n = 12});
  fft::ifft2(a, {.norm = "ortho"});
  CHECK(same_bits(a, before));
  const gp::ndarray<double> b = noise<double>({6, 9}), real_before = b.copy();
  fft::rfft2(b);
  fft::fft2(b);
  fft::ihfft(b);
  CHECK(same_bits(b, real_before));
}

TEST_CASE("out= is written to: in place, narrower, strided") {
  const gp::ndarray<z> a = noise<z>({6, 8});
  const auto want = fft::fft2(a);
  gp::ndarray<z> same = a.copy();
  CHECK(&fft::fft2(same, {}, same) == &same);
  CHECK(same_bits(same, want));
  gp::ndarray<z> direct = gp::empty<z>({6, 8});
  const z* const memory = direct.data();
  fft::fft2(a, {}, direct);
  CHECK(direct.data() == memory);
  CHECK(same_bits(direct, want));
  gp::ndarray<c> narrow = gp::empty<c>({6, 8});
  fft::fft2(a, {}, narrow);
  CHECK(same_bits(narrow, gp::ndarray<c>(want.astype<c>())));
  const gp::ndarray<z> wide = gp::zeros<z>({6, 16});
  fft::fft2(a, {}, wide(":, 1::2"));
  CHECK(same_bits(gp::ndarray<z>(wide(":, 1::2").copy()), want));
  CHECK(gp::all(wide(":, ::2") == 0.).item());
  const gp::ndarray<z> half = gp::empty<z>({6, 5});
  fft::ihfft(a.real(), {}, half);
  CHECK(same_bits(half, fft::ihfft(a.real())));
  // What a pending expression would read is read before out is written.
  auto pending = direct + 1.;
  const z first = want.item(0, 0);
  fft::ifft2(a, {}, direct);
  CHECK(pending.item(0, 0) == first + 1.);

  CHECK_THROWS_WITH_AS(fft::fft2(a, {}, gp::empty<z>({6, 9})), "output array has wrong shape.",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(fft::fft(a, {.n = 3}, direct), "output array has wrong shape.", gp::value_error);
  CHECK(same_bits(direct, fft::ifft2(a)));
  const auto accepts = [](auto out) { return requires(gp::ndarray<z> x) { fft::fft(x, {}, out); }; };
  CHECK(accepts(narrow));
  CHECK_FALSE(accepts(gp::ndarray<double>{1.}));
}

TEST_CASE("result types") {
  const auto is = []<class V>(const gp::ndarray<V>& a, gp::dtype d) {
    return a.dtype() == d && gp::dtype_of<V> == d;
  };
  CHECK(is(fft::fft(gp::ones<gp::bfloat16>(4)), gp::dtype::complex64));
  CHECK(is(fft::irfft(gp::ones<gp::bfloat16>(4)), gp::dtype::bfloat16));
  CHECK(is(fft::hfft(gp::ones<gp::float16>(4)), gp::dtype::float16));
  CHECK(is(fft::fft(gp::ones<bool>(4)), gp::dtype::complex128));
  CHECK(is(fft::irfft(gp::ones<std::int8_t>(4)), gp::dtype::float64));
  CHECK(is(fft::fftn(gp::ones<double>({2, 2}), {.axes = gp::dims{}}), gp::dtype::complex128));
}

TEST_CASE("errors that NumPy words otherwise, or does not make") {
  const gp::ndarray<double> a = gp::ones<double>({3, 4}), scalar = gp::full({}, 1.);
  CHECK_THROWS_AS(fft::fft(scalar), gp::axis_error);
  CHECK_THROWS_AS(fft::fft2(gp::ones<double>(3)), gp::axis_error);
  CHECK_THROWS_AS(fft::rfftn(scalar), gp::index_error);
  CHECK_THROWS_AS(fft::irfftn(a, {.axes = gp::dims{}}), gp::index_error);
  CHECK(fft::fftn(scalar).item() == z(1));
  CHECK_THROWS_AS(fft::fftfreq(0), gp::value_error);
  CHECK_THROWS_AS(fft::rfftfreq(-1), gp::value_error);
  CHECK_THROWS_AS(fft::fftshift(a, 2), gp::axis_error);
  // NumPy leaves memory that nobody wrote.
  CHECK(fft::irfft(gp::empty<z>(0), 4).to_vector() == std::vector<double>(4, 0.));
}

TEST_CASE("positional arguments are those of NumPy") {
  const gp::ndarray<double> a = noise<double>({6, 8});
  CHECK(same_bits(fft::fft(a, 5, 0, "ortho"), fft::fft(a, {.n = 5, .axis = 0, .norm = "ortho"})));
  CHECK(same_bits(fft::fft(a, gp::none, 0), fft::fft(a, {.axis = 0})));
  CHECK(same_bits(fft::fft2(a, {5, 7}), fft::fft2(a, {.s = {5, 7}})));
  CHECK(same_bits(fft::fft2(a, {5, 7}, {1, 0}, "forward"),
                  fft::fft2(a, {.s = {5, 7}, .axes = {1, 0}, .norm = "forward"})));
  CHECK(same_bits(fft::fftn(a, gp::none, {0}), fft::fft(a, {.axis = 0})));
  CHECK(same_bits(fft::rfftn(a, gp::dims{5, 7}), fft::rfftn(a, {.s = {5, 7}})));
}

TEST_CASE("shifts and frequencies") {
  const gp::ndarray<std::int64_t> a = gp::arange<std::int64_t>(35).reshape({5, 7});
  CHECK(gp::all(fft::ifftshift(fft::fftshift(a)) == a).item());
  CHECK(gp::all(fft::fftshift(a, 1) == gp::roll(a, 3, 1)).item());
  CHECK(gp::all(fft::ifftshift(a, {0, 1}) == gp::roll(a, {-2, -3}, {0, 1})).item());
  CHECK(fft::fftfreq(5, .1).to_vector() == std::vector<double>{0 * 2., 1 * 2., 2 * 2., -2 * 2., -1 * 2.});
  CHECK(fft::rfftfreq(4, .5).to_vector() == std::vector<double>{0, .5, 1});
  CHECK(fft::fftfreq(1).to_vector() == std::vector<double>{0});
}

TEST_CASE("plans are kept and counted") {
  const gp::device here = gp::default_device();
  fft::plan_cache cache(here);
  const fft::plan_cache_info defaults = cache.info();
  CHECK(defaults.max_plans == 64);
  cache.clear();
  const auto count = [&] { return cache.info().n_plans; };
  const std::int64_t kept = count();  // by plan objects elsewhere: none
  CHECK(kept == 0);
  const gp::ndarray<z> a = noise<z>({40});
  fft::fft(a);
  fft::fft(a);
  CHECK(cache.info().misses == 1);
  CHECK(cache.info().hits == 1);
  CHECK(count() == 1);
  fft::ifft(a);
  CHECK(cache.info().misses + cache.info().hits == 3);
  cache.set_max_plans(2);
  for (std::int64_t n = 41; n < 50; ++n) fft::fft(a, n);
  CHECK(count() == 2);
  {
    const fft::plan<fft::transform::fft, z> p({40});
    for (std::int64_t n = 41; n < 50; ++n) fft::fft(a, n);
    const std::int64_t misses = cache.info().misses;
    CHECK(same_bits(p(a), fft::fft(a)));
    CHECK(cache.info().misses == misses);
    cache.clear();
    CHECK(count() == 1);
    CHECK(cache.info().misses == 0);
  }
  cache.clear();
  CHECK(count() == 0);
  cache.set_max_plans(defaults.max_plans);
  cache.set_max_bytes(0);
  const auto alone = fft::fft(a);
  if (cache.info().n_plans > 0) CHECK(cache.info().bytes == 0);  // a GPU's plan may need nothing
  cache.set_max_bytes(defaults.max_bytes);
  CHECK(same_bits(alone, fft::fft(a)));
}

TEST_CASE("a plan object transforms arrays of one shape, type and device") {
  const fft::plan<fft::transform::rfft, float> forward({5, 32}, {.axes = {1}, .norm = "ortho"});
  const fft::plan<fft::transform::irfft, c> backward({5, 17}, {.axes = {1}, .norm = "ortho"});
  const gp::ndarray<float> a = noise<float>({5, 32});
  const auto half = forward(a);
  static_assert(std::same_as<decltype(half), const gp::ndarray<c>>);
  CHECK(same_bits(half, fft::rfft(a, {.norm = "ortho"})));
  CHECK(same_bits(backward(half), fft::irfft(half, {.norm = "ortho"})));
  gp::ndarray<c> out = gp::empty<c>({5, 17});
  CHECK(&forward(a + 1.f, out) == &out);
  CHECK(same_bits(out, fft::rfft(a + 1.f, {.norm = "ortho"})));
  CHECK_THROWS_WITH_AS(forward(noise<float>({5, 31})), "this plan is for arrays of shape (5,32), not (5,31)",
                       gp::value_error);
  CHECK_THROWS_AS((fft::plan<fft::transform::fft, z>({4}, {.norm = "none"})), gp::value_error);
}

TEST_CASE("columns, of which some thousand are gathered at once, have the bits of rows") {
  // Sums of four whole numbers, half of them turned by a right angle, are exact.
  for (const std::int64_t columns : {1, 7, 8, 9, 1023, 1024, 1025, 2049}) {
    CAPTURE(columns);
    const auto a = gp::ndarray<z>(gp::arange<double>(8 * columns).reshape({2, 4, columns}).astype<z>());
    const auto rows = gp::ndarray<z>(gp::swapaxes(a, 1, 2).copy());
    CHECK(gp::array_equal(fft::fft(a, {.axis = 1}), gp::swapaxes(fft::fft(rows), 1, 2)));
  }
}
