// What the pools hold, as text.
#include <algorithm>

#include <core/runtime/storage.hpp>
#include <gparray/runtime/memory_report.hpp>
#include <memory/fork.hpp>
#include <memory/host.hpp>
#include <support/bytes_text.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

void add_pool(std::string& report, std::string_view title, memory_pool& pool, std::size_t largest) {
  const statistics counts = pool.stats();
  if (counts.total_bytes == 0) return;
  const std::size_t limit = pool.limit();
  report += fmt::format("{:<16} {} in arrays, of {} held; at most {}; {}, {} free blocks\n", title,
                        bytes_text(counts.used_bytes), bytes_text(counts.total_bytes),
                        bytes_text(counts.peak_bytes), limit == 0 ? "no limit" : "limit " + bytes_text(limit),
                        counts.n_free_blocks);
  std::vector<allocation> used = fork_guard::used_blocks(pool);
  const std::size_t shown = std::min(largest, used.size());
  std::ranges::partial_sort(used, used.begin() + static_cast<std::ptrdiff_t>(shown), std::ranges::greater(),
                            &allocation::bytes);
  for (std::size_t i = 0; i < shown; ++i)
    report += fmt::format(
        "  {:>12}  at {}{}\n", bytes_text(used[i].requested), used[i].pointer,
        used[i].stream && used[i].stream != cpu_order ? fmt::format(", of stream {}", used[i].stream) : "");
  if (used.size() > shown) report += fmt::format("  and {} smaller ones\n", used.size() - shown);
}

}  // namespace
}  // namespace core

std::string memory_report(int largest) {
  if (largest < 0)
    core::fail<value_error>("memory_report: the number of blocks is {}, and not negative", largest);
  const auto most = static_cast<std::size_t>(largest);
  std::string report;
  core::add_pool(report, "host", core::host_pool(), most);
  core::backend* const gpu = core::gpu_backend();
  for (int i = 0; gpu && i < gpu->device_count(); ++i)
    for (const memory_space space :
         {memory_space::device, memory_space::pinned, memory_space::mapped, memory_space::managed})
      if (core::memory_pool* const pool = gpu->pool(space, i))
        core::add_pool(report, fmt::format("cuda:{} {}", i, name(space)), *pool, most);
  return report.empty() ? "no memory is held\n" : report;
}

GPARRAY_END_NAMESPACE
