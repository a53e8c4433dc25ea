// The kernels of group 5 of the rows of ufuncs.def.
#define GPARRAY_MAP_GROUP 5
#include <cuda/map/map_group.cuh>
