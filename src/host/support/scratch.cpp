#include <new>

#include <host/support/scratch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host::detail {

constexpr std::align_val_t alignment{64};

aligned_buffer::~aligned_buffer() { ::operator delete(data_, alignment); }

char* aligned_buffer::grow(std::size_t bytes) {
  if (bytes > size_) {
    ::operator delete(data_, alignment);
    data_ = nullptr;
    size_ = 0;
    data_ = static_cast<char*>(::operator new(bytes, alignment));
    size_ = bytes;
  }
  return data_;
}

}  // namespace host::detail
GPARRAY_END_NAMESPACE
