// Linear algebra on arrays of known element types, as users do it.
#pragma once
#include <gparray/linalg.hpp>
