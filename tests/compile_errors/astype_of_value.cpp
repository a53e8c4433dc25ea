// shows: a.astype<float>()
#include <gparray/gparray.hpp>

namespace gp = gparray;

void f(gp::ndarray<double> a, gp::ndarray<double> b, gp::ndarray<int> i) {
  (void)a.astype(gp::dtype::float32);
}
