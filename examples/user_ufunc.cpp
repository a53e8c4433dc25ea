// A function of one's own on arrays, from one piece of text for CPU and GPU: the price of a European call
// option, and how it compares in speed to the same formula written with gparray's functions.
#include <chrono>
#include <cmath>

#include <gparray/gparray.hpp>

#include "options.hpp"

namespace gp = gparray;

// Black and Scholes, J. Political Economy 81 (1973) 637. The distribution of the standard normal is
// erfc(-x/sqrt 2)/2.
GPARRAY_UFUNC(normal_cdf, (x), T(0.5) * erfc(x * T(-0.70710678118654752440)));
GPARRAY_UFUNC(d_plus, (spot, strike, years, rate, sigma),
              (log(spot / strike) + (rate + T(0.5) * sigma * sigma) * years) / (sigma * sqrt(years)));

namespace {

constexpr double strike = 100, years = 1.5, rate = 0.03, sigma = 0.25;

gp::ndarray<double> price(const gp::ndarray<double>& spot) {
  const gp::ndarray<double> d = d_plus(spot, strike, years, rate, sigma);
  return spot * normal_cdf(d) - strike * std::exp(-rate * years) * normal_cdf(d - sigma * std::sqrt(years));
}

double price_of(double spot) {
  const auto cdf = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const double d =
      (std::log(spot / strike) + (rate + 0.5 * sigma * sigma) * years) / (sigma * std::sqrt(years));
  return spot * cdf(d) - strike * std::exp(-rate * years) * cdf(d - sigma * std::sqrt(years));
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Prices call options with functions defined by GPARRAY_UFUNC.");
  const std::string device = options.value("-d/--device", "", "cpu or cuda:0; the default device if empty");
  const int n = options.value("-n/--size", 1000000, "options to price");
  options.finish();
  if (!device.empty()) gp::set_default_device(gp::device(device));

  const gp::ndarray<double> spot = gp::linspace<double>(50, 150, n);
  gp::ndarray<double> prices = price(spot);  // compiles on a GPU
  const auto start = std::chrono::steady_clock::now();
  prices = price(spot);
  prices.device().synchronize();
  const double ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{} options on {}: {:.3f} ms\n", n, prices.device().str(), ms);

  // A price is a difference of two numbers below 150, each of a few roundings and functions within 4 ulp.
  const double bound = 150 * 64 * gp::finfo<double>::eps;
  double worst = 0;
  for (int i = 0; i < n; i += std::max(n / 1000, 1))
    worst = std::max(worst, std::abs(prices.item(i) - price_of(spot.item(i))));
  fmt::print("spot 100 costs {:.4f}; largest error {:.1e}, allowed {:.1e}\n",
             price(gp::ndarray<double>{100.0}).item(), worst, bound);
  return worst <= bound ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
