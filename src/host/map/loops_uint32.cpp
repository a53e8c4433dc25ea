// The element-wise loops of uint32.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(uint32, unsigned int)
