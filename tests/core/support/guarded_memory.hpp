// Memory of fake GPUs, which the host must not touch.
#pragma once
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>

#include <memory/upstream.hpp>

namespace fake {

/// Where a test turns it on before there is any, memory of fake GPUs is such as a real one's: the host that
/// reads or writes it ends with SIGSEGV, unless a GPU does it.
class guarded_memory {
 public:
  static guarded_memory& get() {
    static guarded_memory one;
    return one;
  }
  bool is_on() const { return on_; }
  void turn_on() { on_ = true; }
  void* allocate(std::size_t bytes) {
    const std::lock_guard guard(lock_);
    bytes = padded(bytes);
    void* const p = mmap(nullptr, bytes, open_ ? PROT_READ | PROT_WRITE : PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return nullptr;
    parts_[p] = bytes;
    return p;
  }
  void deallocate(void* p) {
    const std::lock_guard guard(lock_);
    munmap(p, parts_[p]);
    parts_.erase(p);
  }
  void open() {
    const std::lock_guard guard(lock_);
    if (open_++ == 0) protect(PROT_READ | PROT_WRITE);
  }
  void close() {
    const std::lock_guard guard(lock_);
    if (--open_ == 0) protect(PROT_NONE);
  }

 private:
  static std::size_t padded(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }
  void protect(int how) {
    for (const auto& [p, bytes] : parts_) mprotect(p, bytes, how);
  }
  bool on_ = false;
  std::mutex lock_;
  std::map<void*, std::size_t> parts_;
  int open_ = 0;
};

/// While it lives, what this or another thread does is a GPU's work.
struct touching_memory {
  touching_memory() {
    if (guarded_memory::get().is_on()) guarded_memory::get().open();
  }
  ~touching_memory() {
    if (guarded_memory::get().is_on()) guarded_memory::get().close();
  }
  touching_memory(const touching_memory&) = delete;
  touching_memory& operator=(const touching_memory&) = delete;
};

struct space_upstream final : gparray::core::upstream {
  explicit space_upstream(std::string n) : label(std::move(n)) {}
  void* allocate(std::size_t bytes) override {
    if (is_guarded()) return guarded_memory::get().allocate(bytes);
    return bytes > (std::size_t{1} << 34) ? nullptr : std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  }
  void deallocate(void* p, std::size_t) noexcept override {
    if (is_guarded()) guarded_memory::get().deallocate(p);
    else std::free(p);
  }
  bool is_guarded() const { return guarded_memory::get().is_on() && label.starts_with("cuda"); }
  const char* name() const noexcept override { return label.c_str(); }
  std::string label;
};

}  // namespace fake
