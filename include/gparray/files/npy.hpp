// .npy files in parts, for libraries upon this one that read and write them from several processes.
#pragma once
#include <string>

#include <gparray/array/dims.hpp>
#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// All that stands in front of the elements of a .npy file.
GPARRAY_API std::string npy_header(dtype type, const dims& shape, bool fortran_order = false);

/// What a .npy file holds, and where.
struct npy_contents {
  dtype type;
  dims shape;
  bool fortran_order;  ///< the first axis runs fastest
  bool is_swapped;     ///< the most significant byte of numbers is first
  std::size_t offset;  ///< of the first element, in bytes
};
/// From the beginning of a file. Throws os_error, and value_error if it is no .npy file of numbers or if the
/// file is too short for them.
GPARRAY_API npy_contents read_npy_contents(const std::string& file);

}  // namespace detail
GPARRAY_END_NAMESPACE
