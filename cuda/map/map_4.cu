// The kernels of group 4 of the rows of ufuncs.def.
#define GPARRAY_MAP_GROUP 4
#include <cuda/map/map_group.cuh>
