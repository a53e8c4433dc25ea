// Copies past the cache, by non-temporal stores, for memory that is not read again soon.
#include <cstring>

#include <host/map/strided_tiles.hpp>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

GPARRAY_BEGIN_NAMESPACE
namespace host {

#if defined(__x86_64__)
namespace {

constexpr std::size_t line = 64;

__attribute__((target("avx512f"))) void stream_lines_512(char* to, const char* from, std::size_t lines) {
  for (std::size_t i = 0; i < lines; ++i)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i * line), _mm512_loadu_si512(from + i * line));
}

void stream_lines_128(char* to, const char* from, std::size_t lines) {
  for (std::size_t i = 0; i < 4 * lines; ++i)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i,
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i));
}

}  // namespace

void stream_copy(void* to, const void* from, std::size_t bytes) {
  static const bool use_avx512 = __builtin_cpu_supports("avx512f");
  char* target = static_cast<char*>(to);
  const char* source = static_cast<const char*>(from);
  const std::size_t head = (line - reinterpret_cast<std::uintptr_t>(to) % line) % line;
  if (bytes < head + line) {
    std::memcpy(to, from, bytes);
    return;
  }
  std::memcpy(target, source, head);
  const std::size_t lines = (bytes - head) / line;
  (use_avx512 ? stream_lines_512 : stream_lines_128)(target + head, source + head, lines);
  const std::size_t done = head + lines * line;
  std::memcpy(target + done, source + done, bytes - done);
}

void stream_fence() { _mm_sfence(); }
#else
void stream_copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void stream_fence() {}
#endif

}  // namespace host
GPARRAY_END_NAMESPACE
