// What this thread has left pending.
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Whether effect() would compute anything.
bool anything_is_pending() noexcept;

}  // namespace core
GPARRAY_END_NAMESPACE
