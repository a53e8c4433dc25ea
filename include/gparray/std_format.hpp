// std::format("{}", array) where the standard library has <format> (g++ 13, libc++ 17): arrays, sparse
// matrices, dtypes, devices and shapes, by the texts that fmt and operator<< print. No other header includes
// this one.
#pragma once
#include <version>

#if !defined(__cpp_lib_format)
#error "<gparray/std_format.hpp> needs <format>: g++ 13, libc++ 17 (<gparray/format.hpp> needs fmt)"
#else

#include <concepts>
#include <format>
#include <string>
#include <string_view>

#include <gparray/sparse/matrix.hpp>
#include <gparray/text/array_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// A formatter by way of a text: the specification is that of a string.
struct std_text_formatter : std::formatter<std::string_view> {
  template<class Context>
  auto write(std::string_view text, Context& context) const {
    return std::formatter<std::string_view>::format(text, context);
  }
};

}  // namespace detail
GPARRAY_END_NAMESPACE

template<std::derived_from<gparray::any_array> A>
struct std::formatter<A, char> : gparray::detail::std_text_formatter {
  template<class Context>
  auto format(const A& a, Context& context) const {
    return write(gparray::array_str(a), context);
  }
};
template<>
struct std::formatter<gparray::dtype, char> : gparray::detail::std_text_formatter {
  template<class Context>
  auto format(gparray::dtype type, Context& context) const {
    return write(gparray::name(type), context);
  }
};
template<>
struct std::formatter<gparray::device, char> : gparray::detail::std_text_formatter {
  template<class Context>
  auto format(gparray::device on_device, Context& context) const {
    return write(on_device.str(), context);
  }
};
template<>
struct std::formatter<gparray::dims, char> : gparray::detail::std_text_formatter {
  template<class Context>
  auto format(const gparray::dims& sizes, Context& context) const {
    return write(gparray::str(sizes), context);
  }
};
template<gparray::sparse::storable V, gparray::sparse::format F>
struct std::formatter<gparray::sparse::matrix<V, F>, char> : gparray::detail::std_text_formatter {
  template<class Context>
  auto format(const gparray::sparse::matrix<V, F>& a, Context& context) const {
    return write(gparray::detail::sparse_text(a.parts()), context);
  }
};

#if defined(__cpp_lib_format_ranges)
/// Arrays and shapes have begin() and end(), and are not printed as ranges.
template<std::derived_from<gparray::any_array> A>
inline constexpr std::range_format std::format_kind<A> = std::range_format::disabled;
template<>
inline constexpr std::range_format std::format_kind<gparray::dims> = std::range_format::disabled;
#endif
#endif
