// Sorting vectors of which each rank has a part. The results are those of gp::sort, argsort and unique, the
// same for any number of ranks.
//
// Ranks sort what they have, agree on the numbers that divide all of it into parts, send each its part, and
// sort that; up to four GPUs pick each other's parts out of what is not sorted. Equal elements stay together
// on the way: an array of few different numbers is divided unevenly.
#pragma once
#include <gparray/distributed/creation.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {

/// Elements [cuts[r], cuts[r + 1]) of a vector to rank r; what comes, in the order of ranks. One rank has the
/// vector itself.
GPARRAY_API any_array exchanged(const any_array& x, std::span<const std::int64_t> cuts,
                                const communicator& c);
/// The same of these parts for other ranks; the own one is made while they travel. `like` has its dtype and
/// device.
GPARRAY_API any_array exchanged(const std::vector<any_array>& parts, std::int64_t own_size,
                                const std::function<any_array()>& own, const any_array& like,
                                const communicator& c);
/// Throws value_error unless it has one dimension.
GPARRAY_API void check_vector(const char* operation, const any_sharded& a);

/// Where each rank's sorted part is cut for the ranks.
template<element V>
std::vector<std::int64_t> sorted_cuts(const ndarray<V>& sorted, const communicator& c) {
  const std::int64_t n = sorted.size(), ranks = c.size(), wanted = std::min<std::int64_t>(n, 4 * ranks);
  std::vector<std::int64_t> at;
  for (std::int64_t i = 0; i < wanted; ++i) at.push_back((2 * i + 1) * n / (2 * wanted));
  const ndarray<V> samples = gparray::sort(all_gather(ndarray<V>(gparray::take(sorted, at)), c));
  std::vector<std::int64_t> cuts{0};
  for (std::int64_t r = 1; r < ranks; ++r) {
    if (samples.size() == 0) {
      cuts.push_back(0);
      continue;
    }
    const ndarray<V> divider = samples(slice(r * samples.size() / ranks, r * samples.size() / ranks + 1));
    cuts.push_back(gparray::searchsorted(sorted, divider).item());
  }
  cuts.push_back(n);
  return cuts;
}

/// Whether it is quicker to pick the elements of each rank than to sort all first: each takes a GPU about a
/// sixth of that.
inline bool picks_parts(std::int64_t n, const any_array& mine, const communicator& c) {
  return mine.device().is_cuda() && c.size() > 1 && c.size() <= 4 && n / c.size() >= 1 << 20;
}

/// The elements of all ranks that belong on this one, in the order of ranks, of which none is sorted.
template<element V>
ndarray<V> picked(const ndarray<V>& mine, const communicator& c) {
  const std::int64_t n = mine.size(), ranks = c.size(), wanted = std::min<std::int64_t>(n, 4096);
  // Anywhere in each of as many stretches, lest numbers that repeat are always met at one place.
  std::vector<std::int64_t> at;
  std::uint32_t random = 1;
  for (std::int64_t i = 0; i < wanted; ++i) {
    random = random * 1664525 + 1013904223;
    const std::int64_t begin = i * n / wanted, end = (i + 1) * n / wanted;
    at.push_back(begin + (random >> 8) % (end - begin));
  }
  const ndarray<V> samples = gparray::sort(all_gather(ndarray<V>(gparray::take(mine, at)), c));
  // Those of rank r are not less than divider r, and less than the next one; NaN comes last.
  const auto less = [&](std::int64_t r) { return mine < samples.item(r * samples.size() / ranks); };
  const auto of_rank = [&](std::int64_t r) -> ndarray<V> {
    ndarray<bool> mask;
    if (r == 0) mask = less(1);
    else if (r + 1 == ranks) mask = gparray::logical_not(less(r));
    else mask = gparray::logical_and(less(r + 1), gparray::logical_not(less(r)));
    return mine(mask);
  };
  std::vector<any_array> parts(static_cast<std::size_t>(ranks));
  std::int64_t own = n;
  for (std::int64_t r = 0; r < ranks; ++r) {
    if (r == c.rank()) continue;
    const ndarray<V> part = of_rank(r);
    own -= part.size();
    parts[static_cast<std::size_t>(r)] = part;
  }
  return gparray::detail::typed<V>(
      exchanged(parts, own, [&]() -> any_array { return of_rank(c.rank()); }, mine, c));
}

/// The elements of a vector that belong on this rank when all are sorted, not yet in order.
template<element V>
ndarray<V> brought_together(const sharded<V>& x) {
  const communicator& world = x.world();
  const ndarray<V> values = x.local();
  if constexpr (std::is_arithmetic_v<V> && !std::is_same_v<V, bool>)
    if (picks_parts(x.shape(0), values, world)) return picked(values, world);
  const ndarray<V> mine = gparray::sort(values);
  return gparray::detail::typed<V>(exchanged(mine, sorted_cuts(mine, world), world));
}

}  // namespace detail

/// The elements of a vector in ascending order, NaN last; in the layout that its ranks have by default.
template<element V>
[[nodiscard]] sharded<V> sort(const sharded_expr<V>& a) {
  detail::check_vector("sort", a);
  const communicator& world = a.world();
  const layout rows = layout::rows(world);
  const sharded<V> x = sharded<V>(a).reshard(rows);
  if (world.size() == 1) return from_local(gparray::sort(x.local()), rows);
  return from_local(gparray::sort(detail::brought_together(x)), rows).reshard(rows);
}

/// The indices that sort a vector; equal elements keep their order.
template<element V>
[[nodiscard]] sharded<std::int64_t> argsort(const sharded_expr<V>& a) {
  detail::check_vector("argsort", a);
  const communicator& world = a.world();
  const layout rows = layout::rows(world);
  const sharded<V> x = sharded<V>(a).reshard(rows);
  const ndarray<V> values = x.local();
  const ndarray<std::int64_t> order = gparray::argsort(values);
  if (world.size() == 1) return from_local(order, rows);
  const ndarray<V> mine = gparray::take(values, order);
  const std::vector<std::int64_t> cuts = detail::sorted_cuts(mine, world);
  const auto piece = gparray::detail::typed<V>(detail::exchanged(mine, cuts, world));
  const auto from = gparray::detail::typed<std::int64_t>(
      detail::exchanged(ndarray<std::int64_t>(order + x.local_offset()[0]), cuts, world));
  return from_local(ndarray<std::int64_t>(gparray::take(from, gparray::argsort(piece))), rows).reshard(rows);
}

/// The different elements of a vector in ascending order, NaN once.
template<element V>
[[nodiscard]] sharded<V> unique(const sharded_expr<V>& a) {
  detail::check_vector("unique", a);
  const layout rows = layout::rows(a.world());
  const sharded<V> x = sharded<V>(a).reshard(rows);
  const ndarray<V> piece = a.world().size() == 1 ? x.local() : detail::brought_together(x);
  return from_local(ndarray<V>(gparray::unique(piece)), rows).reshard(rows);
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
