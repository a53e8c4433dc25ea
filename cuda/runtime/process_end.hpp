// The end of the process while threads use a GPU.
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// From now on wait_if_process_ends() knows.
void watch_for_process_end();

/// For a thread whose call has failed. While another thread ends the process, exit() unloads the kernels that
/// this one runs: its error says nothing of the program, and would end it with SIGABRT where it is not
/// caught. So it waits for the end; for ten seconds, as a static object may wait for this thread.
void wait_if_process_ends();

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
