// sharded<V>: an array of which each rank has a part, used as an ndarray is.
#pragma once
#include <iosfwd>
#include <string>

#include <gparray/distributed/any_sharded.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

template<element V>
class sharded;
template<element V>
class window;
template<element V>
class selection;

/// What operators and functions of sharded arrays return. As long as nothing in it is a window (a part of an
/// array beside itself) it is computed where it stands, as gparray's own expressions are; with windows it is
/// computed when it is known where, at the latest when it is looked at, and the arrays must not have been
/// written to by then: that is a value_error. Every rank does the same with it.
template<element V>
class sharded_expr : public any_sharded {
 public:
  using value_type = V;

  /// The array as every rank needs it to print it or to go on alone: a copy of all elements on all ranks.
  [[nodiscard]] ndarray<V> gather() const { return gparray::detail::typed<V>(detail::gathered(state(), -1)); }
  /// The array on one rank; the others get an empty one.
  [[nodiscard]] ndarray<V> gather_to(int root) const {
    return gparray::detail::typed<V>(detail::gathered(state(), root));
  }
  /// The element at an index with one number for each axis, on every rank; waits for it. Throws index_error.
  V item(std::convertible_to<std::int64_t> auto... i) const {
    V value;
    detail::item(state(), dims{static_cast<std::int64_t>(i)...}, &value);
    return value;
  }
  /// This rank's part, which shares the elements. Written to, it is to be followed by written().
  [[nodiscard]] ndarray<V> local() const { return gparray::detail::typed<V>(detail::local(state())); }
  /// To be called by all ranks after one has written to local(): what is known of the elements of neighbours
  /// is fetched anew.
  void written() const { detail::written(state()); }
  /// New elements with the same values and layout.
  [[nodiscard]] sharded<V> copy() const { return sharded<V>(detail::copied(state())); }
  /// The same elements in another layout; what a rank has already stays there, the rest is exchanged. The
  /// array itself if it is in that layout.
  [[nodiscard]] sharded<V> reshard(const distributed::layout& to) const {
    return sharded<V>(detail::resharded(state(), to));
  }
  /// The axes in reverse order, each cut as it was: nothing is exchanged.
  [[nodiscard]] sharded<V> T() const { return sharded<V>(detail::transposed(state(), {})); }
  /// The elements in C order in another shape, cut along its first axis; one size may be -1. Throws
  /// value_error if the sizes do not fit, and unless the array is cut along its first axis alone.
  [[nodiscard]] sharded<V> reshape(const dims& shape) const {
    return sharded<V>(detail::reshaped(state(), shape));
  }
  /// The elements converted by NumPy's rules.
  template<element W>
  [[nodiscard]] sharded_expr<W> astype() const {
    return sharded_expr<W>(detail::operate({state()}, dtype_of<W>, [](std::span<any_array> x) -> any_array {
      return gparray::expr<V>(std::move(x[0]), gparray::detail::adopt_t{}).template astype<W>();
    }));
  }

  /// A window: a(1, gp::slice(1, -1), gp::ellipsis). Along an axis that is cut: a whole axis, slices of step
  /// 1, or a number. Writing to what a number selects there sends nothing; reading it sends it from the rank
  /// that has it to the others along the axis, each time, and all ranks must do so.
  template<class... I>
    requires(sizeof...(I) > 0 && (std::convertible_to<I, gparray::detail::index_item> && ...) &&
             !gparray::detail::is_text_index<I...>)
  window<V> operator()(const I&... items) const {
    const gparray::detail::index_item list[] = {gparray::detail::index_item(items)...};
    return window<V>(detail::indexed(state(), list));
  }
  /// A window by NumPy's text, with a number or none for every "{}", a("1:-1, :{}", n), or numbers behind a
  /// text without any, a(":", 0).
  template<gparray::detail::index_text T, std::convertible_to<gparray::detail::slice_end>... N>
  window<V> operator()(const T& text, N... numbers) const {
    const std::vector<gparray::detail::slice_end> list{gparray::detail::slice_end(numbers)...};
    return window<V>(detail::indexed(state(), gparray::detail::parse_index(text, list)));
  }
  /// What a mask of the first axes, or of all, selects: a(a > 3.) = 0.
  template<detail::mask_like M>
  selection<V> operator()(const M& mask) const;
  template<class... I>
    requires(((gparray::detail::picking<I> && !gparray::detail::basic_item<I>) || detail::sharded_like<I>) ||
             ...)
  void operator()(const I&...) const = delete;  // no index arrays: a mask, a(mask), or gather() first

  explicit operator bool() const = delete;  // a condition: a.all(), a.any(), or a.item(i)
  /// Whether all elements of all ranks differ from zero.
  [[nodiscard]] scalar_expr<bool> all() const {
    return {detail::reduced(reduction::all, state(), {}), gparray::detail::adopt_t{}};
  }
  /// Whether any element of any rank differs from zero.
  [[nodiscard]] scalar_expr<bool> any() const {
    return {detail::reduced(reduction::any, state(), {}), gparray::detail::adopt_t{}};
  }

  /// Whether all elements along one axis or several differ from zero, as the other reductions; gp::any has
  /// the name of the other function, as gp::all is an index. Throws axis_error, value_error.
  template<gparray::detail::axes_like D>
  [[nodiscard]] sharded_expr<bool> all(const D& axis, const reduction_options& options = {}) const {
    return sharded_expr<bool>(detail::reduced(reduction::all, state(), dims(axis), options));
  }

  /// For the library.
  explicit sharded_expr(detail::node_ptr node) noexcept : any_sharded(std::move(node)) {}
  explicit sharded_expr(detail::selected_ptr what) noexcept : any_sharded(std::move(what)) {}
};

/// An array of which each rank has a part, by a layout. Copying shares the elements; assigning to a name
/// rebinds it, assigning to a window, a(...) = x, writes. A window or an expression that gets the name of a
/// sharded array is computed into elements of its own.
template<element V>
class sharded : public sharded_expr<V> {
 public:
  /// No elements, of one axis, in a world of one rank: a name for what is assigned later.
  sharded() : sharded_expr<V>(detail::nothing(dtype_of<V>)) {}
  sharded(const sharded&) noexcept = default;
  sharded(sharded&&) noexcept = default;
  sharded& operator=(const sharded&) & noexcept = default;
  sharded& operator=(sharded&&) & noexcept = default;
  /// Computes an expression.
  sharded(const sharded_expr<V>& e) : sharded_expr<V>(detail::computed(e.state())) {}
  sharded& operator=(const sharded_expr<V>& e) & { return *this = sharded(e); }
  template<scalar_like S>
  sharded& operator=(S number) & = delete;  // all elements: a(gp::ellipsis) = number, or a.fill(number)

  /// Sets every element.
  void fill(V value) const { detail::assign(this->node_, gparray::detail::constant(value)); }

  /// For the library.
  explicit sharded(detail::node_ptr node) noexcept : sharded_expr<V>(std::move(node)) {}
};

/// A part of a sharded array, which can be written to.
template<element V>
class window : public sharded_expr<V> {
 public:
  /// Writes numbers, sharded arrays of the same boundaries, and ndarrays that are the same on all ranks. What
  /// lies beside the window on another rank is fetched from there: one exchange for each array that has been
  /// written to since its last, or for several writes. Throws value_error if shapes do not broadcast or
  /// layouts differ.
  template<scalar_like S>
  const window& operator=(S number) const {
    detail::assign(this->node_, gparray::detail::make_argument<V>(number));
    return *this;
  }
  const window& operator=(const any_sharded& x) const {
    detail::assign(this->node_, x.state());
    return *this;
  }
  template<array_like A>
  const window& operator=(const A& x) const {
    detail::assign(this->node_, detail::replicated(x));
    return *this;
  }
  const window& operator=(const window& x) const {
    detail::assign(this->node_, x.state());
    return *this;
  }
  window(const window&) noexcept = default;

  /// For the library.
  explicit window(detail::node_ptr node) noexcept : sharded_expr<V>(std::move(node)) {}
};

/// What a(mask) returns: the elements at which the mask is true, in C order. To write to them nothing is sent
/// if numbers are written. Looked at, it is an array of one axis in place of those of the mask, of which each
/// rank has what it had of them; all ranks must do so, and before the array is written to.
template<element V>
class selection : public sharded_expr<V> {
 public:
  /// Writes a number, or one value for each selected element: a sharded array, which is resharded if its
  /// blocks are others, or an ndarray that is the same on all ranks. Throws value_error if shapes do not fit,
  /// and unless the array is cut along its first axis alone or along axes that the mask does not have.
  template<scalar_like S>
  const selection& operator=(S number) const {
    detail::write(this->selected_, gparray::detail::make_argument<V>(number));
    return *this;
  }
  const selection& operator=(const any_sharded& x) const {
    detail::write(this->selected_, x.state());
    return *this;
  }
  template<array_like A>
  const selection& operator=(const A& x) const {
    detail::write(this->selected_, detail::replicated(x));
    return *this;
  }
  const selection& operator=(const selection& x) const {
    detail::write(this->selected_, x.state());
    return *this;
  }
  selection(const selection&) noexcept = default;

  /// For the library.
  explicit selection(detail::selected_ptr what) noexcept : sharded_expr<V>(std::move(what)) {}
};

template<element V>
template<detail::mask_like M>
selection<V> sharded_expr<V>::operator()(const M& mask) const {
  if constexpr (detail::sharded_like<M>) return selection<V>(detail::select(this->state(), mask.state()));
  else return selection<V>(detail::select(this->state(), detail::replicated(mask)));
}

/// Every rank must call it: gathers the array, and prints it as an ndarray.
template<std::derived_from<any_sharded> A>
std::ostream& operator<<(std::ostream& to, const A& a) {
  return to << detail::text_of(a.state());
}
/// The text of the array, as an ndarray prints; every rank must call it.
[[nodiscard]] inline std::string to_string(const any_sharded& a) { return detail::text_of(a.state()); }

}  // namespace distributed
GPARRAY_END_NAMESPACE
