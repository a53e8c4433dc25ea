// Arrays that are read where they are used, each element from an index that is a fixed distance from its own,
// except near the ends of an axis: what roll() gives, and neighbours along an axis.
#pragma once
#include <vector>

#include <core/array/pending_nodes.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// From an index to that of the source, which has as many axes: along each of them step * i + offset, and
/// `jump` more outside [begin, end).
struct rolled_index {
  struct axis {
    std::int64_t step = 1, offset = 0, begin = 0, end = 0, jump = 0;
    bool operator==(const axis&) const = default;
  };
  dims shape;
  std::vector<axis> axes;

  /// Of the same elements in the same order.
  explicit rolled_index(const dims& of);
  /// Whether elements come from anywhere but their own places.
  bool moves() const;
};

/// A pending array whose element i along axis d is the source's i + offset[d] modulo the size of that axis;
/// offsets are at least 0 and less than that. The source has elements.
any_array rolled_later(const any_array& source, const dims& offset);
/// The same of any index; the source is computed first.
any_array rolled_later(const any_array& source, const rolled_index& index);

/// An array, and where the first element of another one of its shape and elements comes from, each modulo the
/// size of its axis.
struct rolled_array {
  any_array source;
  dims offset;
};
/// What a pending array is rolled from, which is computed; where it is none, the array itself, with no
/// offset.
rolled_array unrolled(const any_array& a);

/// The same of what is pending on a GPU, as the same steps of rolled arrays; no array if it is not made of a
/// few arrays of its shape by steps that are as well computed several times.
any_array rolled_steps_later(const any_array& source, const dims& offset);

/// Whether an expression takes less time if it reads the rolled arrays below it where they are than if they
/// are in memory first.
bool reads_rolled(const pending_nodes& nodes, const array_rep* expression);
bool reads_rolled(const array_rep* expression);

}  // namespace core
GPARRAY_END_NAMESPACE
