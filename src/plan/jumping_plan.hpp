// Maps of inputs that are not evenly spaced, as rolled arrays are not.
#pragma once
#include <array>
#include <span>
#include <vector>

#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Outside [begin, end) of a dimension an input's elements lie so many bytes further on than its strides say.
struct jump {
  std::uint8_t input, dim;
  std::int64_t begin, end, bytes;
};
inline constexpr int max_jumps = 64;

/// A map without stores, whose inputs, arrays, jump at most once along each dimension.
struct jumping_plan {
  map_plan map;
  int n_jumps = 0;
  jump jumps[max_jumps];

  jumping_plan() {}  // NOLINT: see map_plan
  std::span<const jump> all_jumps() const { return {jumps, static_cast<std::size_t>(n_jumps)}; }
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

/// Merges dimensions that all operands go along as one, and leaves those of size 1 out.
void collapse(map_plan& plan);

}  // namespace core
GPARRAY_END_NAMESPACE
