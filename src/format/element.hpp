// How the elements of one array become words of the same width.
#pragma once
#include <cstddef>
#include <functional>
#include <string>

#include <gparray/config.hpp>
#include <gparray/text/format_spec.hpp>
#include <gparray/text/print_options.hpp>

#include "array.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

using element_formatter = std::function<std::string(const std::byte*)>;

/// Reads the shown elements once to find their common layout.
element_formatter make_element_formatter(const host_view& view, const print_options& options, bool summarise);
/// The same by a specification, which must suit the dtype and outlive the result.
element_formatter make_element_formatter(const host_view& view, const print_options& options, bool summarise,
                                         const detail::element_format& format);
/// One element alone, as wide as the specification says.
std::string formatted_element(char dtype_code, const detail::element_format& format, const void* element);

}  // namespace core
GPARRAY_END_NAMESPACE
