// The number of threads that the CPU computes with, as the public functions say and set it.
#include <gparray/runtime/threads.hpp>
#include <host/support/thread_pool.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE

int num_threads() { return host::num_threads(); }

void set_num_threads(int count) {
  if (count < 1) core::fail<value_error>("set_num_threads: the count must be at least 1, got {}", count);
  host::set_num_threads(count);
}

GPARRAY_END_NAMESPACE
