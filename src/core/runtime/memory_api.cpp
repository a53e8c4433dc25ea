// The public view of the memory pools.
#include <core/runtime/pending.hpp>
#include <core/runtime/storage.hpp>
#include <gparray/memory.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE

std::size_t memory_pool::used_bytes() const { return pool_->stats().used_bytes; }
std::size_t memory_pool::total_bytes() const { return pool_->stats().total_bytes; }
std::size_t memory_pool::free_bytes() const { return pool_->stats().free_bytes; }
std::size_t memory_pool::peak_bytes() const { return pool_->stats().peak_bytes; }
std::uint64_t memory_pool::hits() const { return pool_->stats().hits; }
std::uint64_t memory_pool::misses() const { return pool_->stats().misses; }
std::size_t memory_pool::n_free_blocks() const { return pool_->stats().n_free_blocks; }

void memory_pool::set_limit(std::size_t bytes) { pool_->set_limit(bytes); }
std::size_t memory_pool::limit() const { return pool_->limit(); }

void memory_pool::set_limit_fraction(double fraction) {
  if (!(fraction >= 0 && fraction <= 1))
    core::fail<value_error>(
        "set_limit_fraction: the fraction must lie between 0 and 1, got {}; set_limit takes bytes", fraction);
  pool_->set_limit(static_cast<std::size_t>(fraction * static_cast<double>(device_.memory_info().second)));
}

void memory_pool::free_all_blocks() {
  core::effect();
  pool_->free_all_blocks();
}

void memory_pool::add_hook(std::shared_ptr<memory_hook> hook) {
  if (!hook) throw value_error("add_hook: the hook is a null pointer");
  pool_->add_hook(std::move(hook));
}
void memory_pool::remove_hook(const memory_hook* hook) { pool_->remove_hook(hook); }

memory_pool default_memory_pool(memory_space space, device d) {
  const bool on_host = space == memory_space::host;
  return {core::pool_of(space, on_host ? device::cpu() : d), on_host ? device::cpu() : d};
}

memory_pool get_default_memory_pool() {
  const device d = default_device();
  return default_memory_pool(core::default_space(d), d);
}

memory_pool get_default_pinned_memory_pool() { return default_memory_pool(memory_space::pinned); }

GPARRAY_END_NAMESPACE
