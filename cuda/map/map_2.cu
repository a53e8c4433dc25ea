// The kernels of group 2 of the rows of ufuncs.def.
#define GPARRAY_MAP_GROUP 2
#include <cuda/map/map_group.cuh>
