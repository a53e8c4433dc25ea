// The kernels of group 6 of the rows of ufuncs.def.
#define GPARRAY_MAP_GROUP 6
#include <cuda/map/map_group.cuh>
