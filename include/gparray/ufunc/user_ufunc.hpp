// GPARRAY_UFUNC: a user's own element-wise function, from one piece of C++ text for CPU and GPU.
//
//   GPARRAY_UFUNC(logistic, (x, rate), T(1) / (T(1) + exp(-rate * x)));   // at namespace scope
//
//   gp::ndarray<float> y = logistic(a, 2.f) * b;   // one fused kernel, on either device
//
// The expression sees its parameters, the type T that they share, and the functions of ufunc_math.hpp by
// their plain names (sin, exp, pow, fmax, min, isnan, ...). It must be complete in itself, for GPUs compile
// its text: std::sin, or a constant of the program, does not compile on any machine. The arguments promote to
// T by the usual rules (C++ numbers are weak; float16 and bfloat16 compute in float); the dtype of the result
// is that of the expression by the rules of C++: 2.0 * x of float32 is float64, while 2.f * x and T(2) * x
// are float32. Complex dtypes are not accepted.
#pragma once
#include <gparray/ufunc/names.hpp>
#include <gparray/ufunc/ufunc_math.hpp>
#include <gparray/ufunc/user_loop.hpp>
#include <gparray/ufuncs.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// What the expression computes in for elements of V.
template<class V>
using user_compute_t = std::conditional_t<is_floating(dtype_of<V>) && sizeof(V) == 2, float, V>;

template<class Value>
struct integer_element {
  using type = dtype_t<signed_of_size(sizeof(Value))>;
};
template<class Value>
  requires std::is_unsigned_v<Value>
struct integer_element<Value> {
  using type = std::make_unsigned_t<dtype_t<signed_of_size(sizeof(Value))>>;
};

/// The element type that holds the value of the expression: halves come back as what they were.
template<class V, class Value>
constexpr auto user_result_type() {
  static_assert(std::is_arithmetic_v<Value>, "the expression of a GPARRAY_UFUNC must give a number");
  static_assert(!std::is_same_v<Value, long double>, "no array holds long double: use double");
  if constexpr (std::is_same_v<Value, float> && std::is_same_v<user_compute_t<V>, float>)
    return std::type_identity<V>{};
  else if constexpr (element<Value>)
    return std::type_identity<dtype_t<dtype_of<Value>>>{};  // long long: int64
  else return integer_element<Value>{};
}

template<class F, class V,
         class Indices = std::make_index_sequence<static_cast<std::size_t>(F::function.arity)>>
struct user_loop_of;

/// F, whose apply<T> is the expression, for elements of V.
template<class F, class V, std::size_t... I>
struct user_loop_of<F, V, std::index_sequence<I...>> {
  using compute = user_compute_t<V>;
  template<std::size_t>
  using parameter = compute;
  using value = decltype(F::template apply<compute>(parameter<I>()...));
  using result = typename decltype(user_result_type<V, value>())::type;

  // The results of a block go through a buffer: it overlaps no operand, and the count is known, so that any
  // level of optimisation that vectorises at all vectorises this.
  static void run(const void* const* args, void* out, std::int64_t n) {
    for (std::int64_t first = 0; first < n; first += user_loop_block) {
      result buffer[user_loop_block];
      block(buffer, (static_cast<const V*>(args[I]) + first)...);
      std::memcpy(static_cast<result*>(out) + first, buffer, sizeof buffer);
    }
  }

  static constexpr user_loop loop{&F::function, dtype_of<V>, dtype_of<result>, &run};

 private:
  template<class... Pointers>
  static void block(result* buffer, Pointers... in) {
    for (std::int64_t i = 0; i < user_loop_block; ++i)
      buffer[i] = static_cast<result>(F::template apply<compute>(static_cast<compute>(in[i])...));
  }
};

}  // namespace detail

/// The object that GPARRAY_UFUNC defines: called as the functions of ufuncs.hpp are.
template<class F>
class user_ufunc {
  template<class... X>
  static constexpr bool callable() {
    if constexpr (sizeof...(X) != static_cast<std::size_t>(F::function.arity) || !(operand_like<X> && ...) ||
                  !(array_like<X> || ...))
      return false;
    else return !is_complex(detail::common_dtype<X...>());
  }
  template<class... X>
  using loop_for = detail::user_loop_of<F, dtype_t<detail::common_dtype<X...>()>>;

 public:
  /// A new expression, of the shape that the arguments broadcast to. At least one is an array. Throws
  /// value_error if the shapes do not fit, device_error if arrays are on different devices; on a GPU, text
  /// that does not compile there throws compile_error when the expression is computed.
  template<class... X>
    requires(callable<X...>())
  auto operator()(X&&... x) const {
    using chosen = loop_for<X...>;
    using T = dtype_t<chosen::loop.type>;
    const detail::argument arguments[] = {detail::make_argument<T>(std::forward<X>(x))...};
    return detail::expr_of<typename chosen::result, X...>(detail::make_expression(chosen::loop, arguments),
                                                          detail::adopt_t{});
  }

  /// Computes the function into `out`, as NumPy's out= does, and returns it.
  template<class A, array_like O>
    requires(callable<A>())
  O&& operator()(A&& a, O&& out, const ufunc_options& options = {}) const {
    return detail::store(std::forward<O>(out), (*this)(std::forward<A>(a)), options);
  }
  template<class A, class B, array_like O>
    requires(callable<A, B>())
  O&& operator()(A&& a, B&& b, O&& out, const ufunc_options& options = {}) const {
    return detail::store(std::forward<O>(out), (*this)(std::forward<A>(a), std::forward<B>(b)), options);
  }
  template<class A, class B, class C, array_like O>
    requires(callable<A, B, C>())
  O&& operator()(A&& a, B&& b, C&& c, O&& out, const ufunc_options& options = {}) const {
    return detail::store(std::forward<O>(out),
                         (*this)(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c)), options);
  }
};

GPARRAY_END_NAMESPACE

// T x, T y, ... and their number, from (x, y, ...).
#define GPARRAY_TYPED_1(a) T a
#define GPARRAY_TYPED_2(a, b) T a, T b
#define GPARRAY_TYPED_3(a, b, c) T a, T b, T c
#define GPARRAY_TYPED_4(a, b, c, d) T a, T b, T c, T d
#define GPARRAY_TYPED_5(a, b, c, d, e) T a, T b, T c, T d, T e
#define GPARRAY_SIXTH(a, b, c, d, e, f, ...) f
#define GPARRAY_COUNT(...) GPARRAY_SIXTH(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
#define GPARRAY_JOIN(a, b) GPARRAY_JOIN_EXPANDED(a, b)
#define GPARRAY_JOIN_EXPANDED(a, b) a##b
#define GPARRAY_TYPED(...) GPARRAY_JOIN(GPARRAY_TYPED_, GPARRAY_COUNT(__VA_ARGS__))(__VA_ARGS__)
// Macros in the text are expanded before it becomes a string, for the GPU's compiler does not know them.
#define GPARRAY_TEXT(...) #__VA_ARGS__

/// Defines the function `name` of one to five parameters at namespace scope: see the top of this file.
// The mathematical names are one scope further out than the parameters, which may be called min or round.
#define GPARRAY_UFUNC(name, parameters, ...)                                                            \
  namespace gparray_ufunc_##name {                                                                      \
    GPARRAY_MATH_NAMES                                                                                  \
    struct definition {                                                                                 \
      static constexpr ::gparray::detail::user_function function{                                       \
          #name, #parameters, GPARRAY_TEXT(__VA_ARGS__), __FILE__, __LINE__, GPARRAY_COUNT parameters}; \
      GPARRAY_CHECK_NAMES(#parameters, GPARRAY_TEXT(__VA_ARGS__));                                      \
      template<class T>                                                                                 \
      static inline auto apply(GPARRAY_TYPED parameters) {                                              \
        return (__VA_ARGS__);                                                                           \
      }                                                                                                 \
    };                                                                                                  \
    static const ::gparray::detail::user_function_owner owner(&definition::function);                   \
  }                                                                                                     \
  inline constexpr ::gparray::user_ufunc<gparray_ufunc_##name::definition> name {}
