// What memory is in use, and for what.
#pragma once
#include <string>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The memory of each pool as text, a line for each that holds some: bytes in arrays that are alive, bytes
/// held from the system or the driver, the peak, the limit and the free blocks; and its largest blocks that
/// arrays have, up to `largest`, with what was asked for. Memory of an allocator of the program's own is not
/// among it. Throws value_error for a negative number. Does not wait for the device.
[[nodiscard]] GPARRAY_API std::string memory_report(int largest = 5);

GPARRAY_END_NAMESPACE
