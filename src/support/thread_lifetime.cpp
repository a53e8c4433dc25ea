#include <cxxabi.h>
#include <new>
#include <pthread.h>

#include <support/thread_lifetime.hpp>

// Of this library.
extern "C" __attribute__((visibility("hidden"))) void* __dso_handle;

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

thread_local constinit lasting<thread_end*> newest = nullptr;

/// What ends may arm what has ended.
void end_all(void*) {
  while (thread_end* const end = newest) {
    newest = end->next;
    end->armed = false;
    end->run();
  }
}

/// Never deleted, as the library is never unloaded (cmake/library.cmake).
pthread_key_t end_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    if (pthread_key_create(&made, &end_all) != 0) throw std::bad_alloc();
    return made;
  }();
  return key;
}

}  // namespace

void thread_end::enlist() {
  // Any value but null has the key's destructor called.
  if (pthread_setspecific(end_key(), this) != 0) throw std::bad_alloc();
  next = newest;
  newest = this;
  armed = true;
}

// What a thread_local object's destructor is made of, without the object.
void before_static_objects_end(void (*run)()) noexcept {
  abi::__cxa_thread_atexit([](void* function) { reinterpret_cast<void (*)()>(function)(); },
                           reinterpret_cast<void*>(run), &__dso_handle);
}

}  // namespace core
GPARRAY_END_NAMESPACE
