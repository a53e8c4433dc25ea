#include "selftest.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace info {
namespace {

// More than one thread, block or vector works on such arrays, and the last of each on a part.
constexpr std::int64_t many = 100003;

/// 0, 1, ..., 10, 0, 1, ...
template<class V>
gp::ndarray<V> small_numbers() {
  return (gp::arange(many) % 11).astype<V>();
}

template<class V>
void elementwise(check_result& result, const char* what) {
  const gp::ndarray<V> x = small_numbers<V>();
  std::vector<V> computed;
  if constexpr (std::is_same_v<V, bool>) computed = gp::logical_xor(x, gp::ones<V>(many)).to_vector();
  else computed = gp::ndarray<V>(x * x + x).to_vector();
  bool right = true;
  for (std::int64_t i = 0; i < many; ++i) {
    const int n = static_cast<int>(i % 11);
    if constexpr (std::is_same_v<V, bool>) right = right && computed[static_cast<std::size_t>(i)] == (n == 0);
    else
      right = right && computed[static_cast<std::size_t>(i)] == static_cast<V>(static_cast<float>(n * n + n));
  }
  result.expect(right, what);
}

void elementwise_of_all(check_result& result) {
#define GPARRAY_DTYPE(identifier, type, ...) elementwise<type>(result, #identifier);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
}

template<class V>
void functions_of(check_result& result, double tolerance, const char* what) {
  const struct {
    gp::ndarray<V> computed;
    double known;
  } cases[] = {{gp::sin(gp::full(many, V(1))), 0.84147098480789650665},
               {gp::cos(gp::full(many, V(1))), 0.54030230586813971740},
               {gp::exp(gp::full(many, V(1))), 2.71828182845904523536},
               {gp::log(gp::full(many, V(2))), 0.69314718055994530942},
               {gp::sqrt(gp::full(many, V(2))), 1.41421356237309504880},
               {gp::tanh(gp::full(many, V(0.5))), 0.46211715726000975850}};
  for (const auto& each : cases)
    for (const V value : each.computed.to_vector())
      result.expect(std::abs(static_cast<double>(value) - each.known) <= tolerance * each.known, what);
}

void functions(check_result& result) {
  functions_of<float>(result, 4 * std::numeric_limits<float>::epsilon(), "float32");
  functions_of<double>(result, 4 * std::numeric_limits<double>::epsilon(), "float64");
}

void fusion(check_result& result) {
  // As one kernel and as several: the same bits.
  const gp::ndarray<float> x = gp::linspace<float>(-3.f, 3.f, many);
  gp::ndarray<float> steps = gp::sin(x);
  steps.eval();
  steps = steps * 2.f;
  steps.eval();
  steps = steps + gp::exp(x).eval();
  const gp::jit before = gp::jit_mode();
  gp::set_jit_mode(gp::jit::sync);
  const gp::ndarray<float> fused = gp::sin(x) * 2.f + gp::exp(x);
  result.expect(gp::array_equal(fused, steps), "an expression differs from its steps");
  gp::set_jit_mode(before);
}

void reductions(check_result& result) {
  const gp::ndarray<std::int64_t> n = gp::arange(many);
  result.expect(gp::sum(n).item() == many * (many - 1) / 2, "sum of int64");
  result.expect(gp::sum(n.astype<double>()).item() == many * (many - 1) / 2.0, "sum of float64");
  result.expect(gp::sum(gp::full(1000000, 0.1f)).item() == 100000.f, "sum of float32");
  result.expect(gp::max(n).item() == many - 1 && gp::min(n).item() == 0, "max and min");
  result.expect(gp::argmax(n).item() == many - 1, "argmax");
  result.expect(gp::mean(n).item() == (many - 1) / 2.0, "mean");
  result.expect(gp::cumsum(n).to_vector().back() == many * (many - 1) / 2, "cumsum");
  const gp::ndarray<double> table = gp::arange(300.0 * 200).reshape({300, 200});
  result.expect(gp::sum(table, 0).to_vector()[1] == 300 + 200.0 * 299 * 300 / 2, "sum along columns");
  result.expect(gp::sum(table, 1).to_vector()[1] == 200.0 * 200 + 199 * 200 / 2, "sum along rows");
}

void sorting(check_result& result) {
  // `many` is a prime, so that these are all numbers below it.
  const gp::ndarray<std::int64_t> n = gp::arange(many), mixed = n * 7919 % many;
  result.expect(gp::array_equal(gp::sort(mixed), n), "sort of int64");
  result.expect(gp::array_equal(gp::sort(mixed.astype<float>()), n.astype<float>()), "sort of float32");
  result.expect(gp::array_equal(mixed(gp::argsort(mixed)), n), "argsort");
}

template<class V>
void product_of(check_result& result, const char* what) {
  // Whole numbers, whose sums are exact.
  const std::int64_t m = 65, k = 129, n = 83;
  const auto element = [](std::int64_t i, std::int64_t j) { return (3 * i + 5 * j) % 7 - 3; };
  const auto matrix = [](std::int64_t rows, std::int64_t columns) {
    const gp::ndarray<std::int64_t> i = gp::arange(rows).reshape({rows, 1}), j = gp::arange(columns);
    return gp::ndarray<V>(((i * 3 + j * 5) % 7 - 3).template astype<V>());
  };
  const std::vector<V> computed = gp::ndarray<V>(gp::matmul(matrix(m, k), matrix(k, n))).to_vector();
  bool right = true;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      std::int64_t sum = 0;
      for (std::int64_t l = 0; l < k; ++l) sum += element(i, l) * element(l, j);
      right = right && computed[static_cast<std::size_t>(i * n + j)] == static_cast<V>(sum);
    }
  result.expect(right, what);
}

void products(check_result& result) {
  product_of<float>(result, "float32");
  product_of<double>(result, "float64");
  product_of<std::int64_t>(result, "int64");
}

void transforms(check_result& result) {
  for (const std::int64_t n : {1024, 1000}) {
    // One wave has one frequency.
    const gp::ndarray<double> wave =
        gp::cos(gp::arange(static_cast<double>(n)) * (2 * gp::pi * 5 / static_cast<double>(n)));
    const auto spectrum = gp::fft::rfft(wave);
    gp::ndarray<double> expected = gp::zeros(n / 2 + 1);
    expected(5) = static_cast<double>(n) / 2;
    const double error = gp::max(gp::abs(spectrum - expected)).item();
    // Of n rounded numbers of at most 1, each multiplied by n factors of at most 1.
    const double most = static_cast<double>(n) * 32 * std::numeric_limits<double>::epsilon();
    result.expect(error <= most, "rfft of a wave");
    result.expect(gp::max(gp::abs(gp::fft::irfft(spectrum) - wave)).item() <= most, "irfft");
  }
}

void solvers(check_result& result) {
  const std::int64_t n = 200;
  // The diagonal is larger than the rest of a row together: well conditioned.
  const gp::ndarray<double> i = gp::arange(static_cast<double>(n)).reshape({n, 1}),
                            j = gp::arange(static_cast<double>(n));
  const gp::ndarray<double> a = gp::sin(i * 1.7 + j * 2.3) + gp::eye(n) * (2.0 * static_cast<double>(n));
  const gp::ndarray<double> b = gp::matmul(a, gp::ones(n));
  result.expect(gp::max(gp::abs(gp::linalg::solve(a, b) - 1.0)).item() <= 1e-12, "solve");
  const gp::ndarray<double> diagonal = gp::diag(gp::arange(1.0, 9.0));
  result.expect(std::abs(gp::linalg::det(diagonal).item() - 40320) <= 1e-8, "det");
}

void random_numbers(check_result& result) {
  auto rng = gp::random::default_rng(42);
  const std::vector<double> first = rng.random(3).to_vector();
  result.expect(first == std::vector<double>{0x1.021cd89807ep-3, 0x1.5067e8e47d2dp-2, 0x1.f858d2b526df8p-4},
                "the first numbers of seed 42");
  const gp::ndarray<double> normal = rng.normal(0.0, 1.0, 1000000);
  // Six standard deviations of the mean, and of the variance, of so many.
  result.expect(std::abs(gp::mean(normal).item()) < 6e-3, "mean of normal");
  result.expect(std::abs(gp::var(normal).item() - 1) < 6 * std::sqrt(2.0) * 1e-3, "variance of normal");
}

void copies(check_result& result) {
  const gp::ndarray<double> here = gp::asnumpy(gp::arange(static_cast<double>(many)));
  const gp::ndarray<double> there = gp::asarray(here, {.device = gp::default_device()});
  result.expect(gp::array_equal(gp::asnumpy(there(gp::slice(gp::none, gp::none, -1))),
                                here(gp::slice(gp::none, gp::none, -1))),
                "to the device and back");
}

constexpr named_check checks[] = {{"copies", copies},
                                  {"element-wise, all dtypes", elementwise_of_all},
                                  {"elementary functions", functions},
                                  {"fusion", fusion},
                                  {"reductions", reductions},
                                  {"sort", sorting},
                                  {"matmul", products},
                                  {"fft", transforms},
                                  {"solve", solvers},
                                  {"random", random_numbers}};

enum class outcome { right, wrong, missing };

outcome run(const named_check& check) {
  check_result result;
  try {
    check.run(result);
  } catch (const gp::library_error& e) {
    std::printf("not run: %s\n", e.what());
    return outcome::missing;
  } catch (const std::exception& e) {
    std::printf("WRONG: %s\n", e.what());
    return outcome::wrong;
  }
  if (!result.wrong()) {
    std::printf("right\n");
    return outcome::right;
  }
  std::printf("WRONG: %s\n", result.wrong());
  return outcome::wrong;
}

}  // namespace

bool selftest() {
  const auto start = std::chrono::steady_clock::now();
  int counts[3] = {};
  std::vector<gp::device> devices{gp::device::cpu()};
  for (int i = 0; i < gp::device_count(); ++i) devices.push_back(gp::device::cuda(i));
  for (const gp::device d : devices) {
    std::printf("%s: %s\n", d.str().c_str(), d.name().c_str());
    const gp::device_guard guard(d);
    for (const named_check& check : checks) {
      std::printf("  %-26s", check.name);
      std::fflush(stdout);
      ++counts[static_cast<int>(run(check))];
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%d right, %d wrong, %d not run, in %.1f s\n", counts[0], counts[1], counts[2], seconds);
  return counts[1] == 0;
}

}  // namespace info
