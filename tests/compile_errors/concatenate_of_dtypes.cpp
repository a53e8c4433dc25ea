// shows: concatenate(a, b)
#include <gparray/gparray.hpp>

namespace gp = gparray;

void f(gp::ndarray<double> a, gp::ndarray<int> b) { (void)gp::concatenate({a, b}); }
