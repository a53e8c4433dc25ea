// dims: a short list of sizes, strides or axes, held in place.
#pragma once
#include <algorithm>
#include <compare>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <vector>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The largest rank of an array.
inline constexpr int max_ndim = 32;

class any_array;

namespace detail {
[[noreturn]] GPARRAY_API void throw_too_many_dims(std::size_t count);

/// A range of integers that is no array: reading an array's elements may wait for a device, so an array
/// becomes a list of sizes only where its owner writes to_vector().
template<class R>
concept size_list = std::ranges::sized_range<R> && std::integral<std::ranges::range_value_t<R>> &&
                    !std::derived_from<std::remove_cvref_t<R>, any_array>;

/// An array that is one whole number and converts to it, a.argmax() or a(i): it says so by its conversion.
template<class N>
concept whole_number =
    requires { typename N::value_type; } && std::integral<typename N::value_type> &&
    !std::same_as<typename N::value_type, bool> && std::convertible_to<const N&, typename N::value_type>;
}  // namespace detail

/// The sizes, strides or axes of an array: at most max_ndim integers, held in place. It is made of one
/// integer, a braced list or any range of integers, so that a shape parameter takes 5, {2, 3} or a
/// std::vector. Throws value_error for more numbers.
class dims {
 public:
  using value_type = std::int64_t;

  /// No numbers: the shape of an array of no dimensions.
  dims() noexcept : count_(0) {}
  /// One number.
  dims(std::integral auto length) noexcept : count_(1) { values_[0] = static_cast<std::int64_t>(length); }
  /// The number that an array is, as the largest label: waits for it.
  template<detail::whole_number N>
  dims(const N& length) : dims(static_cast<typename N::value_type>(length)) {}
  /// The numbers of a braced list.
  dims(std::initializer_list<std::int64_t> values) { assign(values); }
  /// The numbers of a range of integers.
  template<detail::size_list R>
    requires(!std::same_as<R, dims>)
  dims(const R& values) {
    assign(values);
  }
  /// A copy.
  dims(const dims& other) noexcept : count_(other.count_) { std::copy_n(other.values_, count_, values_); }
  dims& operator=(const dims& other) noexcept {
    count_ = other.count_;
    std::copy_n(other.values_, count_,
                values_);  // overlap is only possible as self-assignment, which is harmless
    return *this;
  }

  /// n copies of value.
  static dims filled(std::size_t n, std::int64_t value) {
    dims d;
    d.resize(n, value);
    return d;
  }

  /// How many numbers there are.
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  /// Whether there are no numbers.
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  /// The first number.
  std::int64_t* begin() noexcept { return values_; }
  /// Behind the last number.
  std::int64_t* end() noexcept { return values_ + count_; }
  /// The first number.
  const std::int64_t* begin() const noexcept { return values_; }
  /// Behind the last number.
  const std::int64_t* end() const noexcept { return values_ + count_; }
  /// The address of the first number.
  const std::int64_t* data() const noexcept { return values_; }
  /// A number by its position, which is not checked.
  std::int64_t& operator[](std::size_t i) noexcept { return values_[i]; }
  std::int64_t operator[](std::size_t i) const noexcept { return values_[i]; }
  /// The last number. There must be one.
  [[nodiscard]] std::int64_t back() const noexcept { return values_[count_ - 1]; }

  /// Adds a number at the end. Throws value_error if there are max_ndim already.
  void push_back(std::int64_t value) { insert(size(), value); }
  /// Adds a number in front of a position. Throws value_error if there are max_ndim already.
  void insert(std::size_t position, std::int64_t value) {
    if (count_ == max_ndim) detail::throw_too_many_dims(max_ndim + 1);
    for (std::size_t i = count_; i > position; --i) values_[i] = values_[i - 1];
    values_[position] = value;
    ++count_;
  }
  /// Removes the number at a position.
  void erase(std::size_t position) noexcept {
    std::copy(values_ + position + 1, values_ + count_, values_ + position);
    --count_;
  }
  /// Makes it n numbers, new ones of this value. Throws value_error for more than max_ndim.
  void resize(std::size_t n, std::int64_t value = 0) {
    if (n > max_ndim) detail::throw_too_many_dims(n);
    if (n > size()) std::fill(end(), values_ + n, value);
    count_ = n;
  }
  /// The numbers as a std::vector.
  [[nodiscard]] std::vector<std::int64_t> to_vector() const { return {begin(), end()}; }

  friend bool operator==(const dims& a, const dims& b) noexcept {
    bool equal = a.count_ == b.count_;
    // A call of memcmp takes longer than the few sizes of an array.
    for (std::size_t i = 0; equal && i < a.count_; ++i) equal = a.values_[i] == b.values_[i];
    return equal;
  }
  /// Number by number, as std::vector.
  friend std::strong_ordering operator<=>(const dims& a, const dims& b) noexcept {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  template<class R>
  void assign(const R& values) {
    if (std::ranges::size(values) > max_ndim) detail::throw_too_many_dims(std::ranges::size(values));
    count_ = 0;
    for (auto v : values) values_[count_++] = static_cast<std::int64_t>(v);
  }

  std::size_t count_;  // not int: a count below zero would be out of bounds, and compilers warn of what they
                       // cannot exclude
  std::int64_t values_[max_ndim];
};

namespace detail {

/// An option that is a shape, strides or axes, or not given: `.shape = {2, 3}`. std::optional
/// takes no braced list of several numbers.
struct dims_option : std::optional<dims> {
  dims_option() = default;
  dims_option(std::nullopt_t) {}
  dims_option(std::initializer_list<std::int64_t> values) : std::optional<dims>(dims(values)) {}
  template<std::convertible_to<dims> D>
    requires(!std::same_as<D, dims_option>)
  dims_option(const D& values) : std::optional<dims>(dims(values)) {}
};

}  // namespace detail

GPARRAY_END_NAMESPACE

template<>
struct std::hash<gparray::dims> {
  std::size_t operator()(const gparray::dims& sizes) const noexcept {
    std::uint64_t h = sizes.size();
    for (const std::int64_t n : sizes)
      h = (h ^ static_cast<std::uint64_t>(n)) * 0x9e3779b97f4a7c15u ^ h >> 32;
    return static_cast<std::size_t>(h);
  }
};
