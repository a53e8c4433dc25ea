// Memory for objects that live for microseconds: each thread keeps some of what it has given back.
#pragma once
#include <new>

#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Takes the place of operator new and delete for objects of a type. Memory may be given back by another
/// thread than took it.
template<class T>
class thread_memory {
 public:
  static void* take() {
    list& kept = mine;
    return kept.count ? kept.memory[--kept.count] : ::operator new(sizeof(T));
  }
  static void give_back(void* memory) noexcept {
    list& kept = mine;
    if (kept.count == capacity) return ::operator delete(memory);
    try {
      kept.end.arm();
    } catch (const std::bad_alloc&) {
      return ::operator delete(memory);
    }
    kept.memory[kept.count++] = memory;
  }

 private:
#ifdef __SANITIZE_ADDRESS__
  static constexpr int capacity = 0;  // or a use after the end would not be seen
#else
  static constexpr int capacity = 64;
#endif
  // One variable: a thread's variables are found by a call.
  struct list {
    int count = 0;
    void* memory[capacity + 1] = {};
    thread_end end{[] {
      while (mine.count > 0) ::operator delete(mine.memory[--mine.count]);
    }};
  };
  static inline thread_local constinit lasting<list> mine{};
};

}  // namespace core
GPARRAY_END_NAMESPACE
