#define GPARRAY_REDUCE_GROUP 0
#include "reduce_group.cuh"
