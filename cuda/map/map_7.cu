// The kernels of group 7 of the rows of ufuncs.def.
#define GPARRAY_MAP_GROUP 7
#include <cuda/map/map_group.cuh>
