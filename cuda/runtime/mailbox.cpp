#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>

#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/mailbox.hpp>
#include <cuda/runtime/mailbox_params.hpp>
#include <gparray/error.hpp>
#include <plan/lost_device.hpp>
#include <support/pause.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "copying from the device to host memory";

using namespace std::chrono_literals;
// Asking the driver costs a microsecond or two, so that it is asked only whether a kernel has failed; after a
// long wait nothing is lost by leaving the rest of it to the driver.
constexpr auto ask_interval = 16us, longest_spin = 50us;

// What a result's words hold before it arrives. A result with this very value is noticed when the stream is
// done.
constexpr std::uint32_t unwritten = 0xa5a5a5a5;

/// A word that the GPU writes.
template<class Word>
Word load(const Word& word) noexcept {
  return std::atomic_ref(const_cast<Word&>(word)).load(std::memory_order_relaxed);
}

std::uint32_t stamp_of(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word >> 32); }

}  // namespace

mailbox::~mailbox() {
  if (slot* s = slots_.load(); s && !is_lost(device_)) try_call<&rt::cudaFreeHost>(s);
}

mailbox::slot* mailbox::slots() {
  if (slot* made = slots_.load(std::memory_order_acquire)) [[likely]]
    return made;
  const std::lock_guard guard(making_);
  if (slot* made = slots_.load(std::memory_order_relaxed)) return made;
  use_device(device_);
  void* memory = nullptr;
  call<&rt::cudaHostAlloc>("making a mailbox", &memory, n_slots * sizeof(slot),
                           unsigned{cudaHostAllocMapped | cudaHostAllocPortable});
  std::memset(memory, 0, n_slots * sizeof(slot));
  slots_.store(static_cast<slot*>(memory), std::memory_order_release);
  return static_cast<slot*>(memory);
}

int mailbox::take() noexcept {
  std::uint64_t idle = idle_.load(std::memory_order_relaxed);
  while (idle != 0)
    if (idle_.compare_exchange_weak(idle, idle & (idle - 1), std::memory_order_acquire,
                                    std::memory_order_relaxed))
      return std::countr_zero(idle);
  return -1;
}

bool mailbox::read(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  slot* const all = slots();
  const int index = take();
  if (index < 0) return false;
  slot& s = all[index];
  std::uint32_t& stamp = stamps_[index];
  // No word may hold a stamp from the last time round.
  if (++stamp == 0) {
    std::memset(&s, 0, sizeof s);
    stamp = 1;
  }
  const std::size_t n_words = (bytes + 3) / 4;
  try {
    launch("a copy to host memory", find_post_kernel(), 1, static_cast<int>(n_words),
           post_params{static_cast<const char*>(from), s.words, static_cast<std::uint32_t>(bytes), stamp},
           {device_, stream});
  } catch (...) {
    give_back(index);
    throw;
  }
  // If this throws, the kernel may still come to write: the slot is never used again.
  const bool arrived = wait(
      [&, there = std::size_t{0}]() mutable {
        while (there < n_words && stamp_of(load(s.words[there])) == stamp) ++there;
        return there == n_words;
      },
      stream);
  if (arrived) {
    std::uint32_t values[words_per_slot];
    for (std::size_t i = 0; i < n_words; ++i) values[i] = static_cast<std::uint32_t>(load(s.words[i]));
    std::memcpy(to, values, bytes);
  }
  give_back(index);
  return arrived;
}

void* mailbox::expect(std::size_t bytes) {
  slot* const all = slots();
  const int index = take();
  if (index < 0) return nullptr;
  std::uint32_t* const result = all[index].result;
  std::fill_n(result, (bytes + 3) / 4, unwritten);
  return result;
}

void mailbox::receive(void* to, void* result, std::size_t bytes, cudaStream_t stream) {
  const auto* const words = static_cast<const std::uint32_t*>(result);
  const std::size_t n_words = (bytes + 3) / 4;
  // Aligned words arrive whole, and need no order among each other: each shows by itself that it is there. As
  // in `read`, the slot is never used again if this throws.
  wait(
      [=, there = std::size_t{0}]() mutable {
        while (there < n_words && load(words[there]) != unwritten) ++there;
        return there == n_words;
      },
      stream);
  std::uint32_t values[max_result_bytes / 4];
  for (std::size_t i = 0; i < n_words; ++i) values[i] = load(words[i]);
  std::memcpy(to, values, bytes);
  give_back(index_of(result));
}

void mailbox::abandon(void* result, bool awaited, cudaStream_t stream) noexcept {
  try {
    if (awaited) {
      use_device(device_);
      call<&rt::cudaStreamSynchronize>(operation, stream);
    }
    give_back(index_of(result));
  } catch (const error&) {  // NOLINT: the kernel may still come to write, so the slot is lost
  }
}

int mailbox::index_of(const void* result) const noexcept {
  const auto offset = static_cast<const char*>(result) -
                      reinterpret_cast<const char*>(slots_.load(std::memory_order_relaxed));
  return static_cast<int>(static_cast<std::size_t>(offset) / sizeof(slot));
}

/// False if the stream has done its work and nothing has arrived.
template<class Arrived>
bool mailbox::wait(Arrived arrived, cudaStream_t stream) const {
  const auto start = std::chrono::steady_clock::now();
  for (auto ask = start + ask_interval;;) {
    for (int i = 0; i < 16; ++i) {
      if (arrived()) return true;
      cpu_pause();
    }
    const auto now = std::chrono::steady_clock::now();
    if (now < ask) continue;
    use_device(device_);
    if (now - start > longest_spin) {
      call<&rt::cudaStreamSynchronize>(operation, stream);
      return arrived();
    }
    ask = now + ask_interval;
    const cudaError_t code = try_call<&rt::cudaStreamQuery>(stream);
    if (code == cudaSuccess) return arrived();
    if (code != cudaErrorNotReady) throw_cuda_error("cudaStreamQuery", code, operation, stream);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
