// shows: full({2, 3}, value)
#include <gparray/gparray.hpp>

namespace gp = gparray;

void f(gp::ndarray<double> a, gp::ndarray<double> b, gp::ndarray<int> i) { (void)gp::full(2, 3, 1.5); }
