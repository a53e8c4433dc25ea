// Whether numbers are real, and arrays what they should be, against NumPy.
#include <cmath>
#include <complex>

#include <gparray/math/logic.hpp>

#include "support/golden.hpp"

namespace gp = gparray;

namespace {

gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }

}  // namespace

TEST_CASE("real, complex and finite numbers") {
  using z = std::complex<double>;
  const gp::ndarray<z> c{z(1, 0), z(0, 1)};
  GOLDEN("np.isreal(A([1, 1j]))", gp::ndarray<bool>(gp::isreal(c)));
  GOLDEN("np.iscomplex(A([1, 1j]))", gp::ndarray<bool>(gp::iscomplex(c)));
  GOLDEN("np.isreal(v)", gp::ndarray<bool>(gp::isreal(gp::arange(5))));
  CHECK(gp::iscomplexobj(c));
  CHECK(gp::isrealobj(1.5));
  CHECK(gp::isscalar(3));
  CHECK_FALSE(gp::isscalar(c));
  CHECK(gp::isfortran(cube().T()));
  CHECK_FALSE(gp::isfortran(gp::arange(3)));
  CHECK(gp::asarray_chkfinite(c).size() == 2);
  CHECK_THROWS_WITH_AS(gp::asarray_chkfinite(gp::array({1., std::nan("")})),
                       "array must not contain infs or NaNs", gp::value_error);
}
