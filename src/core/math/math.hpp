// Small numeric functions as those of other rooms call them.
#pragma once
#include <gparray/math/detail.hpp>
