// Where the elements of an array lie, for iterators of other libraries.
#pragma once
#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// Takes the number of an element in C order to its distance from the first one, in elements; on the CPU and
/// on a GPU.
class element_offsets {
 public:
  /// Axes that are left when those that lie behind each other have become one.
  static constexpr int max_axes = 8;

  /// Computes a pending expression. Throws value_error for more axes, and if a stride is no multiple of the
  /// element size.
  GPARRAY_API explicit element_offsets(const any_array& a);

  GPARRAY_FN std::int64_t operator()(std::int64_t i) const {
    std::int64_t offset = 0;
    for (int d = n_axes_ - 1; d > 0; --d) {
      const std::int64_t next = quotient(i, shape_[d]);
      offset += (i - next * shape_[d]) * strides_[d];
      i = next;
    }
    return n_axes_ > 0 ? offset + i * strides_[0] : offset;
  }

  /// Whether the elements lie side by side in C order.
  bool side_by_side() const noexcept { return n_axes_ == 0 || (n_axes_ == 1 && strides_[0] == 1); }

 private:
  static GPARRAY_FN std::int64_t quotient(std::int64_t a, std::int64_t b) {
    // A GPU divides 32 bits several times as fast as 64.
    if ((static_cast<std::uint64_t>(a | b) >> 32) == 0)
      return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
    return a / b;
  }

  int n_axes_ = 0;
  std::int64_t shape_[max_axes], strides_[max_axes];
};

}  // namespace detail
GPARRAY_END_NAMESPACE
