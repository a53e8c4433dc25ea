// Annotations for AddressSanitizer of memory that a pool hands out: by itself it sees malloc's blocks, which
// are a pool's chunks.
#pragma once
#include <cstddef>

#include <gparray/config.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define GPARRAY_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GPARRAY_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(GPARRAY_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#endif

GPARRAY_BEGIN_NAMESPACE
namespace core {

#if defined(GPARRAY_ADDRESS_SANITIZER)
inline constexpr bool address_sanitizer = true;
/// From now on reading and writing these bytes is a fault, and no longer one.
inline void forbid_access(void* pointer, std::size_t bytes) noexcept {
  __asan_poison_memory_region(pointer, bytes);
}
inline void allow_access(void* pointer, std::size_t bytes) noexcept {
  __asan_unpoison_memory_region(pointer, bytes);
}
#else
inline constexpr bool address_sanitizer = false;
inline void forbid_access(void*, std::size_t) noexcept {}
inline void allow_access(void*, std::size_t) noexcept {}
#endif

}  // namespace core
GPARRAY_END_NAMESPACE
