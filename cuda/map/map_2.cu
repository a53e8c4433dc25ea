#define GPARRAY_MAP_GROUP 2
#include <cuda/map/map_group.cuh>
