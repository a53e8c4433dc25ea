// Elements of sharded arrays by their numbers, and where values belong in what is sorted. Every rank must
// call these functions.
#pragma once
#include <string>
#include <vector>

#include <gparray/distributed/creation.hpp>
#include <gparray/distributed/operations.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace distributed::detail {

/// Whether several ranks share an axis, counted from the first.
template<sharded_like A>
bool is_cut(const A& a, int axis) {
  const distributed::layout where = a.layout();
  const int cut = where.mesh_axis(axis);
  return cut >= 0 && where.ranks().shape()[static_cast<std::size_t>(cut)] > 1;
}
/// An axis of which each rank has all elements, counted from the first. Throws axis_error, and value_error
/// if ranks share it.
template<sharded_like A>
int whole_axis(const A& a, int axis, const char* function) {
  static_cast<void>(a.shape(axis));
  const int along = axis < 0 ? axis + a.ndim() : axis;
  if (is_cut(a, along))
    throw value_error(std::string(function) + " along axis " + std::to_string(along) +
                      ", which is cut: reshard the array so that another axis is");
  return along;
}

/// Where an array is whose axes are those of `a` but for `without`, behind `leading` axes that are whole, and
/// with `added` whole axes in the place of each that is left out.
template<sharded_like A>
distributed::layout layout_without(const A& a, const std::vector<int>& without, int leading, int added) {
  const distributed::layout where = a.layout();
  std::vector<int> axes(static_cast<std::size_t>(leading), -1);
  for (int k = 0; k < a.ndim(); ++k) {
    if (std::find(without.begin(), without.end(), k) == without.end()) axes.push_back(where.mesh_axis(k));
    else axes.insert(axes.end(), static_cast<std::size_t>(added), -1);
  }
  return distributed::layout::blocks(where.ranks(), axes);
}

/// That of an array; lists are the host's.
template<class I>
device device_of_indices(const I& indices) {
  if constexpr (array_like<I>) return indices.device();
  else return device::cpu();
}

/// The elements at these indices along an axis that is cut, which the result is as well: each of them is sent
/// once for each index.
GPARRAY_API node_ptr taken(const node_ptr& a, const std::vector<std::int64_t>& indices, int axis);

}  // namespace distributed::detail

/// The elements of `a` at these indices along an axis. The indices, an ndarray, a range or a braced list, are
/// the same on all ranks. Along an axis of which each rank has all elements nothing is sent; along one that
/// is cut the indices are a vector, and the result is cut as evenly as a new array: `take(x, permutation, 0)`
/// shuffles. Then parts of ranks are sent that are as long as the longest, all in all the result where the
/// indices are mixed well. Throws index_error for an index that is out of range, value_error for an unknown
/// mode, and for indices of more dimensions along an axis that is cut, axis_error.
template<distributed::detail::sharded_like A, detail::indices_like I>
[[nodiscard]] auto take(const A& a, const I& indices, int axis, std::string_view mode = "raise") {
  using V = typename A::value_type;
  static_cast<void>(a.shape(axis));
  const int along = axis < 0 ? axis + a.ndim() : axis;
  if (distributed::detail::is_cut(a, along)) {
    // As if all elements were here: the same errors, and modes.
    const device on = distributed::detail::device_of_indices(indices);
    const ndarray<std::int64_t> numbers =
        take(arange<std::int64_t>(a.shape(along), {.device = on}), indices, 0, mode);
    if (numbers.ndim() != 1)
      throw value_error(
          "take along axis " + std::to_string(along) +
          ", which is cut, by indices of more than one dimension: ravel them, or reshard the array so "
          "that another axis is cut");
    const distributed::sharded<V> of(a);
    return distributed::sharded<V>(distributed::detail::taken(of.state(), numbers.to_vector(), along));
  }
  const ndarray<V> part = a.local(), taken = take(part, indices, along, mode);
  const int added = taken.ndim() - part.ndim() + 1;
  return distributed::from_local(taken, distributed::detail::layout_without(a, {along}, 0, added));
}
template<distributed::detail::sharded_like A>
[[nodiscard]] auto take(const A& a, std::initializer_list<std::int64_t> indices, int axis,
                        std::string_view mode = "raise") {
  return take(a, std::vector<std::int64_t>(indices), axis, mode);
}

/// The indices of the elements that are not zero, one vector for each axis, in C order, of which each rank
/// has those of its own elements: all ranks tell each other how many they have. Throws value_error if another
/// axis than the first is cut, and for arrays without axes.
template<distributed::detail::sharded_like A>
[[nodiscard]] std::vector<distributed::sharded<std::int64_t>> nonzero(const A& a) {
  using V = typename A::value_type;
  if (a.ndim() == 0) throw value_error("nonzero of an array without axes: ask for a.item() != 0");
  const distributed::sharded<bool> mask(a != V(0));
  std::vector<distributed::sharded<std::int64_t>> result;
  for (int axis = 0; axis < a.ndim(); ++axis) {
    const auto numbers = [axis](const dims& offset, const dims& local) -> any_array {
      const auto along = static_cast<std::size_t>(axis);
      dims shape = dims::filled(local.size(), 1);
      shape[along] = local[along];
      return detail::copy(
          broadcast_to(arange<std::int64_t>(offset[along], offset[along] + local[along]).reshape(shape),
                       local),
          order::C);
    };
    const distributed::sharded<std::int64_t> of_axis(
        distributed::detail::made(a.shape(), dtype::int64, a.layout(), numbers));
    result.emplace_back(of_axis(mask));
  }
  return result;
}

/// Where each of the values would have to be inserted into the ascending vector `sorted`, which all ranks
/// have: nothing is sent. Before equal elements (side "left") or after them ("right"). Throws value_error
/// unless `sorted` has one dimension.
template<array_like T, distributed::detail::sharded_like X>
[[nodiscard]] auto searchsorted(const T& sorted, const X& values, std::string_view side = "left") {
  static_cast<void>(detail::parse_side(side));
  if (sorted.ndim() != 1) throw value_error("searchsorted: the sorted array has one dimension");
  return distributed::detail::apply<std::int64_t>(
      [table = ndarray<detail::element_t<T>>(sorted), side = std::string(side)](const auto& x) {
        return gparray::searchsorted(table, x, side);
      },
      values);
}
/// Where values that all ranks have belong in an ascending vector of which each rank has a part: an ndarray,
/// the same on all ranks, which add up how many elements of theirs come before.
template<distributed::detail::sharded_like T, operand_like X>
[[nodiscard]] ndarray<std::int64_t> searchsorted(const T& sorted, const X& values,
                                                 std::string_view side = "left") {
  if (sorted.ndim() != 1) throw value_error("searchsorted: the sorted array has one dimension");
  const distributed::sharded<typename T::value_type> of(sorted);
  return detail::typed<std::int64_t>(
      distributed::detail::sum_of_parts(of.state(), searchsorted(of.local(), values, side)));
}

GPARRAY_END_NAMESPACE
