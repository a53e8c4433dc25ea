// The kernels of group 1 of the rows of ufuncs.def.
#define GPARRAY_MAP_GROUP 1
#include <cuda/map/map_group.cuh>
