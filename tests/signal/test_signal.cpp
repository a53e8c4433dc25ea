// Radar, channels and filters of higher order against their definitions in NumPy.
#include <cmath>
#include <complex>

#include <gparray/signal.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
namespace sg = gp::signal;
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
