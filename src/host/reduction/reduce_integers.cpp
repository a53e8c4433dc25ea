#include <host/reduction/reduce_blocks.hpp>

GPARRAY_DEFINE_REDUCTIONS(int32, int)
GPARRAY_DEFINE_REDUCTIONS(uint32, unsigned int)
GPARRAY_DEFINE_REDUCTIONS(int64, long)
GPARRAY_DEFINE_REDUCTIONS(uint64, unsigned long)
