// Every operation in a process that may start no thread, or no more than a few.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>

#include "operations.hpp"

namespace {

std::atomic<int> threads_left{0};

}  // namespace

// In front of the C library's, for all libraries. A limit of the system's (RLIMIT_NPROC) would not hold for
// root.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) {
  if (threads_left.fetch_sub(1) <= 0) return EAGAIN;
  static const auto create =
      reinterpret_cast<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(
          dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, run, argument);
}

int main() {
  using namespace ends;
  setenv("GPARRAY_NUM_THREADS", "4", 1);
  // What OpenBLAS would start many of, if it were asked.
  setenv("OPENBLAS_NUM_THREADS", "4", 1);
  int wrong = 0;
  // The least first. Each operation is the first of its process, so that what it loads is loaded then.
  for (int allowed = 0; allowed < 2; ++allowed)
    for (const operation& o : operations) {
      std::fflush(nullptr);
      const pid_t child = fork();
      if (child < 0) return std::perror("fork"), 1;
      if (child == 0) {
        alarm(60);
        threads_left = allowed;
        return right(o) && right(o) ? 0 : 1;
      }
      int status = 0;
      if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
      std::printf("%s, with %d threads: %s %d\n", o.name, allowed, WIFSIGNALED(status) ? "signal" : "status",
                  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
      ++wrong;
    }
  return wrong ? 1 : 0;
}
