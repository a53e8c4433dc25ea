#include <mutex>
#include <set>

#include <plan/last_kernel.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

constinit std::atomic<const char*> last_raw_kernel_name{nullptr};

const char* lasting_name(const std::string& name) {
  static std::mutex& lock = *new std::mutex;
  static std::set<std::string>& names = *new std::set<std::string>;
  const std::lock_guard hold(lock);
  return names.insert(name).first->c_str();
}

}  // namespace core
GPARRAY_END_NAMESPACE
