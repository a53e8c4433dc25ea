// GPARRAY_UFUNC on the default device, against plain loops.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include <cmath>

namespace gp = gparray;

namespace functions {
GPARRAY_UFUNC(axpy1, (x, y), T(2) * x + y);
GPARRAY_UFUNC(root, (x), sqrt(x) + T(M_PI));
}  // namespace functions

TEST_CASE("user ufunc: first") {
  gp::ndarray<float> a = gp::arange<float>(1000), b = gp::ones<float>({1000});
  gp::ndarray<float> c = functions::axpy1(a, b) * 2.f;
  CHECK(c.item(7) == 30);
  CHECK(std::string(functions::gparray_ufunc_root::function.expression).find("3.14") != std::string::npos);
}
