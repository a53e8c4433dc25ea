// The element-wise loops of int32.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(int32, int)
