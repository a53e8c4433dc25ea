#define GPARRAY_REDUCE_GROUP 5
#include "reduce_group.cuh"
