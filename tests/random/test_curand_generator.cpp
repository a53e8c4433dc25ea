// cuRAND's generators on a GPU, and their absence where there is none.
#include <cmath>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using gp::random::curand_generator;
using gp::random::curand_kind;

namespace {

TEST_CASE("cuRAND's generators draw on a GPU, or say that there is none") {
  if (gp::default_device().is_cpu()) {
    const gp::random::curand_options on_cpu{.device = gp::device::cpu()};
    CHECK_THROWS_AS(curand_generator(curand_kind::XORWOW, 1, on_cpu), gp::device_error);
    return;
  }
  constexpr std::int64_t n = 1000000;
  for (int kind = 0; kind <= static_cast<int>(curand_kind::ScrambledSobol64); ++kind) {
    CAPTURE(kind);
    const auto k = static_cast<curand_kind>(kind);
    curand_generator rng(k, 1), same(k, 1);
    const gp::ndarray<double> uniform = rng.random(n);
    CHECK(gp::all(uniform == same.random(n)).item());
    // Five standard errors of the mean: 5 sqrt(1/12 / n), and 5 / sqrt(n); Sobol sequences are closer.
    CHECK(std::abs(gp::mean(uniform).item() - 0.5) < 0.0015);
    const gp::ndarray<float> normal = rng.normal<float>(2, 3, n + 1);
    CHECK(normal.size() == n + 1);
    CHECK(std::abs(gp::mean(normal.astype<double>()).item() - 2) < 0.015);
    CHECK(std::abs(gp::std(normal.astype<double>()).item() - 3) < 0.015);
    CHECK(std::abs(gp::mean(rng.poisson(4, n).astype<double>()).item() - 4) < 0.01);
    const bool wide = k == curand_kind::Sobol64 || k == curand_kind::ScrambledSobol64;
    if (wide) CHECK(gp::max(rng.bits<std::uint64_t>(n)).item() > std::uint64_t{1} << 63);
    else CHECK(gp::max(rng.bits(n)).item() > 1u << 31);
  }
}

}  // namespace
