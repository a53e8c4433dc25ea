// shows: reduction_options
#include <gparray/gparray.hpp>

namespace gp = gparray;

void f(gp::ndarray<double> a, gp::ndarray<double> b, gp::ndarray<int> i) {
  (void)gp::sum(a, {.keepdim = true});
}
