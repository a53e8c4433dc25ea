// One operation of each family, with the number that comes out of it: for programs that end, or run out of
// memory, at any of them.
#pragma once
#include <complex>
#include <cstdio>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

#include <gparray/gparray.hpp>
#include <gparray/sparse/linalg.hpp>

namespace ends {

namespace gp = gparray;

struct operation {
  const char* name;
  double (*run)();
  double expected;
};

/// A file of this process and no other, removed at the end of the scope.
struct temporary_file {
  explicit temporary_file(const char* ending)
      : path("/tmp/gparray_ends_" + std::to_string(getpid()) + "_" + std::to_string(gettid()) + ending) {}
  ~temporary_file() { std::remove(path.c_str()); }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  std::string path;
};

using doubles = gp::ndarray<double>;

/// The identity, twice: n x n.
inline doubles twice(std::int64_t n) { return gp::eye(n) * 2.; }
/// 0, 1, ... 96, in a mixed order, again and again.
inline doubles mixed(std::int64_t n) { return (gp::arange<double>(n) * 89.) % 97.; }

// Sizes: of one block, of so many that threads share them, of what a library computes.
inline constexpr operation operations[] = {
    {"an expression", [] { return gp::sum(gp::arange<double>(8) + gp::arange<double>(8)).item(); }, 56},
    {"a pending name",
     [] {
       const doubles a = gp::arange<double>(8);
       const auto b = a + a;
       const auto c = b * 2. + a;
       return b.sum().item() + c.sum().item();
     },
     196},
    {"a pending name that is written to",
     [] {
       doubles a = gp::arange<double>(8);
       const auto b = a + a;
       a += 1.;
       return b.sum().item() + a.sum().item();
     },
     92},
    {"functions", [] { return gp::sum(gp::exp(gp::sin(gp::zeros({100})))).item(); }, 100},
    {"integers and bools",
     [] {
       const auto a = gp::arange<std::int32_t>(100);
       return static_cast<double>(gp::sum((a % 7 == 0) & (a > 50)).item());
     },
     7},
    {"threads", [] { return gp::sum(gp::ones({200, 2000}).T() * 2. + gp::ones({2000, 200})).item(); },
     1200000},
    {"rows", [] { return gp::max(gp::sum(gp::ones({50, 40}), 0)).item(); }, 50},
    {"columns", [] { return gp::max(gp::sum(gp::ones({50, 40}), 1)).item(); }, 40},
    {"var", [] { return gp::var(gp::arange<double>(5)).item(); }, 2},
    {"minmax",
     [] {
       const auto [least, most] = gp::minmax(mixed(97));
       return most.item() - least.item();
     },
     96},
    {"argmax", [] { return static_cast<double>(gp::argmax(-gp::arange<double>(100)).item()); }, 0},
    {"cumsum", [] { return gp::cumsum(gp::arange<double>(100)).item(99); }, 4950},
    {"sort", [] { return gp::sort(mixed(194)).item(2); }, 1},
    {"argsort", [] { return static_cast<double>(gp::argsort(mixed(50000)).item(0)); }, 0},
    {"median", [] { return gp::median(mixed(97)).item(); }, 48},
    {"unique", [] { return static_cast<double>(gp::unique(mixed(1000)).size()); }, 97},
    {"searchsorted",
     [] { return static_cast<double>(gp::searchsorted(gp::arange<double>(100), doubles{50.5}).item(0)); },
     51},
    {"histogram", [] { return static_cast<double>(gp::sum(gp::histogram(mixed(970), 10).hist).item()); },
     970},
    {"a product of integers",
     [] {
       const auto a = gp::ones<std::int64_t>({20, 20});
       return static_cast<double>(gp::sum(gp::matmul(a, a)).item());
     },
     8000},
    {"a product of BLAS",
     [] {
       const doubles a = gp::ones({20, 20});
       return gp::sum(gp::matmul(a, a)).item();
     },
     8000},
    {"a large product",
     [] {
       const doubles a = gp::ones({150, 150});
       return gp::sum(gp::matmul(a, a)).item();
     },
     150. * 150 * 150},
    {"einsum",
     [] {
       const doubles a = gp::ones({20, 20});
       return gp::sum(gp::einsum("ij,kj,k->ik", a, a, gp::ones({20}))).item();
     },
     8000},
    {"solve", [] { return gp::sum(gp::linalg::solve(twice(20), gp::ones({20}))).item(); }, 10},
    {"inv", [] { return gp::sum(gp::linalg::inv(twice(20))).item(); }, 10},
    {"svd", [] { return gp::sum(gp::linalg::svdvals(twice(20))).item(); }, 40},
    {"eigh", [] { return gp::sum(gp::linalg::eigvalsh(twice(20))).item(); }, 40},
    {"qr", [] { return gp::abs(gp::sum(gp::linalg::qr(twice(20)).R)).item(); }, 40},
    {"lstsq", [] { return gp::sum(gp::linalg::lstsq(twice(20), gp::ones({20})).x).item(); }, 10},
    {"fft", [] { return gp::real(gp::fft::fft(gp::ones({64}))).item(0); }, 64},
    {"irfft",
     []() -> double { return gp::sum(gp::fft::irfft(gp::fft::rfft(gp::ones<float>({8, 30})))).item(); }, 240},
    {"fft of a prime length", [] { return gp::real(gp::fft::fft(gp::ones({10007}))).item(0); }, 10007},
    {"random",
     [] {
       gp::random::Generator one(1), same(1);
       return gp::sum(gp::abs(one.random({1000}) - same.random({1000}))).item() +
              static_cast<double>(gp::random::rand(3, 4).size());
     },
     12},
    {"shuffle", [] { return gp::sum(gp::random::permutation(doubles(gp::arange<double>(100)))).item(); },
     4950},
    {"sparse products",
     [] {
       const gp::sparse::csr_matrix<double> a(twice(20));
       return gp::sum(gp::matmul(a, gp::ones({20}))).item() + gp::sum(gp::matmul(a, a).toarray()).item();
     },
     120},
    {"sparse sums",
     [] {
       const gp::sparse::csr_matrix<double> a(twice(20));
       return gp::sum((a + a).tocsc().toarray()).item();
     },
     80},
    {"spsolve",
     [] {
       const gp::sparse::csc_matrix<double> a(twice(20));
       return gp::sum(gp::sparse::linalg::spsolve(a, gp::ones({20}))).item();
     },
     10},
    {"npy files",
     [] {
       const temporary_file file(".npy");
       gp::save(file.path, gp::arange<double>(100));
       return gp::sum(gp::load<double>(file.path)).item();
     },
     4950},
    {"compressed npz files",
     [] {
       const temporary_file file(".npz");
       gp::savez_compressed(file.path, {{"a", gp::any_array(gp::ones({1000}).eval())}});
       return gp::sum(doubles(gp::load_npz(file.path).at("a"))).item();
     },
     1000},
    {"text files",
     [] {
       const temporary_file file(".txt");
       gp::savetxt(file.path, gp::ones({10, 10}));
       return gp::sum(gp::loadtxt<double>(file.path)).item();
     },
     100},
    {"text", [] { return static_cast<double>(gp::array_str(gp::arange<double>(5)).size()); }, 16},
    {"masks",
     [] {
       doubles a = gp::arange<double>(100);
       const auto large = a(a > 49.);
       const double before = gp::sum(large).item();
       a(a > 49.) = 0.;
       return before - gp::sum(a).item();
     },
     3725 - 1225},
    {"index arrays",
     [] {
       doubles a = gp::arange<double>(100);
       const gp::ndarray<std::int64_t> indices{5, 50, 99};
       a(indices) = -1.;
       return gp::sum(a(indices)).item() + gp::sum(gp::take(gp::arange<double>(100), indices)).item();
     },
     151},
    {"slices",
     [] {
       doubles a = gp::zeros({10, 10});
       a("1:-1, ::2") = 3.;
       return gp::sum(a).item();
     },
     120},
    {"joining",
     [] {
       const doubles a = gp::ones({10, 3});
       return gp::sum(gp::pad(gp::concatenate({a, a}, 1), 2)).item() +
              static_cast<double>(gp::tile(a, {2, 2}).size());
     },
     180},
    {"choices", [] { return gp::sum(gp::where(mixed(97) > 48., 1., 0.)).item(); }, 48},
    {"convolution", [] { return gp::sum(gp::convolve(gp::ones({50}), gp::ones({20}))).item(); }, 1000},
    {"polynomials",
     [] { return gp::polyfit(gp::arange<double>(9), gp::arange<double>(9) * 2. + 1., 1).item(1); }, 1},
    {"DLPack",
     [] {
       auto* const tensor = gp::to_dlpack(gp::ones({10}));
       const auto taken = [tensor] {
         try {
           return gp::from_dlpack(tensor);
         } catch (...) {
           tensor->deleter(tensor);  // it is still the caller's
           throw;
         }
       }();
       return gp::sum(doubles(taken)).item();
     },
     10},
    {"lists",
     [] {
       const doubles a{{1, 2}, {3, 4}};
       const std::vector<double> elements = a.T().to_vector();
       return elements[1];
     },
     3},
    {"streams",
     [] {
       const gp::stream other;
       const gp::stream_guard on(other);
       const doubles a = gp::ones({100}) * 2.;
       gp::event done;
       done.record(other);
       done.synchronize();
       return gp::sum(a).item();
     },
     200},
    {"graphs",
     [] {
       doubles x = gp::zeros({8});
       gp::graph g = gp::capture([&] { x("...") = x + 1.; });
       g.launch();
       g.launch();
       return gp::sum(x).item();
     },
     16},
    {"a function of one's own",
     [] { return gp::sum(gp::vectorize([](double v) { return v + 1; })(gp::ones({10}))).item(); }, 20},
    {"explain", [] { return gp::explain(gp::ones({10}) + 1.).empty() ? 0. : 1.; }, 1},
};

/// Whether the operation gives what it should; says so if it does not.
inline bool right(const operation& o) {
  const double found = o.run();
  // Of factorisations and transforms the last bits are the library's.
  if (std::abs(found - o.expected) <= 1e-9 * (1 + std::abs(o.expected))) return true;
  std::fprintf(stderr, "%s: %.17g instead of %.17g\n", o.name, found, o.expected);
  return false;
}

}  // namespace ends
