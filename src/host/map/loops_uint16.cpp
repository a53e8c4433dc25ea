// The element-wise loops of uint16.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(uint16, unsigned short)
