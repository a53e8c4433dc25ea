// Sorting and searching in arrays of any dtype: what other rooms call.
#pragma once
#include <gparray/sorting/detail.hpp>
