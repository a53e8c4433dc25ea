// Making arrays of any dtype: what other rooms call.
#pragma once
#include <gparray/creation/detail.hpp>
