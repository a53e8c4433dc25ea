// Element-wise functions of C++ numbers alone, whose result is a number: gp::sqrt(2 * gp::pi). Comparisons
// are C++'s own; functions of conditions and exponents want an array.
#pragma once
#include <gparray/creation.hpp>
#include <gparray/ufuncs.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

template<ufunc F, class... X>
constexpr bool callable_of_numbers() {
  if constexpr (sizeof...(X) != static_cast<std::size_t>(arity(F)) || is_comparison(F)) return false;
  else
    return loop_of<F, X...>.valid &&
           row(F).signature.substr(0, sizeof...(X)).find_first_not_of('T') == std::string_view::npos;
}

/// Computed on the CPU, where it takes no transfer.
template<ufunc F, class X, class... Rest>
auto of_numbers(const X& x, const Rest&... rest) {
  constexpr dtype loop = loop_of<F, X, Rest...>.loop;
  using V = dtype_t<input_dtype(F, 0, loop)>;
  const ndarray<V> first = full<V>({}, x, {.device = device::cpu()});
  const argument arguments[] = {make_argument<V>(first), make_argument<dtype_t<loop>>(rest)...};
  using R = ufunc_result_t<F, X, Rest...>;
  return scalar_expr<R>(make_expression(F, loop, arguments), adopt_t{}).item();
}

}  // namespace detail

#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc) \
  template<scalar_like... X>                                              \
    requires(detail::callable_of_numbers<ufunc::name, X...>())            \
  [[nodiscard]] auto name(const X&... x) {                                \
    return detail::of_numbers<ufunc::name>(x...);                         \
  }
#define GPARRAY_UFUNC_ALIAS(alias, name)                       \
  template<scalar_like... X>                                   \
    requires(detail::callable_of_numbers<ufunc::name, X...>()) \
  [[nodiscard]] auto alias(const X&... x) {                    \
    return detail::of_numbers<ufunc::name>(x...);              \
  }
#include <gparray/tables/ufuncs.def>

GPARRAY_END_NAMESPACE
