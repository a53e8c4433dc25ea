// Memory for objects that live for microseconds: each thread keeps some of what it has given back.
#pragma once
#include <new>
#include <utility>

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
    if (!kept.newest) return ::operator new(sizeof(T));
    --kept.count;
    return std::exchange(kept.newest, kept.newest->next);
  }
  static void give_back(void* memory) noexcept {
    list& kept = mine;
    if (kept.count == capacity) return ::operator delete(memory);
    try {
      kept.end.arm();
    } catch (const std::bad_alloc&) {
      return ::operator delete(memory);
    }
    kept.newest = new (memory) piece{kept.newest};
    ++kept.count;
  }

 private:
  struct piece {
    piece* next;
  };
#ifdef __SANITIZE_ADDRESS__
  static constexpr int capacity = 0;  // or a use after the end would not be seen
#else
  // What a loop of the program leaves pending at once.
  static constexpr int capacity = 1024;
#endif
  // One variable: a thread's variables are found by a call.
  struct list {
    int count = 0;
    piece* newest = nullptr;
    thread_end end{[] {
      while (mine.newest) ::operator delete(std::exchange(mine.newest, mine.newest->next));
      mine.count = 0;
    }};
  };
  static inline thread_local constinit lasting<list> mine{};
};

}  // namespace core
GPARRAY_END_NAMESPACE
