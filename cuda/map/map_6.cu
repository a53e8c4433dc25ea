#define GPARRAY_MAP_GROUP 6
#include <cuda/map/map_group.cuh>
