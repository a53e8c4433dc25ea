// Sorting and searching in arrays of known element types, as users do.
#pragma once
#include <gparray/sorting.hpp>
