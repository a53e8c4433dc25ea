// The element-wise loops of int64.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(int64, long)
