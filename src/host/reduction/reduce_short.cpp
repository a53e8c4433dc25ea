#include <host/reduction/reduce_blocks.hpp>

GPARRAY_DEFINE_REDUCTIONS(bool_, bool)
GPARRAY_DEFINE_REDUCTIONS(int8, signed char)
GPARRAY_DEFINE_REDUCTIONS(uint8, unsigned char)
GPARRAY_DEFINE_REDUCTIONS(int16, short)
GPARRAY_DEFINE_REDUCTIONS(uint16, unsigned short)
