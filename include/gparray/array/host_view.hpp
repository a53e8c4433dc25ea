// host_view: the elements of an array in memory that the CPU reaches, by index, as quick as a pointer.
#pragma once
#include <array>
#include <concepts>

#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// Keeps an array, and while it lives the array counts as one whose address has been given out.
class host_access {
 public:
  host_access(const any_array& array, bool exposed)
      : array_(array), exposed_(exposed) {}  // is exposed already
  host_access(const host_access& other) : array_(other.array_), exposed_(other.exposed_) {
    if (exposed_) expose_again(array_);
  }
  host_access& operator=(host_access other) noexcept {
    std::swap(array_, other.array_);
    std::swap(exposed_, other.exposed_);
    return *this;
  }
  ~host_access() {
    if (exposed_) end_exposure(array_);
  }

 private:
  GPARRAY_API static void expose_again(any_array array);
  GPARRAY_API static void end_exposure(any_array array) noexcept;

  any_array array_;
  bool exposed_;
};

/// Where the elements of a view lie; strides count elements.
struct host_view_layout {
  void* first;
  host_access access;
};
GPARRAY_API host_view_layout open_host_view(const any_array& a, int ndim, bool writes, std::int64_t* shape,
                                            std::int64_t* strides);
[[noreturn]] GPARRAY_API void throw_outside_view(std::int64_t index, int axis, std::int64_t size);

#if defined(GPARRAY_CHECK_BOUNDS) || (!defined(NDEBUG) && !defined(__OPTIMIZE__))
inline constexpr bool host_views_check_bounds = true;
#else
inline constexpr bool host_views_check_bounds = false;
#endif

}  // namespace detail

/// What a.view_host<N>() returns: v(i, j) is a reference to an element, found by adding and multiplying,
/// where a(i, j) makes an array for it. Indices are not negative. operator() checks them in builds without
/// optimisation (unless NDEBUG is defined) and where GPARRAY_CHECK_BOUNDS is; at() always does.
/// The view keeps the elements. While it lives, expressions that read the array are computed at their line,
/// as with data(); its references and addresses should not be used after it.
template<class V, int N>
  requires(N >= 1 && N <= max_ndim)
class host_view {
 public:
  using value_type = std::remove_const_t<V>;

  /// A view of an array, as view_host() makes it. Throws value_error unless it has N dimensions.
  explicit host_view(const any_array& a) : host_view(numbers{}, numbers{}, a) {}

  /// The number of axes, N.
  static constexpr int ndim() noexcept { return N; }
  /// The size of an axis.
  std::int64_t shape(int axis) const noexcept { return shape_[static_cast<std::size_t>(axis)]; }
  /// The number of elements.
  std::int64_t size() const noexcept {
    std::int64_t n = 1;
    for (const std::int64_t length : shape_) n *= length;
    return n;
  }

  /// The element at an index, v(i, j): checked as described above, else not at all.
  template<std::convertible_to<std::int64_t>... I>
    requires(sizeof...(I) == N)
  [[gnu::always_inline]] V& operator()(I... index) const {
    if constexpr (detail::host_views_check_bounds) return at(index...);
    else return element(static_cast<std::int64_t>(index)...);
  }
  /// The element at an index, which is checked. Throws index_error.
  template<std::convertible_to<std::int64_t>... I>
    requires(sizeof...(I) == N)
  V& at(I... index) const {
    int axis = 0;
    (check(static_cast<std::int64_t>(index), axis++), ...);
    return element(static_cast<std::int64_t>(index)...);
  }

 private:
  using numbers = std::array<std::int64_t, std::size_t{N}>;

  // The layout is worked out before the view is there, whose own address then never leaves: so its numbers
  // stay in registers.
  host_view(numbers shape, numbers strides, const any_array& a)
      : host_view(detail::open_host_view(a, N, !std::is_const_v<V>, shape.data(), strides.data()), shape,
                  strides) {}
  host_view(detail::host_view_layout layout, const numbers& shape, const numbers& strides)
      : first_(static_cast<V*>(layout.first)),
        shape_(shape),
        strides_(strides),
        access_(std::move(layout.access)) {}

  template<class... I>
  [[gnu::always_inline]] V& element(I... index) const {
    V* p = first_;
    std::size_t axis = 0;
    ((p += index * strides_[axis++]), ...);
    return *p;
  }
  void check(std::int64_t index, int axis) const {
    if (index < 0 || index >= shape(axis)) detail::throw_outside_view(index, axis, shape(axis));
  }

  V* first_;
  numbers shape_, strides_;
  detail::host_access access_;
};

GPARRAY_END_NAMESPACE
