// expr<V>: an array that need not have been computed yet.
#pragma once
#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

/// An ndarray that need not have been computed yet. As a temporary it fuses into the expression around it;
/// bound to a name it is computed when first used, at the latest before anything it depends on changes.
template<element V>
class expr : public ndarray<V> {
 public:
  /// For the library: the expression of a result whose dtype is known to be V.
  expr(any_array&& a, detail::adopt_t) noexcept : ndarray<V>(std::move(a), detail::adopt_t{}) {}
  /// Another name of the expression, which is computed once.
  expr(const expr&) noexcept = default;
  /// Takes the expression.
  expr(expr&&) noexcept = default;
  expr& operator=(const expr&) & noexcept = default;
  expr& operator=(expr&&) & noexcept = default;

  // The elements of a temporary go at the end of its line, and their address with them.
  /// The address of the first element of an expression that has a name; computes it. Deleted for temporaries.
  V* data() const& { return ndarray<V>::data(); }
  V* data() const&& = delete;  // give the expression a name first: gp::ndarray<V> c = a + b; c.data()
  /// The address of the first element of an expression that has a name; computes it. Deleted for temporaries.
  void* raw_data() const& { return any_array::raw_data(); }
  void* raw_data() const&& =
      delete;  // give the expression a name first: gp::ndarray<V> c = a + b; c.raw_data()
  /// An iterator over the elements of an expression that has a name; computes it and waits.
  host_iterator<V> begin() & { return ndarray<V>::begin(); }
  /// An iterator that reads the elements of an expression that has a name; computes it and waits.
  host_iterator<const V> begin() const& { return ndarray<V>::begin(); }
  host_iterator<V> begin() && = delete;             // give the expression a name first
  host_iterator<const V> begin() const&& = delete;  // give the expression a name first
  /// An iterator that reads the elements of an expression that has a name; computes it and waits.
  [[nodiscard]] host_iterator<const V> cbegin() const& { return ndarray<V>::cbegin(); }
  [[nodiscard]] host_iterator<const V> cbegin() const&& = delete;  // give the expression a name first
  template<scalar_like S>
  expr& operator=(S number) & = delete;  // all elements: a(gp::ellipsis) = number, or a.fill(number)
};

template<element V>
template<element W>
expr<W> ndarray<V>::astype() const& {
  return {detail::astype(detail::make_argument<V>(*this), dtype_of<W>, true), detail::adopt_t{}};
}

template<element V>
template<element W>
expr<W> ndarray<V>::astype() && {
  detail::argument a = detail::make_argument<V>(*this);
  a.fuse = true;
  return {detail::astype(a, dtype_of<W>, true), detail::adopt_t{}};
}

/// The elements of `a` converted to dtype W, as an expression: astype<float>(a) is a.astype<float>().
template<element W, array_like A>
[[nodiscard]] expr<W> astype(A&& a) {
  return std::forward<A>(a).template astype<W>();
}

GPARRAY_END_NAMESPACE
