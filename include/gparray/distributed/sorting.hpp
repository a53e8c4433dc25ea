// Sorting vectors of which each rank has a part. The results are those of gp::sort, argsort and unique, the
// same for any number of ranks.
//
// Ranks sort what they have, agree on the numbers that divide all of it into parts, send each its part, and
// sort that. Equal elements stay together on the way: an array of few different numbers is divided unevenly.
#pragma once
#include <gparray/distributed/creation.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {

/// Elements [cuts[r], cuts[r + 1]) of a vector to rank r; what comes, in the order of ranks. One rank has the
/// vector itself.
GPARRAY_API any_array exchanged(const any_array& x, std::span<const std::int64_t> cuts,
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

}  // namespace detail

/// The elements of a vector in ascending order, NaN last; in the layout that its ranks have by default.
template<element V>
[[nodiscard]] sharded<V> sort(const sharded_expr<V>& a) {
  detail::check_vector("sort", a);
  const communicator& world = a.world();
  const layout rows = layout::rows(world);
  const ndarray<V> mine = gparray::sort(sharded<V>(a).reshard(rows).local());
  if (world.size() == 1) return from_local(mine, rows);
  const auto piece =
      gparray::detail::typed<V>(detail::exchanged(mine, detail::sorted_cuts(mine, world), world));
  return from_local(gparray::sort(piece), rows).reshard(rows);
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
  const communicator& world = a.world();
  const layout rows = layout::rows(world);
  const ndarray<V> mine = gparray::sort(sharded<V>(a).reshard(rows).local());
  const auto piece =
      gparray::detail::typed<V>(detail::exchanged(mine, detail::sorted_cuts(mine, world), world));
  return from_local(ndarray<V>(gparray::unique(piece)), rows).reshard(rows);
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
