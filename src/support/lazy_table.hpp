// Tables of a library's functions, for which tests can put another.
#pragma once
#include <atomic>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The table that Load() makes when it is first asked for, unless a test has put another in its place.
template<auto Load>
class lazy_table {
 public:
  using table = decltype(Load());

  static const table& get() {
    if (const table* const fake = substitute_.load(std::memory_order_acquire)) [[unlikely]]
      return *fake;
    static const table& loaded = *new table(Load());  // never destroyed: threads outlive static objects
    return loaded;
  }
  /// nullptr ends a substitution. The previous one is returned.
  static const table* exchange(const table* substitute) noexcept { return substitute_.exchange(substitute); }

 private:
  static inline std::atomic<const table*> substitute_ = nullptr;
};

}  // namespace core
GPARRAY_END_NAMESPACE
