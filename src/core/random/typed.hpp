// Random arrays of known element types, as users draw them.
#pragma once
#include <gparray/random.hpp>
