#define GPARRAY_REDUCE_GROUP 3
#include <cuda/reduction/reduce_group.cuh>
