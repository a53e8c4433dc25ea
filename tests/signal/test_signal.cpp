// Radar, channels and filters of higher order against their definitions in NumPy; constants, kinds of dtypes,
// benchmarks, components of graphs.
#include <chrono>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include <gparray/format.hpp>
#include <gparray/runtime/profiler.hpp>
#include <gparray/signal.hpp>
#include <gparray/sparse/csgraph.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
namespace sg = gp::signal;
namespace sp = gp::sparse;
using gp::none;
using complex = std::complex<double>;

namespace {
// Two transforms of up to 8 numbers and a product.
constexpr double near = 32;
gp::ndarray<double> pulses() { return gp::sin(gp::arange<double>(24)).reshape({3, 8}); }
gp::ndarray<double> sent() { return gp::array({1., -2., 3.}); }
}  // namespace

TEST_CASE("pulses") {
  GOLDEN_NEAR(
      "np.fft.ifft(np.fft.fft(np.sin(np.arange(24.)).reshape(3, 8)) * np.fft.fft([1, -2, 3], 8).conj())",
      near, sg::pulse_compression(pulses(), sent()));
  GOLDEN_NEAR(
      "np.fft.ifft(np.fft.fft(np.sin(np.arange(24.)).reshape(3, 8), 16) * np.fft.fft(A([1, -4, 9]) / 98**.5, "
      "16).conj())",
      near,
      sg::pulse_compression(pulses(), sent(),
                            {.normalize = true, .window = gp::array({1, 2, 3}), .nfft = 16}));
  GOLDEN_NEAR("np.fft.fft(np.sin(np.arange(24.)).reshape(3, 8), axis=0)", near, sg::pulse_doppler(pulses()));
  GOLDEN_NEAR("np.fft.fft(np.sin(np.arange(24.)).reshape(3, 8) * A([[1], [2], [4]]), 5, axis=0)", near,
              sg::pulse_doppler(pulses(), {.window = gp::array({1., 2., 4.}), .nfft = 5}));
  GOLDEN_NEAR("np.sin(np.arange(24.)).reshape(3, 8) * np.exp(-2j * np.pi * 3 / 7 * np.arange(8))", 64,
              sg::freq_shift(pulses(), 3, 7));
  CHECK_THROWS_AS(sg::pulse_doppler(sent()), gp::value_error);
  CHECK_THROWS_AS(sg::pulse_compression(pulses(), sent(), {.window = gp::ones(4)}), gp::value_error);
}

TEST_CASE("detection at a constant rate of false alarms") {
  CHECK(std::abs(sg::cfar_alpha(1e-3, 8) - 10.97098) < 1e-4);
  auto power = gp::ones(20);
  power(9) = 50.;
  const auto [threshold, found] = sg::ca_cfar(power, 1, 3, 1e-2);
  const double alpha = sg::cfar_alpha(1e-2, 6);
  // Four cells at each border have no threshold, so all of their power is above it.
  for (int i = 0; i < 20; ++i) {
    CAPTURE(i);
    const bool border = i < 4 || i >= 16,
               near_target = !border && i != 9 && std::abs(i - 9) > 1 && std::abs(i - 9) <= 4;
    const double mean = near_target ? 55. / 6 : 1.;
    CHECK(std::abs(threshold.item(i) - (border ? 0 : alpha * mean)) < 1e-12);
    CHECK(found.item(i) == (border || i == 9));
  }
  auto image = gp::ones<float>({11, 12});
  image(5, 6) = 40.f;
  const auto two = sg::ca_cfar(image, {1, 2}, {1, 1}, 1e-3);
  const double cells = 5 * 7 - 3 * 5;
  CHECK(two.threshold.dtype() == gp::dtype::float32);
  CHECK(std::abs(two.threshold.item(5, 6) - sg::cfar_alpha(1e-3, 20)) < 1e-5);
  CHECK(std::abs(two.threshold.item(3, 6) - sg::cfar_alpha(1e-3, 20) * (cells + 39) / cells) < 1e-4);
  CHECK(two.threshold.item(1, 6) == 0);
  CHECK(two.detections.item(5, 6));
  CHECK(!two.detections.item(5, 5));
  CHECK_THROWS_AS(sg::ca_cfar(power, 5, 5), gp::value_error);
  CHECK_THROWS_AS(sg::ca_cfar(power, {1, 1}, {1, 1}), gp::type_error);
  CHECK_THROWS_AS(sg::ca_cfar(gp::ones({9, 9, 9}), {1, 1, 1}, {1, 1, 1}), gp::type_error);
  CHECK_THROWS_AS(sg::ca_cfar(power, 1, 0), gp::value_error);
}

TEST_CASE("channels and filters of higher order") {
  const auto x = gp::sin(gp::arange<double>(13)), h = gp::cos(gp::arange<double>(8));
  // Channel c adds up h[4 t + c] x[4 (p - t) + 3 - c].
  GOLDEN_NEAR(
      "np.conj(np.fft.fft([[sum(np.cos(4. * t + c) * np.sin(4. * (p - t) + 3 - c) for t in range(min(p, 1) + "
      "1)) "
      "for c in range(4)] for p in range(3)])).T",
      near, sg::channelize_poly(x, h, 4));
  GOLDEN_NEAR(
      "np.conj(np.fft.fft([[sum(np.conj(1j**t * np.sin(2. * (p - t) + 1 - c)) for t in range(min(p, 2) + 1)) "
      "for c in range(2)] for p in range(6)])).T",
      near, sg::channelize_poly(x, gp::array<complex>({1., 1., complex(0, 1), complex(0, 1), -1., -1.}), 2));
  CHECK_THROWS_AS(sg::channelize_poly(x, h, 9), gp::value_error);
  const auto v = gp::array({1, 2, -1, 3, 0, 4});
  GOLDEN(
      "A([sum(A([1, 2, -1, 3, 0, 4])[i + 1 - j] * A([1, 2, -1, 3, 0, 4])[i + 2 - k] * (3 * j + k) for j in "
      "range(2) for k in range(3)) for i in range(4)])",
      sg::convolve1d2o(v, gp::arange(6).reshape({2, 3})));
  GOLDEN(
      "A([sum(A([1, 2, -1, 3, 0, 4])[i - j] * A([1, 2, -1, 3, 0, 4])[i + 2 - k] * A([1, 2, -1, 3, 0, 4])[i + "
      "1 - "
      "l] * (6 * j + 2 * k + l) for j in range(1) for k in range(3) for l in range(2)) for i in range(4)])",
      sg::convolve1d3o(v, gp::arange(6).reshape({1, 3, 2})));
  CHECK_THROWS_AS(sg::convolve1d2o(v, v), gp::value_error);
  CHECK_THROWS_AS(sg::convolve1d2o(v, gp::ones({7, 1})), gp::value_error);
  CHECK_THROWS_AS(sg::convolve1d3o(v, gp::ones({1, 1, 1}), "same"), gp::value_error);
}

TEST_CASE("constants and kinds of dtypes") {
  GOLDEN("A([np.pi, np.e, np.euler_gamma, np.inf])", gp::array({gp::pi, gp::e, gp::euler_gamma, gp::inf}));
  CHECK(gp::nan != gp::nan);
  GOLDEN("bool(np.isdtype(np.dtype('i2'), 'signed integer'))",
         gp::isdtype(gp::dtype::int16, "signed integer"));
  GOLDEN("bool(np.isdtype(np.dtype('u2'), 'signed integer'))",
         gp::isdtype(gp::dtype::uint16, "signed integer"));
  GOLDEN("bool(np.isdtype(np.dtype('?'), 'numeric'))", gp::isdtype(gp::dtype::bool_, "numeric"));
  GOLDEN("bool(np.isdtype(np.dtype('F'), 'numeric'))", gp::isdtype(gp::dtype::complex64, "numeric"));
  GOLDEN("bool(np.issubdtype('f4', np.inexact))", gp::issubdtype(gp::dtype::float32, "inexact"));
  GOLDEN("bool(np.issubdtype('f4', np.integer))", gp::issubdtype(gp::dtype::float32, "integer"));
  CHECK(gp::issubdtype(gp::dtype::float32, "float32"));
  CHECK(!gp::issubdtype(gp::dtype::float32, "float64"));
  CHECK_THROWS_AS(gp::isdtype(gp::dtype::int8, "number"), gp::value_error);
  CHECK_THROWS_AS(gp::issubdtype(gp::dtype::int8, "whole"), gp::value_error);
  const auto a = gp::ones({2, 2});
  GOLDEN("np.block([[np.ones((2, 2)), 2 * np.ones((2, 1))]])", gp::bmat({{a, gp::full({2, 1}, 2.)}}));
  GOLDEN("np.vstack([v, v])", gp::row_stack(gp::arange(5), gp::arange(5)));
}

TEST_CASE("a benchmark counts its calls") {
  int calls = 0;
  const auto a = gp::ones(100);
  auto r = gp::profiler::benchmark([&] { ++calls, (void)gp::ndarray<double>(a + 1); },
                                   {.n_repeat = 5, .n_warmup = 2, .name = "add"});
  CHECK(calls == 7);
  CHECK(r.cpu_times.size() == 5);
  CHECK(r.gpu_times.size() == 5);
  for (const double t : r.cpu_times) CHECK(t > 0);
  r.cpu_times = {1e-6, 3e-6};
  r.gpu_times = {};
  CHECK(r.str() ==
        "add                 : CPU: 2.000 us +/- 1.000 (min: 1.000 / max: 3.000) us   GPU: no calls");
  calls = 0;
  gp::profiler::benchmark([&] { ++calls; }, {.n_warmup = 0, .max_duration = 0});
  CHECK(calls == 0);
  // Both clocks count seconds, of which no call takes more than all together by the steady clock. Work of
  // others on the GPU may delay the event before a call, but not the one behind it.
  const auto start = std::chrono::steady_clock::now();
  const auto slow = gp::profiler::benchmark([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); },
                                            {.n_repeat = 3, .n_warmup = 0});
  CHECK(slow.name == "function");
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const double t : slow.cpu_times) CHECK((t > 1.9e-3 && t < all));
  for (const double t : slow.gpu_times) CHECK((t > 0 && t < all));
  CHECK_THROWS_AS(gp::profiler::benchmark([] {}, {.n_repeat = -1}), gp::value_error);
}

TEST_CASE("names and texts of sparse matrices") {
  const auto dense = gp::array({{1., 0., 2.}, {0., 0., -3.5}});
  const sp::csr_array<double> a(dense);
  static_assert(std::is_same_v<sp::dia_array<float>, sp::dia_matrix<float>>);
  CHECK(sp::isspmatrix(a));
  CHECK(sp::isspmatrix_csr(a));
  CHECK(!sp::isspmatrix_csc(a));
  CHECK(!sp::isspmatrix_coo(dense));
  CHECK(sp::matrix_transpose(a).shape() == gp::dims{3, 2});
  CHECK(sp::eye_array(3).toarray().to_vector() == gp::eye(3).to_vector());
  CHECK(sp::get_index_dtype() == gp::dtype::int32);
  CHECK(sp::get_index_dtype(std::int64_t{1} << 31) == gp::dtype::int64);
  CHECK(sp::get_index_dtype(0, {gp::zeros<std::int64_t>(2)}) == gp::dtype::int64);
  auto rng = gp::random::default_rng(1);
  CHECK(sp::random_array({4, 5}, .5, rng).nnz() == 10);
  const std::string text =
      "<Compressed Sparse Row sparse matrix of dtype 'float64'\n\twith 3 stored elements and shape (2, 3)>\n"
      "  Coords\tValues\n  (0, 0)\t1.0\n  (0, 2)\t2.0\n  (1, 2)\t-3.5";
  CHECK(fmt::format("{}", a) == text);
  std::ostringstream out;
  out << a;
  CHECK(out.str() == text);
}

TEST_CASE("components of graphs") {
  namespace cs = sp::csgraph;
  const auto edges = gp::zeros({7, 7});
  for (const auto& [i, j] :
       std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {6, 4}, {5, 5}})
    edges(i, j) = 1.;
  const sp::csr_matrix<double> g(edges);
  const auto weak = cs::connected_components(g);
  CHECK(weak.n_components == 2);
  GOLDEN("csg.connected_components(G7)[1]", weak.labels);
  const auto strong = cs::connected_components(g, {.connection = "strong"});
  CHECK(strong.n_components == 5);
  GOLDEN("csg.connected_components(G7, connection='strong')[1]", strong.labels);
  GOLDEN("csg.connected_components(G7.T, connection='strong')[1]",
         cs::connected_components(g.T(), {.connection = "strong"}).labels);
  GOLDEN("csg.connected_components(G7, directed=False, connection='strong')[1]",
         cs::connected_components(g, {.directed = false, .connection = "strong"}).labels);
  CHECK(cs::connected_components(sp::coo_matrix<float>(gp::dims{0, 0})).n_components == 0);
  // A path of which a walk that calls itself would be too deep.
  const std::int64_t n = 200000;
  const auto path = sp::eye<double>(n, none, 1);
  CHECK(cs::connected_components(path, {.connection = "strong"}).n_components == n);
  CHECK(cs::connected_components(path).n_components == 1);
  CHECK_THROWS_AS(cs::connected_components(g, {.connection = "loose"}), gp::value_error);
  CHECK_THROWS_AS(cs::connected_components(sp::csr_matrix<double>(gp::ones({2, 3}))), gp::value_error);
}
