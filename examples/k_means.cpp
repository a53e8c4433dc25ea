// Lloyd's k-means: points belong to the nearest centre, and centres move to the mean of their points, until
// no point changes sides. The centres begin as k-means++ chooses them.
#include <cmath>

#include <gparray/format.hpp>
#include <gparray/gparray.hpp>

#include "on_device.hpp"
#include "plot.hpp"

namespace gp = gparray;

namespace {

/// (points, centres): the squares of their distances.
gp::ndarray<double> squared_distances(const gp::ndarray<double>& points, const gp::ndarray<double>& centres) {
  return gp::sum(gp::square(points(":, None") - centres), -1);
}

/// Points that are far from those chosen already are likely to be next (Arthur and Vassilvitskii, SODA 2007).
gp::ndarray<double> first_centres(gp::random::Generator& rng, const gp::ndarray<double>& points, int k) {
  gp::ndarray<double> centres = points(rng.integers(0, points.shape(0), 1)).copy();
  while (centres.shape(0) < k) {
    const gp::ndarray<double> nearest = gp::min(squared_distances(points, centres), 1);
    const auto next = gp::searchsorted(gp::cumsum(nearest), rng.random() * gp::sum(nearest));
    centres = gp::concatenate({centres, points(next)(gp::newaxis)});
  }
  return centres;
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Finds clusters of points by k-means.");
  const int n = options.value("-n/--points", 100000, "points to cluster");
  const int k = options.value("-k/--clusters", 6, "clusters, at most 7");
  const std::string output =
      options.value("--output", "k_means.svg", "picture of some points; empty for none");
  const gp::device device = device_of(options);

  // Normal clouds around places on a circle.
  gp::random::Generator rng = gp::random::default_rng(3);
  const auto angle = gp::arange<double>(k) * (2 * gp::pi / k);
  const gp::ndarray<double> places = gp::stack({gp::cos(angle) * 3.0, gp::sin(angle) * 2.0}, 1);
  const auto drawn_from = rng.integers(0, k, n);
  const gp::ndarray<double> points = places(drawn_from) + rng.normal(0, 0.45, {n, 2});

  const stopwatch watch;
  gp::ndarray<double> centres = first_centres(rng, points, k);
  gp::ndarray<std::int64_t> label = gp::full<std::int64_t>(n, -1);
  int rounds = 0;
  {
    progress_line progress;
    for (std::int64_t changed = n; changed > 0; ++rounds) {
      const gp::ndarray<std::int64_t> nearest = gp::argmin(squared_distances(points, centres), 1);
      changed = gp::count_nonzero(nearest != label);
      label = nearest;
      for (int axis = 0; axis < 2; ++axis)
        centres(gp::all, axis) = gp::bincount(label, points(gp::all, axis), k) / gp::bincount(label, k);
      progress.update("round {}: {} points changed sides", rounds, changed);
    }
  }
  const double seconds = watch.seconds();

  // Each place has a centre near it, and most points are back with those that they were drawn with.
  const gp::ndarray<double> apart = squared_distances(places, centres);
  const double worst = std::sqrt(gp::max(gp::min(apart, 1)).item());
  const gp::ndarray<std::int64_t> centre_of = gp::argmin(apart, 1);
  const double found = gp::mean(centre_of(drawn_from) == label);
  const bool right = worst < 0.05 && found > 0.98;
  fmt::print("{} points, {} clusters on {}: {} rounds, {:.3f} s\n", n, k, device.str(), rounds, seconds);
  fmt::print("{:.2f} % of the points found, centres off by at most {:.4f}: {}\n", 100 * found, worst,
             right ? "right" : "WRONG");

  if (!output.empty()) {
    plot::figure f(
        {.x = {.low = -4.8, .high = 4.8}, .y = {.low = -3.6, .high = 3.6}, .width = 640, .height = 480});
    const auto shown = points(":4000");
    const auto shown_label = label(":4000");
    for (int c = 0; c < k; ++c) {
      const gp::ndarray<double> own = shown(shown_label == c);
      f.points(own(":, 0"), own(":, 1"),
               {.colour = plot::series.at(static_cast<std::size_t>(c)), .width = 3.5});
    }
    f.points(centres(":, 0"), centres(":, 1"), {.colour = {255, 255, 255}, .width = 16});
    f.points(centres(":, 0"), centres(":, 1"), {.colour = {0, 0, 0}, .width = 11});
    plot::save(output, {f});
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
