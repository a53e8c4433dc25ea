#define GPARRAY_REDUCE_GROUP 2
#include <cuda/reduction/reduce_group.cuh>
