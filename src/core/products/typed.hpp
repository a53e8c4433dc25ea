// Products of arrays of known element types, as users call them.
#pragma once
#include <gparray/products.hpp>
