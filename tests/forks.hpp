// What sanitizers allow the child of a fork.
#pragma once

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
/// Whether a process may fork while its threads allocate. The sanitizers' allocators of GCC 12 do not hold
/// their locks across fork (LLVM's do from 17 on), so that the child may wait for a thread that it does not
/// have.
#define GPARRAY_TEST_FORKS_BUSY 0
#else
#define GPARRAY_TEST_FORKS_BUSY 1
#endif

#if defined(__SANITIZE_THREAD__)
/// Whether such a child may start threads: ThreadSanitizer refuses.
#define GPARRAY_TEST_FORKS_THREADS 0
#else
#define GPARRAY_TEST_FORKS_THREADS 1
#endif
