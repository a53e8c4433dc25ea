// Which memory is that of fake GPUs.
#pragma once
#include <map>
#include <memory>
#include <mutex>

#include <gparray/memory_hooks.hpp>

namespace fake {

using namespace gparray;

/// Knows the memory of the fake's pools; all other memory is pageable.
class chunk_registry final : public memory_hook {
 public:
  void on_upstream_allocate(void* pointer, std::size_t bytes) override {
    const std::lock_guard guard(lock);
    chunks[static_cast<const char*>(pointer)] = bytes;
  }
  bool holds(const void* p) const {
    const std::lock_guard guard(lock);
    const auto* const at = static_cast<const char*>(p);
    auto next = chunks.upper_bound(at);
    return next != chunks.begin() && at < (--next)->first + next->second;
  }
  std::map<const char*, std::size_t> chunks;

 private:
  mutable std::mutex lock;
};
inline const std::shared_ptr<chunk_registry>& registry() {
  static const auto r = std::make_shared<chunk_registry>();
  return r;
}

}  // namespace fake
