// The element-wise functions of the table as the kernels of map_kernels.cuh want them.
#pragma once
#include <cuda/device/elements.cuh>
#include <cuda/device/quick_math.cuh>
#include <gparray/tables/ufunc_table.hpp>
#include <kernel/functors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

namespace detail {
template<ufunc F>
struct functor_of;
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc) \
  template<>                                                              \
  struct functor_of<ufunc::name> {                                        \
    using type = kernel::name##_op;                                       \
  };
#include <gparray/tables/ufuncs.def>
}  // namespace detail

/// A row of ufuncs.def for a loop dtype.
template<ufunc F, dtype D>
struct ufunc_function {
  static constexpr int arity = gparray::arity(F);
  using result = kernel_t<output_dtype(F, D)>;
  template<int I>
  using argument = kernel_t<input_dtype(F, I < arity ? I : 0, D)>;
  template<class... T>
  __device__ static __forceinline__ result call(T... inputs) {
    if constexpr (D == dtype::float64 && is_made_of_rest(F)) return of_rest(inputs...);
    else return kernel::invoke<typename detail::functor_of<F>::type, kernel_t<D>>(inputs...);
  }

 private:
  static constexpr bool is_made_of_rest(ufunc f) {
    return f == ufunc::floor_divide || f == ufunc::remainder || f == ufunc::fmod;
  }
  __device__ static __forceinline__ double of_rest(double a, double b) {
    const double rest = quick_rest(a, b);
    if constexpr (F == ufunc::floor_divide) return kernel::floored_quotient(rest, a, b);
    else if constexpr (F == ufunc::remainder) return kernel::remainder_of(rest, b);
    else return rest;
  }
};

template<class From, class To>
struct cast_function {
  static constexpr int arity = 1;
  using result = To;
  template<int I>
  using argument = From;
  __device__ static __forceinline__ To call(From value) { return kernel::cast<To>(value); }
};

/// Whether a row has a loop for this dtype (the same rule as resolve_loop, which never chooses another).
constexpr bool has_loop(ufunc f, dtype d) {
  const auto domain = gparray::detail::row(f).domain;
  const char k = kind(d) == 'u' ? 'i' : kind(d);
  if (gparray::detail::has(domain, 'w') && d != dtype::float64 && d != dtype::complex128) return false;
  return gparray::detail::has(domain, k);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
