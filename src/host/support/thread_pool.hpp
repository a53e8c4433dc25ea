// The CPU backend's threads: a small pool of our own, because after fork() a child that uses libgomp hangs.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Threads that one operation may use, the caller included. Initially GPARRAY_NUM_THREADS or the hardware's
/// number.
int num_threads();
/// Values below 1 mean 1. Takes effect at the next operation.
void set_num_threads(int count);

/// Below this many elements an operation runs on the calling thread: waking another costs more than it saves.
inline constexpr std::int64_t serial_elements = 32768;

namespace detail {
using part_body = void (*)(void* context, std::int64_t part);
/// Runs body(context, part) for every part, on the pool if it is free, else here. Rethrows the first
/// exception.
void run_parts(std::int64_t parts, part_body body, void* context);
}  // namespace detail

/// Calls body(begin, end) on ranges that cover [0, count), at least `grain` long except the last; returns
/// when all are done. Callable from several threads and from inside a body: only one caller has the pool, the
/// others run serially.
template<class Body>
void parallel_for(std::int64_t count, std::int64_t grain, Body&& body) {
  const std::int64_t threads = num_threads();
  // Several parts per thread even out a thread that wakes up late or loses its processor.
  const std::int64_t parts =
      threads == 1 ? 1 : std::min(count / std::max<std::int64_t>(grain, 1), 4 * threads);
  if (parts <= 1) {
    if (count > 0) body(std::int64_t{0}, count);
    return;
  }
  struct range {
    std::remove_reference_t<Body>* body;
    std::int64_t count, parts;
  } context{&body, count, parts};
  detail::run_parts(
      parts,
      [](void* p, std::int64_t part) {
        const range& r = *static_cast<range*>(p);
        (*r.body)(r.count* part / r.parts, r.count * (part + 1) / r.parts);
      },
      &context);
}

}  // namespace host
GPARRAY_END_NAMESPACE
