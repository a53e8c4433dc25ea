// The benchmarks of the tables that compare array libraries with NumPy, each written once in C++ and once in
// Python: sin, products of matrices, element-wise arithmetic, reductions, Fourier transforms, linear
// equations, sparse products and singular values. Prints milliseconds of both and how many times faster
// gparray is.
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include <gparray/gparray.hpp>

#include "options.hpp"
#include "plot.hpp"

namespace gp = gparray;

namespace {

using call = std::function<gp::any_array()>;

/// `setup` and `expression` are Python, of n; the sum of the magnitudes of the result is compared.
struct workload {
  std::string name;
  std::int64_t n;
  std::string setup, expression;
  std::function<call()> make;
  double tolerance;  // relative
};

/// Multiples of the golden ratio without their integer part, the same in both languages.
template<class V>
gp::ndarray<V> numbers(const gp::dims& shape, std::int64_t size) {
  return gp::remainder(0.6180339887498949 * gp::arange<double>(size), 1.0)
      .reshape(shape)
      .template astype<V>();
}
template<class V>
gp::ndarray<V> square(std::int64_t n) {
  return numbers<V>({n, n}, n * n);
}

/// Sums of at most 2048 products, and of magnitudes, in float32: each is off by less than n * eps.
constexpr double of_floats = 2048 * 0x1p-23;
/// Of the solution, n * eps times the condition number of x^T x + 1, which is at most n^2 + 1 for numbers
/// below 1.
constexpr double of_systems = 2048 * 0x1p-52 * 2048 * 2048;

std::vector<workload> workloads(bool quick, bool full) {
  using floats = gp::ndarray<float>;
  std::vector<workload> all;
  const std::string line = "x = numbers(n, 'f4')", matrix = "a = numbers((n, n), 'f4')",
                    two = matrix + "; b = a[::-1].copy()", system = "a = numbers((n, n), 'f8')";
  std::vector<std::int64_t> lengths{1'000'000}, sizes{100, 512};
  if (!quick) {
    lengths.insert(lengths.end(), {10'000'000, 100'000'000});
    sizes.insert(sizes.end(), {1024, 2048});
  }
  if (full) lengths.push_back(1'000'000'000);
  for (const std::int64_t n : lengths)
    all.push_back({"sin", n, line, "np.sin(x)",
                   [n] { return [x = numbers<float>(n, n)] { return gp::sin(x); }; }, of_floats});
  for (const std::int64_t n : sizes) {
    const auto add = [&](const char* name, const std::string& setup, const char* expression, auto make,
                         double tolerance) {
      all.push_back({name, n, setup, expression, [make, n]() -> call { return make(n); }, tolerance});
    };
    add(
        "a * b + sin(a) + cos(b)", two, "a * b + np.sin(a) + np.cos(b)",
        [](std::int64_t m) {
          const floats a = square<float>(m), b = a("::-1").copy();
          return [=] { return floats(a * b + gp::sin(a) + gp::cos(b)); };
        },
        of_floats);
    add(
        "sum along rows", matrix, "np.sum(a, axis=1)",
        [](std::int64_t m) { return [a = square<float>(m)] { return gp::sum(a, 1); }; }, of_floats);
    add(
        "standard deviation", matrix, "np.std(a)",
        [](std::int64_t m) { return [a = square<float>(m)] { return gp::std(a); }; }, of_floats);
    add(
        "matmul", two, "a @ b",
        [](std::int64_t m) {
          const floats a = square<float>(m), b = a("::-1").copy();
          return [=] { return gp::matmul(a, b); };
        },
        of_floats);
    add(
        "fft2", matrix, "np.fft.fft2(a)",
        [](std::int64_t m) { return [a = square<float>(m)] { return gp::fft::fft2(a); }; }, of_floats);
    add(
        "solve", system + "; a = a.T @ a + np.eye(n); b = a[0].copy() + 1", "np.linalg.solve(a, b)",
        [](std::int64_t m) {
          const gp::ndarray<double> x = square<double>(m), a = gp::matmul(x.T(), x) + gp::eye(m),
                                    b = a(0) + 1.0;
          return [=] { return gp::linalg::solve(a, b); };
        },
        of_systems);
    if (n <= 1024)
      add(
          "svd, values alone", system, "np.linalg.svd(a, compute_uv=False)",
          [](std::int64_t m) { return [a = square<double>(m)] { return gp::linalg::svdvals(a); }; },
          of_systems);
    add(
        "sparse matmul, 1 % filled", matrix + "; s = sparse.csr_array(np.where(a < 0.01, a, np.float32(0)))",
        "(s @ s).data",
        [](std::int64_t m) {
          const floats a = square<float>(m);
          const gp::sparse::csr_matrix<float> s(floats(gp::where(a < 0.01f, a, 0.f)));
          return [=] { return gp::matmul(s, s).data(); };
        },
        of_floats);
  }
  return all;
}

struct measured {
  double milliseconds, sum;
};

/// The least of several calls, after one to warm up.
measured measure(const workload& w) {
  const call run = w.make();
  measured m{0, 0};
  const gp::any_array result = run().eval();
  gp::synchronize();
  for (double total = 0; total < 200;) {
    const auto start = std::chrono::steady_clock::now();
    run().eval();
    gp::synchronize();
    const double time =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    m.milliseconds = total == 0 ? time : std::min(m.milliseconds, time);
    total += time;
  }
  switch (result.dtype()) {
    case gp::dtype::complex64:
      m.sum = gp::sum(gp::abs(gp::ndarray<std::complex<float>>(result)).astype<double>()).item();
      break;
    case gp::dtype::float32:
      m.sum = gp::sum(gp::abs(gp::ndarray<float>(result)).astype<double>()).item();
      break;
    default:
      m.sum = gp::sum(gp::abs(gp::ndarray<double>(result))).item();
  }
  return m;
}

/// What Python measures, by the number of the workload; missing where NumPy, or SciPy, is.
std::map<std::size_t, measured> measure_numpy(const std::string& python, const std::vector<workload>& all) {
  const std::string script = "numpy_vs_gparray.py";
  {
    std::ofstream out(script);
    out << "import time\nimport numpy as np\n"
           "try:\n    from scipy import sparse\nexcept ImportError:\n    sparse = None\n"
           "def numbers(shape, dtype):\n"
           "    return (np.arange(np.prod(shape)) * 0.6180339887498949 % 1.0).astype(dtype).reshape(shape)\n"
           "def measure(number, n, setup, expression):\n"
           "    if sparse is None and 'sparse' in setup: return\n"
           "    names = dict(globals(), n=n)\n    exec(setup, names)\n    call = eval('lambda: ' + "
           "expression, names)\n"
           "    result, times = call(), []\n"
           "    while not times or sum(times) < 0.2:\n"
           "        start = time.perf_counter()\n        call()\n        times.append(time.perf_counter() - "
           "start)\n"
           "    print(number, min(times) * 1e3, float(np.sum(np.abs(result), dtype=np.float64)), "
           "flush=True)\n";
    for (std::size_t i = 0; i < all.size(); ++i)
      out << fmt::format("measure({}, {}, '''{}''', '''{}''')\n", i, all[i].n, all[i].setup,
                         all[i].expression);
  }
  std::map<std::size_t, measured> found;
  FILE* const pipe = popen((python + " " + script + " 2>/dev/null").c_str(), "r");
  char text[256];
  while (pipe && std::fgets(text, sizeof text, pipe)) {
    std::size_t number;
    measured m;
    if (std::istringstream(text) >> number >> m.milliseconds >> m.sum) found[number] = m;
  }
  if (pipe) pclose(pipe);
  std::remove(script.c_str());
  return found;
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Times NumPy and gparray on the same work.");
  const std::string device = options.value("-d/--device", "", "cpu or cuda:0; the default device if empty");
  const std::string python =
      options.value("--python", "python3", "a Python with NumPy, and SciPy for sparse matrices");
  const std::string chart =
      options.value("--output", "numpy_vs_gparray.svg", "picture of the table; empty for none");
  const bool quick = options.flag("--quick", "leave out all but the smallest sizes");
  const bool full = options.flag("--full", "sin of 10^9 numbers too, which takes 8 GB");
  options.finish();
  if (!device.empty()) gp::set_default_device(gp::device(device));

  const std::vector<workload> all = workloads(quick, full);
  const std::map<std::size_t, measured> numpy = measure_numpy(python, all);
  fmt::print("{} on {}\n{:<28}{:>12}{:>12}{:>12}{:>9}\n",
             numpy.empty() ? "no NumPy to compare with" : "NumPy and gparray", gp::default_device().str(), "",
             "n", "NumPy ms", "gparray ms", "times");
  std::vector<std::string> names;
  std::vector<double> theirs, ours;
  bool right = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const workload& w = all[i];
    const measured own = measure(w);
    fmt::print("{:<28}{:>12}", w.name, w.n);
    const auto other = numpy.find(i);
    names.push_back(fmt::format("{}, {}", w.name, w.n));
    ours.push_back(own.milliseconds);
    theirs.push_back(other == numpy.end() ? 0 : other->second.milliseconds);
    if (other == numpy.end()) {
      fmt::print("{:>12}{:>12.3f}\n", "-", own.milliseconds);
      right = right && std::isfinite(own.sum);
      continue;
    }
    const double error = std::abs(own.sum - other->second.sum),
                 bound = w.tolerance * std::abs(other->second.sum);
    right = right && error <= bound;
    fmt::print("{:>12.3f}{:>12.3f}{:>9.1f}{}\n", other->second.milliseconds, own.milliseconds,
               other->second.milliseconds / own.milliseconds, error <= bound ? "" : "  WRONG");
  }
  if (!chart.empty()) {
    const double least = std::min(gp::min(ours).item(), numpy.empty() ? 1. : gp::min(theirs).item());
    plot::figure f({.title = "Milliseconds on " + gp::default_device().str() + " (shorter is better)",
                    .x = {.log = true, .low = std::pow(10., std::floor(std::log10(least)))},
                    .height = 110 + 34 * static_cast<int>(names.size())});
    f.bars(names, theirs, {.label = "NumPy", .colour = plot::series[6]});
    f.bars(names, ours, {.label = "gparray", .colour = plot::series[0]});
    plot::save(chart, {f});
  }
  fmt::print("All results are {}\n", right ? "what rounding explains, right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
