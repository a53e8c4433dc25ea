// The ways in which a process ends, each many times and at many moments: the status is the right one, and
// nothing hangs.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

#include <host/support/thread_pool.hpp>
#include <support/background.hpp>

#include "operations.hpp"
#include "support/forks.hpp"
#include "support/wanted_device.hpp"

namespace {

using namespace ends;

constexpr int status_of_good = 0, status_of_exit = 7, status_of_wrong = 99;

/// What is alive when the process ends. Nobody touches it before a child has begun.
struct belongings {
  doubles computed = gp::arange<double>(1000);
  gp::any_array pending;
  ~belongings() {
    try {
      if (pending.size() > 0 && gp::sum(doubles(pending)).item() != 999000) _exit(status_of_wrong);
    } catch (const gp::cuda_error&) {
      // CUDA's libraries may have ended before, and with them the kernels that other threads run on a GPU.
      if (!wanted::on_gpu()) _exit(status_of_wrong);
    }
  }
};

/// Work of this thread and the pool's.
void compute() {
  if (gp::sum(gp::ones({300, 1000}) + gp::ones({300, 1000})).item() != 600000) _exit(status_of_wrong);
}

void acquire() {
  static belongings of_process;
  static thread_local belongings of_thread;
  for (belongings* mine : {&of_process, &of_thread}) {
    const auto sum = mine->computed + mine->computed;
    mine->pending = sum;
  }
  compute();
}

void be_quiet() {
  if (!std::freopen("/dev/null", "w", stderr)) _exit(status_of_wrong);
}

[[noreturn]] void wait_for_the_end() {
  for (;;) pause();
}

/// The moment of the end, from one run to the next another one.
void wait_a_little(int run) { usleep(static_cast<useconds_t>(run % 20 * 50)); }

/// Two threads that the process does not wait for.
void compute_in_background() {
  for (int i = 0; i < 2; ++i)
    std::thread([] {
      for (;;) compute();
    }).detach();
}

/// What takes the locks that all threads share.
void compute_little() {
  const doubles a = gp::arange<double>(1000);
  const auto twice = a + a;
  const auto more = gp::cos(twice * 0.) + 1.;
  if (gp::sum(more).item() != 2000 || gp::real(gp::fft::fft(more)).item(0) != 2000) _exit(status_of_wrong);
}

/// Whether the child of a process that uses a GPU is told that it cannot, and can compute on the CPU.
bool is_refused() {
  try {
    compute();
    return false;
  } catch (const gp::fork_error&) {
  }
  gp::set_default_device(gp::device::cpu());
  compute();
  return true;
}

[[maybe_unused]] int status_of_child() {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    if (wanted::on_gpu()) _exit(is_refused() ? status_of_exit : status_of_wrong);
    compute();
    for (int i = 0; i < 20; ++i) compute_little();
    std::exit(status_of_exit);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct exits_in_destructor {
  ~exits_in_destructor() { std::exit(status_of_exit); }
};

struct way {
  const char* name;
  /// What main returns, if this does.
  int (*run)(int number);
  int status, signal;
};

const way ways[] = {
    {"return from main", [](int) { return status_of_good; }, status_of_good, 0},
    {"exit", [](int) -> int { std::exit(status_of_exit); }, status_of_exit, 0},
    {"quick_exit", [](int) -> int { std::quick_exit(status_of_exit); }, status_of_exit, 0},
    {"an exception that nobody catches",
     [](int) -> int {
       be_quiet();
       const auto lost = gp::ones({3}) + 1.;
       std::thread([] { throw std::runtime_error("lost"); }).join();
       return status_of_wrong;
     },
     0, SIGABRT},
    {"a signal, while threads compute",
     [](int run) -> int {
       compute_in_background();
       wait_a_little(run);
       kill(getpid(), SIGTERM);
       wait_for_the_end();
     },
     0, SIGTERM},
    {"exit in another thread",
     [](int run) -> int {
       std::thread([run] {
         acquire();
         wait_a_little(run);
         std::exit(status_of_exit);
       }).detach();
       wait_for_the_end();
     },
     status_of_exit, 0},
    {"exit in a destructor",
     [](int) {
       const exits_in_destructor object;
       return status_of_wrong;
     },
     status_of_exit, 0},
    {"exit in a part of an operation",
     [](int run) {
       gp::host::set_num_threads(3);
       gp::host::parallel_for(1000, 1, [run](std::int64_t begin, std::int64_t end) {
         if (begin <= run * 10 && run * 10 < end) std::exit(status_of_exit);
       });
       return status_of_wrong;
     },
     status_of_exit, 0},
    {"return from main while threads compute",
     [](int run) {
       compute_in_background();
       wait_a_little(run);
       return status_of_good;
     },
     status_of_good, 0},
    {"return from main while kernels are compiled",
     [](int run) {
       for (int i = 0; i < 20; ++i) gp::core::kernel_worker().enqueue([] { usleep(300); });
       wait_a_little(run);
       return status_of_good;
     },
     status_of_good, 0},
#if GPARRAY_TEST_FORKS
    {"the child of a process that has computed",
     [](int) { return status_of_child() == status_of_exit ? status_of_good : status_of_wrong; },
     status_of_good, 0},
    {"the child of a process whose threads compute",
     [](int run) {
       compute_little();
       for (int i = 0; i < 3; ++i)
         std::thread([] {
           for (;;) compute_little();
         }).detach();
       wait_a_little(run);
       return status_of_child() == status_of_exit ? status_of_good : status_of_wrong;
     },
     status_of_good, 0},
#endif
    {"return from main after a library has been unloaded",
     [](int) {
       void* const plugin = dlopen(GPARRAY_TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
       if (!plugin) return status_of_wrong;
       const auto run = reinterpret_cast<double (*)()>(dlsym(plugin, "gparray_test_sum"));
       double found = 0;
       std::thread([&] { found = run(); }).join();
       found += run();
       return dlclose(plugin) == 0 && found == 112 ? status_of_good : status_of_wrong;
     },
     status_of_good, 0},
};

/// Whether the child ended as it should; says so if not.
bool ended_well(const way& w, pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) == child &&
      (w.signal ? WIFSIGNALED(status) && WTERMSIG(status) == w.signal
                : WIFEXITED(status) && WEXITSTATUS(status) == w.status))
    return true;
  std::printf("%s: %s %d\n", w.name, WIFSIGNALED(status) ? "signal" : "status",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  return false;
}

}  // namespace

/// gparray_exits RUNS [WAY]: every way, or the one of this number.
int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 1, only = argc > 2 ? std::atoi(argv[2]) : -1;
  const rlimit no_cores{0, 0};
  setrlimit(RLIMIT_CORE, &no_cores);
  if (wanted::is_missing()) return wanted::status_of_skip;
  int wrong = 0, total = 0;
  for (const way& w : ways) {
    if (only >= 0 && &w != &ways[only]) continue;
    constexpr int at_once = 2;
    pid_t children[at_once];
    for (int run = 0; run < runs; run += at_once) {
      const int count = std::min(at_once, runs - run);
      std::fflush(nullptr);
      for (int i = 0; i < count; ++i) {
        children[i] = fork();
        if (children[i] < 0) return std::perror("fork"), 1;
        if (children[i] > 0) continue;
        alarm(20);
        acquire();
        return w.run(run + i);
      }
      for (int i = 0; i < count; ++i) wrong += !ended_well(w, children[i]);
      total += count;
      if (wrong) break;  // one that hangs does so for as long as it may
    }
  }
  std::printf("%d processes, %d ended wrongly\n", total, wrong);
  return wrong ? 1 : 0;
}
