// Objects of a thread and static ones, which compute while they are destroyed: made before gparray's own, so
// that they go after them, and made after.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <execinfo.h>
#include <pthread.h>
#include <string_view>
#include <thread>

#include "operations.hpp"
#include "support/wanted_device.hpp"

namespace {

using namespace ends;

std::atomic<int> wrong{0}, computed{0}, refused{0};
std::atomic<bool> left_out{false};
std::string_view only;                 // an operation's name, or all of them
std::atomic<const char*> current{""};  // the last one that began

/// The process ends at once where an exception leaves a destructor: which operation, and how it got there.
void say_where() {
  std::fprintf(stderr, "during or after \"%s\"\n", current.load());
  void* frames[64];
  backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
  std::abort();
}

void expect(bool good, const char* what) {
  ++computed;
  if (good) return;
  ++wrong;
  std::fprintf(stderr, "wrong: %s\n", what);
}

/// Does what computes. Static objects that are older than the first use of a GPU end after CUDA's driver, and
/// are told so; SuperLU need not be on every machine. No other exception is expected, nor any that leaves a
/// destructor.
template<class Work>
void checked(const char* what, Work work) {
  try {
    work();
  } catch (const gp::cuda_error& e) {
    if (wanted::on_gpu() && std::strstr(e.what(), "cudaErrorCudartUnloading")) ++refused;
    else expect(false, e.what());
  } catch (const gp::library_error& e) {
    if (!left_out.exchange(true)) std::printf("%s is left out: %s\n", what, e.what());
  } catch (const std::exception& e) {
    expect(false, e.what());
  }
}

/// Every operation, and what was left pending by others.
void compute_all() {
  for (const operation& o : operations) {
    if (!only.empty() && only != o.name) continue;
    current = o.name;
    checked(o.name, [&] {
      wrong += !right(o);
      ++computed;
    });
  }
}

/// The sum of an array that is still pending.
void expect_sum(const gp::any_array& pending, const char* what) {
  checked(what, [&] { expect(gp::sum(doubles(pending)).item() == 56, what); });
}

struct computes_at_its_end {
  ~computes_at_its_end() { compute_all(); }
};

/// It holds a pending array, and reads it when the thread is over.
struct holds_pending {
  gp::any_array array;
  ~holds_pending() { expect_sum(array, "a pending array of a thread that has ended"); }
};

// Made when they are first asked for.
void make_first_of_thread() { [[maybe_unused]] static thread_local computes_at_its_end object; }
void make_last_of_thread() { [[maybe_unused]] static thread_local computes_at_its_end object; }
gp::any_array& held_by_thread() {
  static thread_local holds_pending object;
  return object.array;
}

/// The last thing in a thread: keys of pthread's, whose destructors follow upon thread_local objects. gparray
/// has such a key, and this one was made before it, or after it.
pthread_key_t key_before, key_after;
void make_key(pthread_key_t& key) {
  pthread_key_create(&key, [](void*) { compute_all(); });
}

void live() {
  make_first_of_thread();
  held_by_thread() = {};
  compute_all();
  const doubles a = gp::arange<double>(8);
  const auto pending = a + a;
  held_by_thread() = pending;
  make_last_of_thread();
  pthread_setspecific(key_before, &key_before);
  pthread_setspecific(key_after, &key_after);
}

/// Another thread may hold what this one left pending.
gp::any_array left_behind;

void check_threads() {
  for (int i = 0; i < 2; ++i) std::thread(live).join();
  // One that does nothing but at its end.
  std::thread([] { make_first_of_thread(); }).join();
  std::thread([] {
    const doubles a = gp::arange<double>(8);
    left_behind = a + a;
  }).join();
  expect(!left_behind.pending(), "what a thread leaves is computed");
  // One that only drops arrays.
  std::thread([dropped = gp::any_array(std::exchange(left_behind, {}))]() mutable { dropped = {}; }).join();
}

/// The settings of a thread are its own until it is over.
struct expects_settings {
  bool set = false;
  ~expects_settings() {
    if (set) checked("settings", [] { compare(); });
  }
  static void compare() {
    expect(gp::get_printoptions().precision == 3, "print options");
    expect(gp::array_str(doubles{0.123456}) == "[0.123]", "text");
    gp::random::Generator same(7);
    same.advance(gp::random::get_state().position);
    expect(gp::random::rand(1).item() == same.random({1}).item(), "random numbers of a seed");
  }
};
expects_settings settings_at_exit;

void set() {
  static thread_local expects_settings settings_of_thread{true};
  gp::set_printoptions({.precision = 3});
  gp::random::seed(7);
  gp::random::rand(5);
}

/// Says how it went, when everything else is over: it was made before all of gparray's statics.
struct verdict {
  ~verdict() {
    compute_all();
    std::printf("%d computed, %d wrong, %d refused by the driver that had gone\n", computed.load(),
                wrong.load(), refused.load());
    std::fflush(stdout);
    if (wrong) _exit(1);
  }
};

verdict last_static;
gp::any_array static_pending;
struct reads_static {
  ~reads_static() { expect_sum(static_pending, "a static pending array"); }
} static_reader;

}  // namespace

/// late_objects [no_threads [OPERATION]]: with the main thread's own objects alone; of the operations one.
int main(int argc, char** argv) {
  std::set_terminate(&say_where);
  if (argc > 2) only = argv[2];
  const bool threads = argc < 2 || std::string_view(argv[1]) != "no_threads";
  if (wanted::is_missing()) {
    std::fflush(stdout);
    _exit(wanted::status_of_skip);  // objects that compute at their end are there already
  }
  make_key(key_before);
  if (threads) {
    std::thread(compute_all).join();
  }
  make_key(key_after);
  if (threads) check_threads();
  set();
  settings_at_exit.set = true;
  live();
  static computes_at_its_end static_after;
  const doubles a = gp::arange<double>(8);
  const auto pending = a + a;
  static_pending = pending;
}
