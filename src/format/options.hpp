// The check of print options.
#pragma once
#include <gparray/config.hpp>
#include <gparray/text/print_options.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Throws what set_printoptions documents.
void check_print_options(const print_options& options);

}  // namespace core
GPARRAY_END_NAMESPACE
