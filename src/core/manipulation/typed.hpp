// Shapes, and joining, of arrays of known element types, as users call them.
#pragma once
#include <gparray/manipulation/joining.hpp>
