#include <host/loop_templates.hpp>

GPARRAY_DEFINE_LOOPS(float64, double)
