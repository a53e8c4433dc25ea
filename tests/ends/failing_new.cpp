// Every operation while operator new fails: it gives the right number or throws bad_alloc, loses no memory,
// and works the next time. Cold, as the first thing that a process does, and warm.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/resource.h>
#include <sys/wait.h>

#include "operations.hpp"

namespace {

std::atomic<long> allocations{0}, fails_from{-1}, fails_to{-1}, living{0};

void* allocate(std::size_t bytes, std::size_t alignment) {
  const long number = allocations.fetch_add(1, std::memory_order_relaxed);
  if (number >= fails_from && number < fails_to) return nullptr;
  void* const memory = alignment <= 16
                           ? std::malloc(bytes)
                           : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  living += memory != nullptr;
  return memory;
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const memory = allocate(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

void give_back(void* memory) noexcept {
  living -= memory != nullptr;
  std::free(memory);
}

}  // namespace

// In front of the C++ library's, for all libraries.
void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, 1); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t a) { return allocate_or_throw(bytes, std::size_t(a)); }
void* operator new[](std::size_t bytes, std::align_val_t a) {
  return allocate_or_throw(bytes, std::size_t(a));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 1); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 1); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }

namespace {

using namespace ends;

// As many allocations fail one by one; of later ones fewer and fewer. Sanitizers look for leaks in each
// process.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr long every = 1;
#else
constexpr long every = 200;
#endif

/// What lives: bytes of arrays, and blocks of operator new.
struct life {
  std::size_t bytes;
  long blocks;
};

life living_now() {
  gp::synchronize();
  return {gp::get_default_memory_pool().used_bytes(), living};
}

/// One allocation, for a process of one thread, or all from it on, for one of two: threads of the pool have
/// memory of their own, so the blocks of operator new cannot be counted there.
enum class how_many { one, all };

/// Runs the operation while allocation k fails, or all from it on; says what is wrong.
bool survives(const operation& o, long k, how_many fail) {
  const long now = allocations;
  fails_to = fail == how_many::one ? now + k + 1 : now + 1000000000;
  fails_from = now + k;
  bool good = true;
  const char* other = nullptr;
  double found = o.expected;
  try {
    found = o.run();
  } catch (const std::bad_alloc&) {
  } catch (const gp::out_of_memory&) {
  } catch (const std::exception& e) {
    other = "another exception";
    fails_from = fails_to = -1;
    std::fprintf(stderr, "%s\n", e.what());
  }
  fails_from = fails_to = -1;
  if (other) {
    std::fprintf(stderr, "%s, without allocation %ld%s: %s\n", o.name, k,
                 fail == how_many::all ? " and later ones" : "", other);
    good = false;
  }
  if (std::abs(found - o.expected) > 1e-9 * (1 + std::abs(o.expected))) {
    std::fprintf(stderr, "%s, without allocation %ld: %.17g instead of %.17g\n", o.name, k, found,
                 o.expected);
    good = false;
  }
  return right(o) && good;
}

bool same_life(const operation& o, long k, how_many fail, const life& before, const life& after) {
  if (before.bytes == after.bytes && (fail == how_many::all || before.blocks == after.blocks)) return true;
  std::fprintf(stderr, "%s, without allocation %ld: %zd bytes of arrays and %ld blocks more than before\n",
               o.name, k, static_cast<ssize_t>(after.bytes - before.bytes), after.blocks - before.blocks);
  return false;
}

/// In a process in which nothing has been done yet.
int check_cold(const operation& o, long k, how_many fail) {
  gp::set_num_threads(fail == how_many::one ? 1 : 2);
  if (!survives(o, k, fail)) return 1;
  const life once = living_now();
  if (!right(o)) return 1;
  return same_life(o, k, fail, once, living_now()) ? 0 : 1;
}

/// In one process, one after the other.
int check_warm(const operation& o, how_many fail) {
  gp::set_num_threads(fail == how_many::one ? 1 : 2);
  int wrong = 0;
  for (int i = 0; i < 3; ++i) wrong += !right(o);
  const long start = allocations;
  wrong += !right(o);
  const long count = allocations - start;
  const life before = living_now();
  for (long k = 0; k < count && !wrong; k += 1 + k / every) {
    wrong += !survives(o, k, fail);
    wrong += !same_life(o, k, fail, before, living_now());
  }
  return wrong;
}

/// The exit status of a child, or 1000 plus its signal.
template<class Work>
int in_child(Work work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) std::perror("fork"), std::exit(1);
  if (child == 0) {
    alarm(60);
    std::exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// How many allocations the operation makes when it is the first.
long count_cold(const operation& o) {
  int ends[2];
  if (pipe(ends) != 0) std::perror("pipe"), std::exit(1);
  in_child([&] {
    const long start = allocations;
    o.run();
    const long count = allocations - start;
    return write(ends[1], &count, sizeof count) == sizeof count ? 0 : 1;
  });
  long count = 0;
  const bool was_read = read(ends[0], &count, sizeof count) == sizeof count;
  close(ends[0]), close(ends[1]);
  return was_read ? count : 0;
}

}  // namespace

/// gparray_failing_new [NAME]: every operation, or the one of this name.
int main(int argc, char** argv) {
  const rlimit no_cores{0, 0};
  setrlimit(RLIMIT_CORE, &no_cores);
  int wrong = 0;
  long failed = 0;
  for (const operation& o : operations) {
    if (argc > 1 && std::strcmp(o.name, argv[1]) != 0) continue;
    const long count = count_cold(o);
    for (const how_many fail : {how_many::one, how_many::all}) {
      const char* const which = fail == how_many::all ? " and later ones" : "";
      for (long k = 0; k < count; k += 1 + k / every) {
        ++failed;
        const int status = in_child([&] { return check_cold(o, k, fail); });
        if (!status) continue;
        std::printf("%s, first and without allocation %ld%s: status %d\n", o.name, k, which, status);
        ++wrong;
      }
      if (const int status = in_child([&] { return check_warm(o, fail); })) {
        std::printf("%s, warm and without an allocation%s: status %d\n", o.name, which, status);
        ++wrong;
      }
    }
  }
  std::printf("%ld first allocations failed, %d ended wrongly\n", failed, wrong);
  return wrong ? 1 : 0;
}
