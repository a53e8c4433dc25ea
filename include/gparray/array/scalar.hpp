// Arrays that are one number, and convert to it: double s = a.sum(), if (a(0) > 1), v.push_back(a(i, j)).
#pragma once
#include <gparray/array/indexed.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// Halves convert to float as well: a second conversion from V to float would be one too many for C++.
template<class V>
inline constexpr bool is_half = sizeof(V) == 2 && !std::is_integral_v<V>;

}  // namespace detail

// The only element; waits for it. Throw value_error unless size() == 1. Declared in each class, for there
// they hide those of ndarray.
#define GPARRAY_CONVERTS_TO_NUMBER            \
  operator V() const { return this->item(); } \
  operator float() const                      \
    requires detail::is_half<V>               \
  {                                           \
    return this->item();                      \
  }                                           \
  explicit operator bool() const              \
    requires(!std::is_same_v<V, bool>)        \
  {                                           \
    return this->item() != V{};               \
  }

/// What is one number by its type: a reduction of all axes, and element-wise functions of such numbers (of
/// a(i) or trace(m), too, where the conversion throws if it is not). An expression as any other, which fuses,
/// and converts to V wherever C++ wants a number. Only the conversion computes and waits: with `auto` it
/// stays an expression. It then is a number like any V: double n = a.argmax() and std::sqrt(a.sum()) do what
/// they do with V, and std::max<double>(1, a.max()) must name the type that std::max otherwise deduces twice
/// (gp::maximum needs no such help).
template<element V>
class scalar_expr : public expr<V> {
 public:
  /// For the library: the expression of a result whose dtype is known to be V.
  scalar_expr(any_array&& a, detail::adopt_t) noexcept : expr<V>(std::move(a), detail::adopt_t{}) {}
  GPARRAY_CONVERTS_TO_NUMBER

  /// The number converted to dtype W.
  template<element W>
  [[nodiscard]] scalar_expr<W> astype() const& {
    return {ndarray<V>::template astype<W>(), detail::adopt_t{}};
  }
  /// The number of a temporary converted to dtype W.
  template<element W>
  [[nodiscard]] scalar_expr<W> astype() && {
    return {std::move(static_cast<ndarray<V>&>(*this)).template astype<W>(), detail::adopt_t{}};
  }
};

/// An array that is one number if its operands have the ranks for it: dot(u, v) of vectors, det(m) of one
/// matrix. It converts as scalar_expr does; the conversion throws value_error where it is not one element.
template<element V>
class scalar_array : public ndarray<V> {
 public:
  /// For the library: the array of a result whose dtype is known to be V.
  scalar_array(any_array&& a, detail::adopt_t) noexcept : ndarray<V>(std::move(a), detail::adopt_t{}) {}
  GPARRAY_CONVERTS_TO_NUMBER

  using ndarray<V>::operator=;
};

/// What a(i, j) of integers alone gives: one number if there are as many as axes, else a row. It converts as
/// scalar_array does, and a(i, j) = x writes through.
template<element V>
class indexed_number : public indexed<V> {
 public:
  /// For the library: the view of a result whose dtype is known to be V.
  indexed_number(any_array&& a, detail::adopt_t) noexcept : indexed<V>(std::move(a), detail::adopt_t{}) {}
  GPARRAY_CONVERTS_TO_NUMBER
  /// Another name of the view.
  indexed_number(const indexed_number&) noexcept = default;
  /// Takes the view.
  indexed_number(indexed_number&&) noexcept = default;

  using indexed<V>::operator=;
  indexed_number& operator=(const indexed_number&) & noexcept = default;
  indexed_number& operator=(indexed_number&&) & noexcept = default;
  indexed_number&& operator=(const indexed_number& x) && {
    static_cast<indexed<V>&&>(*this) = static_cast<const ndarray<V>&>(x);
    return std::move(*this);
  }
  indexed_number&& operator=(indexed_number&& x) && {
    return std::move(*this) = static_cast<const indexed_number&>(x);
  }
};

namespace detail {

/// A result that is one number for operands of some rank.
template<element V>
scalar_array<V> as_number(any_array&& a) {
  return {std::move(a), adopt_t{}};
}
template<element V>
scalar_array<V> as_number(ndarray<V>&& a) {
  return {std::move(a), adopt_t{}};
}
template<element V>
scalar_expr<V> as_number(expr<V>&& a) {
  return {std::move(a), adopt_t{}};
}

}  // namespace detail

#undef GPARRAY_CONVERTS_TO_NUMBER

GPARRAY_END_NAMESPACE
