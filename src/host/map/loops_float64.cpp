// The element-wise loops of float64.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(float64, double)
