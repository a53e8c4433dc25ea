// What a reduction kernel reads, its dimensions ordered by stride and collapsed.
#pragma once
#include <algorithm>

#include <gparray/error.hpp>
#include <plan/jumping_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct reduce_dimension {
  std::int64_t size, in_stride, out_stride;  // bytes; out_stride of a kept dimension
};

/// A few dimensions, held in place.
class dimension_list {
 public:
  dimension_list() {}  // NOLINT: only the used part is ever initialised
  dimension_list(const dimension_list& other) noexcept : count_(other.count_) {
    std::copy_n(other.items_, count_, items_);
  }
  dimension_list& operator=(const dimension_list& other) noexcept {
    count_ = other.count_;
    std::copy_n(other.items_, count_, items_);
    return *this;
  }

  int size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  reduce_dimension* begin() noexcept { return items_; }
  reduce_dimension* end() noexcept { return items_ + count_; }
  const reduce_dimension* begin() const noexcept { return items_; }
  const reduce_dimension* end() const noexcept { return items_ + count_; }
  reduce_dimension& operator[](int i) noexcept { return items_[i]; }
  const reduce_dimension& operator[](int i) const noexcept { return items_[i]; }
  reduce_dimension& back() noexcept { return items_[count_ - 1]; }
  const reduce_dimension& back() const noexcept { return items_[count_ - 1]; }
  void push_back(const reduce_dimension& d) noexcept { items_[count_++] = d; }
  void pop_back() noexcept { --count_; }
  void erase(int i) noexcept {
    std::copy(begin() + i + 1, end(), begin() + i);
    --count_;
  }

 private:
  int count_ = 0;
  reduce_dimension items_[max_ndim];
};

/// The elements to reduce: those of an array in memory, or the values of a map as they would lie in one.
struct reduce_source {
  const jumping_plan* computed;  // what computes them; null if they are in memory
  std::uintptr_t in;             // their address, or the offset in an array of the computed values
  char* out;
  dtype type;  // of the elements in memory; the kernels along the reduced dimensions convert
  dimension_list kept, reduced;
};

/// Enqueues nothing. `ordered` holds the map, its dimensions in the order of memory, if it is to be computed.
/// Whether it then is computed into memory or by the reduction itself makes no difference to the dimensions,
/// and so none to the order in which elements are combined.
reduce_source make_source(const reduce_plan& plan, jumping_plan& ordered);

/// Dimensions of a plan from the slowest to the fastest.
struct dimension_order {
  int at[max_ndim];
};
/// In which make_source joins the dimensions of what is computed: the kept ones, then the reduced ones.
dimension_order order_of(const reduce_plan& plan);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
