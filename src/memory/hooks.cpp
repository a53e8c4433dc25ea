#include "hooks.hpp"

#include <utility>

#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

thread_local constinit lasting<bool> inside_hook = false;

// Without this a hook that allocates would call itself for ever.
class hook_scope {
 public:
  hook_scope() noexcept { inside_hook = true; }
  ~hook_scope() { inside_hook = false; }
  hook_scope(const hook_scope&) = delete;
  hook_scope& operator=(const hook_scope&) = delete;
};

}  // namespace

void hook_list::refresh_active() noexcept {
  active_.store((hooks_ && !hooks_->empty()) || kept_, std::memory_order_relaxed);
}

void hook_list::add(std::shared_ptr<memory_hook> hook) {
  const std::lock_guard guard(lock_);
  auto longer = hooks_ ? std::make_shared<hooks>(*hooks_) : std::make_shared<hooks>();
  longer->push_back(std::move(hook));
  hooks_ = std::move(longer);
  refresh_active();
}

void hook_list::remove(const memory_hook* hook) {
  std::shared_ptr<const hooks> old;  // a hook's destructor may use the pool: run it after the lock is free
  const std::lock_guard guard(lock_);
  if (!hooks_) return;
  auto shorter = std::make_shared<hooks>(*hooks_);
  std::erase_if(*shorter, [hook](const auto& h) { return h.get() == hook; });
  old = std::exchange(hooks_, std::move(shorter));
  refresh_active();
}

std::shared_ptr<const hook_list::hooks> hook_list::current() const noexcept {
  if (inside_hook) return nullptr;
  const std::lock_guard guard(lock_);
  return hooks_;
}

void hook_list::allocated(const allocation& a) {
  const auto all = current();
  if (!all) return;
  const hook_scope scope;
  for (std::size_t i = 0; i < all->size(); ++i) {
    try {
      (*all)[i]->on_allocate(a);
    } catch (...) {
      while (i-- > 0) {
        try {
          (*all)[i]->on_deallocate(a);
        } catch (...) {  // the first exception is the one to report
        }
      }
      throw;
    }
  }
}

void hook_list::upstream_allocated(void* pointer, std::size_t bytes) {
  const auto all = current();
  if (!all) return;
  const hook_scope scope;
  for (const auto& hook : *all) hook->on_upstream_allocate(pointer, bytes);
}

void hook_list::deallocated(const allocation& a) noexcept {
  const auto all = current();
  if (!all) return;
  const hook_scope scope;
  for (const auto& hook : *all) {
    try {
      hook->on_deallocate(a);
    } catch (...) {
      keep(std::current_exception());
    }
  }
}

void hook_list::keep(std::exception_ptr error) noexcept {
  const std::lock_guard guard(lock_);
  if (!kept_) kept_ = std::move(error);
  refresh_active();
}

void hook_list::rethrow_kept() {
  std::exception_ptr error;
  {
    const std::lock_guard guard(lock_);
    error = std::exchange(kept_, nullptr);
    refresh_active();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace core
GPARRAY_END_NAMESPACE
