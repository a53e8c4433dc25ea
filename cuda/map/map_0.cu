// The kernels of group 0 of the rows of ufuncs.def.
#define GPARRAY_MAP_GROUP 0
#include <cuda/map/map_group.cuh>
