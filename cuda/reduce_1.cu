#define GPARRAY_REDUCE_GROUP 1
#include "reduce_group.cuh"
