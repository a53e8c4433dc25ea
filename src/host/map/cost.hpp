// What work costs, to decide whether another core is worth waking. Picoseconds on one core, good to a factor
// of two.
#pragma once
#include <algorithm>

#include <host/map/loops.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// One step on one element whose operands are in the first-level cache.
constexpr std::int64_t step_cost(ufunc op, dtype loop) {
  using gparray::detail::loop_work;
  const loop_work work = gparray::detail::row(op).work;
  if (work == loop_work::slow) return 3000;
  if (op == ufunc::load) return 1000;  // anywhere in memory
  const auto bytes = static_cast<std::int64_t>(itemsize(loop));
  if (is_exact(op, loop)) return 5 * bytes;
  if (is_complex(loop)) return work == loop_work::product ? 60 * bytes : 1000 * bytes;
  return 80 * std::max<std::int64_t>(bytes, 4);
}

/// Bytes read or written in the second-level cache.
constexpr std::int64_t traffic_cost(std::int64_t bytes) { return 10 * bytes; }

/// The elements that one thread should have at least. Half of this is what waking another takes. Work below
/// it reads and writes memory rather than computes, and that stays in the cache of one core, where the next
/// operation finds it.
constexpr std::int64_t fewest_elements(std::int64_t cost_of_one) {
  constexpr std::int64_t worthwhile = 30'000'000;
  return std::max<std::int64_t>(1, worthwhile / std::max<std::int64_t>(cost_of_one, 1));
}

}  // namespace host
GPARRAY_END_NAMESPACE
