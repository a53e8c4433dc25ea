// selection<V>: what a(mask) and a(indices) give, and what a(mask) = x writes to.
#pragma once
#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

/// What a(mask) or a(indices) returns: an array of the selected elements, not made before it is looked at;
/// and assigning to it while it has no name writes to the elements of a.
template<element V>
class selection : public expr<V> {
 public:
  /// For the library: the elements that an index with arrays picks.
  selection(const detail::selection_handle& what)
      : expr<V>(detail::read(what), detail::adopt_t{}), what_(what) {}
  /// Another name of the selection.
  selection(const selection&) = default;
  /// Takes the selection.
  selection(selection&&) noexcept = default;

  /// a(mask) = values, a(indices) = values: writes numbers, a range of numbers or an array, broadcast and
  /// converted, to the selected elements of a. Of an index that occurs twice the last value stays. Throws
  /// value_error if the shapes do not fit, device_error if an array is elsewhere.
  template<detail::element_range R>
  void operator=(const R& values) && {
    std::move(*this) = detail::from_range(values, this->device());
  }
  /// Another name of the selection: of one that has a name no element is written.
  selection& operator=(const selection&) & = default;
  selection& operator=(selection&&) & noexcept = default;
  /// Writes to the selected elements of a.
  template<operand_like X>
  void operator=(X&& x) && {
    forget();
    detail::write(what_, detail::make_argument<V>(std::forward<X>(x)));
  }
  void operator=(const selection& x) && {
    forget();
    detail::write(what_, detail::make_argument<V>(x));
  }
  void operator=(selection&& x) && {
    forget();
    detail::write(what_, detail::make_argument<V>(x));
  }
  /// Writes what this array now holds to the elements it was selected from: the end of a(mask) += x.
  void write_back() const { detail::write(what_, detail::make_argument<V>(*this)); }

 private:
  /// What is about to be overwritten need not be read.
  void forget() { static_cast<any_array&>(*this) = any_array(); }

  detail::selection_handle what_;
};

template<element V>
template<int>
selection<V> ndarray<V>::operator()(std::initializer_list<std::int64_t> indices) const {
  return (*this)(std::span<const std::int64_t>(indices.begin(), indices.size()));
}
template<element V>
selection<V> ndarray<V>::operator()(
    std::initializer_list<std::initializer_list<std::int64_t>> indices) const {
  return detail::select(*this, std::array{detail::pick_item(indices)});
}
template<element V>
selection<V> ndarray<V>::operator()(const detail::pick_item& first, const detail::pick_item& second) const {
  return detail::select(*this, std::array{first, second});
}
template<element V>
selection<V> ndarray<V>::operator()(const detail::pick_item& first, const detail::pick_item& second,
                                    const detail::pick_item& third) const {
  return detail::select(*this, std::array{first, second, third});
}
template<element V>
selection<V> ndarray<V>::operator()(const detail::pick_item& first, const detail::pick_item& second,
                                    const detail::pick_item& third, const detail::pick_item& fourth) const {
  return detail::select(*this, std::array{first, second, third, fourth});
}
template<element V>
template<detail::index_tuple Tuple>
selection<V> ndarray<V>::operator()(const Tuple& indices) const {
  return detail::select(*this, detail::pick_items(indices));
}
GPARRAY_END_NAMESPACE
