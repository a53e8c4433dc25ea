// Small numeric functions of arrays of known element types, as users call them.
#pragma once
#include <gparray/math/logic.hpp>
#include <gparray/numeric.hpp>
