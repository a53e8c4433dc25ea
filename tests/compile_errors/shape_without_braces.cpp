// shows: zeros({2, 3})
#include <gparray/gparray.hpp>

namespace gp = gparray;

void f(gp::ndarray<double> a, gp::ndarray<double> b, gp::ndarray<int> i) { (void)gp::zeros(2, 3); }
