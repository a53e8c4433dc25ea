"""Finance: finance.cpp for other libraries, as learning.py describes."""
import math


def erf(np, x):
    """The error function, which NumPy leaves to SciPy."""
    if np.__name__ == "cupy":
        from cupyx.scipy.special import erf
    elif np.__name__ == "jax.numpy":
        from jax.scipy.special import erf
    elif np.__name__ == "torch":
        from torch import erf
    else:
        from scipy.special import erf
    return erf(x)


def normal_cdf(np, x):
    return 0.5 * (1 + erf(np, x / math.sqrt(2)))


class black_scholes:
    RATE, VOLATILITY = 0.03, 0.25

    def inputs(of, n):
        return of.numbers(n, 80, 120, "float64"), of.numbers(n, 80, 120, "float64"), of.numbers(n, 0.25, 2, "float64")

    def run(np, spot, strike, time):
        rate, volatility = black_scholes.RATE, black_scholes.VOLATILITY
        spread = volatility * np.sqrt(time)
        d1 = (np.log(spot / strike) + (rate + 0.5 * volatility * volatility) * time) / spread
        d2 = d1 - spread
        discounted = strike * np.exp(-rate * time)
        return spot * normal_cdf(np, d1) - discounted * normal_cdf(np, d2)


class asian_option:
    RATE, VOLATILITY, SPOT, STRIKE = 0.03, 0.25, 100, 105

    def inputs(of, steps, paths):
        return of.normal_numbers((steps, paths)),

    def paths(np, z):
        steps = z.shape[0]
        rate, volatility = asian_option.RATE, asian_option.VOLATILITY
        dt = 1.0 / steps
        growth = (rate - 0.5 * volatility * volatility) * dt + volatility * math.sqrt(dt) * z
        return asian_option.SPOT * np.exp(np.cumsum(growth, 0))

    def run(np, z):
        prices = asian_option.paths(np, z)
        average = np.mean(prices, axis=0)
        payoff = math.exp(-asian_option.RATE) * np.maximum(average - asian_option.STRIKE, 0)
        price = np.mean(payoff)
        error = np.std(payoff) / math.sqrt(z.shape[1])
        return price, error

    def torch(torch, z):
        prices = asian_option.paths(torch, z)
        average = torch.mean(prices, dim=0)
        payoff = math.exp(-asian_option.RATE) * torch.relu(average - asian_option.STRIKE)
        price = torch.mean(payoff)
        error = torch.std(payoff, correction=0) / math.sqrt(z.shape[1])
        return price, error


class ewma_volatility:
    DECAY = 0.94

    def inputs(of, days, assets):
        return of.numbers((days, assets), 80, 120),

    def run(np, prices):
        decay = ewma_volatility.DECAY
        returns = np.diff(np.log(prices), axis=0)
        variance = np.square(returns[0])
        for day in range(1, returns.shape[0]):
            variance = decay * variance + (1 - decay) * np.square(returns[day])
        return np.sqrt(252 * variance)

    def torch(torch, prices):
        decay = ewma_volatility.DECAY
        squares = torch.square(torch.diff(torch.log(prices), dim=0))
        variance = squares[0].clone()
        for day in range(1, squares.shape[0]):
            variance.lerp_(squares[day], 1 - decay)
        return torch.sqrt(252 * variance)

    def jax(np, prices):
        from jax import lax
        decay = ewma_volatility.DECAY
        squares = np.square(np.diff(np.log(prices), axis=0))
        step = lambda variance, square: (decay * variance + (1 - decay) * square, None)
        variance, _ = lax.scan(step, squares[0], squares[1:])
        return np.sqrt(252 * variance)


class portfolios:
    def inputs(of, days, assets, count):
        return of.numbers((days, assets), -0.02, 0.0205), of.numbers((count, assets))

    def run(np, returns, shares):
        centred = returns - np.mean(returns, axis=0)
        covariance = centred.T @ centred / (returns.shape[0] - 1)
        weights = shares / np.sum(shares, axis=1, keepdims=True)
        gain = 252 * (weights @ np.mean(returns, axis=0))
        variance = np.sum((weights @ covariance) * weights, axis=1)
        volatility = np.sqrt(252 * variance)
        best = np.max(gain / volatility)
        return gain, volatility, best
