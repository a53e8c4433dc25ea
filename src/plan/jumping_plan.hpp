// Maps of inputs that are not evenly spaced, as rolled arrays are not.
#pragma once
#include <array>
#include <span>
#include <vector>

#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A map whose inputs may jump.
struct jumping_plan : jump_list {
  map_plan map;
};

/// The boxes of a plan, in each of which every input is evenly spaced.
class plan_boxes {
 public:
  explicit plan_boxes(const jumping_plan& plan);

  std::int64_t count() const;
  /// visit(box) for each of them: a map whose dimensions are collapsed again.
  template<class Visit>
  void for_each(Visit visit) const {
    std::array<std::size_t, max_ndim> at{};
    do visit(box(at));
    while (next(at));
  }

 private:
  map_plan box(const std::array<std::size_t, max_ndim>& at) const;
  bool next(std::array<std::size_t, max_ndim>& at) const;

  const jumping_plan& plan_;
  std::vector<std::int64_t> cuts_[max_ndim];  // of each dimension, from 0 to its size
};

/// Puts constants behind all other inputs, if there are so many inputs that they have to be there, or would
/// be with one constant more. The steps' values are numbered as in a plan, or from a number above all
/// inputs'.
void put_numbers_last(map_plan& plan, std::span<jump> jumps = {});

/// Merges dimensions that all operands go along as one, and leaves those of size 1 out.
void collapse(map_plan& plan);

}  // namespace core
GPARRAY_END_NAMESPACE
