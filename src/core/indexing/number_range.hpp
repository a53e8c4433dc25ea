// Between what the numbers of an index array are: indices that are known to be inside need no check.
#pragma once
#include <optional>

#include <core/array/known_range.hpp>
#include <core/runtime/result_slot.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A pass over int64 numbers, of which there are some, that finds their range. It is enqueued at once:
/// several are under way together before the first is waited for.
class range_search {
 public:
  explicit range_search(const any_array& index);
  range_search(const range_search&) = delete;
  range_search& operator=(const range_search&) = delete;
  /// Waits; once. The range is known from then on, as long as the numbers stay.
  number_range take();

 private:
  const any_array index_;
  any_array memory_;
  std::optional<result_slot> slot_;
  number_range found_;
};

/// Searched for: what is known may be more than there is. Not of an array without elements.
number_range range_of(const any_array& index);

/// An index array that is to be another one plus a number.
struct shifted_index {
  any_array index;
  std::int64_t by;
};
/// The same for a pending array that is made so; the other one may be pending, too.
std::optional<shifted_index> without_shift(const any_array& index);
/// The range of the sums; none if they are no numbers of 64 bits.
std::optional<number_range> shifted(const number_range& range, std::int64_t by);

/// Whether the numbers are indices of an axis of this length, negative ones counting from its end.
inline bool is_inside(const number_range& r, std::int64_t length) {
  return r.least >= -length && r.greatest < length;
}

}  // namespace core
GPARRAY_END_NAMESPACE
