#define GPARRAY_REDUCE_GROUP 5
#include <cuda/reduction/reduce_group.cuh>
