// Memory that a thread keeps from one operation to the next.
#pragma once
#include <cstddef>

#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// At least `bytes`, aligned to 64; the thread's next call of the same Purpose may give the same memory.
template<class Purpose>
char* thread_scratch(std::size_t bytes);

namespace detail {
class aligned_buffer {
 public:
  aligned_buffer() = default;
  ~aligned_buffer();
  aligned_buffer(const aligned_buffer&) = delete;
  aligned_buffer& operator=(const aligned_buffer&) = delete;
  char* grow(std::size_t bytes);

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};
}  // namespace detail

template<class Purpose>
char* thread_scratch(std::size_t bytes) {
  return core::of_this_thread<detail::aligned_buffer, Purpose>().grow(bytes);
}

}  // namespace host
GPARRAY_END_NAMESPACE
