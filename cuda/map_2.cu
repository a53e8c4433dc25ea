#define GPARRAY_MAP_GROUP 2
#include "map_group.cuh"
