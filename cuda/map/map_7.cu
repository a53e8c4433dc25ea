#define GPARRAY_MAP_GROUP 7
#include <cuda/map/map_group.cuh>
