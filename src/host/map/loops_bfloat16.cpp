// The element-wise loops of bfloat16.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(bfloat16, gparray::bfloat16)
