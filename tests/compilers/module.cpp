// A user's program that imports the module.
#include <cstdio>

import gparray;

namespace gp = gparray;

int main() {
  auto a = gp::arange<double>(9).reshape({3, 3});
  gp::ndarray<double> b = gp::sqrt(a) * 2.0 + a(gp::all, gp::newaxis, 0);
  b("1:, ::2") = 0.0;
  const gp::ndarray<double> m{{2, 1}, {1, 3}};
  const double total = gp::sum(gp::matmul(m, m)).item() + gp::max(b, 1)(1).item();
  const gp::sparse::csr_matrix<double> s(m);
  if (total != 32.0 || s.nnz() != 4) return std::printf("the sum is %g, not 32\n", total), 1;
  try {
    (void)a.reshape({2, 2});
    return std::puts("a reshape of 9 elements to 4 was accepted"), 1;
  } catch (const gp::value_error&) {
  }
  std::puts("gparray works");
}
