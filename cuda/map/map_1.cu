#define GPARRAY_MAP_GROUP 1
#include <cuda/map/map_group.cuh>
