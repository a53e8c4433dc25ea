// The parameters of a kernel as its declaration says them, where that is certain.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Of an identifier or a number.
bool is_word(char c);

struct declared_parameter {
  bool known = false;  ///< whether the rest says anything: not for classes, typedefs and macros
  bool is_pointer = false;
  bool writes = false;        ///< a pointer to what is not const
  std::optional<dtype> type;  ///< of the value, or of what is pointed to; nothing for void*
  std::string text;           ///< "const float*", for errors
};

/// From the source of a kernel that is declared as `extern "C"`, or at least is no template. Nothing if it is
/// not declared exactly once, or if macros may have changed what is read.
std::optional<std::vector<declared_parameter>> declaration_in_source(std::string_view source,
                                                                     std::string_view name);
/// From the symbol of a C++ kernel: _Z5scaleIfEvPT_S0_. Nothing if the symbol is not mangled.
std::optional<std::vector<declared_parameter>> declaration_of_symbol(const std::string& symbol);

/// The names of all kernels that are declared in a source.
std::vector<std::string> kernels_in_source(std::string_view source);

}  // namespace core
GPARRAY_END_NAMESPACE
