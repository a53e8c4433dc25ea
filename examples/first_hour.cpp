// Waves behind two slits: the program of docs/guide/first-hour.md.
#include <cmath>
#include <utility>

#include <gparray/format.hpp>
#include <gparray/gparray.hpp>

#include "png_writer.hpp"

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

  gp::ndarray<double> picture = gp::clip(now / 0.8 + 0.4, 0, 1);
  picture(wall) = 1;
  write_heat_map("waves.png", picture);
}
