#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(uint32, unsigned int)
