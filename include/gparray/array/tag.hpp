// What makes the constants that choose an overload, such as none and density.
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// The one argument of their types' only constructors, so that `{}` and `{1}` are options, axes and sizes,
/// and never such a constant.
enum class tag { constant };

}  // namespace detail
GPARRAY_END_NAMESPACE
