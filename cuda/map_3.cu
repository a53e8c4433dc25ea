#define GPARRAY_MAP_GROUP 3
#include "map_group.cuh"
