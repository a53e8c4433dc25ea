// shows: where(condition, x, y)
#include <gparray/gparray.hpp>

namespace gp = gparray;

void f(gp::ndarray<double> a, gp::ndarray<double> b, gp::ndarray<int> i) { (void)gp::where(a > 0, b); }
