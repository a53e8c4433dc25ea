// fmt::print("{}", array): arrays and expressions as NumPy's str(). Needs fmt, which no other header does.
#pragma once
#include <fmt/format.h>

#include <gparray/array_text.hpp>

#include <concepts>

template<std::derived_from<gparray::any_array> A>
struct fmt::formatter<A> : fmt::formatter<fmt::string_view> {
  template<class Context>
  auto format(const A& a, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(gparray::array_str(a), context);
  }
};
