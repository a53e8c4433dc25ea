#define GPARRAY_MAP_GROUP 0
#include "map_group.cuh"
