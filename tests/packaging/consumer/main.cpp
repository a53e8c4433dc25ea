// A user's program: one include, one fused expression, one reduction, one exception across the library's
// edge.
#include <cstdio>

#include <gparray/gparray.hpp>

namespace gp = gparray;

int main() {
  auto a = gp::arange<double>(9).reshape({3, 3});
  const double total = gp::sum(a * 2.0 + 1.0).item();  // 2 * 36 + 9
  if (total != 81.0) return std::printf("the sum is %g, not 81\n", total), 1;
  try {
    a.reshape({2, 2});
    return std::puts("a reshape of 9 elements to 4 was accepted"), 1;
  } catch (const gp::value_error&) {
  }
  std::puts("gparray works");
}
