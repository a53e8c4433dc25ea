#define GPARRAY_MAP_GROUP 5
#include "map_group.cuh"
