// Assertions about arrays for tests: NumPy's numpy.testing, with its texts.
//
// Both arguments may be arrays, expressions, numbers, vectors and the like, and braced lists of up to two
// levels; arrays of a GPU are copied to the host. A number is compared with every element. Where an assertion
// does not hold, assertion_error is thrown, of which what() is NumPy's message.
//
// Not part of gparray.hpp.
#pragma once
#include <concepts>
#include <initializer_list>
#include <string>
#include <vector>

#include <gparray/array/read_operand.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace testing {

/// An assertion that does not hold: Python's AssertionError.
class GPARRAY_API assertion_error : public error {
 public:
  /// With this text for what().
  explicit assertion_error(const std::string& text) : error(text) {}
};

/// What is compared: an array, or numbers of which one is made.
class compared {
 public:
  /// An array or an expression, which is computed.
  compared(const any_array& a) : array_(a) {}
  /// A number: 0-d, of NumPy's dtype for it.
  template<scalar_like S>
  compared(S number) {
    using V = dtype_t<detail::number_dtype<S>()>;
    const V value = static_cast<V>(number);
    array_ = detail::from_host(&value, dims{}, dtype_of<V>, device::cpu());
  }
  /// A range of numbers.
  template<detail::element_range R>
  compared(const R& numbers) : array_(detail::from_range(numbers, device::cpu())) {}
  /// A list of numbers.
  template<scalar_like S>
  compared(std::initializer_list<S> numbers) : compared({numbers}, dims(numbers.size())) {}
  /// A list of rows. Throws value_error if their lengths differ.
  template<scalar_like S>
  compared(std::initializer_list<std::initializer_list<S>> rows)
      : compared(rows, dims{static_cast<std::int64_t>(rows.size()),
                            static_cast<std::int64_t>(rows.size() ? rows.begin()->size() : 0)}) {}

  /// The array.
  const any_array& array() const noexcept { return array_; }

 private:
  template<class S>
  compared(std::initializer_list<std::initializer_list<S>> rows, const dims& shape) {
    using V = dtype_t<detail::number_dtype<S>()>;
    // Bytes for bool, whose std::vector has no address.
    std::vector<std::conditional_t<std::is_same_v<V, bool>, unsigned char, V>> packed;
    for (const auto& row : rows) {
      if (row.size() != rows.begin()->size()) throw value_error("the rows of a list differ in length");
      for (const S& number : row) packed.push_back(static_cast<V>(number));
    }
    array_ = detail::from_host(packed.data(), shape, dtype_of<V>, device::cpu());
  }

  any_array array_;
};

/// NumPy's keyword arguments of the assertions.
struct assert_options {
  std::string err_msg = {};  ///< is added to the message
  bool verbose = true;       ///< whether the message shows the arrays
  bool strict = false;       ///< whether numbers and other dtypes differ from arrays that they equal
};

/// NumPy's keyword arguments of assert_allclose.
struct allclose_options {
  double rtol = 1e-7;        ///< the relative tolerance, of |desired|
  double atol = 0;           ///< the absolute tolerance
  bool equal_nan = true;     ///< whether NaN is close to NaN
  std::string err_msg = {};  ///< is added to the message
  bool verbose = true;       ///< whether the message shows the arrays
  bool strict = false;       ///< whether numbers and other dtypes differ from arrays that they equal
};

/// Shapes and elements are equal; NaN equals NaN.
GPARRAY_API void assert_array_equal(const compared& actual, const compared& desired,
                                    const assert_options& options = {});
/// Of arrays assert_array_equal. Two numbers are equal, or both NaN, and zeros have the same sign.
GPARRAY_API void assert_equal(const compared& actual, const compared& desired,
                              const assert_options& options = {});
/// Of two texts.
GPARRAY_API void assert_equal(const std::string& actual, const std::string& desired,
                              const assert_options& options = {});
/// Shapes are equal, and |actual - desired| <= atol + rtol * |desired| for each element.
GPARRAY_API void assert_allclose(const compared& actual, const compared& desired,
                                 const allclose_options& options = {});
/// The tolerances by position, as in NumPy.
inline void assert_allclose(const compared& actual, const compared& desired, double rtol, double atol = 0) {
  assert_allclose(actual, desired, {.rtol = rtol, .atol = atol});
}
/// Shapes are equal, and |actual - desired| < 1.5 * 10^-decimal for each element.
GPARRAY_API void assert_array_almost_equal(const compared& actual, const compared& desired, int decimal = 6,
                                           const assert_options& options = {});
/// Of arrays assert_array_almost_equal; of two numbers the same with a text of its own.
GPARRAY_API void assert_almost_equal(const compared& actual, const compared& desired, int decimal = 7,
                                     const assert_options& options = {});
/// Shapes are equal, and x < y for each element.
GPARRAY_API void assert_array_less(const compared& x, const compared& y, const assert_options& options = {});
/// Real floating-point numbers of one dtype with at most maxulp steps between them: units in the last place.
GPARRAY_API void assert_array_max_ulp(const compared& a, const compared& b, int maxulp = 1);

}  // namespace testing
GPARRAY_END_NAMESPACE
