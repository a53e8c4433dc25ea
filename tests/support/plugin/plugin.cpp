// A library that a program loads and unloads, with functions of its own.
#include <gparray/ndarray.hpp>
#include <gparray/ufunc/operators.hpp>
#include <gparray/ufunc/user_ufunc.hpp>

namespace gp = gparray;

GPARRAY_UFUNC(plugin_cube, (x), x* x* x);

extern "C" __attribute__((visibility("default"))) void gparray_test_cube(const gp::ndarray<double>& a,
                                                                         gp::any_array& result) {
  result = plugin_cube(a + 1.) * 2.;
}
