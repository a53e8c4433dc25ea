// The parts of einsum: subscripts, and the order of the contractions.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <gparray/array/dims.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The name of an axis: a letter, or a negative number for an axis that an ellipsis stands for, -1 being the
/// last.
using axis_label = int;
using label_list = std::vector<axis_label>;

struct einsum_subscripts {
  std::vector<label_list> operands;
  label_list result;
};

/// For operands of these shapes. Throws value_error with NumPy's texts.
einsum_subscripts parse_subscripts(std::string_view text, std::span<const dims* const> shapes);

inline bool contains(const label_list& list, axis_label label) {
  for (const axis_label l : list)
    if (l == label) return true;
  return false;
}

/// Sizes of labels, by label.
class label_sizes {
 public:
  std::int64_t operator[](axis_label label) const { return sizes_[index(label)]; }
  void set(axis_label label, std::int64_t size) { sizes_[index(label)] = size; }
  bool knows(axis_label label) const { return sizes_[index(label)] >= 0; }
  label_sizes() { sizes_.fill(-1); }

 private:
  static std::size_t index(axis_label label) { return static_cast<std::size_t>(label + max_ndim); }
  std::array<std::int64_t, 128 + max_ndim> sizes_;
};

/// Operands i < j of the list are contracted and taken out; their product goes to the end.
using contraction = std::pair<std::size_t, std::size_t>;
/// "greedy", "optimal" or "none". Throws value_error for others.
std::vector<contraction> contraction_order(const einsum_subscripts& subscripts, const label_sizes& sizes,
                                           std::string_view optimize);

/// The labels of a product of two operands: those that others or the result have too.
label_list kept_labels(const label_list& a, const label_list& b, std::span<const label_list> others,
                       const label_list& result);

}  // namespace core
GPARRAY_END_NAMESPACE
