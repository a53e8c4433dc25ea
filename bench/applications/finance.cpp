// Finance: finance.py in gparray.
#include <cmath>

#include "application.hpp"

namespace bench::applications {

using array = gp::ndarray<float>;
using doubles = gp::ndarray<double>;

/// The distribution function of normal numbers.
static doubles normal_cdf(const doubles& x) { return 0.5 * (1 + gp::erf(x / std::sqrt(2.0))); }

/// The prices of so many calls.
void black_scholes(application& a) {
  const doubles spot = a.numbers<double>({a.size(0)}, 80, 120),
                strike = a.numbers<double>({a.size(0)}, 80, 120);
  const doubles time = a.numbers<double>({a.size(0)}, 0.25, 2);
  const double rate = 0.03, volatility = 0.25;
  a.run([&] {
    const doubles spread = volatility * gp::sqrt(time);
    const doubles d1 = (gp::log(spot / strike) + (rate + 0.5 * volatility * volatility) * time) / spread;
    const doubles d2 = d1 - spread;
    const doubles discounted = strike * gp::exp(-rate * time);
    return spot * normal_cdf(d1) - discounted * normal_cdf(d2);
  });
}

/// An option on the mean of a price, from steps x paths of normal numbers: its price and the price's error.
void asian_option(application& a) {
  const array z = a.normal_numbers<float>({a.size(0), a.size(1)});
  const double rate = 0.03, volatility = 0.25, spot = 100, strike = 105;
  a.run([&] {
    const std::int64_t steps = z.shape(0), paths = z.shape(1);
    const double dt = 1.0 / static_cast<double>(steps);
    const array growth = (rate - 0.5 * volatility * volatility) * dt + volatility * std::sqrt(dt) * z;
    const array prices = spot * gp::exp(gp::cumsum(growth, 0));
    const array average = gp::mean(prices, 0);
    const array payoff = std::exp(-rate) * gp::maximum(average - strike, 0);
    const array price = gp::mean(payoff);
    const array error = gp::std(payoff) / std::sqrt(paths);
    return std::tuple(price, error);
  });
}

/// Volatilities of a year by exponentially weighted means of squared returns, of days x assets.
void ewma_volatility(application& a) {
  const array prices = a.numbers<float>({a.size(0), a.size(1)}, 80, 120);
  const double decay = 0.94;
  a.run([&] {
    const array returns = gp::diff(gp::log(prices), 1, {.axis = 0});
    array variance = gp::square(returns(0));
    for (std::int64_t day = 1; day < returns.shape(0); ++day)
      variance = decay * variance + (1 - decay) * gp::square(returns(day));
    return gp::sqrt(252 * variance);
  });
}

/// Returns and volatilities of a year, and which has the best ratio, of days x assets x portfolios.
void portfolios(application& a) {
  const array returns = a.numbers<float>({a.size(0), a.size(1)}, -0.02, 0.0205);
  const array shares = a.numbers<float>({a.size(2), a.size(1)});
  a.run([&] {
    const array centred = returns - gp::mean(returns, 0);
    const array covariance = gp::matmul(centred.T(), centred) / (returns.shape(0) - 1);
    const array weights = shares / gp::sum(shares, 1, {.keepdims = true});
    const array gain = 252 * gp::matmul(weights, gp::mean(returns, 0));
    const array variance = gp::sum(gp::matmul(weights, covariance) * weights, 1);
    const array volatility = gp::sqrt(252 * variance);
    const array best = gp::max(gain / volatility);
    return std::tuple(gain, volatility, best);
  });
}

}  // namespace bench::applications
