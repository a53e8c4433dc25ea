#define GPARRAY_MAP_GROUP 7
#include "map_group.cuh"
