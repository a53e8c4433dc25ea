// The operators: NumPy's, element by element. / is true division; there is no //, use floor_divide.
#pragma once
#include <gparray/ufuncs.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

template<class A, class B>
concept array_and_range = (array_like<A> && element_range<B>) || (element_range<A> && array_like<B>);

template<class A, class B>
concept operands = operand_like<A> && operand_like<B> && (array_like<A> || array_like<B>);

// Operators that NumPy does not have for some dtypes, bool - bool for one, are deleted: what converts to a
// number would otherwise take C++'s own. Compilers show these names, which say why.
struct no_such_operation_for_these_dtypes;
/// Integers cannot hold the result of a += 0.5 or a /= 2.
struct result_is_not_same_kind_use_astype;

/// Whether a F= b is NumPy's: the result must convert back by the same_kind rule.
template<ufunc F, class A, class B>
inline constexpr bool in_place = [] {
  if constexpr (callable<F, std::remove_cvref_t<A>&, B>())
    return storable<ufunc_result_t<F, std::remove_cvref_t<A>&, B>, element_t<A>>;
  else return false;
}();

}  // namespace detail

#define GPARRAY_BINARY_OPERATOR(symbol, function)                                                            \
  template<class A, class B>                                                                                 \
    requires detail::operands<A, B> && (detail::callable<ufunc::function, A, B>())                           \
  auto operator symbol(A&& a, B&& b) {                                                                       \
    return detail::call<ufunc::function>(std::forward<A>(a), std::forward<B>(b));                            \
  }                                                                                                          \
  template<class A, class B>                                                                                 \
    requires detail::array_and_range<A, B>                                                                   \
  auto operator symbol(A&& a, B&& b) {                                                                       \
    const device on = detail::device_of_operands(a, b);                                                      \
    return detail::read_operand(std::forward<A>(a), on) symbol detail::read_operand(std::forward<B>(b), on); \
  }                                                                                                          \
  template<array_like A, detail::element_range B>                                                            \
  A&& operator symbol##=(A && a, const B & b) {                                                              \
    return std::forward<A>(a) symbol## = detail::from_range(b, a.device());                                  \
  }                                                                                                          \
  template<class A, class B, class Because = detail::no_such_operation_for_these_dtypes>                     \
    requires detail::operands<A, B> && (!detail::callable<ufunc::function, A, B>())                          \
  void operator symbol(A&& a, B&& b) = delete;                                                               \
  /* In place, as in NumPy: the result must convert back by the same_kind rule. */                           \
  template<array_like A, class B>                                                                            \
    requires detail::operands<A, B> && (detail::in_place<ufunc::function, A, B>)                             \
  A&& operator symbol##=(A && a, B && b) {                                                                   \
    return detail::store(std::forward<A>(a), detail::call<ufunc::function>(a, std::forward<B>(b)), {});      \
  }                                                                                                          \
  template<array_like A, class B, class Because = detail::result_is_not_same_kind_use_astype>                \
    requires detail::operands<A, B> && (!detail::in_place<ufunc::function, A, B>)                            \
  void operator symbol##=(A&& a, B&& b) = delete;
GPARRAY_BINARY_OPERATOR(+, add)
GPARRAY_BINARY_OPERATOR(-, subtract)
GPARRAY_BINARY_OPERATOR(*, multiply)
GPARRAY_BINARY_OPERATOR(/, divide)
GPARRAY_BINARY_OPERATOR(%, remainder)
GPARRAY_BINARY_OPERATOR(&, bitwise_and)
GPARRAY_BINARY_OPERATOR(|, bitwise_or)
GPARRAY_BINARY_OPERATOR(^, bitwise_xor)
GPARRAY_BINARY_OPERATOR(<<, left_shift)
GPARRAY_BINARY_OPERATOR(>>, right_shift)
#undef GPARRAY_BINARY_OPERATOR

#define GPARRAY_COMPARISON_OPERATOR(symbol, function)                                                        \
  template<class A, class B>                                                                                 \
    requires detail::array_and_range<A, B>                                                                   \
  expr<bool> operator symbol(A && a, B && b) {                                                               \
    const device on = detail::device_of_operands(a, b);                                                      \
    return detail::read_operand(std::forward<A>(a), on) symbol detail::read_operand(std::forward<B>(b), on); \
  }                                                                                                          \
  template<class A, class B>                                                                                 \
    requires detail::operands<A, B>                                                                          \
  detail::expr_of<bool, A, B> operator symbol(A && a, B && b) {                                              \
    return detail::call<ufunc::function>(std::forward<A>(a), std::forward<B>(b));                            \
  }
GPARRAY_COMPARISON_OPERATOR(==, equal)
GPARRAY_COMPARISON_OPERATOR(!=, not_equal)
GPARRAY_COMPARISON_OPERATOR(<, less)
GPARRAY_COMPARISON_OPERATOR(<=, less_equal)
GPARRAY_COMPARISON_OPERATOR(>, greater)
GPARRAY_COMPARISON_OPERATOR(>=, greater_equal)
#undef GPARRAY_COMPARISON_OPERATOR

#define GPARRAY_UNARY_OPERATOR(symbol, function)                                     \
  template<array_like A>                                                             \
    requires(detail::callable<ufunc::function, A>())                                 \
  auto operator symbol(A&& a) {                                                      \
    return detail::call<ufunc::function>(std::forward<A>(a));                        \
  }                                                                                  \
  template<array_like A, class Because = detail::no_such_operation_for_these_dtypes> \
    requires(!detail::callable<ufunc::function, A>())                                \
  void operator symbol(A&& a) = delete;
GPARRAY_UNARY_OPERATOR(-, negative)
GPARRAY_UNARY_OPERATOR(+, positive)
GPARRAY_UNARY_OPERATOR(~, invert)
#undef GPARRAY_UNARY_OPERATOR

GPARRAY_END_NAMESPACE
