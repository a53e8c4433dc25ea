// indexed<V>: what a(...) gives, and what a(...) = x writes through.
#pragma once
#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

/// What indexing gives: an ndarray that writes to its elements when something is assigned to it while it has
/// no name.
template<element V>
class indexed : public ndarray<V> {
 public:
  /// For the library: the view of a result whose dtype is known to be V.
  indexed(any_array&& a, detail::adopt_t) noexcept : ndarray<V>(std::move(a), detail::adopt_t{}) {}
  /// Another name of the view.
  indexed(const indexed&) noexcept = default;
  /// Takes the view.
  indexed(indexed&&) noexcept = default;

  indexed& operator=(const indexed&) & noexcept = default;
  indexed& operator=(indexed&&) & noexcept = default;
  /// Rebinds, as that of every named array.
  template<class X>
    requires std::is_assignable_v<ndarray<V>&, X>
  indexed& operator=(X&& x) & {
    static_cast<ndarray<V>&>(*this) = std::forward<X>(x);
    return *this;
  }
  /// a(...) = x: writes x, broadcast and converted, into the elements of this view. Throws value_error if the
  /// shapes do not fit, device_error if x is elsewhere.
  indexed&& operator=(const indexed& x) && { return std::move(*this).write(detail::make_argument<V>(x)); }
  indexed&& operator=(indexed&& x) && { return std::move(*this).write(detail::make_argument<V>(x)); }
  indexed&& operator=(const ndarray<V>& x) && { return std::move(*this).write(detail::make_argument<V>(x)); }
  indexed&& operator=(ndarray<V>&& x) && { return std::move(*this).write(detail::make_argument<V>(x)); }
  template<operand_like X>
  indexed&& operator=(X&& x) && {
    return std::move(*this).write(detail::make_argument<V>(std::forward<X>(x)));
  }
  template<detail::element_range R>
  indexed&& operator=(const R& values) && {
    return std::move(*this) = detail::from_range(values, this->device());
  }

 private:
  indexed&& write(const detail::argument& x) && {
    detail::assign(*this, x);
    return std::move(*this);
  }
};

GPARRAY_END_NAMESPACE
