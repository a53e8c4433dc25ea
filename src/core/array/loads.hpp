// Gathers as operands: elements at computed addresses, which are read where they are used.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Of loads of whole rows, which begin at addresses of their own: element `index` of the result lies
/// `first` + sum(index[d] * strides[d]) bytes behind the number at that place. All are between the two ends,
/// int64 numbers; what threads compute beyond the ends of an array is taken from there, too. Of a range,
/// which has no addresses and no ends: the element is the number `first` + sum(index[d] * strides[d]).
struct row_places {
  dims shape, strides;
  std::int64_t first;
  node_argument ends[2];
};

/// The two ends of a pending rep that is loads of rows; none of others.
inline std::span<const node_argument> ends_of_rows(const array_rep* rep) {
  if (!rep->places || is_range(rep)) return {};
  return rep->places->ends;
}

/// What a plan has for them beside the load and the two ends: a sum and a clip.
inline constexpr int steps_to_places = 2;

/// Whether elements of a device may be loaded where they are used.
bool may_load_later(device on_device);
/// A pending array of the elements at `addresses`, int64 numbers that are only computed with it, and into
/// which `offset` went; all are of elements of `source`, which is computed. With `compute_alone` and what it
/// reads, `selected`, where another way is quicker as long as nothing is made of the elements.
any_array loaded_later(const any_array& source, const any_array& addresses, std::int64_t offset,
                       void (*compute_alone)(array_rep*) = nullptr,
                       std::shared_ptr<const selection> selected = {});
/// The same of rows: the addresses broadcast to their shape.
any_array rows_loaded_later(const any_array& source, const any_array& addresses,
                            std::shared_ptr<const row_places> places);

/// Whether a pending array, which is no expression, is rows that an index array picks on a GPU, and this is
/// an axis of the index array.
bool is_gathered_along(const array_rep* rep, std::size_t axis);
/// What part of that array is at each place of the axis, loaded where it is used. `shape`: that of a part, or
/// the same with the axis kept with size 1.
std::vector<any_array> gathered_along(const array_rep* rep, std::size_t axis, const dims& shape);

}  // namespace core
GPARRAY_END_NAMESPACE
