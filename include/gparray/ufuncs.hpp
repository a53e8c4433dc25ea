// The element-wise functions: one public function for each row of ufuncs.def.
#pragma once
#include <gparray/array/scalar.hpp>
#include <gparray/ufunc/comparison.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The keyword arguments of element-wise functions, with NumPy's names.
struct ufunc_options {
  /// An array to write the result into, converted by the same_kind rule; it is what is returned if it has the
  /// result's dtype.
  any_array out = {};
  /// Where to write: a bool array that broadcasts to the output. Elements elsewhere keep what they have.
  any_array where = {};
};

namespace detail {

/// Of a number bool, which promotes nothing.
template<ufunc F, class X>
constexpr dtype array_operand_dtype() {
  if constexpr (array_like<X>) return operand_dtype(F, dtype_of<element_t<X>>);
  else return dtype::bool_;
}

/// The operands' common dtype: that of the inputs whose letter in the signature is T.
template<ufunc F, class... X>
constexpr dtype common_input_dtype() {
  constexpr std::string_view signature = row(F).signature;
  constexpr bool is_array[] = {array_like<X>...}, is_inexact[] = {inexact_number<X>()...};
  constexpr dtype array_dtypes[] = {array_operand_dtype<F, X>()...};
  dtype result = dtype::bool_;
  bool arrays = false, inexact = false;
  for (std::size_t k = 0; k < sizeof...(X); ++k) {
    if (signature[k] != 'T') continue;
    arrays |= is_array[k];
    inexact |= is_inexact[k];
    result = promote_types(result, array_dtypes[k]);
  }
  std::size_t i = 0;
  ((result = signature[i++] == 'T' && !arrays ? promote_number<X>(result, inexact) : result), ...);
  i = 0;
  ((result = signature[i++] == 'T' ? promote_scalar<X>(result) : result), ...);
  return result;
}

template<ufunc F, class... X>
inline constexpr loop_resolution loop_of = resolve_loop(F, common_input_dtype<F, X...>());

/// Arguments that NumPy's ufunc takes: the right number, at least one array, a loop for their dtype, and
/// inputs with a dtype of their own (conditions, exponents) that convert safely.
template<ufunc F, class... X>
constexpr bool callable() {
  if constexpr (sizeof...(X) != static_cast<std::size_t>(arity(F)) || !(operand_like<X> && ...) ||
                !(array_like<X> || ...)) {
    return false;
  } else if constexpr (!loop_of<F, X...>.valid) {
    return false;
  } else {
    constexpr dtype types[] = {promote_scalar<X>(promote_array<X>(dtype::bool_))...};
    for (int i = 0; i < arity(F); ++i) {
      const char letter = row(F).signature[static_cast<std::size_t>(i)];
      // Exponents may be int64; those beyond int32 become its ends.
      if (letter == 'i' && !can_cast(types[i], dtype::int64)) return false;
      if (letter != 'T' &&
          !can_cast(types[i], letter_dtype(letter, loop_of<F, X...>.loop), casting::same_kind))
        return false;
    }
    return true;
  }
}

template<ufunc F, class... X>
using ufunc_result_t = dtype_t<output_dtype(F, loop_of<F, X...>.loop)>;

template<ufunc F, class... X, std::size_t... I>
any_array call_loop(std::index_sequence<I...>, X&&... x) {
  constexpr dtype loop = loop_of<F, X...>.loop;
  const argument arguments[] = {make_argument < dtype_t<input_dtype(F, I, loop)>,
                                F == ufunc::clip > (std::forward<X>(x))...};
  return make_expression(F, loop, arguments);
}

/// An exponent that int32 holds: larger ones give the same result as its ends.
template<class X>
decltype(auto) exponent(X&& x) {
  if constexpr (array_like<X>) {
    using V = element_t<X>;
    using limits = std::numeric_limits<std::int32_t>;
    if constexpr (std::numeric_limits<V>::digits > limits::digits)
      return call_row<ufunc::clip>(std::forward<X>(x), std::is_signed_v<V> ? limits::min() : 0,
                                   limits::max());
    else return std::forward<X>(x);
  } else {
    return std::forward<X>(x);
  }
}

template<ufunc F, class... X>
auto call_row(X&&... x) {
  return expr<ufunc_result_t<F, X...>>(call_loop<F>(std::index_sequence_for<X...>{}, std::forward<X>(x)...),
                                       adopt_t{});
}

template<class A, class B>
auto ldexp_of(A&& a, B&& b) {
  return call_row<ufunc::ldexp>(std::forward<A>(a), exponent(std::forward<B>(b)));
}

/// What functions, operators and the objects of ufunc/objects.hpp have in common.
template<ufunc F, class... X>
  requires(callable<F, X...>())
expr_of<ufunc_result_t<F, X...>, X...> call(X&&... x) {
  using result = expr_of<ufunc_result_t<F, X...>, X...>;
  if constexpr (is_comparison(F)) return result(compare<F>(std::forward<X>(x)...), adopt_t{});
  else if constexpr (F == ufunc::ldexp) return result(ldexp_of(std::forward<X>(x)...), adopt_t{});
  else return result(call_loop<F>(std::index_sequence_for<X...>{}, std::forward<X>(x)...), adopt_t{});
}

/// Whether a result of dtype R may be stored in an array of V by a ufunc (casting='same_kind').
template<class R, class V>
inline constexpr bool storable = can_cast(dtype_of<R>, dtype_of<V>, casting::same_kind);

/// Whether O is that of a variable of an array's type.
template<class O>
inline constexpr bool is_name =
    std::is_lvalue_reference_v<O> && !std::is_const_v<std::remove_reference_t<O>> &&
    std::is_base_of_v<any_array, std::remove_reference_t<O>>;

template<array_like O, class E>
  requires storable<typename E::value_type, element_t<O>>
O&& store(O&& out, E&& value, const ufunc_options& options) {
  // Of a(mask) or a(indices): what is written to an array that nobody else has goes back to its elements
  // then.
  constexpr bool writes_back = !std::is_lvalue_reference_v<O> && requires { out.write_back(); };
  argument source = make_argument<element_t<O>>(std::forward<E>(value));
  source.fuse = true;
  if (options.where.rep()) {
    assign_where(out, source, options.where);
  } else {
    check_output(out, value);
    if constexpr (is_name<O> || writes_back) assign_to_name(out, source);
    else assign(out, source);
  }
  if constexpr (writes_back) out.write_back();
  return std::forward<O>(out);
}

/// f(x..., {.out = out, .where = mask}).
GPARRAY_API any_array store_in(const any_array& value, const ufunc_options& options);

template<class E>
auto store_as_optioned(E&& value, const ufunc_options& options) {
  using V = typename std::remove_cvref_t<E>::value_type;
  return ndarray<V>(store_in(value, options), adopt_t{});
}

}  // namespace detail

// f(x...) is a new expression. f(x..., out) writes into out, as NumPy's out= does, and returns it; with
// {.where = mask} only where the mask is true. Shapes broadcast (value_error if they cannot), dtypes promote
// by NumPy 2's rules, and a combination that NumPy rejects with a TypeError does not compile. Arrays must be
// on one device (device_error).
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc)                               \
  template<class... X>                                                                                  \
    requires(detail::callable<ufunc::name, X...>())                                                     \
  [[nodiscard]] auto name(X&&... x) {                                                                   \
    return detail::call<ufunc::name>(std::forward<X>(x)...);                                            \
  }                                                                                                     \
  template<class... X>                                                                                  \
    requires detail::with_range<X...>                                                                   \
  [[nodiscard]] auto name(X&&... x) {                                                                   \
    const device on = detail::device_of_operands(x...);                                                 \
    return name(detail::read_operand(std::forward<X>(x), on)...);                                       \
  }                                                                                                     \
  template<class A, array_like O>                                                                       \
    requires(arity(ufunc::name) == 1 && detail::callable<ufunc::name, A>())                             \
  O&& name(A&& a, O&& out, const ufunc_options& options = {}) {                                         \
    return detail::store(std::forward<O>(out), detail::call<ufunc::name>(std::forward<A>(a)), options); \
  }                                                                                                     \
  template<class A, class B, array_like O>                                                              \
    requires(arity(ufunc::name) == 2 && detail::callable<ufunc::name, A, B>())                          \
  O&& name(A&& a, B&& b, O&& out, const ufunc_options& options = {}) {                                  \
    return detail::store(std::forward<O>(out),                                                          \
                         detail::call<ufunc::name>(std::forward<A>(a), std::forward<B>(b)), options);   \
  }                                                                                                     \
  template<class A>                                                                                     \
    requires(arity(ufunc::name) == 1 && detail::callable<ufunc::name, A>())                             \
  auto name(A&& a, const ufunc_options& options) {                                                      \
    return detail::store_as_optioned(detail::call<ufunc::name>(std::forward<A>(a)), options);           \
  }                                                                                                     \
  template<class A, class B>                                                                            \
    requires(arity(ufunc::name) == 2 && detail::callable<ufunc::name, A, B>())                          \
  auto name(A&& a, B&& b, const ufunc_options& options) {                                               \
    return detail::store_as_optioned(detail::call<ufunc::name>(std::forward<A>(a), std::forward<B>(b)), \
                                     options);                                                          \
  }
// A braced {.where = mask} is no deduced argument, so these have overloads of their own.
#define GPARRAY_UFUNC_ALIAS(alias, name)                                                           \
  template<class... X>                                                                             \
  [[nodiscard]] auto alias(X&&... x) -> decltype(name(std::forward<X>(x)...)) {                    \
    return name(std::forward<X>(x)...);                                                            \
  }                                                                                                \
  template<class A, array_like O>                                                                  \
  auto alias(A&& a, O&& out, const ufunc_options& options)                                         \
      -> decltype(name(std::forward<A>(a), std::forward<O>(out), options)) {                       \
    return name(std::forward<A>(a), std::forward<O>(out), options);                                \
  }                                                                                                \
  template<class A, class B, array_like O>                                                         \
  auto alias(A&& a, B&& b, O&& out, const ufunc_options& options)                                  \
      -> decltype(name(std::forward<A>(a), std::forward<B>(b), std::forward<O>(out), options)) {   \
    return name(std::forward<A>(a), std::forward<B>(b), std::forward<O>(out), options);            \
  }                                                                                                \
  template<class A>                                                                                \
  auto alias(A&& a, const ufunc_options& options) -> decltype(name(std::forward<A>(a), options)) { \
    return name(std::forward<A>(a), options);                                                      \
  }                                                                                                \
  template<class A, class B>                                                                       \
  auto alias(A&& a, B&& b, const ufunc_options& options)                                           \
      -> decltype(name(std::forward<A>(a), std::forward<B>(b), options)) {                         \
    return name(std::forward<A>(a), std::forward<B>(b), options);                                  \
  }
#include <gparray/tables/ufuncs.def>

GPARRAY_END_NAMESPACE
