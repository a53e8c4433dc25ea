// What sanitizers allow the child of a fork.
#pragma once

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
/// Whether the child of a process that has threads may compute. GCC 12's sanitizers do not hold their
/// allocator's locks across fork (LLVM's do from 17 on), so that it may wait for a thread that it does not
/// have: even a thread that has only just begun allocates. ThreadSanitizer refuses to start threads in such a
/// child, besides.
#define GPARRAY_TEST_FORKS 0
#else
#define GPARRAY_TEST_FORKS 1
#endif
