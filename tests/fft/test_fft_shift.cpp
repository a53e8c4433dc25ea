// Shifts, frequencies and convolutions by Fourier transforms against NumPy's and SciPy's numbers.
#include <gparray/fft.hpp>
#include <gparray/signal/convolution.hpp>

#include "support/linalg.hpp"

using namespace golden_linalg;
namespace fft = gparray::fft;
namespace signal = gparray::signal;

namespace {

// At most 24 products of numbers up to 8 are summed by transforms of at most 64 points: errors of a few
// eps * log2(64) of the largest element.
constexpr double sums = 60;

}  // namespace

TEST_CASE("shifts are NumPy's") {
  NEAR("np.fft.fftshift(F((5,)))", fft::fftshift(F({5})), 0);
  NEAR("np.fft.fftshift(F((6,), 'F'))", fft::fftshift(F<std::complex<float>>({6})), 0);
  NEAR("np.fft.fftshift(F((3, 4)))", fft::fftshift(F({3, 4})), 0);
  NEAR("np.fft.fftshift(F((3, 4), 'i'), 1)", fft::fftshift(F<int>({3, 4}), 1), 0);
  NEAR("np.fft.fftshift(F((3, 4, 5)), (0, 2))", fft::fftshift(F({3, 4, 5}), {0, 2}), 0);
  NEAR("np.fft.ifftshift(F((3, 5)))", fft::ifftshift(F({3, 5})), 0);
  NEAR("np.fft.ifftshift(F((3, 5)), -1)", fft::ifftshift(F({3, 5}), -1), 0);
}

TEST_CASE("frequencies are NumPy's") {
  NEAR("np.fft.fftfreq(8, 0.25)", fft::fftfreq(8, 0.25), 1);
  NEAR("np.fft.fftfreq(7)", fft::fftfreq(7), 1);
  NEAR("np.fft.rfftfreq(8, 0.3)", fft::rfftfreq(8, 0.3), 1);
  NEAR("np.fft.rfftfreq(7)", fft::rfftfreq(7), 1);
}

TEST_CASE("fftconvolve is SciPy's") {
  NEAR("signal.fftconvolve(F((20,)), F((5,)))", signal::fftconvolve(F({20}), F({5})), sums);
  NEAR("signal.fftconvolve(F((20,)), F((5,)), 'same')", signal::fftconvolve(F({20}), F({5}), "same"), sums);
  NEAR("signal.fftconvolve(F((5,)), F((20,)), 'valid')", signal::fftconvolve(F({5}), F({20}), "valid"), sums);
  NEAR("signal.fftconvolve(F((6, 7), 'f'), F((3, 2), 'f'))",
       signal::fftconvolve(F<float>({6, 7}), F<float>({3, 2})), sums);
  NEAR("signal.fftconvolve(F((6, 7), 'D'), F((3, 2), 'D'), 'same')",
       signal::fftconvolve(F<std::complex<double>>({6, 7}), F<std::complex<double>>({3, 2}), "same"), sums);
  NEAR("signal.fftconvolve(F((4, 9)), F((1, 4)), axes=1)",
       signal::fftconvolve(F({4, 9}), F({1, 4}), "full", gp::dims{1}), sums);
}
