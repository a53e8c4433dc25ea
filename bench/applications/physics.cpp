// Physics and mathematics: physics.py in gparray.
#include <cmath>
#include <utility>

#include "application.hpp"

namespace bench::applications {

using array = gp::ndarray<float>;
using doubles = gp::ndarray<double>;
using bytes = gp::ndarray<std::uint8_t>;

/// The accelerations of so many bodies.
void n_body(application& a) {
  const array x = a.numbers<float>({a.size(0), 3}, -1, 1), mass = a.numbers<float>({a.size(0)}, 0.5, 1.5);
  a.run([&] {
    const array d = x - x(":, None");
    const array squared = gp::sum(gp::square(d), 2) + 0.01;
    const array pull = mass / (squared * gp::sqrt(squared));
    return gp::sum(pull("..., None") * d, 1);
  });
}

/// Of so many pairs of vectors.
void cross_product(application& a) {
  const array u = a.numbers<float>({a.size(0), 3}, -1, 1), v = a.numbers<float>({a.size(0), 3}, -1, 1);
  a.run([&] { return gp::cross(u, v); });
}

/// Four steps on n x n points.
void wave_equation(application& a) {
  const gp::dims shape{a.size(0), a.size(0)};
  const array first = a.numbers<float>(shape, -1, 1), second = first.copy();
  a.run([&] {
    array before = first, now = second;
    for (int step = 0; step < 4; ++step) {
      const array laplacian =
          now(":-2, 1:-1") + now("2:, 1:-1") + now("1:-1, :-2") + now("1:-1, 2:") - 4 * now("1:-1, 1:-1");
      before("1:-1, 1:-1") = 2 * now("1:-1, 1:-1") - before("1:-1, 1:-1") + 0.25 * laplacian;
      std::swap(before, now);
    }
    return std::tuple(before, now);
  });
}

/// Ten steps on a torus of n x n cells.
void game_of_life(application& a) {
  const bytes start = a.numbers<std::uint8_t>({a.size(0), a.size(0)}, 0, 2);
  a.run([&] {
    bytes world = start;
    for (int step = 0; step < 10; ++step) {
      bytes neighbours = gp::zeros_like(world);
      for (const auto& [dy, dx] :
           {std::pair{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}})
        neighbours += gp::roll(world, {dy, dx}, {0, 1});
      world = ((neighbours == 3) | ((neighbours == 2) & (world == 1))).astype<std::uint8_t>();
    }
    return world;
  });
}

/// Metropolis steps for the black and then for the white spins of n x n; their energy and their mean.
void ising_sweep(application& a) {
  const std::int64_t n = a.size(0);
  const gp::ndarray<std::int8_t> start =
      (gp::ceil(a.numbers<float>({n, n}, -1, 3)) > 0).astype<std::int8_t>() * 2 - 1;
  const array chance = a.numbers<float>({2, n, n});
  const gp::ndarray<std::int64_t> place = gp::arange(n);
  const gp::ndarray<bool> white = (place(":, None") + place) % 2 == 1;
  a.run([&] {
    gp::ndarray<std::int8_t> spins = start;
    for (int colour = 0; colour < 2; ++colour) {
      const gp::ndarray<std::int8_t> neighbours =
          gp::roll(spins, 1, 0) + gp::roll(spins, -1, 0) + gp::roll(spins, 1, 1) + gp::roll(spins, -1, 1);
      const array cost = (2 * spins * neighbours).astype<float>();
      const gp::ndarray<bool> flips = (chance(colour) < gp::exp(-0.4 * cost)) & (white == (colour == 1));
      spins = gp::where(flips, -spins, spins);
    }
    const gp::ndarray<std::int8_t> pairs = spins * (gp::roll(spins, 1, 0) + gp::roll(spins, 1, 1));
    const doubles energy = -gp::mean(pairs);
    const doubles magnetization = gp::mean(spins);
    return std::tuple(spins, energy, magnetization);
  });
}

/// Twenty leapfrog steps of so many oscillators that are not harmonic, in place, and their energies.
void oscillators(application& a) {
  doubles x = a.numbers<double>({a.size(0)}, -1, 1), v = a.numbers<double>({a.size(0)}, -1, 1);
  const doubles k = a.numbers<double>({a.size(0)}, 0.5, 2);
  const double dt = 0.05;
  a.run([&] {
    for (int step = 0; step < 20; ++step) {
      v -= 0.5 * dt * (k * x + x * x * x);
      x += dt * v;
      v -= 0.5 * dt * (k * x + x * x * x);
    }
    const doubles energy = 0.5 * v * v + 0.5 * k * x * x + 0.25 * x * x * x * x;
    return std::tuple(x, v, energy);
  });
}

/// How many of 50 steps the points of a square of n x n stay, in real numbers.
void mandelbrot(application& a) {
  const auto n = static_cast<double>(a.size(0));
  const array c = (gp::arange<double>(a.size(0)) * (2.5 / n)).astype<float>();
  const array cx = c - 2, cy = (c - 1.25)(":, None");
  a.run([&] {
    array x = gp::zeros_like(cx + cy), y = gp::zeros_like(x);
    gp::ndarray<std::int32_t> count = gp::zeros_like<std::int32_t>(x);
    for (int step = 0; step < 50; ++step) {
      const array x2 = x * x, y2 = y * y;
      const gp::ndarray<bool> inside = x2 + y2 <= 4;
      count += inside;
      y = gp::where(inside, 2 * x * y + cy, y);
      x = gp::where(inside, x2 - y2 + cx, x);
    }
    return count;
  });
}

}  // namespace bench::applications
