// Steps through the rows of an index space with several operands.
#pragma once
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// The offsets of N operands at one row after the other; a row is everything but the last dimension.
template<int N>
class row_walker {
 public:
  row_walker(const std::int64_t* shape, int ndim, const std::int64_t* const (&strides)[N], std::int64_t row)
      : shape_(shape), outer_(ndim > 0 ? ndim - 1 : 0) {
    for (int k = 0; k < N; ++k) strides_[k] = strides[k], offsets[k] = 0;
    for (int d = outer_ - 1; d >= 0; --d) {
      index_[d] = row % shape[d];
      row /= shape[d];
      for (int k = 0; k < N; ++k) offsets[k] += index_[d] * strides[k][d];
    }
  }

  void next() {
    for (int d = outer_ - 1; d >= 0; --d) {
      for (int k = 0; k < N; ++k) offsets[k] += strides_[k][d];
      if (++index_[d] < shape_[d]) return;
      for (int k = 0; k < N; ++k) offsets[k] -= shape_[d] * strides_[k][d];
      index_[d] = 0;
    }
  }

  std::int64_t offsets[N];

 private:
  const std::int64_t* shape_;
  int outer_;
  const std::int64_t* strides_[N];
  std::int64_t index_[core::max_ndim];
};

}  // namespace host
GPARRAY_END_NAMESPACE
