// The element-wise functions: one public function for each row of ufuncs.def.
#pragma once
#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

/// NumPy's keyword arguments of ufuncs.
struct ufunc_options {
  /// Where to write: a bool array that broadcasts to the output. Elements elsewhere keep what they have.
  any_array where = {};
};

namespace detail {

/// The operands' common dtype: that of the inputs whose letter in the signature is T.
template<ufunc F, class... X>
constexpr dtype common_input_dtype() {
  constexpr std::string_view signature = row(F).signature;
  dtype result = dtype::bool_;
  int i = 0;
  ((result = signature[i++] == 'T' ? promote_array<X>(result) : result), ...);
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
  const argument arguments[] = {
      make_argument<dtype_t<input_dtype(F, I, loop)>, F == ufunc::clip>(std::forward<X>(x))...};
  return make_expression(F, loop, arguments);
}

template<ufunc F, class... X>
requires(callable<F, X...>()) expr<ufunc_result_t<F, X...>> call(X&&... x) {
  return {call_loop<F>(std::index_sequence_for<X...>{}, std::forward<X>(x)...), adopt_t{}};
}

/// Whether a result of dtype R may be stored in an array of V by a ufunc (casting='same_kind').
template<class R, class V>
inline constexpr bool storable = can_cast(dtype_of<R>, dtype_of<V>, casting::same_kind);

template<array_like O, class E>
requires storable<typename E::value_type, element_t<O>> O &&
    store(O&& out, E&& value, const ufunc_options& options) {
  argument source = make_argument<element_t<O>>(std::forward<E>(value));
  source.fuse = true;
  if (options.where.rep()) {
    assign_where(out, source, options.where);
  } else {
    check_output(out, value);
    assign(out, source);
  }
  if constexpr (!std::is_lvalue_reference_v<O> && requires { out.write_back(); }) out.write_back();
  return std::forward<O>(out);
}

}  // namespace detail

// f(x...) is a new expression. f(x..., out) writes into out, as NumPy's out= does, and returns it; with
// {.where = mask} only where the mask is true. Shapes broadcast (value_error if they cannot), dtypes promote
// by NumPy 2's rules, and a combination that NumPy rejects with a TypeError does not compile. Arrays must be
// on one device (device_error).
#define GPARRAY_UFUNC_ROW(name, signature, domain, expression, doc)                                     \
  template<class... X>                                                                                  \
  requires(detail::callable<ufunc::name, X...>()) auto name(X&&... x) {                                 \
    return detail::call<ufunc::name>(std::forward<X>(x)...);                                            \
  }                                                                                                     \
  template<class A, array_like O>                                                                       \
  requires(arity(ufunc::name) == 1 && detail::callable<ufunc::name, A>())                               \
      O && name(A&& a, O&& out, const ufunc_options& options = {}) {                                    \
    return detail::store(std::forward<O>(out), detail::call<ufunc::name>(std::forward<A>(a)), options); \
  }                                                                                                     \
  template<class A, class B, array_like O>                                                              \
  requires(arity(ufunc::name) == 2 && detail::callable<ufunc::name, A, B>())                            \
      O && name(A&& a, B&& b, O&& out, const ufunc_options& options = {}) {                             \
    return detail::store(std::forward<O>(out),                                                          \
                         detail::call<ufunc::name>(std::forward<A>(a), std::forward<B>(b)), options);   \
  }
// A braced {.where = mask} is no deduced argument, so these have overloads of their own.
#define GPARRAY_UFUNC_ALIAS(alias, name)                                                        \
  template<class... X>                                                                          \
  auto alias(X&&... x)->decltype(name(std::forward<X>(x)...)) {                                 \
    return name(std::forward<X>(x)...);                                                         \
  }                                                                                             \
  template<class A, array_like O>                                                               \
  auto alias(A&& a, O&& out, const ufunc_options& options)                                      \
      ->decltype(name(std::forward<A>(a), std::forward<O>(out), options)) {                     \
    return name(std::forward<A>(a), std::forward<O>(out), options);                             \
  }                                                                                             \
  template<class A, class B, array_like O>                                                      \
  auto alias(A&& a, B&& b, O&& out, const ufunc_options& options)                               \
      ->decltype(name(std::forward<A>(a), std::forward<B>(b), std::forward<O>(out), options)) { \
    return name(std::forward<A>(a), std::forward<B>(b), std::forward<O>(out), options);         \
  }
#include <gparray/ufuncs.def>

GPARRAY_END_NAMESPACE
