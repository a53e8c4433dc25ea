#define GPARRAY_MAP_GROUP 0
#include <cuda/map/map_group.cuh>
