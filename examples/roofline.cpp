// A roofline: how fast b = a + a^2 + ... + a^k is for k = 1..1000, between the ceiling of memory bandwidth
// and the ceiling of arithmetic. Writes a table and a picture.
#include <cmath>
#include <cstdio>
#include <vector>

#include "on_gpu.hpp"
#include "plot.hpp"

namespace gp = gparray;

namespace {

struct roofline_ceilings {
  double gb_per_s, gflop_per_s;
};
struct roofline_point {
  int k;
  double flop_per_byte, gflop_per_s, gb_per_s;
};

void draw(const std::string& path, const roofline_ceilings& ceilings,
          const std::vector<roofline_point>& points) {
  plot::figure f({.x = {.label = "FLOP per byte", .log = true, .low = 0.1, .high = 1000},
                  .y = {.label = "GFLOP/s", .log = true, .low = 100, .high = 1e5}});
  const auto x = gp::geomspace(0.1, 1000, 200);
  f.line(x, gp::minimum(x * ceilings.gb_per_s, ceilings.gflop_per_s),
         {.label = "memory and arithmetic allow", .colour = {0, 0, 0}});
  std::vector<double> intensity, speed;
  for (const roofline_point& p : points)
    if (p.gflop_per_s > 0) intensity.push_back(p.flop_per_byte), speed.push_back(p.gflop_per_s);
  f.points(gp::array(intensity), gp::array(speed),
           {.label = "measured", .colour = plot::series[4], .width = 4});
  plot::save(path, {f});
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Measures a GPU's roofline with b = a + a^2 + ... + a^k.");
  const int n = options.value("-n/--size", 1 << 24, "elements of a and b");
  const int last = options.value("-k/--powers", 1000, "the largest k");
  const int step = options.value("--step", 1, "from one k to the next");
  const std::string kernels =
      options.value("--kernels", EXAMPLE_FOLDER "/roofline.cuh", "file with the kernels");
  const std::string table = options.value("--csv", "roofline.csv", "where the table goes");
  const std::string picture =
      options.value("--output", "roofline.svg", "where the picture goes; empty: nowhere");
  const gp::device gpu = gpu_of(options);

  const gp::RawModule module({.path = kernels});
  const gp::RawKernel powers = module.get_function("powers"),
                      multiply_adds = module.get_function("multiply_adds");
  const gp::ndarray<float> a = gp::linspace<float>(0.f, 0.9f, n), b = gp::empty<float>({n});
  constexpr int block = 256, grid = 132 * 16;

  const double bytes = 8.0 * n;
  const double copy_ms = milliseconds_on_gpu([&] { b(gp::all) = a; }, 20);
  constexpr int rounds = 20000;
  const double arithmetic_ms = milliseconds_on_gpu([&] { multiply_adds(grid, block, b, 0.5f, rounds); });
  const roofline_ceilings ceilings{.gb_per_s = bytes / copy_ms / 1e6,
                                   .gflop_per_s = 2.0 * 8 * rounds * block * grid / arithmetic_ms / 1e6};
  fmt::print("{}: at most {:.0f} GB/s and {:.0f} GFLOP/s, measured\n", gpu.name(), ceilings.gb_per_s,
             ceilings.gflop_per_s);

  // Every rounding of Horner's rule is off by half an eps of a partial sum that is no larger than the result.
  const auto exact_a = a.astype<double>().eval();
  double worst = 0;
  std::vector<roofline_point> points;
  for (int k = 1; k <= last; k += step) {
    const double ms = milliseconds_on_gpu([&] { powers(grid, block, a, b, k, n); }, 3);
    points.push_back({.k = k,
                      .flop_per_byte = 2.0 * (k - 1) / 8,
                      .gflop_per_s = 2.0 * (k - 1) * n / ms / 1e6,
                      .gb_per_s = bytes / ms / 1e6});
    const auto exact =
        (exact_a * (1.0 - gp::power(exact_a, static_cast<double>(k))) / (1.0 - exact_a)).eval();
    const double bound = static_cast<double>(k) * gp::finfo<float>::eps;
    worst =
        std::max(worst, gp::max(gp::absolute(b.astype<double>() - exact) / (exact * bound + 1e-300)).item());
  }

  std::FILE* out = std::fopen(table.c_str(), "w");
  if (!out) {
    fmt::print(stderr, "cannot write {}\n", table);
    return EXIT_FAILURE;
  }
  fmt::print(out, "k,flop_per_byte,gflop_per_s,gb_per_s\n");
  for (const roofline_point& p : points)
    fmt::print(out, "{},{},{:.1f},{:.1f}\n", p.k, p.flop_per_byte, p.gflop_per_s, p.gb_per_s);
  std::fclose(out);
  if (!picture.empty()) draw(picture, ceilings, points);

  const roofline_point &first = points.front(), &end = points.back();
  fmt::print("k = {}: {:.0f} GB/s, {:.0f} % of the bandwidth\n", first.k, first.gb_per_s,
             100 * first.gb_per_s / ceilings.gb_per_s);
  fmt::print("k = {}: {:.0f} GFLOP/s, {:.0f} % of the arithmetic\n", end.k, end.gflop_per_s,
             100 * end.gflop_per_s / ceilings.gflop_per_s);
  fmt::print("largest error: {:.3f} of what rounding explains, {}\n", worst, worst <= 1 ? "right" : "WRONG");
  return worst <= 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
