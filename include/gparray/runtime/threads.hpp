// The CPU backend's threads.
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Threads that one operation on the CPU may use, the caller included. Initially the environment variable
/// GPARRAY_NUM_THREADS, else the number of processors. Results do not depend on it.
GPARRAY_API int num_threads();
/// Sets how many threads an operation on the CPU may use, for all threads of the process, from the next
/// operation on. Throws value_error unless count >= 1.
GPARRAY_API void set_num_threads(int count);

GPARRAY_END_NAMESPACE
