// Making arrays, as the functions of other rooms call it.
#pragma once
#include <gparray/creation/detail.hpp>
