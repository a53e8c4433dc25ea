// What belongs to a thread, and when it ends: after every thread_local object of the program.
//
// A thread_local object with a destructor is gone while objects that were made before it are destroyed, and
// those may compute: that is a use after the end. So there is none in the library. What a thread has lies
// behind pointers that are always there, and is given back by a key of pthread's, whose turn comes after
// thread_local objects. exit() does not come to keys, so static objects are destroyed while all that the main
// thread has is still there. A computation that comes later still, in a key's destructor, makes these objects
// anew, and they end too.
#pragma once
#include <memory>
#include <type_traits>
#include <utility>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// What a thread_local variable may be: nothing ends it, so it can be used as long as the thread runs.
template<class T>
  requires std::is_trivially_destructible_v<T>
using lasting = T;

/// Something to be done when this thread ends: a thread_local variable.
struct thread_end {
  void (*const run)();
  bool armed = false;
  thread_end* next = nullptr;

  /// From now on `run` will be called, once; the last that was armed is the first. Throws std::bad_alloc.
  void arm() {
    if (!armed) [[unlikely]]
      enlist();
  }

 private:
  void enlist();
};

/// Has exit() call it first, before any static object is destroyed, if this thread is the one that ends the
/// program. What is local to that thread goes before all that was registered otherwise.
void before_static_objects_end(void (*run)()) noexcept;

/// The thread's own object, made when it is first asked for, and anew if that is after its end. Purposes have
/// objects of their own.
template<class T, class Purpose = T>
T& of_this_thread() {
  static thread_local constinit lasting<T*> mine = nullptr;
  static thread_local constinit lasting<thread_end> end{[] { delete std::exchange(mine, nullptr); }};
  if (!mine) [[unlikely]] {
    auto made = std::make_unique<T>();
    end.arm();
    mine = made.release();
  }
  return *mine;
}

}  // namespace core
GPARRAY_END_NAMESPACE
