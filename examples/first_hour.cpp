// Waves behind two slits: the program of docs/guide/first-hour.md.
#include <cmath>
#include <utility>

#include <gparray/format.hpp>
#include <gparray/gparray.hpp>

#include "colours.hpp"

namespace gp = gparray;

int main() {
  const int n = 300, steps = 560;
  gp::ndarray<bool> wall = gp::zeros<bool>({n, n});
  wall(":, 80:83") = true;
  wall("122:130, 80:83") = false;
  wall("170:178, 80:83") = false;

  gp::ndarray<double> now = gp::zeros({n, n}), before = gp::zeros({n, n});
  for (int step = 0; step < steps; ++step) {
    gp::ndarray<double> next = gp::zeros({n, n});
    auto laplacian =
        now(":-2, 1:-1") + now("2:, 1:-1") + now("1:-1, :-2") + now("1:-1, 2:") - 4 * now("1:-1, 1:-1");
    next("1:-1, 1:-1") = 2 * now("1:-1, 1:-1") - before("1:-1, 1:-1") + 0.25 * std::move(laplacian);
    next(":, 1") = std::sin(0.2 * step);  // a plane wave comes from the left
    next(wall) = 0;
    before = now;
    now = next;
  }

  auto behind = gp::abs(now(":, 83:"));
  fmt::print("the wave is {} and at most {:.2f} behind the wall\n", now.shape(), behind.max());
  gp::save("waves.npy", now);

  gp::ndarray<double> picture = now.copy();
  picture(wall) = 1;  // the brightest colour
  plot::write_png("waves.png", {plot::paint(picture, {.map = plot::inferno, .low = -0.3, .high = 0.5})});
}
