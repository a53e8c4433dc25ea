// The dtypes as kernels compiled at run time know them: include/gparray/dtype.hpp without the user's side.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

enum class dtype : std::uint8_t {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) name,
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
};

GPARRAY_END_NAMESPACE
