// The element-wise loops of int8.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(int8, signed char)
