// What stands in front of the elements in a .npy file.
#pragma once
#include <string>
#include <string_view>

#include <gparray/array/dims.hpp>
#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

struct npy_header {
  std::string descr;  ///< NumPy's text of the dtype, with its byte order
  bool fortran_order;
  dims shape;
};

/// The header of a .npy file, whose bytes are left with what is behind it. Takes what NumPy takes: a
/// dictionary in Python, with these three keys in any order, the last of one that is there twice. Throws
/// value_error, naming the file, for anything else, and for records.
npy_header take_npy_header(std::string_view& bytes, const std::string& file);

struct stored_dtype {
  dtype type;
  bool is_swapped;  ///< the most significant byte is first
};
/// Of NumPy's text of a dtype: "<f8", "|b1", ">i4", "float64". Throws value_error, naming the file.
stored_dtype dtype_of_descr(std::string_view descr, const std::string& file);
/// The text for a dtype, of this machine's byte order.
std::string descr_of_dtype(dtype type);

/// The text in a .npy file that holds one, of dtype S or U. Throws value_error, naming the file.
std::string text_of_npy(std::string_view bytes, const std::string& file);

}  // namespace core
GPARRAY_END_NAMESPACE
