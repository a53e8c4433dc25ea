// shows: transpose({1, 0})
#include <gparray/gparray.hpp>

namespace gp = gparray;

void f(gp::ndarray<double> a, gp::ndarray<double> b, gp::ndarray<int> i) { (void)a.transpose(1, 0); }
