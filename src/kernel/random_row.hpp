// The rows of random.def as types, which the host's loops and the CUDA kernels are instantiated with.
#pragma once
#include "random_compound.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

enum class draw_result { single, real, integer, bits };

/// Marks the sources that are no block_source.
template<class Real>
struct element_source {};

template<class Real>
GPARRAY_KERNEL_FN Real parameter(unsigned long bits) {
  return static_cast<Real>(from_bits<double>(bits));
}

/// call(z, p, x) is the variate of one element, from its standard variate or stream, the bits of its three
/// parameters, and what it shares with others.
#define GPARRAY_DISTRIBUTION(name, source_, result_, p1, p2, p3, expression, doc)             \
  struct name##_row {                                                                         \
    static constexpr draw_result result = draw_result::result_;                               \
    template<class Real>                                                                      \
    using source = source_##_source<Real>;                                                    \
    template<class Real, class Z>                                                             \
    static GPARRAY_KERNEL_FN auto call(Z& z, const unsigned long* p, const draw_context& x) { \
      [[maybe_unused]] const Real a = parameter<Real>(p[0]), b = parameter<Real>(p[1]),       \
                                  c = parameter<Real>(p[2]);                                  \
      (void)x;                                                                                \
      return expression;                                                                      \
    }                                                                                         \
  };
/// call(z, p, x, out) writes the x.count numbers of one vector.
#define GPARRAY_ROW_DISTRIBUTION(name, result_, expression)                                             \
  struct name##_row {                                                                                   \
    static constexpr draw_result result = draw_result::result_;                                         \
    template<class Out>                                                                                 \
    static GPARRAY_KERNEL_FN void call(element_draws& z, const unsigned long* p, const draw_context& x, \
                                       Out* out) {                                                      \
      [[maybe_unused]] const double a = parameter<double>(p[0]);                                        \
      expression;                                                                                       \
    }                                                                                                   \
  };
#include <gparray/tables/random.def>

/// The type that a row's numbers are kept in: float or double, or an integer.
template<class Row, class Real>
using drawn_t = conditional_t<Row::result == draw_result::integer, long,
                              conditional_t<Row::result == draw_result::bits, unsigned long, Real>>;

}  // namespace kernel
GPARRAY_END_NAMESPACE
