#define GPARRAY_REDUCE_GROUP 4
#include "reduce_group.cuh"
