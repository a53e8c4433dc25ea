// The kernels of group 3 of the rows of ufuncs.def.
#define GPARRAY_MAP_GROUP 3
#include <cuda/map/map_group.cuh>
