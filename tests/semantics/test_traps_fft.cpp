// Traps of numpy.fft.
#include <gparray/fft.hpp>

#include "support/traps.hpp"

using namespace traps;
namespace fft = gp::fft;

using z = std::complex<double>;

template<class A>
concept has_rfft = requires(A a) { fft::rfft(a); };
static_assert(has_rfft<gp::ndarray<int>&>);

TEST_CASE("traps of transforms") {
  TRAP("fft-001", fft::fft(A({1, 2, 3, 4})));
  TRAP("fft-003", fft::fft(A({1, 2, 3, 4}), {.norm = "forward"}));
  TRAP("fft-004", fft::ifft(A({4, 0, 0, 0}), {.norm = "forward"}));
  TRAP("fft-006", fft::fft(A({1., 2., 3.}), {.n = 2}));
  TRAP("fft-007", fft::fft(A<float>({1, 2})));
  TRAP("fft-009", fft::fft(A<gp::float16>({1, 2})));
  TRAP("fft-010/0", fft::rfft(gp::ones(5)).shape());
  TRAP("fft-010/1", fft::rfft(gp::ones(4)).shape());
  TRAP("fft-012", fft::irfft(fft::rfft(A({1., 2., 3.})), {.n = 3}));
  TRAP("fft-013", fft::irfft(A({z(1, 5), z(2, 7)})));
  TRAP("fft-015", fft::fftfreq(4));
  TRAP("fft-016", fft::rfftfreq(5));
  TRAP("fft-018", fft::ifftshift(gp::arange<std::int64_t>(5)));
  TRAP("fft-019", fft::hfft(A({1., 2., 3.})));
  TRAP("fft-021", fft::fft2(gp::eye(2)));
  TRAP("fft-022", fft::rfftn(gp::ones({2, 3, 4})).shape());
  TRAP_REJECTED("fft-024", has_rfft<gp::ndarray<z>&>);
  TRAP_THROWS("fft-025", fft::fft(A({1.}), {.n = 0}));
  TRAP("extra-039", gp::round(fft::ifft(fft::fft(A({1., 2., 3.}))).real(), 12));
}
