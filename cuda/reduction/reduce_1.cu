#define GPARRAY_REDUCE_GROUP 1
#include <cuda/reduction/reduce_group.cuh>
