// How fast are matrices multiplied? Prints milliseconds and GFLOP/s, and checks every product.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include <gparray/gparray.hpp>

#include "options.hpp"

namespace gp = gparray;

namespace {

using clock_type = std::chrono::steady_clock;

/// Numbers spread evenly over [0, 1), the same on every run: multiples of the golden ratio without their
/// integer part.
template<class V>
gp::ndarray<V> spread_numbers(std::int64_t rows, std::int64_t columns, std::int64_t first) {
  const auto multiples = 0.6180339887498949 * gp::arange<double>(first, first + rows * columns);
  return gp::remainder(multiples, 1.0).reshape({rows, columns}).template astype<V>();
}

/// Milliseconds of one product: the least of several, after one to warm up.
template<class V>
double milliseconds(const gp::ndarray<V>& a, const gp::ndarray<V>& b) {
  double best = 0, total = 0;
  for (int run = 0; run < 4 || (total < 300 && run < 100); ++run) {
    const auto start = clock_type::now();
    const gp::ndarray<V> c = gp::matmul(a, b);
    c.device().synchronize();
    const double elapsed = std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
    best = run < 2 ? elapsed : std::min(best, elapsed);
    total += elapsed;
  }
  return best;
}

/// The largest error of the product in some of its rows, as a share of what rounding explains: a sum of n
/// products of numbers that are not negative is off by at most n * eps of itself.
template<class V>
double error_share(const gp::ndarray<V>& a, const gp::ndarray<V>& b) {
  const std::int64_t n = a.shape(0), step = std::max<std::int64_t>(n / 8, 1);
  const gp::ndarray<V> rows = a(gp::slice(gp::none, gp::none, step));
  const std::vector<V> x = rows.to_vector(), y = b.to_vector();
  const std::vector<V> c = gp::matmul(a, b)(gp::slice(gp::none, gp::none, step)).to_vector();
  const auto size = static_cast<std::size_t>(n);
  double worst = 0;
  for (std::size_t row = 0; row < x.size() / size; ++row) {
    std::vector<double> exact(size, 0.0);
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t j = 0; j < size; ++j)
        exact[j] += static_cast<double>(x[row * size + k]) * static_cast<double>(y[k * size + j]);
    for (std::size_t j = 0; j < size; ++j) {
      const double bound = static_cast<double>(n) * gp::finfo<V>::eps * exact[j];
      const double error = std::abs(static_cast<double>(c[row * size + j]) - exact[j]);
      worst = std::max(worst, error > bound ? 2.0 : bound > 0 ? error / bound : 0.0);
    }
  }
  return worst;
}

/// Prints one line of the table; false if the product is wrong.
template<class V>
bool report(std::int64_t n) {
  const gp::ndarray<V> a = spread_numbers<V>(n, n, 1), b = spread_numbers<V>(n, n, n);
  const double ms = milliseconds(a, b), operations = 2 * std::pow(static_cast<double>(n), 3);
  const bool right = error_share(a, b) <= 1;
  fmt::print("{:>6}  {:<8}{:>12.3f}{:>12.1f}  {}\n", n, name(gp::dtype_of<V>), ms, operations / ms * 1e-6,
             right ? "ok" : "WRONG");
  return right;
}

std::vector<std::int64_t> parse_sizes(const std::string& text) {
  std::vector<std::int64_t> sizes;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    std::int64_t size = 0;
    const auto [next, status] = std::from_chars(at, end, size);
    if (status != std::errc() || size < 1 || (next < end && *next != ','))
      throw gp::value_error("--sizes takes positive numbers with commas between them, not '" + text + "'");
    sizes.push_back(size);
    at = next + 1;
  }
  return sizes;
}

int run(int argc, char** argv) {
  command_line options(argc, argv,
                       "Speed of matrix products in float32 and float64, each checked in float64.");
  const gp::device device(options.value("--device", gp::default_device().str(), "cpu or cuda:0"));
  const std::string sizes =
      options.value("--sizes", device.is_cpu() ? "512,1024,2048" : "512,1024,2048,4096,8192",
                    "rows of the square matrices");
  options.finish();
  gp::set_default_device(device);

  fmt::print("{}\n{:>6}  {:<8}{:>12}{:>12}\n", device.name(), "N", "dtype", "ms", "GFLOP/s");
  bool right = true;
  for (const std::int64_t n : parse_sizes(sizes)) {
    right = report<float>(n) && right;
    right = report<double>(n) && right;
  }
  fmt::print("{}\n", right ? "All products are right." : "Some products are wrong.");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
