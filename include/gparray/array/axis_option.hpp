// The option .axis, which functions take besides an axis by position: sum(a, {.axis = 1}).
#pragma once
#include <limits>

#include <gparray/indexing/index.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// No axis given, none (all of them, or the flattened array), one, or several.
class axis_value {
 public:
  axis_value() = default;
  axis_value(none_t) : state_(state::none) {}
  axis_value(std::integral auto axis) : state_(state::given), axes_(axis) {}
  axis_value(std::initializer_list<std::int64_t> axes) : state_(state::given), axes_(axes) {}
  axis_value(const dims& axes) : state_(state::given), axes_(axes) {}
  template<size_list R>
    requires(!std::same_as<R, dims>)
  axis_value(const R& axes) : state_(state::given), axes_(axes) {}

  /// Whether the option was written at all.
  bool written() const noexcept { return state_ != state::unset; }
  /// Null for none and where nothing was written.
  const dims* get() const noexcept { return state_ == state::given ? &axes_ : nullptr; }

  // The same as the parameter of a function that takes an axis by position. Throw type_error for several
  // axes, or none, where the function has one.
  operator dims() const { return state_ == state::given ? axes_ : dims{one()}; }
  operator int() const { return static_cast<int>(one()); }
  operator slice_end() const { return state_ == state::none ? slice_end(gparray::none) : slice_end(one()); }

 private:
  enum class state : unsigned char { unset, none, given };
  std::int64_t one() const {
    if (state_ != state::given || axes_.size() != 1) throw_not_one_axis();
    return axes_[0];
  }
  [[noreturn]] GPARRAY_API static void throw_not_one_axis();

  state state_ = state::unset;
  dims axes_;
};

/// Stands first among options that a call may also give as a braced list of axes: {0, 1} is then no options.
struct only_by_name {
  explicit only_by_name(int) {}
};

/// Axes by position in braces: {0, -1}. An aggregate, for compilers look at the names in {.axis = 0, .ddof =
/// 1} before they take that for one; g++ 12 does not before it makes a std::initializer_list of it.
struct axis_list {
  struct axis {
    constexpr axis(std::integral auto number) : value(static_cast<std::int64_t>(number)) {}
    std::int64_t value;
  };
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

  axis first;
  std::int64_t second = none, third = none, fourth = none, fifth = none, sixth = none, seventh = none,
               eighth = none;

  operator dims() const {
    dims axes{first.value};
    for (const std::int64_t next : {second, third, fourth, fifth, sixth, seventh, eighth})
      if (next != none) axes.push_back(next);
    return axes;
  }
};

/// The axes of a call f(a, axis, {.axis = ...}): one of the two. Throws type_error for both, as Python does.
GPARRAY_API const dims* chosen_axes(const dims* by_position, const axis_value& by_name);

}  // namespace detail

/// The keyword argument of functions whose other arguments are given by position: cumsum(a, {.axis = 1}).
struct axis_option {
  /// Nothing: it makes the option one that is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// The axis, or none for the flattened array.
  detail::axis_value axis = {};
};

GPARRAY_END_NAMESPACE
