#include <host/reduction/reduce_blocks.hpp>

GPARRAY_DEFINE_REDUCTIONS(float16, gparray::float16)
GPARRAY_DEFINE_REDUCTIONS(bfloat16, gparray::bfloat16)
