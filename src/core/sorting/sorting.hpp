// Sorting and searching, as the functions of other rooms call them.
#pragma once
#include <gparray/sorting/detail.hpp>
