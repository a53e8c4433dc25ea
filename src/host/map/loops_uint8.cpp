// The element-wise loops of uint8.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(uint8, unsigned char)
