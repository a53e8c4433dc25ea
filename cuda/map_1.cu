#define GPARRAY_MAP_GROUP 1
#include "map_group.cuh"
