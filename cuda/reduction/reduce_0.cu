#define GPARRAY_REDUCE_GROUP 0
#include <cuda/reduction/reduce_group.cuh>
