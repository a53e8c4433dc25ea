#include <algorithm>
#include <atomic>

#include <core/linalg/host.hpp>
#include <gparray/linalg/types.hpp>
#include <plan/recording.hpp>
#include <support/errors.hpp>
#include <support/log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

// The host takes half of cuSOLVER's time for svd of 128 rows, and more of it at 160.
std::atomic<std::int64_t> limit{128};

}  // namespace

bool suits_host(const any_array& a, double share) {
  const device where = a.device();
  if (where.is_cpu() || recording_on(where.index())) return false;
  const std::int64_t rows = a.ndim() > 1 ? a.shape(-2) : 1, columns = a.shape(-1);
  const double most = share * static_cast<double>(limit.load(std::memory_order_relaxed));
  return static_cast<double>(std::max(rows, columns)) <= most && a.size() == rows * columns && a.size() > 0;
}

void note_host(const any_array& a) noexcept {
  static warned before;
  if (!logs(log_category::fallback)) return;
  warn(before, log_category::fallback,
       "a routine of linalg for a matrix of shape {} on {} runs on the CPU, which is quicker for matrices as "
       "small as host_limit() says",
       text(a.shape()), a.device().str());
}

any_array moved_back(const any_array& result, device to) {
  return result.rep() ? detail::to_device(result, to, nullptr) : result;
}

}  // namespace core

namespace linalg {

std::int64_t host_limit() noexcept { return core::limit.load(std::memory_order_relaxed); }

void set_host_limit(std::int64_t size) {
  if (size < 0) throw value_error("set_host_limit: the size of a matrix is not negative");
  core::limit.store(size, std::memory_order_relaxed);
}

}  // namespace linalg
GPARRAY_END_NAMESPACE
