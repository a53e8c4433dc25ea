// The workloads of peers.py in gparray, under the same names and with the same clock; one line of JSON a
// case.
#include <cstdlib>
#include <functional>

#include <gparray/gparray.hpp>
#include <gparray/sparse.hpp>

#include "../examples/options.hpp"
#include "kernel_cases.hpp"
#include "product_cases.hpp"
#include "suite.hpp"

namespace gp = gparray;
using bench::numbers;
using bench::suite;

namespace {

template<class V>
void elementwise(const suite& s, const std::string& type) {
  for (const auto& [n, tag] :
       {std::pair{1'000, "1e3"}, {1'000'000, "1e6"}, {10'000'000, "1e7"}, {100'000'000, "1e8"}}) {
    s.add(fmt::format("sin_{}_{}", type, tag),
          [n = n] { return [x = numbers<V>(n)] { gp::eval(gp::sin(x)); }; });
    s.add(fmt::format("add_{}_{}", type, tag),
          [n = n] { return [x = numbers<V>(n), y = numbers<V>(n)] { gp::eval(x + y); }; });
  }
}

void matrices(const suite& s, int n) {
  using array = gp::ndarray<float>;
  const auto square = [n] { return numbers<float>({n, n}); };
  const auto name = [n](const char* what) { return fmt::format("{}_f32_{}", what, n); };
  s.add(name("fused3"),
        [&] { return [a = square(), b = square()] { gp::eval(a * b + gp::sin(a) + gp::cos(b)); }; });
  s.add(name("sum"), [&] { return [a = square()] { gp::eval(gp::sum(a)); }; });
  s.add(name("sum0"), [&] { return [a = square()] { gp::eval(gp::sum(a, 0)); }; });
  s.add(name("sum1"), [&] { return [a = square()] { gp::eval(gp::sum(a, 1)); }; });
  s.add(name("sum_mean_std"),
        [&] { return [a = square()] { gp::eval(gp::sum(a), gp::mean(a), gp::std(a)); }; });
  s.add(name("bcast_add"),
        [&] { return [a = numbers<float>({n, 1}), b = numbers<float>({1, n})] { gp::eval(a + b); }; });
  s.add(name("transpose_copy"), [&] { return [a = square()] { a.T().copy(gp::order::C); }; });
}

/// Microseconds of one step of examples/heat_diffusion.cpp, whose norm is waited for in every step: the
/// median of several runs, for such a step follows whatever else the host does.
void heat(const suite& s) {
  const std::string name = "heat_jacobi_256";
  if (!s.wanted(name)) return;
  const int n = 256;
  const double dx = 1.0 / n;
  gp::ndarray<double> p, f = gp::zeros({n, n});
  f(n / 2, n / 2) = 10000;
  const auto steps = [&](int count) {
    p = gp::zeros({n, n});
    const double start = bench::seconds_now();
    for (int i = 0; i < count; ++i) {
      gp::ndarray<double> p_new = p.copy();
      p_new("1:-1, 1:-1") = 0.25 * (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:") +
                                    dx * dx * f("1:-1, 1:-1"));
      const double change = gp::linalg::norm(p_new - p).item();
      p = p_new;
      if (change < 1e-4) break;
    }
    return (bench::seconds_now() - start) / count * 1e6;
  };
  steps(50);
  gp::wait_for_kernels();
  std::vector<double> runs;
  for (int i = 0; i < 9; ++i) runs.push_back(steps(500));
  const double us = bench::median(runs);
  bench::emit(s.peer(), name, {us, us});
}

/// A thousand iterations of a loop that the device repeats: what one takes, and what its parts would take
/// alone.
void loops(const suite& s) {
  struct state {
    gp::ndarray<double> p, p_new, x = gp::zeros({});
    gp::ndarray<bool> go = gp::full({}, true);
    explicit state(std::int64_t n) : p(gp::zeros({n, n})), p_new(gp::zeros({n, n})) { p(n / 2, n / 2) = 1.0; }
    void stencil() {
      p_new("1:-1, 1:-1") =
          0.25 * (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:") + 0.5 * p("1:-1, 1:-1"));
    }
    void compare() { go(gp::ellipsis) = gp::logical_not(gp::linalg::norm(p_new - p) < -1.0); }
    void copy() { p(gp::ellipsis) = p_new; }
  };
  const auto add = [&](const std::string& name, std::int64_t n, void (*body)(state&)) {
    s.add("loop_" + name + "_x1000", [=] {
      const auto of = std::make_shared<state>(n);
      const auto work = [=] { gp::while_loop(of->go, [=] { body(*of); }, {.max_iterations = 1000}); };
      return [g = std::make_shared<gp::graph>(gp::capture(work))] { g->launch(); };
    });
  };
  add("scalar", 2, [](state& a) { a.x += 1.0; });
  add("scalar_chain_4", 2, [](state& a) {
    for (int i = 0; i < 4; ++i) a.x += 1.0;
  });
  for (const int n : {64, 128, 256, 384, 512, 768, 1024}) {
    add(fmt::format("heat_{}", n), n, [](state& a) { a.stencil(), a.compare(), a.copy(); });
    add(fmt::format("stencil_{}", n), n, [](state& a) { a.stencil(); });
    add(fmt::format("norm_{}", n), n, [](state& a) { a.compare(); });
    add(fmt::format("copy_{}", n), n, [](state& a) { a.copy(); });
  }
}

void memory(const suite& s) {
  s.add("empty_1MiB", [] { return [] { gp::empty<float>(262144); }; });
  s.add("item_f64", [] { return [x = gp::ones<double>({})] { x.item(); }; });
  for (const auto& [n, tag] : {std::pair{1000, "1e3"}, {1'000'000, "1e6"}})
    s.add(fmt::format("sum_item_f32_{}", tag),
          [n = n] { return [x = numbers<float>(n)] { gp::sum(x).item(); }; });
  s.add("norm_item_f64_256x256", [] {
    return [x = gp::ones<double>({256, 256}), y = gp::zeros<double>({256, 256})] {
      gp::linalg::norm(x - y).item();
    };
  });
  for (const auto& [n, tag] : {std::pair{1 << 15, "256KiB"}, {1 << 17, "1MiB"}, {1 << 19, "4MiB"}})
    s.add(fmt::format("copy_d2d_{}", tag), [n = n] { return [x = gp::ones<double>(n)] { x.copy(); }; });
  s.add("copy_d2d_1GiB", [] {
    const std::int64_t n = std::int64_t{1} << 28;
    return [from = gp::zeros<float>(n), to = gp::zeros<float>(n)] { to(gp::ellipsis) = from; };
  });
}

void orders(const suite& s) {
  for (const auto& [n, tag] : {std::pair{1'000'000, "1e6"}, {100'000'000, "1e8"}}) {
    const auto of_one = [&, n = n](const char* what, auto call) {
      s.add(fmt::format("{}_f32_{}", what, tag),
            [=] { return [=, a = numbers<float>(n)] { call(a).eval(); }; });
    };
    of_one("sort", [](const auto& a) { return gp::sort(a); });
    of_one("argsort", [](const auto& a) { return gp::argsort(a); });
    of_one("cumsum", [](const auto& a) { return gp::cumsum(a); });
    of_one("argmax", [](const auto& a) { return gp::argmax(a); });
    const auto of_indices = [&, n = n](const char* what, auto call) {
      s.add(fmt::format("{}_f32_{}", what, tag), [=] {
        return [=, a = numbers<float>(n), i = gp::random::default_rng(1).integers(0, n, n)] { call(a, i); };
      });
    };
    of_indices("take", [](const auto& a, const auto& i) { gp::take(a, i).eval(); });
    of_indices("index", [](const auto& a, const auto& i) { gp::eval(a(i)); });
  }
}

/// Scans along either axis, sums at indices that repeat, counts, and sums of narrow columns.
void scans(const suite& s) {
  using indices = gp::ndarray<std::int64_t>;
  s.add("cumsum0_f32_8192",
        [] { return [a = numbers<float>(8192 * 8192).reshape({8192, 8192})] { gp::cumsum(a, 0); }; });
  s.add("cumprod1_f64_1e5x64",
        [] { return [a = numbers<double>(6'400'000).reshape({100'000, 64})] { gp::cumprod(a, 1); }; });
  s.add("cummax_f32_1e7",
        [] { return [a = numbers<float>(10'000'000)] { gp::ufuncs::maximum.accumulate(a); }; });
  s.add("sum0_f32_1e6x8",
        [] { return [a = numbers<float>(8'000'000).reshape({1'000'000, 8})] { gp::sum(a, 0).eval(); }; });
  s.add("histogram_100_f32_1e7", [] { return [a = numbers<float>(10'000'000)] { gp::histogram(a, 100); }; });
  const auto into_1e5 = [&](const char* what, auto call) {
    s.add(fmt::format("{}_1e7_into_1e5", what), [=] {
      const indices i = gp::random::default_rng(1).integers(0, 100'000, 10'000'000);
      return [=] { call(i); };
    });
  };
  into_1e5("add_at_f32", [to = gp::zeros<float>(100'000), values = numbers<float>(10'000'000)](
                             const indices& i) { gp::ufuncs::add.at(to, i, values); });
  into_1e5("add_at_i64", [to = gp::zeros<std::int64_t>(100'000), values = gp::arange(10'000'000)](
                             const indices& i) { gp::ufuncs::add.at(to, i, values); });
  into_1e5("bincount_f64",
           [weights = numbers<double>(10'000'000)](const indices& i) { gp::bincount(i, weights); });
  into_1e5("bincount", [](const indices& i) { gp::bincount(i); });
}

/// What is found among elements without sorting them all, and sums of exponentials.
void selections(const suite& s) {
  const auto of_shape = [&](const char* what, const gp::dims& shape, const char* tag, auto call) {
    s.add(fmt::format("{}_f32_{}", what, tag), [=] { return [=, a = numbers<float>(shape)] { call(a); }; });
  };
  const std::vector<double> q{.05, .25, .5, .75, .95};
  of_shape("topk", {10'000'000}, "1e7", [](const auto& a) { gp::topk(a, 100); });
  of_shape("quantile", {10'000'000}, "1e7", [](const auto& a) { gp::quantile(a, .3).eval(); });
  of_shape("quantiles", {10'000'000}, "1e7", [q](const auto& a) { gp::quantile(a, q).eval(); });
  for (const auto& [rows, n, tag] : {std::tuple{1000, 10000, "1000x10000"}, {16384, 1000, "16384x1000"}}) {
    of_shape("topk", {rows, n}, tag, [](const auto& a) { gp::topk(a, 10); });
    of_shape("median", {rows, n}, tag, [](const auto& a) { gp::median(a, 1).eval(); });
    of_shape("quantiles", {rows, n}, tag, [q](const auto& a) { gp::quantile(a, q, 1).eval(); });
    of_shape("softmax", {rows, n}, tag, [](const auto& a) { gp::softmax(a, 1).eval(); });
    of_shape("log_softmax", {rows, n}, tag, [](const auto& a) { gp::log_softmax(a, 1).eval(); });
    of_shape("logsumexp", {rows, n}, tag, [](const auto& a) { gp::logsumexp(a, 1).eval(); });
  }
  s.add("quantiles_f64_1e7",
        [q] { return [q, a = numbers<double>(10'000'000)] { gp::quantile(a, q).eval(); }; });
  s.add("polyval_f64_1e6", [] {
    return [p = numbers<double>(32), a = numbers<double>(1'000'000)] { gp::polyval(p, a).eval(); };
  });
}

template<class V>
void random_numbers(const suite& s, const std::string& type) {
  for (const auto& [n, tag] : {std::pair{10'000'000, "1e7"}, {100'000'000, "1e8"}}) {
    s.add(fmt::format("rand_{}_{}", type, tag),
          [n = n] { return [n, rng = gp::random::default_rng(1)]() mutable { rng.random<V>(n); }; });
    s.add(fmt::format("normal_{}_{}", type, tag),
          [n = n] { return [n, rng = gp::random::default_rng(1)]() mutable { rng.standard_normal<V>(n); }; });
  }
}

/// The library routines, with the residuals that peers.py computes.
template<class V>
void routines(const suite& s, const std::string& type, int n) {
  const auto name = [&](const char* what) { return fmt::format("{}_{}_{}", what, type, n); };
  const auto ratio = [](const auto& difference, const auto& of) {
    return static_cast<double>(gp::linalg::norm(difference).item() / gp::linalg::norm(of).item());
  };
  const auto when_wanted = [&](const char* what, auto&& run_case) {
    if (!s.wanted(name(what))) return;
    const gp::ndarray<V> a = gp::random::default_rng(1).random<V>({n, n});
    run_case(name(what), a);
  };
  when_wanted("fft2", [&](const std::string& text, const auto& a) {
    s.add_checked(
        text, [&] { return gp::fft::fft2(a); },
        [&](const auto& x) { return ratio(gp::real(gp::fft::ifft2(x)) - a, a); });
  });
  when_wanted("solve", [&](const std::string& text, const auto& x) {
    const gp::ndarray<V> a = gp::matmul(x.T(), x) + gp::eye<V>(n), b = x(0).copy();
    s.add_checked(
        text, [&] { return gp::linalg::solve(a, b); },
        [&](const auto& y) {
          const double scale = gp::linalg::norm(a).item() * gp::linalg::norm(y).item();
          return gp::linalg::norm(gp::matmul(a, y) - b).item() / scale;
        });
  });
  when_wanted("qr", [&](const std::string& text, const auto& a) {
    s.add_checked(
        text, [&] { return gp::linalg::qr(a); },
        [&](const auto& f) { return ratio(gp::matmul(f.Q, f.R) - a, a); });
  });
  when_wanted("svd", [&](const std::string& text, const auto& a) {
    s.add_checked(
        text, [&] { return gp::linalg::svd(a, {.full_matrices = false}); },
        [&](const auto& f) { return ratio(gp::matmul(f.U * f.S, f.Vh) - a, a); });
  });
  when_wanted("eigh", [&](const std::string& text, const auto& x) {
    const gp::ndarray<V> a = x + x.T();
    s.add_checked(
        text, [&] { return gp::linalg::eigh(a); },
        [&](const auto& f) {
          return ratio(gp::matmul(f.eigenvectors * f.eigenvalues, f.eigenvectors.T()) - a, a);
        });
  });
}

/// The 5-point Laplacian of 3162 x 3162 points times a vector, and products of random matrices.
void sparse_products(const suite& s) {
  s.add("spmv_f32_1e7", [] {
    const std::int64_t side = 3162, n = side * side;
    // No point has a neighbour beyond the end of its row.
    gp::ndarray<float> beside = gp::full<float>({n}, -1.f);
    beside(gp::slice(side - 1, gp::none, side)) = 0.f;
    const gp::ndarray<float> next = beside(gp::slice(0, n - 1)).copy();
    auto a = gp::sparse::diags<float>({-1.f, next, 4.f, next, -1.f}, {-side, -1, 0, 1, side}, {{n, n}});
    a.eliminate_zeros();
    return [a, x = numbers<float>(n)] { gp::matmul(a, x); };
  });
  for (const std::int64_t n : {100, 500, 512, 1024, 2048})
    s.add(fmt::format("spgemm_f32_{}", n), [n] {
      auto rng = gp::random::default_rng(1);
      const auto a = gp::sparse::random<float>(n, n, 0.01, rng),
                 b = gp::sparse::random<float>(n, n, 0.01, rng);
      return [a, b] { gp::matmul(a, b); };
    });
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Times gparray on the workloads of peers.py.");
  const gp::device device(options.value("--device", gp::default_device().str(), "cpu or cuda:0"));
  const std::string only =
      options.value("--only", "", "run the cases whose name contains one of these, separated by commas");
  const int threads = options.value("--threads", 0, "threads of the CPU backend; 0 leaves the choice to it");
  const bool quick = options.flag("--quick", "leave out the largest cases");
  options.finish();
  // Read when the backend is first used.
  if (threads > 0) setenv("GPARRAY_NUM_THREADS", std::to_string(threads).c_str(), 1);
  gp::set_default_device(device);

  const suite s(device, only, quick);
  if (const char* name = std::getenv(bench::first_use_variable))
    return bench::first_use_case(s, name), EXIT_SUCCESS;
  elementwise<float>(s, "f32");
  elementwise<double>(s, "f64");
  for (const int n : {100, 1000, 5000, 10000}) matrices(s, n);
  bench::products(s);
  heat(s);
  loops(s);
  memory(s);
  orders(s);
  scans(s);
  selections(s);
  random_numbers<float>(s, "f32");
  random_numbers<double>(s, "f64");
  for (const int n : {100, 512, 1024, 2048}) {
    routines<float>(s, "f32", n);
    routines<double>(s, "f64", n);
  }
  sparse_products(s);
  if (!device.is_cpu()) bench::kernel_cases(s, argv[0], device.str());
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
