// Functions that were an order of magnitude behind on a GPU: the cases of peer_gpu_functions.py in gparray,
// under the same names and with the same clock; one line of JSON a case.
#include <gparray/gparray.hpp>

#include "../examples/options.hpp"
#include "suite.hpp"

namespace gp = gparray;
using bench::numbers;
using bench::suite;

namespace {

constexpr std::int64_t million = 1'000'000;

void orders(const suite& s) {
  s.add("permutation_1e6",
        [] { return [rng = gp::random::default_rng(1)]() mutable { rng.permutation(million); }; });
  s.add("shuffle_f32_1e6", [] {
    return [rng = gp::random::default_rng(1), x = numbers<float>({million})]() mutable { rng.shuffle(x); };
  });
  s.add("unique_i64_1e7", [] {
    return [x = gp::random::default_rng(1).integers(0, million, 10 * million)] { gp::unique(x); };
  });
  s.add("unique_counts_i64_1e6",
        [] { return [x = gp::random::default_rng(1).integers(0, 1000, million)] { gp::unique_counts(x); }; });
}

/// Well-conditioned matrices.
template<class V>
gp::ndarray<V> matrices(std::int64_t count, std::int64_t n) {
  return (numbers<V>({count, n, n}) + gp::eye<V>(n) * V(n)).eval();
}

/// A step of a Kalman filter of four states and two observations, in NumPy's words.
void kalman(const suite& s) {
  s.add("kalman_step_4", [] {
    const auto f = (gp::eye(4) + gp::eye(4, 4, 2) * 0.1).eval(), q = (gp::eye(4) * 0.01).eval(),
               h = gp::eye(2, 4), r = (gp::eye(2) * 0.1).eval(), z = gp::ones(2);
    return [=, x = gp::zeros(4), p = gp::eye(4)]() mutable {
      x = gp::matmul(f, x);
      p = gp::matmul(gp::matmul(f, p), f.T()) + q;
      const gp::ndarray<double> innovation = gp::matmul(gp::matmul(h, p), h.T()) + r;
      const gp::ndarray<double> gain = gp::matmul(gp::matmul(p, h.T()), gp::linalg::inv(innovation));
      x = x + gp::matmul(gain, z - gp::matmul(h, x));
      p = gp::matmul(gp::eye(4) - gp::matmul(gain, h), p);
    };
  });
}

void small_matrices(const suite& s) {
  kalman(s);
  for (const std::int64_t n : {4, 16, 32}) {
    s.add(fmt::format("solve_f64_{}", n), [=] {
      return [a = matrices<double>(1, n)(0).copy(), b = gp::ones(n)] { gp::linalg::solve(a, b); };
    });
    s.add(fmt::format("inv_f64_{}", n),
          [=] { return [a = matrices<double>(1, n)(0).copy()] { gp::linalg::inv(a); }; });
    s.add(fmt::format("inv_f64_1000x{}", n),
          [=] { return [a = matrices<double>(1000, n)] { gp::linalg::inv(a); }; });
    s.add(fmt::format("solve_f64_1000x{}", n), [=] {
      return [a = matrices<double>(1000, n), b = gp::ones({1000, n, 1})] { gp::linalg::solve(a, b); };
    });
    s.add(fmt::format("det_f64_1000x{}", n),
          [=] { return [a = matrices<double>(1000, n)] { gp::linalg::det(a).eval(); }; });
    s.add(fmt::format("cholesky_f64_1000x{}", n), [=] {
      const auto a = matrices<double>(1000, n);
      return [a = gp::matmul(a, gp::swapaxes(a, 1, 2))] { gp::linalg::cholesky(a); };
    });
    s.add(fmt::format("eigh_f64_1000x{}", n), [=] {
      const auto a = numbers<double>({1000, n, n});
      return [a = (a + gp::swapaxes(a, 1, 2)).eval()] { gp::linalg::eigh(a); };
    });
    s.add(fmt::format("matmul_f32_{}", n),
          [=] { return [a = numbers<float>({n, n})] { gp::matmul(a, a).eval(); }; });
  }
  s.add("matmul_f32_100000x4", [] {
    return [a = numbers<float>({100'000, 4, 4}), b = numbers<float>({100'000, 4, 4})] {
      gp::matmul(a, b).eval();
    };
  });
  s.add("matmul_f64_100000x4", [] {
    return [a = numbers<double>({100'000, 4, 4}), b = numbers<double>({100'000, 4, 4})] {
      gp::matmul(a, b).eval();
    };
  });
  s.add("matmul_f32_10000x8", [] {
    return
        [a = numbers<float>({10'000, 8, 8}), b = numbers<float>({10'000, 8, 8})] { gp::matmul(a, b).eval(); };
  });
  s.add("matvec_f32_8192", [] {
    return [a = numbers<float>({8192, 8192}), x = numbers<float>({8192})] { gp::matmul(a, x).eval(); };
  });
}

void sums_of_products(const suite& s) {
  const auto pair = [](std::int64_t m, std::int64_t n) {
    return std::pair{numbers<float>({m, n}), (numbers<float>({m, n}) + 0.5f).eval()};
  };
  s.add("einsum_ij_ij_i_1e6x32",
        [=] { return [p = pair(million, 32)] { gp::einsum("ij,ij->i", p.first, p.second).eval(); }; });
  s.add("einsum_ij_ij_1e6x32",
        [=] { return [p = pair(million, 32)] { gp::einsum("ij,ij->", p.first, p.second).eval(); }; });
  s.add("einsum_i_j_ij_4000",
        [] { return [x = numbers<float>({4000})] { gp::einsum("i,j->ij", x, x).eval(); }; });
  s.add("vecdot_1e6x32", [=] { return [p = pair(million, 32)] { gp::vecdot(p.first, p.second).eval(); }; });
  s.add("cross_f32_1e6",
        [=] { return [p = pair(million, 3)] { gp::eval(gp::linalg::cross(p.first, p.second)); }; });
  s.add("convolve_f64_1e6x64", [] {
    return [x = numbers<double>({million}), w = numbers<double>({64})] { gp::convolve(x, w).eval(); };
  });
  s.add("convolve_f32_1e6x64", [] {
    return [x = numbers<float>({million}), w = numbers<float>({64})] { gp::convolve(x, w).eval(); };
  });
  s.add("interp_1e6_in_1e4", [] {
    return [x = numbers<double>({million}), xp = gp::linspace(0, 1, 10'000), fp = numbers<double>({10'000})] {
      gp::interp(x, xp, fp).eval();
    };
  });
}

void moves(const suite& s) {
  s.add("concatenate_10_f32_1e5", [] {
    std::vector<gp::ndarray<float>> parts;
    for (int i = 0; i < 10; ++i) parts.push_back(numbers<float>({100'000}));
    return [parts] { gp::concatenate(parts).eval(); };
  });
  s.add("stack_10_f32_1e5", [] {
    std::vector<gp::ndarray<float>> parts;
    for (int i = 0; i < 10; ++i) parts.push_back(numbers<float>({100'000}));
    return [parts] { gp::stack(parts, 1).eval(); };
  });
  s.add("repeat_f32_1e6x8", [] { return [x = numbers<float>({million})] { gp::repeat(x, 8).eval(); }; });
  s.add("nonzero_bool_1e7",
        [] { return [x = (numbers<float>({10 * million}) > 0.5f).eval()] { gp::nonzero(x); }; });
  s.add("argwhere_bool_3000",
        [] { return [x = (numbers<float>({3000, 3000}) > 0.5f).eval()] { gp::argwhere(x).eval(); }; });
  const auto indices = [](std::int64_t n) { return gp::random::default_rng(1).integers(0, n, million); };
  s.add("put_1e6", [=] {
    return [x = numbers<float>({million}), i = indices(million), y = numbers<float>({million})] { x(i) = y; };
  });
  s.add("gather_2_indices_1e6", [=] {
    return [x = numbers<float>({1000, 1000}), i = indices(1000), j = indices(1000)] { gp::eval(x(i, j)); };
  });
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Times functions on a GPU, as peer_gpu_functions.py those of its peers.");
  const gp::device device(options.value("--device", gp::default_device().str(), "cpu or cuda:0"));
  const std::string only =
      options.value("--only", "", "run the cases whose name contains one of these, separated by commas");
  const bool quick = options.flag("--quick", "leave out the largest cases");
  options.finish();
  gp::set_default_device(device);
  const suite s(device, only, quick);
  orders(s);
  small_matrices(s);
  sums_of_products(s);
  moves(s);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
