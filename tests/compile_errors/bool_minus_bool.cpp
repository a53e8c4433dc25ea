// shows: no_such_operation_for_these_dtypes
#include <gparray/gparray.hpp>

namespace gp = gparray;

void f(gp::ndarray<double> a, gp::ndarray<double> b, gp::ndarray<int> i) { (void)((a > 0) - (b > 0)); }
