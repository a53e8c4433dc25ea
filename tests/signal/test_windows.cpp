// Windows against NumPy.
#include <cmath>
#include <numbers>

#include <gparray/signal/windows.hpp>

#include "support/golden.hpp"

namespace gp = gparray;

namespace {

/// Whether every element is within `ulps` roundings of the largest of what NumPy answers.
template<class V>
void near(const gp::ndarray<V>& have, const std::vector<V>& want, double ulps) {
  const auto values = have.to_vector();
  REQUIRE(values.size() == want.size());
  double largest = 0;
  for (const V& w : want) largest = std::max(largest, static_cast<double>(std::abs(w)));
  for (std::size_t i = 0; i < want.size(); ++i) {
    CAPTURE(i);
    CAPTURE(std::abs(values[i]));
    CHECK(std::abs(values[i] - want[i]) <= ulps * gp::finfo<V>::eps * largest);
  }
}

}  // namespace

TEST_CASE("windows") {
  GOLDEN("np.bartlett(7)", gp::bartlett(7));
  GOLDEN("np.bartlett(1)", gp::bartlett(1));
  GOLDEN("np.hanning(0)", gp::hanning(0));
  // Sums of up to three terms below 1, of cosines within two roundings.
  near(gp::blackman(5), {-1.38777878e-17, 0.34, 1., 0.34, -1.38777878e-17}, 4);
  near(gp::hamming(5), {0.08, 0.54, 1., 0.54, 0.08}, 4);
  near(gp::hanning(5), {0., 0.5, 1., 0.5, 0.}, 4);
  near(gp::kaiser(5, 14), {7.72686684e-06, 0.164932188, 1., 0.164932188, 7.72686684e-06},
       1e7);  // 9 digits are given
}

TEST_CASE("windows have the bits of their formulas on arrays") {
  constexpr double pi = std::numbers::pi;
  for (const std::int64_t M : {2, 3, 64, 1001}) {
    CAPTURE(M);
    const auto same = [](const gp::ndarray<double>& have, const gp::ndarray<double>& want) {
      CHECK(have.shape() == want.shape());
      CHECK(have.to_vector() == want.to_vector());
    };
    const double last = static_cast<double>(M - 1), alpha = last / 2;
    const gp::ndarray<double> n = gp::arange<double>(1 - M, M, 2),
                              points = gp::arange<double>(0, last + 1, 1);
    same(gp::bartlett(M), gp::where(n <= 0, 1 + n / last, 1 - n / last));
    same(gp::blackman(M), 0.42 + 0.5 * gp::cos(pi * n / last) + 0.08 * gp::cos(2.0 * pi * n / last));
    same(gp::hamming(M), 0.54 + 0.46 * gp::cos(pi * n / last));
    same(gp::hanning(M), 0.5 + 0.5 * gp::cos(pi * n / last));
    // The scale is the host's, as its i0() and a GPU's differ by an ulp.
    const gp::ndarray<double> top = gp::full(gp::dims{}, 8.6, {.device = gp::device::cpu()});
    same(gp::kaiser(M, 8.6),
         gp::i0(8.6 * gp::sqrt(1.0 - gp::square((points - alpha) / alpha))) / gp::i0(top).item());
  }
}
