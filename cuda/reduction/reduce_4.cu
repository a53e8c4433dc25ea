#define GPARRAY_REDUCE_GROUP 4
#include <cuda/reduction/reduce_group.cuh>
