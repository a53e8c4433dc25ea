#define GPARRAY_MAP_GROUP 5
#include <cuda/map/map_group.cuh>
