// Runs CUDA kernels on the CPU, so that their index arithmetic, their order of additions and their use of
// barriers are tested without a GPU. A block's threads are coroutines that take turns at barriers, shuffles
// and waits; blocks run one after another. It is stricter than a GPU: a barrier that not all threads of the
// block reach, and a wait for a block that has not started, are errors.
//
// To be included before the kernels, after all standard headers: it defines the words of CUDA C++.
#pragma once
#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <ucontext.h>
#include <utility>
#include <vector>

struct emulated_index {
  unsigned x;
};
inline emulated_index threadIdx, blockIdx, blockDim, gridDim;

namespace emulated {

// swapcontext() asks the kernel for the signal mask, which takes ten times as long as all else that an
// emulated kernel does. Sanitizers and fortified builds take a jump to another stack for an error.
#if defined(GPARRAY_SWAP_CONTEXT) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __USE_FORTIFY_LEVEL > 0
inline constexpr bool jumps = false;
#else
inline constexpr bool jumps = true;
#endif

/// A function with a stack of its own; without start() the stack that a program has anyway.
class coroutine {
 public:
  /// The next switch to this one enters `function`, which does not return.
  void start(void (*function)()) {
    if (!stack_) stack_ = std::make_unique_for_overwrite<char[]>(stack_bytes);
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_.get();
    context_.uc_stack.ss_size = stack_bytes;
    context_.uc_link = nullptr;
    makecontext(&context_, function, 0);
    entered_ = false;
  }

  /// Goes on there, from the coroutine that runs, which is this one.
  [[gnu::noinline]] void switch_to(coroutine& other) {
    const bool first = !std::exchange(other.entered_, true);
    if (!jumps) swapcontext(&context_, &other.context_);
    else if (_setjmp(jump_) != 0) return;
    else if (first) setcontext(&other.context_);
    else _longjmp(other.jump_, 1);
  }

 private:
  static constexpr std::size_t stack_bytes = 128 << 10;
  std::unique_ptr<char[]> stack_;
  ucontext_t context_;
  jmp_buf jump_;
  bool entered_ = true;
};

class block {
 public:
  /// Runs body(argument) as each of n_threads threads, the last one first if `backwards`.
  void run(unsigned n_threads, bool backwards, void (*body)(const void*), const void* argument) {
    body_ = body;
    argument_ = argument;
    error_ = nullptr;
    arrived_ = 0;
    std::fill(std::begin(named_), std::end(named_), named_barrier{});
    threads_.resize(std::max<std::size_t>(threads_.size(), n_threads));
    warps_.assign((n_threads + 31) / 32, {});
    n_threads_ = n_threads;
    blockDim.x = n_threads;
    for (unsigned i = 0; i < n_threads; ++i) start(threads_[i]);
    for (unsigned n_done = 0; n_done < n_threads;) {
      const std::size_t before = events_;
      for (unsigned i = 0; i < n_threads; ++i) {
        current_ = backwards ? n_threads - 1 - i : i;
        if (threads_[current_].done) continue;
        threadIdx.x = current_;
        scheduler_.switch_to(threads_[current_].self);
        if (threads_[current_].done) ++n_done;
        if (error_) throw std::logic_error(error_);
      }
      if (events_ == before)
        throw std::logic_error(
            "threads wait for what never comes: a barrier that others do not reach, or a block");
    }
  }

  void wait_for_block(std::source_location at) {
    if (arrived_ > 0 && at.line() != barrier_line_)
      return fail("threads of a block are at different barriers");
    barrier_line_ = at.line();
    ++events_;
    if (++arrived_ == n_threads_) {
      arrived_ = 0;
      ++n_barriers_;
      return;
    }
    for (const std::size_t now = n_barriers_; n_barriers_ == now;) yield();
  }

  /// A barrier of `count` threads.
  void wait_for_some(unsigned barrier, unsigned count) {
    named_barrier& b = named_[barrier % 16];
    ++events_;
    if (++b.arrived == count) {
      b.arrived = 0;
      ++b.n_barriers;
      return;
    }
    for (const std::size_t now = b.n_barriers; b.n_barriers == now;) yield();
  }

  /// What the lanes of the warp bring to the same exchange.
  const unsigned (&exchange(unsigned value))[32] {
    warp& w = warps_[current_ / 32];
    unsigned (&values)[32] = w.values[w.n_shuffles % 2];
    values[current_ % 32] = value;
    ++events_;
    if (++w.arrived == 32) {
      w.arrived = 0;
      ++w.n_shuffles;
    } else {
      for (const std::size_t now = w.n_shuffles; w.n_shuffles == now;) yield();
    }
    return values;
  }
  /// The value that lane source(own lane) of the warp brings.
  template<class Source>
  unsigned exchange(unsigned value, Source source) {
    return exchange(value)[source(current_ % 32) % 32];
  }

  void yield() { threads_[current_].self.switch_to(scheduler_); }

 private:
  struct thread {
    coroutine self;
    bool done = false;  // and waits for the next block
  };
  struct warp {
    unsigned values[2][32];
    unsigned arrived = 0;
    std::size_t n_shuffles = 0;
  };
  struct named_barrier {
    unsigned arrived = 0;
    std::size_t n_barriers = 0;
  };
  /// A thread that has come to its end waits there for the next block.
  void start(thread& t) {
    if (!t.done) t.self.start(&block::enter);
    t.done = false;
  }
  static void enter();
  void fail(const char* text) {
    error_ = text;
    yield();
  }

  std::deque<thread> threads_;  // which stay where they are: contexts point into themselves
  std::vector<warp> warps_;
  named_barrier named_[16];
  coroutine scheduler_;
  void (*body_)(const void*) = nullptr;
  const void* argument_ = nullptr;
  const char* error_ = nullptr;
  unsigned n_threads_ = 0, current_ = 0, arrived_ = 0;
  std::uint_least32_t barrier_line_ = 0;
  std::size_t n_barriers_ = 0, events_ = 0;
};

inline block running;

inline void block::enter() {
  for (;;) {
    running.body_(running.argument_);
    ++running.events_;
    running.threads_[running.current_].done = true;
    running.yield();
  }
}

}  // namespace emulated

inline void __syncthreads(std::source_location at = std::source_location::current()) {
  emulated::running.wait_for_block(at);
}
inline void __barrier_sync_count(unsigned barrier, unsigned count) {
  emulated::running.wait_for_some(barrier, count);
}
inline void __nanosleep(unsigned) { emulated::running.yield(); }
inline void __threadfence() {}
inline unsigned atomicInc(unsigned* counter, unsigned last) {
  const unsigned before = *counter;
  *counter = before >= last ? 0 : before + 1;
  return before;
}
inline unsigned __shfl_sync(unsigned, unsigned value, unsigned from) {
  return emulated::running.exchange(value, [=](unsigned) { return from; });
}
inline unsigned __shfl_down_sync(unsigned, unsigned value, unsigned delta) {
  return emulated::running.exchange(value,
                                    [=](unsigned lane) { return lane + delta < 32 ? lane + delta : lane; });
}
inline unsigned __shfl_up_sync(unsigned, unsigned value, unsigned delta) {
  return emulated::running.exchange(value,
                                    [=](unsigned lane) { return lane >= delta ? lane - delta : lane; });
}
inline int __syncthreads_or(int is_set) {
  static int any;
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  any |= is_set;
  __syncthreads();
  const int result = any;
  __syncthreads();
  return result;
}
inline void __syncwarp() {
  emulated::running.exchange(0, [](unsigned lane) { return lane; });
}
inline unsigned __match_any_sync(unsigned, unsigned word) {
  const unsigned (&words)[32] = emulated::running.exchange(word);
  unsigned matching = 0;
  for (unsigned lane = 0; lane < 32; ++lane) matching |= unsigned{words[lane] == word} << lane;
  return matching;
}
inline unsigned __ballot_sync(unsigned, bool is_set) {
  const unsigned (&flags)[32] = emulated::running.exchange(is_set);
  unsigned set = 0;
  for (unsigned lane = 0; lane < 32; ++lane) set |= flags[lane] << lane;
  return set;
}
inline int __clz(unsigned word) { return word == 0 ? 32 : __builtin_clz(word); }
inline int __popc(unsigned word) { return __builtin_popcount(word); }
template<class T>
T atomicAdd(T* address, T value) {
  return std::exchange(*address, *address + value);
}
template<class T>
T atomicMax(T* address, T value) {
  return std::exchange(*address, std::max(*address, value));
}
using std::min;

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __shared__ static
#define __grid_constant__
#define __launch_bounds__(...)
#define __CUDACC__ 1
