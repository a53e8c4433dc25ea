// The element-wise loops of int16.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(int16, short)
