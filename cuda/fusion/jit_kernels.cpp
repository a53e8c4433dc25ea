#include <atomic>

#include <fmt/format.h>

#include <cuda/fusion/jit_kernels.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <cuda/runtime/runtime.hpp>
#include <gparray/error.hpp>
#include <gparray/runtime/jit.hpp>
#include <plan/recording.hpp>
#include <support/background.hpp>
#include <support/log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class Key, class Hash>
std::shared_ptr<const loaded_kernel> kernel_cache<Key, Hash>::find(const Key& key, bool capturing,
                                                                   bool required) {
  jit mode = required ? jit::sync : jit_mode();
  if (mode == jit::off) return nullptr;
  if (capturing) mode = jit::sync;
  shared_entry wanted;
  std::vector<shared_entry> dropped;  // unloaded after the lock is gone: that waits for the device
  {
    const std::lock_guard hold(lock_);
    const auto found = index_.find(key);
    if (found != index_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      entry& e = **found->second;
      e.pinned = e.pinned || capturing;
      if (required && e.error) {
        if (!e.may_come) std::rethrow_exception(e.error);
        e.state = kernel_state::waiting;
        e.error = nullptr;
      }
      if (e.state != kernel_state::waiting) return e.loaded;
      if (mode == jit::async) return nullptr;
      wanted = *found->second;
    } else {
      wanted = insert(key, dropped);
      wanted->pinned = capturing;
    }
  }
  if (mode == jit::sync) {
    make(wanted);
    const std::lock_guard hold(lock_);
    if (required && wanted->error) std::rethrow_exception(wanted->error);
    return wanted->loaded;
  }
  if (!kernel_worker().enqueue([this, wanted] { make(wanted); })) erase(key);
  return nullptr;
}

template<class Key, class Hash>
typename kernel_cache<Key, Hash>::shared_entry kernel_cache<Key, Hash>::insert(
    const Key& key, std::vector<shared_entry>& dropped) {
  // A kernel that is being compiled, or that a recorded graph may launch, is kept.
  for (auto oldest = recent_.end(); recent_.size() >= limit_ && oldest != recent_.begin();) {
    --oldest;
    if ((*oldest)->pinned || (*oldest)->state == kernel_state::waiting) continue;
    index_.erase((*oldest)->key);
    dropped.push_back(std::move(*oldest));
    oldest = recent_.erase(oldest);
    ++counts_.dropped;
  }
  recent_.push_front(std::make_shared<entry>(key));
  index_.emplace(key, recent_.begin());
  return recent_.front();
}

/// After the queue has refused it: the next use asks again.
template<class Key, class Hash>
void kernel_cache<Key, Hash>::erase(const Key& key) {
  const std::lock_guard hold(lock_);
  const auto found = index_.find(key);
  if (found == index_.end()) return;
  recent_.erase(found->second);
  index_.erase(found);
  ++counts_.refused;
}

template<class Key, class Hash>
void kernel_cache<Key, Hash>::make(const shared_entry& e) {
  const std::lock_guard only_one(e->making);
  {
    const std::lock_guard hold(lock_);
    if (e->state != kernel_state::waiting) return;
  }
  std::shared_ptr<const loaded_kernel> loaded;
  std::string failure;
  std::exception_ptr thrown;
  bool may_come = true;
  try {
    loaded = std::make_shared<const loaded_kernel>(make_(e->key));
  } catch (const compile_error& error) {
    failure = error.what();
    thrown = std::current_exception();
    may_come = false;
  } catch (const std::exception& error) {
    failure = error.what();
    thrown = std::current_exception();
  }
  static warned before;
  if (!loaded)
    warn(before, log_category::jit,
         "an expression runs step by step, which takes several times as long, as its kernel could not be "
         "made: "
         "{}",
         failure);
  const std::lock_guard hold(lock_);
  e->state = loaded ? kernel_state::ready : kernel_state::failed;
  ++(loaded ? counts_.made : counts_.failed);
  e->loaded = std::move(loaded);
  e->failure = std::move(failure);
  e->error = std::move(thrown);
  e->may_come = may_come;
}

template<class Key, class Hash>
kernel_report kernel_cache<Key, Hash>::look(const Key& key) {
  const std::lock_guard hold(lock_);
  const auto found = index_.find(key);
  if (found == index_.end()) return {kernel_state::none, {}, {}, 0};
  const entry& e = **found->second;
  if (!e.loaded) return {e.state, e.failure, {}, 0};
  return {e.state, {}, e.loaded->origin, e.loaded->compile_seconds};
}

template<class Key, class Hash>
kernel_counts kernel_cache<Key, Hash>::counts() {
  const std::lock_guard hold(lock_);
  kernel_counts result = counts_;
  result.kernels = index_.size();
  return result;
}

template class kernel_cache<kernel_key, kernel_key_hash>;
template class kernel_cache<chain_key, chain_key_hash>;

namespace {

/// Code is unloaded only after the kernels that are running, or enqueued, have ended. If they cannot be
/// waited for, the code stays loaded; so too while any thread records a graph, which waiting would
/// invalidate.
void unload(backend& gpu, module_handle module, int device) noexcept {
  if (recordings_under_way.load(std::memory_order_relaxed) > 0) return;
  try {
    gpu.synchronize_device(device);
    gpu.unload_module(module);
  } catch (const std::exception&) {  // NOLINT: a device that is lost, or that records a graph
  }
}

std::string architecture_of(backend& gpu, int device) {
  const auto [major, minor] = gpu.compute_capability(device);
  return fmt::format("sm_{}{}", major, minor);
}

template<class Key>
loaded_kernel compile_and_load(const Key& key) {
  if (!cuda_backend()) throw device_error(cuda_missing_reason());
  return load_kernel(kernel_request(key, architecture_of(*cuda_backend(), key.device)), key.device);
}

std::atomic<kernel_table*> substitute_table{nullptr};
std::atomic<chain_table*> substitute_chains{nullptr};

}  // namespace

loaded_kernel load_kernel(const compile_request& request, int device) {
  backend& gpu = *cuda_backend();
  const compiled_program program = compile(request);
  const relaxed_capture relaxed;
  loaded_kernel result;
  result.origin = program.origin;
  result.compile_seconds = program.seconds;
  result.module = std::shared_ptr<void>(gpu.load_module(program.image, device),
                                        [&gpu, device](module_handle m) { unload(gpu, m, device); });
  result.kernel = gpu.find_kernel(result.module.get(), program.lowered_names.front().c_str());
  gpu.attributes(result.kernel, device);  // loads the code now, not at the first launch
  return result;
}

kernel_table& fused_kernels() {
  if (kernel_table* substitute = substitute_table.load(std::memory_order_acquire)) return *substitute;
  // Never destroyed: arrays in static storage may be computed after main.
  static auto& table = *new kernel_table(1024, compile_and_load);
  return table;
}

chain_table& chain_kernels() {
  if (chain_table* substitute = substitute_chains.load(std::memory_order_acquire)) return *substitute;
  static auto& table = *new chain_table(256, compile_and_load);
  return table;
}

kernel_table* exchange_fused_kernels(kernel_table* substitute) noexcept {
  return substitute_table.exchange(substitute);
}

chain_table* exchange_chain_kernels(chain_table* substitute) noexcept {
  return substitute_chains.exchange(substitute);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
