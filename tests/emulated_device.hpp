// CUDA's words on the CPU, so that g++ compiles device code as it is: each thread of a block is a context of
// its own, which runs until it reaches a barrier. Blocks run one after the other. A barrier that not all
// threads reach ends the program, as do loads and stores that are not aligned. Standard headers come first:
// these words are macros, which they must not see.
#pragma once
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#define __CUDACC__ 1
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __grid_constant__
#define __launch_bounds__(n)
#define __shared__ static

namespace emulated {

struct position {
  unsigned x = 0, y = 0, z = 0;
};

/// The threads of one block, and what they wait for.
class block {
 public:
  explicit block(unsigned n_threads) : threads_(n_threads) {
    for (thread& t : threads_) t.stack.resize(stack_bytes);
  }
  void run(const std::function<void()>& body);
  void wait_for_block() { wait(waiting_for::block); }
  void wait_for_warp() { wait(waiting_for::warp); }

  unsigned words[64][32];  // what the lanes of a warp exchange

 private:
  static constexpr std::size_t stack_bytes = 64 * 1024;
  enum class waiting_for { nothing, warp, block, ended };
  struct thread {
    ucontext_t context;
    std::vector<char> stack;
    waiting_for state;
  };

  static void begin();
  void wait(waiting_for what);
  bool release(std::size_t first, std::size_t last, waiting_for what);

  std::vector<thread> threads_;
  ucontext_t scheduler_;
  const std::function<void()>* body_ = nullptr;
};

inline block* running = nullptr;

}  // namespace emulated

inline emulated::position threadIdx, blockIdx;

namespace emulated {

inline void block::begin() {
  (*running->body_)();
  thread& own = running->threads_[threadIdx.x];
  own.state = waiting_for::ended;
  setcontext(&running->scheduler_);
}

inline void block::wait(waiting_for what) {
  thread& own = threads_[threadIdx.x];
  own.state = what;
  swapcontext(&own.context, &scheduler_);
}

/// Lets threads go on if all of those that have not ended wait for the same.
inline bool block::release(std::size_t first, std::size_t last, waiting_for what) {
  bool any = false;
  for (std::size_t i = first; i < last; ++i) {
    if (threads_[i].state == waiting_for::ended) continue;
    if (threads_[i].state != what) return false;
    any = true;
  }
  for (std::size_t i = first; i < last; ++i)
    if (threads_[i].state == what) threads_[i].state = waiting_for::nothing;
  return any;
}

inline void block::run(const std::function<void()>& body) {
  body_ = &body;
  running = this;
  for (thread& t : threads_) {
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = t.stack.data();
    t.context.uc_stack.ss_size = t.stack.size();
    t.context.uc_link = nullptr;
    makecontext(&t.context, begin, 0);
    t.state = waiting_for::nothing;
  }
  for (;;) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (threads_[i].state != waiting_for::nothing) continue;
      threadIdx.x = static_cast<unsigned>(i);
      swapcontext(&scheduler_, &threads_[i].context);
    }
    bool released = false, ended = true;
    for (std::size_t warp = 0; warp < threads_.size(); warp += 32)
      released |= release(warp, std::min(warp + 32, threads_.size()), waiting_for::warp);
    if (released || release(0, threads_.size(), waiting_for::block)) continue;
    for (const thread& t : threads_) ended = ended && t.state == waiting_for::ended;
    if (ended) return;
    std::fputs("emulated device: a barrier that not all threads reach\n", stderr);
    std::abort();
  }
}

inline unsigned exchange(unsigned word, unsigned source) {
  unsigned(&words)[32] = running->words[threadIdx.x / 32];
  words[threadIdx.x % 32] = word;
  running->wait_for_warp();
  const unsigned result = source < 32 ? words[source] : word;
  running->wait_for_warp();
  return result;
}

/// A kernel whose threads have nothing to do with each other.
template<class Params>
void run_threads(void (*kernel)(Params), const void* params, unsigned n_blocks, unsigned n_threads) {
  for (blockIdx.x = 0; blockIdx.x < n_blocks; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < n_threads; ++threadIdx.x) kernel(*static_cast<const Params*>(params));
}

template<class Params>
void run_blocks(void (*kernel)(Params), const void* params, unsigned n_blocks, unsigned n_threads) {
  block threads(n_threads);
  for (blockIdx.x = 0; blockIdx.x < n_blocks; ++blockIdx.x)
    threads.run([&] { kernel(*static_cast<const Params*>(params)); });
}

}  // namespace emulated

inline void __syncthreads() { emulated::running->wait_for_block(); }
inline void __threadfence() {}
inline unsigned __shfl_down_sync(unsigned, unsigned word, unsigned delta) {
  return emulated::exchange(word, threadIdx.x % 32 + delta);
}
inline unsigned __shfl_up_sync(unsigned, unsigned word, unsigned delta) {
  return emulated::exchange(word, threadIdx.x % 32 - delta);
}
inline unsigned __shfl_sync(unsigned, unsigned word, unsigned lane) {
  return emulated::exchange(word, lane % 32);
}
inline void __syncwarp() { emulated::running->wait_for_warp(); }
inline unsigned __match_any_sync(unsigned, unsigned word) {
  unsigned(&words)[32] = emulated::running->words[threadIdx.x / 32];
  words[threadIdx.x % 32] = word;
  __syncwarp();
  unsigned alike = 0;
  for (unsigned lane = 0; lane < 32; ++lane) alike |= unsigned(words[lane] == word) << lane;
  __syncwarp();
  return alike;
}
inline int __popc(unsigned word) { return __builtin_popcount(word); }
template<class T>
inline T atomicAdd(T* address, T value) {
  return std::exchange(*address, *address + value);
}
inline unsigned atomicInc(unsigned* address, unsigned largest) {
  const unsigned old = *address;
  *address = old >= largest ? 0 : old + 1;
  return old;
}
template<class T>
T min(T a, T b) {
  return b < a ? b : a;
}
template<class T>
T max(T a, T b) {
  return a < b ? b : a;
}
