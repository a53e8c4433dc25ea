#include <core/errors.hpp>
#include <gparray/threads.hpp>
#include <host/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE

int num_threads() { return host::num_threads(); }

void set_num_threads(int count) {
  if (count < 1) core::fail<value_error>("set_num_threads: the count must be at least 1, got {}", count);
  host::set_num_threads(count);
}

GPARRAY_END_NAMESPACE
