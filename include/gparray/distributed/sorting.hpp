// Sorting vectors of which each rank has a part. The results are those of gp::sort, argsort and unique, the
// same for any number of ranks.
#pragma once
#include <gparray/distributed/creation.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {

/// Elements [cuts[r], cuts[r + 1]) of a vector to rank r; what comes, in the order of ranks. One rank has the
/// vector itself.
GPARRAY_API any_array exchanged(const any_array& x, std::span<const std::int64_t> cuts,
                                const communicator& c);
/// The elements of a vector in order, or the numbers of those that belong there. Throws value_error unless it
/// has one dimension.
GPARRAY_API node_ptr sorted(const char* operation, const node_ptr& a, bool numbers);

}  // namespace detail

/// The elements of a vector in ascending order, NaN last; in the layout that its ranks have by default.
template<element V>
[[nodiscard]] sharded<V> sort(const sharded_expr<V>& a) {
  return sharded<V>(detail::sorted("sort", a.state(), false));
}

/// The indices that sort a vector; equal elements keep their order.
template<element V>
[[nodiscard]] sharded<std::int64_t> argsort(const sharded_expr<V>& a) {
  return sharded<std::int64_t>(detail::sorted("argsort", a.state(), true));
}

/// The different elements of a vector in ascending order, NaN once.
template<element V>
[[nodiscard]] sharded<V> unique(const sharded_expr<V>& a) {
  const communicator& world = a.world();
  const ndarray<V> sorted = sharded<V>(detail::sorted("unique", a.state(), false)).local();
  const ndarray<bool> starts = gparray::detail::run_starts(sorted, true);
  // What a rank before this one has, too, is its.
  struct last_element {
    bool is_there;
    V value;
  } last{sorted.size() > 0, {}};
  if (last.is_there) last.value = sorted.item(-1);
  const std::vector<last_element> all = all_gather_values(last, world);
  int before = world.rank() - 1;
  while (before >= 0 && !all[static_cast<std::size_t>(before)].is_there) --before;
  if (before >= 0 && last.is_there) {
    const V two[] = {all[static_cast<std::size_t>(before)].value, sorted.item(0)};
    starts(slice(0, 1)) =
        gparray::detail::run_starts(gparray::array<V>(two, {.device = device::cpu()}), true).item(1);
  }
  const layout rows = layout::rows(world);
  return from_local(ndarray<V>(sorted(starts)), rows).reshard(rows);
}

}  // namespace distributed

/// distributed::sort of a sharded vector.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto sort(const A& a) {
  return distributed::sort(a);
}
/// distributed::argsort of a sharded vector.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto argsort(const A& a) {
  return distributed::argsort(a);
}
/// distributed::unique of a sharded vector.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto unique(const A& a) {
  return distributed::unique(a);
}

GPARRAY_END_NAMESPACE
