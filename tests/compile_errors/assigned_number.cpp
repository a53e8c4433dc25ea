// shows: a.fill(number)
#include <gparray/gparray.hpp>

namespace gp = gparray;

void f(gp::ndarray<double> a, gp::ndarray<double> b, gp::ndarray<int> i) { a = 5; }
