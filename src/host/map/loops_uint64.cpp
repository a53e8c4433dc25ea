// The element-wise loops of uint64.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(uint64, unsigned long)
