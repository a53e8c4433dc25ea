// The element-wise loops of bool_.
#include <host/map/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(bool_, bool)
