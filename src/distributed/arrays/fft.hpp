// What transforms along several axes and those of vectors share.
#pragma once
#include <distributed/arrays/node.hpp>

#include <gparray/distributed/fft.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// The transform of a vector that is cut, times a factor, in the precision in which it is computed. Throws
/// value_error if its length cannot be divided.
node_ptr vector_transform(fft_function f, const node_ptr& a, std::int64_t length, double factor);

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
