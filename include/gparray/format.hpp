// fmt::print("{}", array): arrays and expressions as NumPy's str(). Needs fmt, which no other header does.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <gparray/array_text.hpp>
#include <gparray/sparse/matrix.hpp>

#include <concepts>
#include <type_traits>

/// The specification is that of a string: width, fill and alignment.
template<std::derived_from<gparray::any_array> A>
struct fmt::formatter<A> : fmt::formatter<fmt::string_view> {
  template<class Context>
  auto format(const A& a, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(gparray::array_str(a), context);
  }
};

/// dtypes, devices and shapes as operator<< prints them.
template<>
struct fmt::formatter<gparray::dtype> : fmt::formatter<fmt::string_view> {
  template<class Context>
  auto format(gparray::dtype type, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(gparray::name(type), context);
  }
};
template<>
struct fmt::formatter<gparray::device> : fmt::formatter<fmt::string_view> {
  template<class Context>
  auto format(gparray::device place, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(place.str(), context);
  }
};
template<>
struct fmt::formatter<gparray::dims> : fmt::formatter<fmt::string_view> {
  template<class Context>
  auto format(const gparray::dims& sizes, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(gparray::str(sizes), context);
  }
};

/// Sparse matrices as SciPy's str().
template<gparray::sparse::storable V, gparray::sparse::format F>
struct fmt::formatter<gparray::sparse::matrix<V, F>> : fmt::formatter<fmt::string_view> {
  template<class Context>
  auto format(const gparray::sparse::matrix<V, F>& a, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(gparray::detail::sparse_text(a.parts()), context);
  }
};

/// Arrays have begin() and end(), but fmt must not print them as ranges.
template<std::derived_from<gparray::any_array> A, class Char>
struct fmt::is_range<A, Char> : std::false_type {};
template<class Char>
struct fmt::is_range<gparray::dims, Char> : std::false_type {};
