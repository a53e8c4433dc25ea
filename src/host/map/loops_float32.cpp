// The element-wise loops of float32.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(float32, float)
