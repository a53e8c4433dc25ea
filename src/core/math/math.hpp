// Small numeric functions of arrays of any dtype: what other rooms call.
#pragma once
#include <gparray/math/detail.hpp>
