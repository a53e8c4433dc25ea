// The element-wise loops of float16.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(float16, gparray::float16)
