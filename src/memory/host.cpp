#include "host.hpp"

#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

#include "sanitizer.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

void* map(std::size_t bytes) noexcept {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}

}  // namespace

void* host_upstream::allocate(std::size_t bytes) {
  if (bytes == 0 || bytes > std::numeric_limits<std::size_t>::max() - 2 * huge_page) return nullptr;
  if (bytes < huge_page) return map(bytes);
  // The kernel aligns to its small pages: map one huge page more, then cut off both ends.
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t whole = (bytes + page - 1) / page * page;
  auto* start = static_cast<char*>(map(whole + huge_page));
  if (!start) return nullptr;
  const std::size_t head = (huge_page - reinterpret_cast<std::uintptr_t>(start) % huge_page) % huge_page;
  char* aligned = start + head;
  if (head) munmap(start, head);
  if (head < huge_page) munmap(aligned + whole, huge_page - head);
  madvise(aligned, bytes, MADV_HUGEPAGE);  // only a wish: without it the memory is slower, not wrong
  return aligned;
}

void host_upstream::deallocate(void* pointer, std::size_t bytes) noexcept { munmap(pointer, bytes); }
void host_upstream::forbid(void* pointer, std::size_t bytes) noexcept { forbid_access(pointer, bytes); }
void host_upstream::allow(void* pointer, std::size_t bytes) noexcept { allow_access(pointer, bytes); }

std::optional<std::size_t> host_upstream::available() const noexcept {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/meminfo", "r"), &std::fclose);
  if (!file) return std::nullopt;
  char line[128];
  unsigned long long kibibytes = 0;
  while (std::fgets(line, sizeof line, file.get()))
    if (std::sscanf(line, "MemAvailable: %llu kB", &kibibytes) == 1) return std::size_t{kibibytes} << 10;
  return std::nullopt;
}

memory_pool& host_pool() {
  static auto* upstream_memory = new host_upstream;
  static auto* events = new host_events;
  static auto* pool = new memory_pool(*upstream_memory, *events);
  return *pool;
}

}  // namespace core
GPARRAY_END_NAMESPACE
