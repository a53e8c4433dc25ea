#define GPARRAY_MAP_GROUP 4
#include <cuda/map/map_group.cuh>
