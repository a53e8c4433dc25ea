#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(uint8, unsigned char)
