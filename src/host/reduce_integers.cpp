#include <host/reduce_templates.hpp>

GPARRAY_DEFINE_REDUCTIONS(int8, signed char)
GPARRAY_DEFINE_REDUCTIONS(int16, short)
GPARRAY_DEFINE_REDUCTIONS(int32, int)
GPARRAY_DEFINE_REDUCTIONS(int64, long)
