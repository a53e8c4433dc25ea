#include <host/reduce_templates.hpp>

GPARRAY_DEFINE_REDUCTIONS(float32, float)
GPARRAY_DEFINE_REDUCTIONS(float64, double)
