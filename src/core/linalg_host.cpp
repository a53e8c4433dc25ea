#include <core/linalg_host.hpp>
#include <core/recording.hpp>
#include <gparray/error.hpp>
#include <gparray/linalg_types.hpp>

#include <algorithm>
#include <atomic>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

// At 100 the host takes a third of cuSOLVER's time for solve and half for svd; at 256 more than cuSOLVER.
std::atomic<std::int64_t> limit{128};

bool is_small(const any_array& a, std::int64_t most) {
  const device place = a.device();
  if (place.is_cpu() || a.ndim() == 0 || recording_on(place.index())) return false;
  const std::int64_t rows = a.ndim() > 1 ? a.shape(-2) : 1, columns = a.shape(-1);
  return std::max(rows, columns) <= most && a.size() == rows * columns && a.size() > 0;
}

}  // namespace

bool suits_host(const any_array& a, host_share share) {
  return is_small(a, limit.load(std::memory_order_relaxed) / static_cast<std::int64_t>(share));
}

any_array moved_back(const any_array& result, device place) {
  return result.rep() ? detail::to_device(result, place, nullptr) : result;
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
