// What ElementwiseKernel and ReductionKernel take and give: arrays whose dtypes the kernel decides at run
// time.
#pragma once
#include <initializer_list>
#include <tuple>
#include <vector>

#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

/// An argument of a kernel: ndarray, expr, any_array or a C++ number.
template<class X>
concept kernel_operand = std::derived_from<std::remove_cvref_t<X>, any_array> || scalar_like<X>;

namespace detail {

template<kernel_operand X>
argument kernel_argument(const X& x) {
  if constexpr (std::derived_from<X, any_array>) {
    argument a;
    a.array = &x;
    a.type = x.dtype();
    return a;
  } else {
    return constant(own_type(x));
  }
}

}  // namespace detail

/// The outputs of one call. Converts to an ndarray of the dtype that the kernel chose:
/// gp::ndarray<float> z = k(x, y).
class kernel_result {
 public:
  /// Of these outputs, in order.
  explicit kernel_result(std::vector<any_array> outputs) noexcept : outputs_(std::move(outputs)) {}

  /// How many outputs there are.
  std::size_t size() const noexcept { return outputs_.size(); }
  /// An output by its number, as an array whose dtype is known at run time.
  const any_array& operator[](std::size_t i) const { return outputs_[i]; }
  /// Iterators over the outputs.
  auto begin() const noexcept { return outputs_.begin(); }
  /// The end of the outputs.
  auto end() const noexcept { return outputs_.end(); }

  /// The outputs as arrays of these types: one ndarray, or a tuple of several for a structured binding.
  /// Throws type_error if a dtype is another, value_error if there are more or fewer outputs.
  template<element... V>
  [[nodiscard]] auto as() const {
    check_count(sizeof...(V));
    if constexpr (sizeof...(V) == 1) return ndarray<V...>(outputs_[0]);
    else return as_tuple<V...>(std::index_sequence_for<V...>{});
  }
  /// The only output. Throws type_error if its dtype is not that of V, value_error if there are more outputs.
  template<element V>
  operator ndarray<V>() const {
    return as<V>();
  }

 private:
  template<element... V, std::size_t... I>
  std::tuple<ndarray<V>...> as_tuple(std::index_sequence<I...>) const {
    return {ndarray<V>(outputs_[I])...};
  }
  GPARRAY_API void check_count(std::size_t wanted) const;

  std::vector<any_array> outputs_;
};

namespace detail {

/// How ElementwiseKernel and ReductionKernel are called: with the inputs, or the inputs and all outputs, and
/// then maybe the keyword arguments, a braced list.
template<class Kernel, class Call>
class kernel_calls {
 public:
  template<kernel_operand... X>
  kernel_result operator()(const X&... x) const {
    return call_with({}, x...);
  }
  kernel_result operator()(const Call& call) const { return call_with(call); }
  template<kernel_operand A>
  kernel_result operator()(const A& a, const Call& call) const {
    return call_with(call, a);
  }
  template<kernel_operand A, kernel_operand B>
  kernel_result operator()(const A& a, const B& b, const Call& call) const {
    return call_with(call, a, b);
  }
  template<kernel_operand A, kernel_operand B, kernel_operand C>
  kernel_result operator()(const A& a, const B& b, const C& c, const Call& call) const {
    return call_with(call, a, b, c);
  }
  template<kernel_operand A, kernel_operand B, kernel_operand C, kernel_operand D>
  kernel_result operator()(const A& a, const B& b, const C& c, const D& d, const Call& call) const {
    return call_with(call, a, b, c, d);
  }
  /// The same for any number of arguments.
  template<kernel_operand... X>
  kernel_result call_with(const Call& call, const X&... x) const {
    const std::initializer_list<argument> arguments{kernel_argument(x)...};
    return static_cast<const Kernel&>(*this).launch({arguments.begin(), arguments.size()}, call);
  }
  /// The outputs as arrays of these types: auto [s, d] = k.call<float, float>(a, b).
  template<element... V, kernel_operand... X>
  auto call(const X&... x) const {
    return call_with({}, x...).template as<V...>();
  }
};

}  // namespace detail

GPARRAY_END_NAMESPACE
