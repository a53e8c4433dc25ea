#include <host/reduce_templates.hpp>

GPARRAY_DEFINE_REDUCTIONS(bool_, bool)
GPARRAY_DEFINE_REDUCTIONS(uint8, unsigned char)
GPARRAY_DEFINE_REDUCTIONS(uint16, unsigned short)
GPARRAY_DEFINE_REDUCTIONS(uint32, unsigned int)
GPARRAY_DEFINE_REDUCTIONS(uint64, unsigned long)
