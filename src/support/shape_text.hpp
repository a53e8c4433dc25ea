// Another spelling of shapes.
#pragma once
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A shape as Python prints a tuple, (2, 3); a few of NumPy's texts have it so.
inline std::string python_text(const dims& shape) {
  return shape.size() == 1 ? text(shape) : fmt::format("({})", fmt::join(shape, ", "));
}

}  // namespace core
GPARRAY_END_NAMESPACE
