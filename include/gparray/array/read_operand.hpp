// Ranges of numbers as the arrays that functions, operators and assignments read.
#pragma once
#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

template<element_range R>
ndarray<std::ranges::range_value_t<R>> from_range(const R& values, device where) {
  using V = std::ranges::range_value_t<R>;
  // Bytes for bool, whose std::vector has no address.
  using stored = std::conditional_t<std::is_same_v<V, bool>, unsigned char, V>;
  std::vector<stored> packed;
  const void* from;
  std::size_t count;
  if constexpr (std::ranges::contiguous_range<const R>) {
    from = std::ranges::data(values);
    count = std::ranges::size(values);
  } else {
    for (auto&& value : values) packed.push_back(static_cast<stored>(static_cast<V>(value)));
    from = packed.data();
    count = packed.size();
  }
  return typed<V>(from_host(from, dims(count), dtype_of<V>, where));
}

/// The device of the first array among operands, where their ranges go; the default one if there is none.
template<class... X>
device device_of_operands(const X&... x) {
  const any_array* first = nullptr;
  const auto look = [&first](const auto& operand) {
    if constexpr (array_like<decltype(operand)>) {
      if (!first) first = &operand;
    }
  };
  (look(x), ...);
  return first ? first->device() : default_device();
}
/// An operand as it is, or the array of a range.
template<class X>
decltype(auto) read_operand(X&& x, device where) {
  if constexpr (element_range<X>) return from_range(x, where);
  else return std::forward<X>(x);
}

}  // namespace detail

GPARRAY_END_NAMESPACE
