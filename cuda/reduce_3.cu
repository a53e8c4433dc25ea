#define GPARRAY_REDUCE_GROUP 3
#include "reduce_group.cuh"
