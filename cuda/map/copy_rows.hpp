// Several copies in one launch.
#pragma once
#include <plan/backend.hpp>
#include <plan/row_copy.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// False where one launch would not be faster than one for each: of units that are small, or of large copies,
/// whose launches take no time beside them.
bool run_copy_rows(std::span<const row_copy> copies, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
