// Random numbers of arrays of known element types, as users call them.
#pragma once
#include <gparray/random.hpp>
