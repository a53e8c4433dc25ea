#include <algorithm>

#include <core/runtime/debug.hpp>
#include <core/runtime/known_reals.hpp>
#include <core/runtime/storage.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/memory.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

int pool_owner(memory_space space, device on_device) {
  if (on_device.is_cuda()) return on_device.index();
  if (space == memory_space::host) return 0;
  const device preferred = default_device();
  return preferred.is_cuda() ? preferred.index() : 0;
}

memory_pool& pool_of(memory_space space, device on_device) {
  if (space == memory_space::host && on_device.is_cuda())
    fail<device_error>("host memory is the CPU's: ask for it with device(\"cpu\"), not {}", on_device.str());
  if ((space == memory_space::device || space == memory_space::managed) && on_device.is_cpu())
    fail<device_error>("{} memory is a GPU's: ask for it with device(\"cuda:0\"), not cpu", name(space));
  const int index = pool_owner(space, on_device);
  backend& b = space == memory_space::host ? host_backend() : backend_of(device::cuda(index));
  memory_pool* pool = b.pool(space, index);
  if (!pool) fail<device_error>("{} has no {} memory", on_device.str(), name(space));
  return *pool;
}

namespace {

std::unique_ptr<storage> blank(std::size_t bytes, memory_space space, device on_device) {
  auto s = std::make_unique<storage>();
  s->device_ = on_device;
  s->space = space;
  s->bytes = bytes;
  return s;
}

void* native(queue q) { return q.stream == cpu_order ? nullptr : q.stream; }

void allocate_foreign(storage& s, std::shared_ptr<allocator> source) {
  s.foreign = std::make_unique<foreign_memory>();
  if (s.bytes > 0) {
    s.data = source->allocate(s.bytes, native(s.home));
    if (!s.data)
      fail<out_of_memory>(
          "out of {} memory: the allocator set for {} memory of {} returned null for {} bytes; drop arrays "
          "that are no longer "
          "needed, or give it more memory",
          s.device_.str(), name(s.space), s.device_.str(), s.bytes);
  }
  s.foreign->source = std::move(source);
}

/// The memory is returned after the work of other streams: its own stream waits for them.
void release_foreign(storage& s) noexcept {
  for (const foreign_memory::use& u : s.foreign->uses) {
    try {
      backend& b = backend_of(device::cuda(u.where.device));
      if (s.device_.is_cpu()) b.synchronize_event(u.where.device, u.event);
      else b.wait_event(s.home, u.event);
      b.destroy_event(u.where.device, u.event);
    } catch (...) {  // the device is gone, and its work with it
    }
  }
  if (s.data) s.foreign->source->deallocate(s.data, s.bytes, native(s.home));
}

void record_foreign(storage& s, queue q) {
  foreign_memory& m = *s.foreign;
  backend& b = backend_of(device::cuda(q.device));
  const std::lock_guard guard(m.lock);
  auto same = std::ranges::find_if(
      m.uses, [q](const auto& u) { return u.where.device == q.device && u.where.stream == q.stream; });
  if (same == m.uses.end()) {
    m.uses.reserve(m.uses.size() + 1);
    m.uses.push_back({q, b.create_event(q.device, false)});
    same = std::prev(m.uses.end());
  }
  b.record_event(same->event, q);
}

}  // namespace

storage* new_storage(std::size_t bytes, memory_space space, device on_device, queue q) {
  const bool poison = debug().poison;  // may refuse the setting: before there is memory to lose
  auto s = blank(bytes, space, on_device);
  s->home = {pool_owner(space, on_device), q.stream};
  if (recording* r = space == memory_space::device ? recording_on(on_device.index()) : nullptr) [[unlikely]] {
    s->memory = r->pool().allocate(bytes, q.stream);
    s->data = s->memory->pointer;
    s->arena = r->arena;
    s->home.stream = r->arena.get();  // no stream's handle: every use outside the graph is another queue's
  } else if (std::shared_ptr<allocator> source = get_allocator(space, on_device)) [[unlikely]] {
    allocate_foreign(*s, std::move(source));
  } else {
    s->memory = pool_of(space, on_device).allocate(bytes, q.stream);
    s->data = s->memory->pointer;
  }
  if (poison) [[unlikely]]
    poison_memory(*s, q);
  return s.release();
}

namespace {

/// Whether all writes to it are the library's, at this time: neither an address that is known outside nor a
/// graph writes unnoticed.
bool is_guarded(const storage* s) noexcept {
  return s->memory && !s->arena && s->exposures.load(std::memory_order_acquire) == 0 &&
         recordings_under_way.load(std::memory_order_relaxed) == 0;
}

/// The ends of a range, in 32 bits each: of integers the lower one first. Of floating-point numbers the upper
/// one is, and the lower one is odd for float64 alone.
std::uint64_t word_of(std::int32_t first, std::int32_t second) noexcept {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32 |
         static_cast<std::uint32_t>(second);
}
number_range ends_in(std::uint64_t word) noexcept {
  return {static_cast<std::int32_t>(word >> 32), static_cast<std::int32_t>(word)};
}

/// The word of a storage of which something is known.
std::optional<number_range> known_ends(const storage* s) noexcept {
  const std::uint64_t numbers = s->numbers.load(std::memory_order_relaxed);
  if (numbers == unknown_numbers || !is_guarded(s)) return std::nullopt;
  return ends_in(numbers);
}

}  // namespace

std::optional<number_range> known_numbers(const storage* s) noexcept {
  const auto ends = known_ends(s);
  return ends && ends->least <= ends->greatest ? ends : std::nullopt;
}

void remember_numbers(storage* s, const number_range& range) noexcept {
  const auto least = static_cast<std::int32_t>(range.least),
             greatest = static_cast<std::int32_t>(range.greatest);
  if (least != range.least || greatest != range.greatest || !is_guarded(s)) return;
  s->numbers.store(word_of(least, greatest), std::memory_order_relaxed);
}

std::optional<number_range> known_reals(const storage* s, dtype type) noexcept {
  const auto ends = known_ends(s);
  if (!ends || ends->least <= ends->greatest) return std::nullopt;
  const dtype known = ends->greatest % 2 == 0 ? dtype::float32 : dtype::float64;
  if (type != known) return std::nullopt;
  return number_range{ends->greatest, ends->least};
}

void remember_reals(storage* s, dtype type, const number_range& range) noexcept {
  constexpr std::int64_t most = 1 << 30;
  if (range.least < -most || range.greatest > most || !is_guarded(s)) return;
  const bool is_odd = range.least % 2 != 0;
  const auto least = static_cast<std::int32_t>(range.least) - (is_odd != (type == dtype::float64));
  // Above the other end, and never the word for what is unknown.
  const auto greatest = std::max(static_cast<std::int32_t>(range.greatest), least + 2);
  s->numbers.store(word_of(greatest, least), std::memory_order_relaxed);
}

storage* new_borrowed(void* data, std::size_t bytes, memory_space space, device on_device,
                      std::function<void()> release) {
  auto s = blank(bytes, space, on_device);
  s->data = data;
  s->on_release = std::move(release);
  s->borrowed = true;
  s->exposures.store(exposed_for_good | exposed_and_read, std::memory_order_relaxed);
  return s.release();
}

void release(storage* s) noexcept {
  if (s->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (!s->borrowed && s->space == memory_space::host && debug().poison) [[unlikely]]
    poison_memory(*s, s->home);
  if (s->memory) s->memory->pool->deallocate(s->memory);
  if (s->foreign) release_foreign(*s);
  if (s->on_release) s->on_release();  // a throwing deleter terminates, as one in a smart pointer does
  delete s;
}

void record_other_queue(storage* s, queue q) {
  if (q.stream == cpu_order) return;
  if (recording* r = recording_on(q.device)) return r->record_use(s, q);
  if (!(s->memory || s->foreign) || (q.stream == s->home.stream && q.device == s->home.device)) return;
  if (s->foreign) return record_foreign(*s, q);
  if (q.device != s->home.device) {
    // A pool can follow only its own device's streams, so one of them waits for the other device: the null
    // stream, which is never destroyed.
    const queue own{s->home.device, nullptr};
    order_queues(q, own);
    q = own;
  }
  if (s->arena) return s->arena->record_use(q.stream);
  if (q.stream != s->home.stream) s->memory->pool->record_use(s->memory, q.stream);
}

}  // namespace core
GPARRAY_END_NAMESPACE
