// Reductions of arrays of known element types, as users call them.
#pragma once
#include <gparray/reduction/paired.hpp>
#include <gparray/reductions.hpp>
