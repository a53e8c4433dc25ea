// Rolled arrays as operands: what roll() gives is read where it is used, box by box.
#pragma once
#include <vector>

#include <core/array/pending_nodes.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A shape, cut into boxes in each of which every rolled array below an expression lies evenly: next to each
/// other are elements that are next to each other in its source, too.
class rolled_boxes {
 public:
  rolled_boxes(const pending_nodes& nodes, const dims& shape);

  std::int64_t count() const;
  /// Whether computing them one by one takes less than to have each rolled array in memory first.
  bool are_few() const;
  /// visit(begin, shape) for each of them.
  template<class Visit>
  void for_each(Visit visit) const {
    dims begin = dims::filled(shape_.size(), 0), size = shape_;
    for_each_from(0, begin, size, visit);
  }

 private:
  template<class Visit>
  void for_each_from(std::size_t d, dims& begin, dims& size, Visit& visit) const {
    if (d == shape_.size()) return visit(begin, size);
    for (std::size_t k = 0; k + 1 < cuts_[d].size(); ++k) {
      begin[d] = cuts_[d][k];
      size[d] = cuts_[d][k + 1] - cuts_[d][k];
      for_each_from(d + 1, begin, size, visit);
    }
  }

  dims shape_;
  std::vector<std::vector<std::int64_t>> cuts_;  // of each axis, from 0 to its size
  std::int64_t copies_ = 0;                      // that storing the rolled arrays would take
};

/// A pending array whose element i along axis d is the source's i + offset[d] modulo the size of that axis;
/// offsets are at least 0 and less than that. The source has elements.
any_array rolled_later(const any_array& source, const dims& offset);

}  // namespace core
GPARRAY_END_NAMESPACE
