// Making arrays of known element types, as users do.
#pragma once
#include <gparray/creation.hpp>
