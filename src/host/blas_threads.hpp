// Who runs OpenBLAS on how many threads.
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// OpenBLAS splits sums by the number of its threads, so results would depend on it. From the first call on
/// it runs on one thread in each of our own, on pieces whose sizes are fixed. The number is a setting of the
/// process.
void use_one_thread_each();

}  // namespace host
GPARRAY_END_NAMESPACE
