// What functions of arrays of any dtype take: arrays and numbers, and what picks their elements.
#pragma once
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include <gparray/array/operand.hpp>
#include <gparray/indexing/selection.hpp>
#include <gparray/tables/reduction_table.hpp>

GPARRAY_BEGIN_NAMESPACE

/// NumPy's functions on arrays whose dtypes are known at run time, for front ends: bindings of other
/// languages, interpreters, readers of files. What does not compile for ndarray<V> throws type_error here.
namespace dynamic {

/// An argument of a function: an array of any dtype, or a number, which is weak as Python's numbers are.
class operand {
 public:
  /// An array, whose elements are shared.
  operand(const any_array& a) : array_(a) {}
  /// A number; of an array's dtype if there is one.
  template<scalar_like S>
  operand(S number) : number_(scalar(number)) {}
  /// A number.
  operand(const scalar& number) : number_(number) {}

  /// Whether this is an array, not a number.
  [[nodiscard]] bool is_array() const noexcept { return !number_; }
  /// The array; one without elements where this is a number.
  [[nodiscard]] const any_array& array() const noexcept { return array_; }
  /// The dtype of the array, or the one that the number would have by itself.
  [[nodiscard]] gparray::dtype dtype() const noexcept {
    return number_ ? number_->as_argument().type : array_.dtype();
  }
  /// For the library: the array, or the number in its own dtype.
  [[nodiscard]] detail::argument as_argument() const noexcept {
    if (number_) return number_->as_argument();
    detail::argument a;
    a.array = &array_;
    a.type = array_.dtype();
    return a;
  }

 private:
  any_array array_;
  std::optional<scalar> number_;
};

/// An item of an index: an integer, a slice, gp::newaxis, gp::ellipsis, an array of integers or a mask.
class index_item {
 public:
  /// What an index of basic items takes.
  template<detail::basic_item I>
  index_item(const I& item) : item_(item) {}
  /// true or false, a mask of no dimensions.
  index_item(std::same_as<bool> auto flag) : item_(flag) {}
  /// An array that picks elements. Throws index_error unless it is of integers or bool.
  GPARRAY_API index_item(const any_array& a);

  /// For the library: the item as it takes it.
  [[nodiscard]] const detail::pick_item& as_pick_item() const noexcept { return item_; }

 private:
  detail::pick_item item_;
};

/// The element-wise function of a name, NumPy's or another name of tables/ufuncs.def: "add", "abs".
[[nodiscard]] GPARRAY_API std::optional<ufunc> find_ufunc(std::string_view name) noexcept;
/// The reduction of a name: "sum", "argmax".
[[nodiscard]] GPARRAY_API std::optional<reduction> find_reduction(std::string_view name) noexcept;
/// The dtype of a name: "float32", "bool".
[[nodiscard]] GPARRAY_API std::optional<dtype> find_dtype(std::string_view name) noexcept;

/// The dtype that operands promote to by NumPy 2's rules: arrays by the table, then numbers, which are weak.
[[nodiscard]] GPARRAY_API dtype result_type(std::span<const operand> operands);

}  // namespace dynamic

GPARRAY_END_NAMESPACE
