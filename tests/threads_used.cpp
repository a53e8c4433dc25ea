#include "support/threads_used.hpp"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <pthread.h>

#include "support/test_path.hpp"

namespace {
std::atomic<bool> any = false;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Stands before the C library's, which it calls.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) {
  static const auto next = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  any = true;
  return next(thread, attributes, run, argument);
}
#endif

bool threads_used::missing(const std::string& suite) {
  std::ifstream list(test_path("threads.txt"));
  const std::istream_iterator<std::string> first(list), end;
  return any && std::find(first, end, suite) == end;
}
