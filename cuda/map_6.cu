#define GPARRAY_MAP_GROUP 6
#include "map_group.cuh"
