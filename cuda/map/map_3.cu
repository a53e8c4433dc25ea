#define GPARRAY_MAP_GROUP 3
#include <cuda/map/map_group.cuh>
