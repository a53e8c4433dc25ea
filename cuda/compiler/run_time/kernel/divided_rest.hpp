// Kernels compiled at run time know the headers of src/kernel by their bare names.
#pragma once
#include "divided_rest.hpp"
