#define GPARRAY_REDUCE_GROUP 2
#include "reduce_group.cuh"
