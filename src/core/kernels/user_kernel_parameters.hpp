// The parameter lists of ElementwiseKernel and ReductionKernel: CuPy's mini-language.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// One "raw T x" of a list.
struct kernel_parameter_text {
  std::string name;
  std::string placeholder;  ///< T, or empty if `type` is given
  dtype type{};
  bool raw = false;                    ///< the whole array, indexed by the kernel itself
  bool writable = false;               ///< outputs, and inputs marked _non_const
  std::size_t offset = 0, length = 0;  ///< where it stands in its list
  std::size_t leader =
      0;  ///< the first parameter of the same placeholder, by number; its own number without one
};

/// What messages call the kernel, and the two lists.
struct kernel_signature {
  std::string kind;  ///< "ElementwiseKernel"
  std::string name;
  std::string input_text, output_text;
  std::vector<kernel_parameter_text> inputs, outputs;

  std::string title;         ///< ElementwiseKernel 'axpy'
  const char* lasting_name;  ///< `name`, for ever
  std::string size_name;     ///< of a reduction's variable
  std::size_t size() const { return inputs.size() + outputs.size(); }
  const kernel_parameter_text& operator[](std::size_t i) const {
    return i < inputs.size() ? inputs[i] : outputs[i - inputs.size()];
  }
  /// The lines that show where in its list parameter i stands, for the end of a message.
  std::string location_of(std::size_t i) const;
  /// Whether every dtype is written out.
  bool is_concrete() const;
};

/// Parses both lists and checks the kernel's name. Throws value_error whose text shows the position: unknown
/// types and keywords, missing or repeated names, names that the kernels use themselves.
kernel_signature parse_signature(std::string kind, std::string name, std::string inputs, std::string outputs);

/// `text` with a line of carets below [offset, offset + length); of several lines the one that holds offset.
std::string underlined(std::string_view text, std::size_t offset, std::size_t length);

}  // namespace core
GPARRAY_END_NAMESPACE
