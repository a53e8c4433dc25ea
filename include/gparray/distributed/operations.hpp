// Element-wise functions and operators of sharded arrays, made from the table that ndarray's are made from.
//
// Operands are sharded arrays of the same layout, windows of them, numbers, and ndarrays that are the same on
// every rank. Shapes broadcast and dtypes promote as those of ndarrays do; an operation that ndarrays do not
// have does not compile.
#pragma once
#include <tuple>

#include <gparray/distributed/sharded.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

template<class X>
struct local_operand {
  using type = X;
};
template<sharded_like X>
struct local_operand<X> {
  using type = gparray::expr<typename std::remove_cvref_t<X>::value_type>;
};
template<array_like X>
struct local_operand<X> {
  using type = gparray::expr<gparray::detail::element_t<X>>;
};
/// What an operand is on one rank.
template<class X>
using local_operand_t = typename local_operand<X>::type;

template<ufunc F, class... X>
constexpr bool callable() {
  if constexpr ((sharded_like<X> || ...) && ((sharded_like<X> || operand_like<X>) && ...))
    return gparray::detail::callable<F, local_operand_t<X>...>();
  else return false;
}

template<class X>
node_ptr node_of_operand(const X& x) {
  if constexpr (sharded_like<X>) return x.state();
  else return replicated(x);
}

/// The operand from the list of arrays, or the number that it is.
template<class X>
local_operand_t<X> local_value(std::span<any_array> arrays, std::size_t& next,
                               const std::remove_cvref_t<X>* number) {
  if constexpr (scalar_like<X>) return *number;
  else return local_operand_t<X>(std::move(arrays[next++]), gparray::detail::adopt_t{});
}

template<class X>
auto number_of(const X& x) {
  if constexpr (scalar_like<X>) return x;
  else return static_cast<const std::remove_cvref_t<X>*>(nullptr);
}
template<class X, class N>
const std::remove_cvref_t<X>* address_of_number(const N& kept) {
  if constexpr (scalar_like<X>) return &kept;
  else return nullptr;
}

/// f(values...) of elements of R, computed where the arrays are.
template<element R, class F, class... X>
auto apply(const F& f, const X&... x) {
  std::vector<node_ptr> operands;
  const auto add = [&](const auto& operand) {
    if constexpr (!scalar_like<decltype(operand)>) operands.push_back(node_of_operand(operand));
  };
  (add(x), ...);
  auto here = [f, numbers = std::tuple(number_of(x)...)](std::span<any_array> arrays) -> any_array {
    return std::apply(
        [&](const auto&... number) {
          std::size_t next = 0;
          // Braces: from left to right.
          std::tuple<local_operand_t<X>...> values{
              local_value<X>(arrays, next, address_of_number<X>(number))...};
          return std::apply([&](auto&... value) { return any_array(f(std::move(value)...)); }, values);
        },
        numbers);
  };
  return sharded_expr<R>(operate(std::move(operands), dtype_of<R>, std::move(here)));
}

template<ufunc F, class... X>
auto call(const X&... x) {
  return apply<gparray::detail::ufunc_result_t<F, local_operand_t<X>...>>(
      [](auto&&... value) { return gparray::detail::call<F>(std::move(value)...); }, x...);
}

/// Why an operator is not there, as of ndarrays.
struct no_such_operation_for_these_dtypes;

template<class A, class B>
concept operands = (sharded_like<A> || operand_like<A>) && (sharded_like<B> || operand_like<B>) &&
                   (sharded_like<A> || sharded_like<B>);

/// Whether a F= b can be kept in a.
template<ufunc F, class A, class B>
inline constexpr bool in_place = [] {
  if constexpr (callable<F, A, B>())
    return gparray::detail::storable<
        gparray::detail::ufunc_result_t<F, local_operand_t<A>, local_operand_t<B>>,
        typename std::remove_cvref_t<A>::value_type>;
  else return false;
}();

template<class A>
inline constexpr bool is_target = false;
template<element V>
inline constexpr bool is_target<sharded<V>> = true;
template<element V>
inline constexpr bool is_target<window<V>> = true;
template<element V>
inline constexpr bool is_target<selection<V>> = true;

inline void store(const any_sharded& a, const any_sharded& x) { assign(a.state(), x.state()); }
template<element V>
void store(const selection<V>& a, const any_sharded& x) {
  a = x;
}

}  // namespace distributed::detail

#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc) \
  template<class... X>                                                    \
    requires(distributed::detail::callable<ufunc::name, X...>())          \
  [[nodiscard]] auto name(const X&... x) {                                \
    return distributed::detail::call<ufunc::name>(x...);                  \
  }
#define GPARRAY_UFUNC_ALIAS(alias, name)                         \
  template<class... X>                                           \
    requires(distributed::detail::callable<ufunc::name, X...>()) \
  [[nodiscard]] auto alias(const X&... x) {                      \
    return distributed::detail::call<ufunc::name>(x...);         \
  }
#include <gparray/tables/ufuncs.def>

namespace distributed {

#define GPARRAY_BINARY_OPERATOR(symbol, function)                                        \
  template<class A, class B>                                                             \
    requires detail::operands<A, B> && (detail::callable<ufunc::function, A, B>())       \
  auto operator symbol(const A& a, const B& b) {                                         \
    return detail::call<ufunc::function>(a, b);                                          \
  }                                                                                      \
  template<class A, class B, class Because = detail::no_such_operation_for_these_dtypes> \
    requires detail::operands<A, B> && (!detail::callable<ufunc::function, A, B>())      \
  void operator symbol(const A& a, const B& b) = delete;
#define GPARRAY_IN_PLACE_OPERATOR(symbol, function)                               \
  /* Writes: neighbours' elements are fetched anew where they are needed next. */ \
  template<class A, class B>                                                      \
    requires(detail::is_target<A> && detail::in_place<ufunc::function, A, B>)     \
  const A& operator symbol##=(const A & a, const B & b) {                         \
    detail::store(a, detail::call<ufunc::function>(a, b));                        \
    return a;                                                                     \
  }                                                                               \
  GPARRAY_BINARY_OPERATOR(symbol, function)
GPARRAY_IN_PLACE_OPERATOR(+, add)
GPARRAY_IN_PLACE_OPERATOR(-, subtract)
GPARRAY_IN_PLACE_OPERATOR(*, multiply)
GPARRAY_IN_PLACE_OPERATOR(/, divide)
GPARRAY_IN_PLACE_OPERATOR(%, remainder)
GPARRAY_IN_PLACE_OPERATOR(&, bitwise_and)
GPARRAY_IN_PLACE_OPERATOR(|, bitwise_or)
GPARRAY_IN_PLACE_OPERATOR(^, bitwise_xor)
GPARRAY_IN_PLACE_OPERATOR(<<, left_shift)
GPARRAY_IN_PLACE_OPERATOR(>>, right_shift)
GPARRAY_BINARY_OPERATOR(==, equal)
GPARRAY_BINARY_OPERATOR(!=, not_equal)
GPARRAY_BINARY_OPERATOR(<, less)
GPARRAY_BINARY_OPERATOR(<=, less_equal)
GPARRAY_BINARY_OPERATOR(>, greater)
GPARRAY_BINARY_OPERATOR(>=, greater_equal)
#undef GPARRAY_IN_PLACE_OPERATOR
#undef GPARRAY_BINARY_OPERATOR

#define GPARRAY_UNARY_OPERATOR(symbol, function)     \
  template<detail::sharded_like A>                   \
    requires(detail::callable<ufunc::function, A>()) \
  auto operator symbol(const A& a) {                 \
    return detail::call<ufunc::function>(a);         \
  }
GPARRAY_UNARY_OPERATOR(-, negative)
GPARRAY_UNARY_OPERATOR(+, positive)
GPARRAY_UNARY_OPERATOR(~, invert)
#undef GPARRAY_UNARY_OPERATOR

}  // namespace distributed
GPARRAY_END_NAMESPACE
