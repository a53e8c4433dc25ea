// Allocators of the user in place of the pools.
#include <shared_mutex>

#include <core/runtime/pending.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/memory.hpp>
#include <support/errors.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace {

struct table {
  struct row {
    memory_space space;
    device device_;
    std::shared_ptr<allocator> source;
  };
  std::shared_mutex lock;
  std::vector<row> rows;
};

table& process_table() {
  static auto* t = new table;  // never destroyed: arrays in static storage may outlive main
  return *t;
}

// Nearly no program sets an allocator, and every array asks.
constinit std::atomic<bool> any_for_process{false};
thread_local constinit core::lasting<const allocator_guard*> innermost = nullptr;

}  // namespace

void set_allocator(memory_space space, device d, std::shared_ptr<allocator> source) {
  core::backend_of(d);
  core::effect();
  table& t = process_table();
  std::shared_ptr<allocator> old;  // its destructor is the user's code: run it after the lock is free
  const std::lock_guard guard(t.lock);
  auto same = std::ranges::find_if(t.rows, [&](const auto& r) { return r.space == space && r.device_ == d; });
  if (same != t.rows.end()) {
    old = std::exchange(same->source, std::move(source));
  } else {
    t.rows.push_back({space, d, std::move(source)});
  }
  any_for_process.store(std::ranges::any_of(t.rows, [](const auto& r) { return r.source != nullptr; }));
}

std::shared_ptr<allocator> get_allocator(memory_space space, device d) {
  for (const allocator_guard* g = innermost; g; g = g->outer_)
    if (g->space_ == space && g->device_ == d) return g->source_;
  if (!any_for_process.load(std::memory_order_acquire)) return nullptr;
  table& t = process_table();
  const std::shared_lock guard(t.lock);
  for (const auto& r : t.rows)
    if (r.space == space && r.device_ == d) return r.source;
  return nullptr;
}

allocator_guard::allocator_guard(memory_space space, device d, std::shared_ptr<allocator> source)
    : space_(space), device_(d), source_(std::move(source)), outer_(innermost) {
  core::backend_of(d);
  core::effect();  // what was written before the guard takes memory from outside it
  innermost = this;
}

allocator_guard::~allocator_guard() {
  try {
    core::effect();
  } catch (...) {  // the next use of the array throws the error
  }
  innermost = outer_;
}

cuda_async_allocator::cuda_async_allocator(device d) : device_(d) {
  if (!d.is_cuda())
    core::fail<device_error>("cuda_async_allocator: {} is no GPU; name one, for example device(\"cuda:0\")",
                             d.str());
  core::backend_of(d);
}

void* cuda_async_allocator::allocate(std::size_t bytes, void* stream) {
  return core::backend_of(device_).allocate_async(bytes, {device_.index(), stream});
}

void cuda_async_allocator::deallocate(void* pointer, std::size_t, void* stream) noexcept {
  try {
    core::backend_of(device_).free_async(pointer, {device_.index(), stream});
  } catch (...) {  // the device is gone, and its memory with it
  }
}

GPARRAY_END_NAMESPACE
