#define GPARRAY_MAP_GROUP 4
#include "map_group.cuh"
