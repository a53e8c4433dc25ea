// The shapes that NumPy's generalised ufuncs take, and its texts where they do not fit.
#pragma once
#include <string_view>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// What NumPy calls the function and the axes that it works on.
struct core_signature {
  std::string_view name, text;
  int core_a, core_b;  // axes of each operand that do not broadcast
};

/// Throws value_error unless the operand has `required` axes.
void check_enough_axes(const core_signature& f, int operand, int ndim, int required);
/// The sizes of two axes that must be equal, the first of b's core being the second of them. Throws
/// value_error.
void check_summed_axes(const core_signature& f, std::int64_t size_a, std::int64_t size_b);
/// Throws value_error unless the axes before the core of both operands broadcast.
void check_batches(const core_signature& f, const dims& a, const dims& b, const dims& core_out);
/// A shape without its last `core` axes.
dims leading(const dims& shape, int core);

}  // namespace core
GPARRAY_END_NAMESPACE
