// fmt::print("{}", array): arrays and expressions as NumPy's str(). Needs fmt, which no other header does.
#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <gparray/array/scalar.hpp>
#include <gparray/sparse/matrix.hpp>
#include <gparray/text/array_text.hpp>
#include <gparray/text/format_spec.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// What fmt::formatter has for everything that is made of elements of one kind, or of any kind (0).
template<char Kind>
class element_formatter {
 public:
  constexpr auto parse(fmt::format_parse_context& context) {
    const char* at = context.begin();
    if (!parse_element_format(at, context.end(), format_))
      throw fmt::format_error("invalid format of an array's elements");
    if (Kind != 0 && !format_.suits(Kind))
      throw fmt::format_error("the format does not suit the array's dtype");
    given_ = at != context.begin();
    return at;
  }

  template<class Context>
  auto put(const any_array& a, Context& context) const {
    return write(given_ ? format_elements(a, format_) : array_str(a), context);
  }
  template<class Context>
  auto put_tuple(std::span<const any_array> arrays, Context& context) const {
    return write(given_ ? tuple_text(arrays, format_) : tuple_text(arrays), context);
  }

 private:
  template<class Context>
  static auto write(const std::string& text, Context& context) {
    return std::copy(text.begin(), text.end(), context.out());
  }

  element_format format_;
  bool given_ = false;
};

template<class A>
constexpr char printed_kind() {
  if constexpr (array_like<A>) return kind(dtype_of<element_t<A>>);
  else return 0;
}

/// The specification is that of a string, which is not quoted as an element of a range.
struct text_formatter : fmt::formatter<fmt::string_view> {
  void set_debug_format(bool = true) = delete;
};

}  // namespace detail
GPARRAY_END_NAMESPACE

/// Arrays: the specification is that of their elements, as for a number of their type ("{:.3f}", "{:>8.2e}",
/// "{:x}"); NumPy's brackets stay, and the elements are as wide as the widest. An array of no dimensions is a
/// number. A specification that does not suit the dtype does not compile, or is a value_error of an
/// any_array.
template<std::derived_from<gparray::any_array> A>
struct fmt::formatter<A> : gparray::detail::element_formatter<gparray::detail::printed_kind<A>()> {
  template<class Context>
  auto format(const A& a, Context& context) const {
    return this->put(a, context);
  }
};

/// Several arrays as Python's tuple of them, (array([1, 2]), array([3, 4])): what nonzero, unstack, unpack
/// and meshgrid return. A specification is that of the elements.
template<std::derived_from<gparray::any_array> A>
struct fmt::formatter<std::vector<A>>
    : gparray::detail::element_formatter<gparray::detail::printed_kind<A>()> {
  template<class Context>
  auto format(const std::vector<A>& arrays, Context& context) const {
    return this->put_tuple(std::vector<gparray::any_array>(arrays.begin(), arrays.end()), context);
  }
};
template<std::derived_from<gparray::any_array> A, std::size_t N>
struct fmt::formatter<std::array<A, N>>
    : gparray::detail::element_formatter<gparray::detail::printed_kind<A>()> {
  template<class Context>
  auto format(const std::array<A, N>& arrays, Context& context) const {
    return this->put_tuple(std::vector<gparray::any_array>(arrays.begin(), arrays.end()), context);
  }
};
template<std::derived_from<gparray::any_array>... A>
  requires(sizeof...(A) > 0)
struct fmt::formatter<std::tuple<A...>> : gparray::detail::element_formatter<0> {
  template<class Context>
  auto format(const std::tuple<A...>& arrays, Context& context) const {
    const auto list =
        std::apply([](const A&... a) { return std::array<gparray::any_array, sizeof...(A)>{a...}; }, arrays);
    return this->put_tuple(list, context);
  }
};
template<std::derived_from<gparray::any_array> A, std::derived_from<gparray::any_array> B>
struct fmt::formatter<std::pair<A, B>> : gparray::detail::element_formatter<0> {
  template<class Context>
  auto format(const std::pair<A, B>& arrays, Context& context) const {
    const gparray::any_array list[] = {arrays.first, arrays.second};
    return this->put_tuple(list, context);
  }
};

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// What fmt takes for a V: halves are floats to it, and complex numbers have no format of their own.
template<class V>
using formatted_t = std::conditional_t<std::is_arithmetic_v<V>, V, float>;

/// A specification with arguments, "{:{}.{}f}", is left to fmt, and so is for one number alone.
template<class V>
struct number_formatter {
  element_formatter<kind(dtype_of<V>)> elements;
  fmt::formatter<formatted_t<V>> number;
  bool has_arguments = false;

  template<class Context>
  constexpr auto parse(Context& context) {
    for (const char c : context) {
      if (c == '{') has_arguments = true;
      if (c == '}') break;
    }
    return has_arguments ? number.parse(context) : elements.parse(context);
  }
  template<class A, class Context>
  auto format(const A& a, Context& context) const {
    if (has_arguments) return number.format(static_cast<formatted_t<V>>(a.item()), context);
    return elements.put(a, context);
  }
};

}  // namespace detail
GPARRAY_END_NAMESPACE

/// Arrays that are a number take widths and precisions as arguments, too: "{:{}.{}f}". Throws value_error
/// where such a one has several elements.
template<gparray::element V>
  requires(!gparray::is_complex(gparray::dtype_of<V>))
struct fmt::formatter<gparray::scalar_expr<V>> : gparray::detail::number_formatter<V> {};
template<gparray::element V>
  requires(!gparray::is_complex(gparray::dtype_of<V>))
struct fmt::formatter<gparray::scalar_array<V>> : gparray::detail::number_formatter<V> {};

/// dtypes, devices and shapes as operator<< prints them.
template<>
struct fmt::formatter<gparray::dtype> : gparray::detail::text_formatter {
  template<class Context>
  auto format(gparray::dtype type, Context& context) const {
    return text_formatter::format(gparray::name(type), context);
  }
};
template<>
struct fmt::formatter<gparray::device> : gparray::detail::text_formatter {
  template<class Context>
  auto format(gparray::device on_device, Context& context) const {
    return text_formatter::format(on_device.str(), context);
  }
};
template<>
struct fmt::formatter<gparray::dims> : gparray::detail::text_formatter {
  template<class Context>
  auto format(const gparray::dims& sizes, Context& context) const {
    return text_formatter::format(gparray::str(sizes), context);
  }
};

/// Sparse matrices as SciPy's str().
template<gparray::sparse::storable V, gparray::sparse::format F>
struct fmt::formatter<gparray::sparse::matrix<V, F>> : gparray::detail::text_formatter {
  template<class Context>
  auto format(const gparray::sparse::matrix<V, F>& a, Context& context) const {
    return text_formatter::format(gparray::detail::sparse_text(a.parts()), context);
  }
};

/// Arrays have begin() and end(), but fmt must not print them as ranges.
template<std::derived_from<gparray::any_array> A, class Char>
struct fmt::is_range<A, Char> : std::false_type {};
template<class Char>
struct fmt::is_range<gparray::dims, Char> : std::false_type {};
template<std::derived_from<gparray::any_array> A, class Char>
struct fmt::is_range<std::vector<A>, Char> : std::false_type {};
template<std::derived_from<gparray::any_array> A, std::size_t N, class Char>
struct fmt::is_range<std::array<A, N>, Char> : std::false_type {};
template<std::derived_from<gparray::any_array>... A, class Char>
struct fmt::is_tuple_formattable<std::tuple<A...>, Char> : std::bool_constant<(sizeof...(A) == 0)> {};
template<std::derived_from<gparray::any_array> A, std::derived_from<gparray::any_array> B, class Char>
struct fmt::is_tuple_formattable<std::pair<A, B>, Char> : std::false_type {};
