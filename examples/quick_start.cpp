// The program of the README: NumPy's arrays in C++, on the GPU if there is one.
#include <gparray/format.hpp>
#include <gparray/gparray.hpp>

namespace gp = gparray;

int main() {
  auto a = gp::arange<float>(9).reshape({3, 3});
  gp::ndarray<float> b = gp::sqrt(a) * 2.f + a(gp::all, gp::newaxis, 0);  // one expression, one pass
  b("1:, ::2") = 0.f;  // NumPy's slice text; writes through the view
  fmt::print("{}\n", b);

  auto rows = gp::sum(a, 1);
  auto spread = gp::std(a, {.ddof = 1});
  fmt::print("row sums {}, spread {}\n", rows, spread.item());

  gp::ndarray<double> m{{2, 1}, {1, 3}};
  fmt::print("m @ m =\n{}\n", gp::matmul(m, m));
  fmt::print("largest column sum {}\n", gp::max(gp::sum(gp::abs(m), 0)).item());
}
