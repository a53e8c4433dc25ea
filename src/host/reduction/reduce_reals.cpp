#include <host/reduction/reduce_blocks.hpp>

GPARRAY_DEFINE_REDUCTIONS(float32, float)
GPARRAY_DEFINE_REDUCTIONS(float64, double)
