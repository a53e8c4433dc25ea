// Shapes of arrays of known element types, and joining them, as users do.
#pragma once
#include <gparray/manipulation/joining.hpp>
